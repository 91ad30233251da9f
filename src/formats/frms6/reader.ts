/**
 * PNDetector pnCCD data (FRMS6): a `.hdr`, dark frames in `_000.frms6`, and frames of the scan in the files behind it.
 *
 * The mean of the dark frames is an array of its own, and with the gain map of the option `gainMap` the correction that
 * runs apply.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { MOST_DARK_FRAMES } from "../../codecs/frms6.ts";
import { StoredDataset } from "../../dataset/dataset.ts";
import { known } from "../../dataset/facts.ts";
import { type FileSpan, type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import { contiguous } from "../../dataset/layout/storage.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import { extensionOf, stemOf } from "../../io/file/names.ts";
import { type ByteSource, readBytes } from "../../io/source/source.ts";
import type { Shape } from "../../space/shape.ts";
import { arrange, fileDataset } from "../common/arrange.ts";
import { completeFrames } from "../common/complete.ts";
import { besideAnyCase } from "../common/beside.ts";
import { Fields, MOST_PIXELS } from "../common/fields.ts";
import type { FormatInput } from "../common/format.ts";
import { patternAxes, scanAxes } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";
import { FILE_HEADER, FRAME_HEADER } from "./format.ts";

// The data files of an FRMS6 scan: dark frames in `_000`, frames of the scan in `_001` and so on.

/** One data file. */
interface DataFile {
  /** Its bytes. */
  readonly source: ByteSource;
  /** What its header says. */
  readonly header: Frms6Header;
  /** Frames that are complete. */
  readonly frames: number;
  /** What is odd. */
  readonly warnings: readonly string[];
}

/** Bytes from one frame to the next. */
export function pitchOf({ rows, width }: Frms6Header): number {
  return FRAME_HEADER + 2 * rows * width;
}

/** `_000`, `_001` and so on, as long as such files exist. */
async function dataFiles(
  input: FormatInput,
  base: string,
  options: OpenOptions,
): Promise<DataFile[]> {
  const ending = extensionOf(input.name) === "hdr"
    ? "frms6"
    : input.name.slice(stemOf(input.name).length + 1);
  const files: DataFile[] = [];
  for (;;) {
    const name = `${base}_${String(files.length).padStart(3, "0")}.${ending}`;
    const source = await besideAnyCase(input, name);
    if (!source && files.length >= 2) return files;
    if (!source) {
      const what = files.length === 0
        ? "which has the dark frames"
        : "which has the first frames of the scan";
      const text = `Cannot read ${input.name}: ${name}, ${what}, is not beside it`;
      throw new TilewiseError("not-found", text, { file: name });
    }
    files.push(await dataFile(source, files[0], options));
  }
}

async function dataFile(
  source: ByteSource,
  first: DataFile | undefined,
  options: OpenOptions,
): Promise<DataFile> {
  const header = await readFrms6Header(source, options.signal);
  if (first && (header.width !== first.header.width || header.rows !== first.header.rows)) {
    const text = `its frames are ${header.rows} × ${header.width}, those of ` +
      `${first.source.name} ${first.header.rows} × ${first.header.width}`;
    throw cannot("read", source.name, "malformed", text, { offset: 88 });
  }
  const pitch = pitchOf(header);
  const frames = header.frames || Math.ceil((source.size - FILE_HEADER) / pitch);
  if (frames === 0) return { source, header, frames, warnings: [] };
  const complete = completeFrames(
    { name: source.name, size: source.size, start: FILE_HEADER, pitch, frames },
    options,
  );
  return { source, header, frames: complete.frames, warnings: complete.warnings };
}

/** Where the images of a scan are. */
interface Spans {
  /** The files, in the order of their images. */
  readonly spans: readonly FileSpan[];
  /** What is odd. */
  readonly warnings: readonly string[];
}

