/**
 * The facts of one image in a TIFF file, as its directory has them, checked.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { type Directory, TAG } from "../container/directory.ts";

/** The facts of an image. */
export interface ImageFacts {
  /** Samples in a row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** Planes of a volume; 1 for images. */
  readonly depth: number;
  /** Samples per pixel. */
  readonly samples: number;
  /** Bits of a sample. */
  readonly bits: number;
  /** Kind of the samples, as the format numbers it: 1 unsigned, 2 signed, 3 float, 5 complex integers, 6 complex floats. */
  readonly sampleFormat: number;
  /** Number of the compression. */
  readonly compression: number;
  /** What samples mean, as the format numbers it. */
  readonly photometric: number;
  /** 1: the samples of a pixel lie together, 2: in planes. */
  readonly planar: number;
  /** 1: none, 2: differences, 3: of floats. */
  readonly predictor: number;
  /** Where the first row and the first column are to be shown; 1: at the top, at the left. */
  readonly orientation: number;
  /** 1: the highest bit comes first, 2: the lowest. */
  readonly fillOrder: number;
  /** Rows and columns of a tile; absent for strips. */
  readonly tile?: readonly [height: number, width: number];
  /** Planes of a volume in a tile. */
  readonly tileDepth: number;
  /** Rows of a strip; those of the image for tiles. */
  readonly rowsPerStrip: number;
  /** Bits: 1 reduced resolution, 2 a page of many, 4 a mask. */
  readonly subfile: number;
  /** Whether GraphicsMagick or ImageMagick wrote it, whose samples of 24 bits have the byte order of the file. */
  readonly isOfMagick: boolean;
}

/** Bytes of the name of a program that are looked at. */
const MOST_NAME = 64;
/** Most samples per pixel whose bits and kinds are compared. */
const MOST_COMPARED = 2 ** 16;
/** Most samples of an image: bytes of 16 each can be counted. */
const MOST_SAMPLES = 2 ** 49;
/** The largest side of an image. */
const MOST_SIDE = 2 ** 31 - 1;

/** Whether a directory describes an image. */
export function isImage(directory: Directory): boolean {
  return directory.has(TAG.width) && directory.has(TAG.height);
}

/** The facts of the image that `directory` describes. Errors: `malformed`, `unsupported`, `truncated`. */
export async function readFacts(directory: Directory): Promise<ImageFacts> {
  const checked = new Checked(directory);
  const samples = await checked.within(TAG.samples, "samples per pixel", 1, 2 ** 16 - 1);
  const height = await checked.within(TAG.height, "the height", undefined, MOST_SIDE);
  const rows = await checked.number(TAG.rowsPerStrip) ?? height;
  if (rows < 1) throw checked.wrong(TAG.rowsPerStrip, "rows per strip", rows, "1 or more");
  const tile = directory.has(TAG.tileWidth) || directory.has(TAG.tileHeight)
    ? [
      await checked.within(TAG.tileHeight, "the height of tiles", undefined, MOST_SIDE),
      await checked.within(TAG.tileWidth, "the width of tiles", undefined, MOST_SIDE),
    ] as const
    : undefined;
  const bits = await checked.same(TAG.bits, "bits per sample", samples, 128);
  const facts: ImageFacts = {
    width: await checked.within(TAG.width, "the width", undefined, MOST_SIDE),
    height,
    depth: await checked.within(TAG.depth, "the depth", 1, MOST_SIDE),
    samples,
    bits,
    sampleFormat: await checked.same(TAG.sampleFormat, "sample format", samples, 6),
    compression: await checked.number(TAG.compression) ?? 1,
    photometric: await checked.number(TAG.photometric) ?? 1,
    planar: samples === 1 ? 1 : await checked.within(TAG.planar, "the planar configuration", 1, 2),
    orientation: await checked.number(TAG.orientation) ?? 1,
    predictor: await checked.number(TAG.predictor) ?? 1,
    fillOrder: await checked.within(TAG.fillOrder, "the fill order", 1, 2),
    ...defined({ tile }),
    tileDepth: tile ? await checked.within(TAG.tileDepth, "the depth of tiles", 1, MOST_SIDE) : 1,
    rowsPerStrip: Math.min(rows, height),
    subfile: await checked.number(TAG.subfile) ?? 0,
    isOfMagick: bits === 24 && /^(Graphics|Image)Magick/.test(await directory.text(TAG.software, MOST_NAME)),
  };
  const count = facts.width * facts.height * facts.depth * samples;
  if (count > MOST_SAMPLES) {
    throw checked.wrong(TAG.width, "the number of samples", count, `at most ${MOST_SAMPLES}`);
  }
  return facts;
}

/** Reads numbers of a directory, and refuses those that make no sense. */
class Checked {
  constructor(private readonly directory: Directory) {}

  async number(tag: number): Promise<number | undefined> {
    const value = await this.directory.number(tag);
    if (value === undefined || Number.isSafeInteger(value)) return value;
    throw this.wrong(tag, "a number", value, "a whole number");
  }

  /** A number that must lie from 1 to `most`; `otherwise` where it is missing, or an error if that is `undefined`. */
  async within(
    tag: number,
    what: string,
    otherwise: number | undefined,
    most: number,
  ): Promise<number> {
    const value = await this.number(tag) ?? otherwise;
    if (value === undefined) throw this.wrong(tag, what, "missing", "a number");
    if (value >= 1 && value <= most) return value;
    throw this.wrong(tag, what, value, `1 to ${most}`);
  }

