/**
 * The data files of an FRMS6 scan: dark frames in `_000`, frames of the scan in `_001` and so on.
 *
 * @module
 */

import type { FileSpan } from "../../dataset/layout/layout.ts";
import { TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { besideAnyCase } from "../common/beside.ts";
import { completeFrames } from "../common/complete.ts";
import type { FormatInput } from "../common/format.ts";
import { extensionOf, stemOf } from "../../io/file/names.ts";
import type { OpenOptions } from "../common/options.ts";
import { FILE_HEADER, FRAME_HEADER } from "./format.ts";
import { type Frms6Header, type Frms6Info, readFrms6Header } from "./header.ts";

/** One data file. */
export interface DataFile {
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
export async function dataFiles(
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
    const text = `Cannot read ${source.name}: its frames are ${header.rows} × ${header.width}, those of ` +
      `${first.source.name} ${first.header.rows} × ${first.header.width}`;
    throw new TilewiseError("malformed", text, { file: source.name, offset: 88 });
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
export interface Spans {
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
      ...(signalFrames === undefined ? {} : { expected: signalFrames }),
      found,
      completeFrames: found,
    });
  }
  return { spans, warnings: (signalFrames ?? 0) > found ? [text] : [] };
}