/** The images of the scan; their number must be that of the text file. */
export function spansOf(
  files: readonly DataFile[],
  { signalFrames }: Frms6Info,
  base: string,
  { allowTruncated }: OpenOptions,
): Spans {
  const spans: FileSpan[] = [];
  for (const { source, frames } of files) {
    const start = spans.at(-1)?.end ?? 0;
    const end = Math.min(start + frames, signalFrames || Infinity);
    if (end > start) spans.push({ source: source.describe(), start, end, headerBytes: FILE_HEADER });
  }
  const found = spans.at(-1)?.end ?? 0;
  const last = files.at(-1)!.source.name;
  const text = `${base}.hdr says ${
    signalFrames ?? "nothing of"
  } frames of the scan, the files up to ${last} have ${found}`;
  if (found === 0 || (signalFrames ?? 0) > found && !allowTruncated) {
    const hint = found > 0 ? "; allowTruncated reads those" : "";
    throw new TilewiseError("truncated", `Cannot read ${last}: ${text}${hint}`, {
      file: last,
      offset: files.at(-1)!.source.size,
      ...defined({ expected: signalFrames }),
      found,
      completeFrames: found,
    });
  }
  return { spans, warnings: (signalFrames ?? 0) > found ? [text] : [] };
}

/** What the text file says. */
interface Frms6Info {
  /** How often rows are shown. */
  readonly bin: number;
  /** Rows and columns of the scan, if it says so. */
  readonly scan?: readonly [number, number];
  /** Frames of the scan. */
  readonly signalFrames?: number;
  /** Seconds a frame. */
  readonly exposure?: number;
  /** All of it, as it is written. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The lines of the section `measurementInfo`, if the text has one. */
function section(text: string): Map<string, string> | undefined {
  let fields: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/).map((raw) => raw.trim())) {
    const isHead = line.startsWith("[") && line.endsWith("]");
    if (isHead && fields) break;
    if (isHead) fields = line.slice(1, -1).trim() === "measurementInfo" ? new Map() : undefined;
    const at = /^[[;#]/.test(line) ? -1 : line.search(/[=:]/);
    if (at > 0 && fields) fields.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim());
  }
  return fields;
}

/** What the text says. Errors: `malformed`, `unsupported`. */
function parseFrms6Info(text: string, file: string): Frms6Info {
  const fields = section(text);
  if (!fields) throw malformed(file, "it has no section [measurementInfo]");
  const mode = fields.get("readoutmode") ?? "";
  const [, bin, ...window] = /^"?bin:\s*(\d+),\s*windowing:\s*(\d+)\s*x\s*(\d+)\s*"?$/.exec(mode) ?? [];
  if (window.length < 2) {
    throw malformed(file, `readoutMode is ${mode || "missing"}; expected "bin: 1, windowing: 264 x 264"`);
  }
  if (![1, 2, 4].includes(Number(bin))) {
    throw cannot("read", file, "unsupported", `binning is ${bin}; 1, 2 and 4 are known`, { found: bin! });
  }
  const size = /^(\d+)\s*x\s*(\d+)$/.exec(fields.get("stemimagesize") ?? "")?.slice(1).map(Number);
  const isScan = size?.every((n) => n > 0 && Number.isSafeInteger(n));
  const signalFrames = count(fields.get("signalframes"));
  const dwell = Number(fields.get("dwelltimemicroseconds") ?? NaN);
  return {
    bin: Number(bin),
    ...(isScan ? { scan: [size![1]!, size![0]!] as const } : {}),
    ...defined({ signalFrames }),
    ...(dwell > 0 ? { exposure: dwell / 1e6 } : {}),
    fields: Object.fromEntries(fields),
  };
}

function count(text: string | undefined): number | undefined {
  return /^\d{1,15}$/.test(text ?? "") ? Number(text) : undefined;
}

/** What the header of a data file says. */
interface Frms6Header {
  /** Samples of a stored row. */
  readonly width: number;
  /** Stored rows. */
  readonly rows: number;
  /** Frames that the header promises; 0: all frames in the file. */
  readonly frames: number;
}

/** The header of a data file. Errors: `malformed`, `truncated`. */
async function readFrms6Header(source: ByteSource, signal?: AbortSignal): Promise<Frms6Header> {
  const fields = await Fields.read(source, 0, FILE_HEADER, "little", signal);
  fields.within(fields.u16(0), FILE_HEADER, FILE_HEADER, "the size of the file header", 0);
  fields.within(fields.u16(2), FRAME_HEADER, FRAME_HEADER, "the size of a frame header", 2);
  fields.within(fields.u8(7), 6, 6, "the version", 7);
  const width = fields.within(fields.u16(88), 2, MOST_PIXELS, "the width", 88);
  const rows = fields.within(fields.u16(90), 1, MOST_PIXELS, "the height", 90);
  if (width % 2 === 1) throw fields.error("malformed", `rows of ${width} samples cannot be two halves`, 88);
  return { width, rows, frames: fields.u32(1020) };
}

