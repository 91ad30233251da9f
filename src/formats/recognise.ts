/**
 * Recognises the format of a source: every format is asked, and gives its reason for or against.
 *
 * @module
 */

import type { Detection } from "../dataset/facts.ts";
import { cannot, isTilewiseError, TilewiseError } from "../errors.ts";
import { extensionOf } from "../io/file/names.ts";
import { type Format, isGzip, type Match, type Probe } from "./common/format.ts";
import type { Input } from "./common/input.ts";
import type { OpenOptions } from "./common/options.ts";
import { namesInZip } from "./common/zip_names.ts";
import { FORMATS } from "./registry.ts";

// Files that are not read are known by their first bytes, so that the error can call them by their names and say what
// would work. To add one: a line of TABLE.

/** What a file is. */
interface Known {
  /** With its article, as in `a PNG picture`. */
  readonly what: string;
  /** What to do with it, or what would work. */
  readonly advice: string;
}

const NOT_READ = "Tilewise does not read it";
const TIFF = "TIFF files are read";
const PICTURE = "pictures are not read";
const ARCHIVE = "unpack it first";
const NETCDF = "a copy as NetCDF-4 (nccopy -k nc4) is HDF5, which is read";

/** First bytes, what begins with them, what to do, and where they are if not at byte 0. */
const TABLE: readonly (readonly [magic: string, what: string, advice: string, at?: number])[] = [
  ["II*\0", "a TIFF file (classic, little-endian)", TIFF],
  ["MM\0*", "a TIFF file (classic, big-endian)", TIFF],
  ["II+\0", "a TIFF file (BigTIFF, little-endian)", TIFF],
  ["MM\0+", "a TIFF file (BigTIFF, big-endian)", TIFF],
  ["\x89PNG\r\n\x1a\n", "a PNG picture", "Tilewise writes PNG but does not read it"],
  ["\xff\xd8\xff", "a JPEG picture", PICTURE],
  ["\0\0\0\x0cjP  \r\n\x87\n", "a JPEG 2000 picture", PICTURE],
  ["\xff\x4f\xff\x51", "a JPEG 2000 codestream", PICTURE],
  ["GIF8", "a GIF picture", PICTURE],
  ["WEBP", "a WebP picture", PICTURE, 8],
  ["AVI ", "an AVI film", NOT_READ, 8],
  ["ftyp", "an MP4 film, or a HEIF or AVIF picture", NOT_READ, 4],
  ["MATLAB 5.0 MAT-file", "a MATLAB file (version 5)", "save it with -v7.3: that is HDF5, which is read"],
  ["CDF\x01", "a NetCDF file (classic)", NETCDF],
  ["CDF\x02", "a NetCDF file (classic, 64-bit offsets)", NETCDF],
  ["CDF\x05", "a NetCDF file (classic, 64-bit data)", NETCDF],
  ["SIMPLE  =", "a FITS file that does not follow the standard", NOT_READ],
  ["\x0e\x03\x13\x01", "an HDF4 file", "a copy by h4toh5 is HDF5, which is read"],
  ["NRRD000", "an NRRD file", NOT_READ],
  ["n+1\0", "a NIfTI file", NOT_READ, 344],
  ["ni1\0", "a NIfTI header", NOT_READ, 344],
  ["n+2\0\r\n\x1a\n", "a NIfTI file (version 2)", NOT_READ, 4],
  ["DICM", "a DICOM file", NOT_READ, 128],
  ["ZISRAWFILE", "a Zeiss CZI file", NOT_READ],
  ["\xda\xce\xbe\x0a", "a Nikon ND2 file", NOT_READ],
  [
    "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "a Microsoft compound file, such as TXRM, OIB, ZVI or an old document",
    NOT_READ,
  ],
  ["JK\0\x02", "an EMI file of TIA", "open the .ser files beside it, which have the samples"],
  ["AAMVHFSS", "a Bruker BCF file", "export its maps as Ripple (.rpl with .raw) or HDF5, which are read"],
  [
    "#FORMAT",
    "a spectrum in EMSA/MAS (MSA)",
    "its text is a table of one spectrum: save it as .npy, which is read",
  ],
  ["SQLite format 3\0", "an SQLite database", NOT_READ],
  ["PAR1", "a Parquet file", NOT_READ],
  ["ARROW1\0\0", "an Arrow file", NOT_READ],
  ["%PDF-", "a PDF document", NOT_READ],
  ["1AY&SY", "a bzip2 file", ARCHIVE, 4],
  ["\xfd7zXZ\0", "an xz file", ARCHIVE],
  ["\x28\xb5\x2f\xfd", "a Zstandard file", ARCHIVE],
  ["\x04\x22\x4d\x18", "an LZ4 file", ARCHIVE],
  ["7z\xbc\xaf\x27\x1c", "a 7-Zip archive", ARCHIVE],
  ["Rar!\x1a\x07", "a RAR archive", ARCHIVE],
  ["ustar", "a tar archive", ARCHIVE, 257],
];

/** Bytes that are unpacked to see what is inside of gzip. */
const INNER_BYTES = 512;