  /** A number from 1 to `most` that is the same for all samples of a pixel; 1 where it is missing. */
  async same(
    tag: number,
    what: string,
    samples: number,
    most: number,
  ): Promise<number> {
    const values = await this.directory.numbers(tag, Math.min(samples, MOST_COMPARED));
    const first = values[0] ?? 1;
    if (!(Number.isSafeInteger(first) && first >= 1 && first <= most)) {
      throw this.wrong(tag, what, first, `1 to ${most}`);
    }
    const other = values.find((value) => value !== first);
    if (other === undefined) return first;
    const { file } = this.directory;
    const offset = this.directory.entry(tag)!.at;
    const problem = `${what} is not the same for all samples of a pixel: ${values.slice(0, 8).join(", ")}`;
    throw file.error("unsupported", problem, { offset, expected: first, found: other });
  }

  wrong(tag: number, what: string, found: number | string, expected: string) {
    const offset = this.directory.entry(tag)?.at ?? this.directory.offset;
    const problem = `${what} (tag ${tag}) is ${found}; ${expected} makes sense`;
    return this.directory.file.error("malformed", problem, { offset, expected, found });
  }
}

// The compressions of TIFF by their numbers: what they are called, and how they are undone.

/** How a compression is undone. */
interface Compression {
  /** What it is called. */
  readonly name: string;
  /** The chunk filter that undoes it; absent: none is needed, or there is none. */
  readonly filter?: string;
  /** Whether the order of bits in bytes is its own matter; else the fill order of the file holds for it. */
  readonly hasOrder?: boolean;
  /** Most bytes that come out per byte; absent if there is no useful bound. */
  readonly most?: number;
}

const undoneBy = (name: string, filter: string, most?: number): Compression => ({
  name,
  filter,
  ...defined({ most }),
});

/** Number of no compression. */
const NONE = 1;

/** Compressions by their numbers; those without a filter are not read, except for none. */
const COMPRESSIONS: Readonly<Record<number, Compression>> = {
  1: { name: "none", most: 1 },
  2: { name: "CCITT RLE", filter: "ccitt", hasOrder: true },
  3: { name: "CCITT G3", filter: "ccitt", hasOrder: true },
  4: { name: "CCITT G4", filter: "ccitt", hasOrder: true },
  5: undoneBy("LZW", "lzw", 4096),
  6: { name: "JPEG (old style)" },
  7: { name: "JPEG", filter: "jpeg", most: 2048, hasOrder: true },
  8: undoneBy("deflate", "deflate", 1032),
  9: { name: "JBIG" },
  10: { name: "JBIG colour" },
  22610: { name: "JPEG XR (NDPI)" },
  32766: { name: "NeXT" },
  32771: { name: "CCITT RLE/W" },
  32773: undoneBy("PackBits", "packbits", 64),
  32809: { name: "ThunderScan" },
  32908: { name: "Pixar film" },
  32909: { name: "Pixar log" },
  32946: undoneBy("deflate", "deflate", 1032),
  32947: { name: "Kodak DCS" },
  33003: { name: "JPEG 2000 (Aperio, YCbCr)" },
  33004: { name: "JPEG 2000 (Aperio, lossy)" },
  33005: { name: "JPEG 2000 (Aperio, RGB)" },
  33007: { name: "JPEG (Alt)" },
  34661: { name: "JBIG" },
  34676: { name: "SGILOG" },
  34677: { name: "SGILOG 24" },
  34712: { name: "JPEG 2000" },
  34887: { name: "LERC", filter: "lerc" },
  34892: { name: "JPEG (DNG, lossy)" },
  34925: undoneBy("LZMA", "lzma", 2 ** 14),
  34926: undoneBy("Zstandard", "Zstandard", 2 ** 17),
  34927: { name: "WebP", filter: "webp" },
  34933: { name: "PNG" },
  34934: { name: "JPEG XR" },
  48124: { name: "Jetraw" },
  50000: undoneBy("Zstandard", "Zstandard", 2 ** 17),
  50001: { name: "WebP", filter: "webp" },
  50002: { name: "JPEG XL" },
  52546: { name: "JPEG XL (DNG)" },
  65000: { name: "EER" },
  65001: { name: "EER" },
  65002: { name: "EER" },
};

/** What is known about the compression `number`. */
export function compressionOf(number: number): Compression {
  return COMPRESSIONS[number] ?? { name: `number ${number}` };
}

/** Compressions before which a predictor was applied, as libtiff has it: dictionaries, and codes of lengths. */
const PREDICTED: readonly (string | undefined)[] = ["lzw", "deflate", "lzma", "Zstandard"];

/** Whether the predictor of an image changes its samples; with other compressions libtiff leaves it alone. */
export function isPredicted(
  { predictor, compression }: Pick<ImageFacts, "predictor" | "compression">,
): boolean {
  return predictor !== 1 && PREDICTED.includes(compressionOf(compression).filter);
}

/** Names of the compressions whose filters are among `filters`. */
export function readNames(filters: readonly string[]): string[] {
  const names = Object.entries(COMPRESSIONS).filter(([number, { filter }]) =>
    filter === undefined ? Number(number) === NONE : filters.includes(filter)
  );
  return [...new Set(names.map(([, { name }]) => name))];
}

/** Compressions whose filters stop where the rows that exist are complete: none, LZW, PackBits. */
export const STOPPING: ReadonlySet<number> = new Set([1, 5, 32773]);