function malformed(file: string, problem: string): TilewiseError {
  return cannot("read", file, "malformed", problem, { offset: 0 });
}

/** Most bytes of the text file. */
const MOST_TEXT = 2 ** 20;

export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  const base = stemOf(input.name).replace(extensionOf(input.name) === "hdr" ? /$^/ : /_\d+$/, "");
  const info = await infoOf(input, `${base}.hdr`, options);
  const files = await dataFiles(input, base, options);
  const { rows, width } = files[0]!.header;
  const fold = { rows, width: width / 2, bin: info.bin };
  const native: Shape = [2 * rows * info.bin, width / 2];
  const { spans, warnings } = spansOf(files.slice(1), info, base, options);
  const images = spans.at(-1)!.end;
  const facts = { images, navShape: info.scan, sigShape: native };
  const { sigShape: shown } = arrange({ name: input.name, ...facts }, options);
  const dark = darkLayout(files[0]!, fold, shown);
  const common = {
    instrument: known({ exposure: info.exposure, binning: [info.bin, 1] as const }),
    metadata: info.fields,
  };
  const { gainMapOf } = await import("./gain_map.ts"); // it may lie in an HDF5 file
  const gain = await gainMapOf(options, native, shown);
  const why = [
    ...(dark ? [`dark frame: the mean of ${files[0]!.frames} in ${files[0]!.source.name}`] : []),
    ...(gain ? [gain.why] : []),
  ];
  const signal = fileDataset(input, {
    ...common,
    ...facts,
    array: "signal",
    layout: {
      files: spans,
      dtype: "uint16",
      frameHeaderBytes: FRAME_HEADER,
      storedBytes: 2 * rows * width,
      storage: contiguous({ id: "frms6", params: fold }),
    },
    axes: patternAxes,
    warnings: [...files.flatMap((file) => file.warnings), ...warnings],
    beside: gain && [gain.source],
    corrections: why.length > 0
      ? { ...defined({ dark }), ...(gain ? { gain: gain.layout } : {}), why }
      : undefined,
  }, options);
  if (!dark) return [signal];
  return [
    signal,
    new StoredDataset({
      ...common,
      source: input.source.name,
      detection: input.detection,
      array: "dark",
      navShape: [],
      layout: dark, // that of the corrections: `open` knows it by that
      axes: scanAxes(0, dark.sigShape.length),
    }),
  ];
}

/** The mean of all dark frames, as one frame. */
function darkLayout(
  { source, header, frames }: DataFile,
  fold: { readonly rows: number; readonly width: number; readonly bin: number },
  sigShape: Shape,
): FrameLayout | undefined {
  if (frames === 0) return undefined;
  if (frames > MOST_DARK_FRAMES) {
    const text = `${frames} dark frames, ${MOST_DARK_FRAMES} is the most`;
    throw cannot("read", source.name, "unsupported", text, { expected: MOST_DARK_FRAMES, found: frames });
  }
  const pitch = pitchOf(header);
  return frameLayout({
    files: [{ source: source.describe(), start: 0, end: 1, headerBytes: FILE_HEADER }],
    sigShape,
    dtype: "float32",
    frameHeaderBytes: FRAME_HEADER,
    storedBytes: frames * pitch - FRAME_HEADER,
    storage: contiguous({ id: "frms6_dark", params: { ...fold, dark: frames, pitch } }),
  });
}

async function infoOf(input: FormatInput, name: string, { signal }: OpenOptions): Promise<Frms6Info> {
  const source = await besideAnyCase(input, name);
  if (!source) {
    const text = `Cannot read ${input.name}: ${name}, which has binning and scan, is not beside it`;
    throw new TilewiseError("not-found", text, { file: name });
  }
  const bytes = await readBytes(source, 0, Math.min(source.size, MOST_TEXT), signal);
  return parseFrms6Info(new TextDecoder("latin1").decode(bytes), source.name);
}