/** The error that names the kind of `source`, followed by a `hint`; `undefined` if the kind is not known. */
async function knownFile(
  probe: Probe,
  source: string,
  hint: string = "",
): Promise<TilewiseError | undefined> {
  const { head } = probe;
  const known = fromTable(head) ?? ofJeol(probe) ?? await zipped(probe) ?? await gzipped(head);
  return known && called(source, known, hint);
}

function called(file: string, { what, advice }: Known, hint: string = ""): TilewiseError {
  return cannot("open", file, "unsupported", `it is ${what}; ${advice}${hint}`, { found: what });
}

function fromTable(head: Uint8Array): Known | undefined {
  const found = TABLE.find(([magic, , , at = 0]) =>
    [...magic].every((letter, i) => head[at + i] === letter.charCodeAt(0))
  );
  return found && { what: found[1], advice: found[2] };
}

/** First numbers of files of JEOL by the endings of their names: the numbers alone are too short to be sure. */
const JEOL: Readonly<Record<string, number>> = { img: 52, map: 52, pts: 304 };

function ofJeol({ head, name }: Probe): Known | undefined {
  const number = JEOL[extensionOf(name)];
  const isFound = number !== undefined && head[0] === number % 256 && head[1] === number >> 8 &&
    head[2] === 0;
  if (!isFound) return undefined;
  return { what: "a file of JEOL's Analysis Station", advice: "export it as TIFF or HDF5, which are read" };
}

/** Zip archives are recognised by the names inside. */
async function zipped(probe: Probe): Promise<Known | undefined> {
  const names = await namesInZip(probe);
  if (!names) return undefined;
  if (names.length > 0 && names.every((name) => name.endsWith(".npy"))) {
    return { what: "a NumPy archive (.npz)", advice: "unpack it: the .npy files inside are read" };
  }
  if (names.includes("data.npy") && names.includes("metadata.json")) {
    return {
      what: "an .ndata file of Nion Swift",
      advice: "export it from there as HDF5 (.nhdf), which is read",
    };
  }
  return { what: "a zip archive", advice: ARCHIVE };
}

/** Gzip is unpacked for MRC and FITS only; for other contents the error names them. */
async function gzipped(head: Uint8Array): Promise<Known | undefined> {
  if (!isGzip(head)) return undefined;
  const { gunzipStart } = await import("./common/gzip.ts");
  const inner = fromTable(await gunzipStart(head, INNER_BYTES).catch(() => new Uint8Array()));
  const what = inner ? `a gzip file with ${inner.what} inside` : "a gzip file";
  return { what, advice: "only MRC and FITS files are read from inside of gzip: unpack it first" };
}

/**
 * The format of a source, and why it is that. Errors: `unknown-format`, with the reasons of all formats; or the error for a
 * known kind of file.
 */
export async function recognise(input: Input, options: OpenOptions): Promise<Detection> {
  const answers: [Format, Match][] = [];
  for (const format of FORMATS) answers.push([format, await ask(format, input, options)]);
  const winner = answers.find(([, { claim }]) => claim === "yes");
  if (!winner || isTakenForRaw(winner[0], options)) {
    const hint = winner ? '; to read its bytes as raw frames all the same, say format "raw"' : "";
    const known = await knownFile(input, input.source.name, hint);
    if (known) throw known;
  }
  if (!winner) throw unknown(input, answers);
  const [format, { why }] = winner;
  const misses = answers.filter(([other, match]) => other !== format && isNear(other, match, input.name));
  return {
    format: format.id,
    why: [why, ...misses.map(([other, match]) => `not ${other.id}: ${match.why}`)],
  };
}

async function ask(format: Format, input: Input, options: OpenOptions): Promise<Match> {
  try {
    return await format.detect(input, options);
  } catch (error) {
    if (!isTilewiseError(error) || error.code === "aborted") throw error;
    return { claim: "no", why: error.message };
  }
}

/** Whether a source counts as raw only because nothing else fits: no option says that its first bytes are a header. */
function isTakenForRaw({ id }: Format, { headerBytes = 0 }: OpenOptions): boolean {
  return id === "raw" && headerBytes === 0;
}

/** Whether a user may expect this format. */
function isNear({ extensions, id }: Format, { claim }: Match, name: string): boolean {
  return claim === "yes" || (claim === "needs options" && id !== "raw") ||
    (claim === "no" && extensions.includes(extensionOf(name)));
}

function unknown({ source, size, head }: Input, answers: readonly [Format, Match][]): TilewiseError {
  if (size === 0) {
    return cannot("open", source.name, "unknown-format", "it is empty (0 bytes)", { found: 0 });
  }
  const begins = [...head.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const said = answers.map(([{ id }, { why }]) => `${id}: ${why}`).join("; ");
  const text = `Cannot tell what ${source.name} is (${size} bytes, begins with ${begins}). ` +
    `${said}. To read it as raw frames say what they are, as in { dtype: "uint16", sig: [256, 256] }`;
  const reasons = Object.fromEntries(answers.map(([{ id }, { why }]) => [id, why]));
  return new TilewiseError("unknown-format", text, { file: source.name, found: begins, reasons });
}
