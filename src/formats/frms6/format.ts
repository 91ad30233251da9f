/**
 * PNDetector pnCCD data (FRMS6): a `.hdr`, dark frames in `_000.frms6`, and frames of the scan in the files behind it.
 *
 * The mean of the dark frames is an array of its own, and with the gain map of the option `gainMap` the correction that
 * runs apply.
 *
 * @module
 */

import { MOST_DARK_FRAMES } from "../../codecs/frms6.ts";
import { Dataset } from "../../dataset/dataset.ts";
import { known } from "../../dataset/facts.ts";
import { type FileSpan, type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import { contiguous } from "../../dataset/layout/storage.ts";
import { TilewiseError } from "../../errors.ts";
import { type ByteSource, readBytes } from "../../io/source/source.ts";
import type { Shape } from "../../space/shape.ts";
import { arrange } from "../common/arrange.ts";
import { besideAnyCase } from "../common/beside.ts";
import { completeFrames } from "../common/complete.ts";
import { extensionOf, type Format, type FormatInput, stemOf } from "../common/format.ts";
import {
  FILE_HEADER,
  FRAME_HEADER,
  type Frms6Header,
  type Frms6Info,
  isFrms6,
  isFrms6Info,
  parseFrms6Info,
  readFrms6Header,
} from "./header.ts";
import { gainMapOf } from "./gain_map.ts";
import type { OpenOptions } from "../common/options.ts";

/** PNDetector. */
export const frms6: Format = {
  id: "frms6",
  title: "PNDetector FRMS6",
  extensions: ["frms6", "hdr"],
  detect({ head }) {
    if (isFrms6(head)) {
      return { claim: "yes", why: "begins with headers of 1024 and 64 bytes and version 6, as FRMS6 does" };
    }
    return isFrms6Info(head)
      ? {
        claim: "yes",
        why: "text with a section [measurementInfo] and a readoutMode, the description of FRMS6 files",
      }
      : { claim: "no", why: "has neither the header of FRMS6 nor a section [measurementInfo]" };
  },
  open: openFrms6,
};

/** Most bytes of the text file. */
const MOST_TEXT = 2 ** 20;

/** One data file. */
interface DataFile {
  readonly source: ByteSource;
  readonly header: Frms6Header;
  /** Frames that are complete. */
  readonly frames: number;
}

async function openFrms6(input: FormatInput, options: OpenOptions): Promise<Dataset[]> {
  const base = stemOf(input.name).replace(extensionOf(input.name) === "hdr" ? /$^/ : /_\d+$/, "");
  const info = await infoOf(input, `${base}.hdr`, options);
  const warnings: string[] = [];
  const files = await dataFiles(input, base, options, warnings);
  const { rows, width } = files[0]!.header;
  const fold = { rows, width: width / 2, bin: info.bin };
  const native: Shape = [2 * rows * info.bin, width / 2];
  const spans = spansOf(files.slice(1), info, base, options, warnings);
  const images = spans.at(-1)!.end;
  const arranged = arrange({
    name: input.name,
    images,
    ...(info.scan ? { navShape: info.scan } : {}),
    sigShape: native,
  }, options);
  const dark = darkLayout(files[0]!, fold, arranged.sigShape);
  const common = {
    source: input.source.name,
    detection: input.detection,
    instrument: known({ exposure: info.exposure, binning: [info.bin, 1] as const }),
    metadata: info.fields,
  };
  const gain = await gainMapOf(options, native, arranged.sigShape);
  const why = [
    ...(dark ? [`dark frame: the mean of ${files[0]!.frames} in ${files[0]!.source.name}`] : []),
    ...(gain ? [gain.why] : []),
  ];
  const signal = new Dataset({
    ...common,
    array: "signal",
    navShape: arranged.navShape,
    layout: frameLayout({
      files: spans,
      sigShape: arranged.sigShape,
      dtype: "uint16",
      frameHeaderBytes: FRAME_HEADER,
      storedBytes: 2 * rows * width,
      storage: contiguous({ id: "frms6", params: fold }),
    }),
    syncOffset: arranged.syncOffset,
    warnings: [...warnings, ...arranged.warnings],
    ...(gain ? { beside: [gain.source] } : {}),
    ...(why.length > 0
      ? { corrections: { ...(dark ? { dark } : {}), ...(gain ? { gain: gain.layout } : {}), why } }
      : {}),
  });
  if (!dark) return [signal];
  return [signal, new Dataset({ ...common, array: "dark", navShape: [], layout: dark })];
}

/** The mean of all dark frames, as one frame. */
function darkLayout(
  { source, header, frames }: DataFile,
  fold: { readonly rows: number; readonly width: number; readonly bin: number },
  sigShape: Shape,
): FrameLayout | undefined {
  if (frames === 0) return undefined;
  if (frames > MOST_DARK_FRAMES) {
    const text = `Cannot read ${source.name}: ${frames} dark frames, ${MOST_DARK_FRAMES} is the most`;
    throw new TilewiseError("unsupported", text, {
      file: source.name,
      expected: MOST_DARK_FRAMES,
      found: frames,
    });
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

function pitchOf({ rows, width }: Frms6Header): number {
  return FRAME_HEADER + 2 * rows * width;
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

/** `_000`, `_001` and so on, until there is no more. */
async function dataFiles(
  input: FormatInput,
  base: string,
  options: OpenOptions,
  warnings: string[],
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
    files.push(await dataFile(source, files[0], options, warnings));
  }
}

async function dataFile(
  source: ByteSource,
  first: DataFile | undefined,
  options: OpenOptions,
  warnings: string[],
): Promise<DataFile> {
  const header = await readFrms6Header(source, options.signal);
  if (first && (header.width !== first.header.width || header.rows !== first.header.rows)) {
    const text = `Cannot read ${source.name}: its frames are ${header.rows} × ${header.width}, those of ` +
      `${first.source.name} ${first.header.rows} × ${first.header.width}`;
    throw new TilewiseError("malformed", text, { file: source.name, offset: 88 });
  }
  const pitch = pitchOf(header);
  const frames = header.frames || Math.ceil((source.size - FILE_HEADER) / pitch);
  if (frames === 0) return { source, header, frames };
  const complete = completeFrames(
    { name: source.name, size: source.size, start: FILE_HEADER, pitch, frames },
    options,
  );
  warnings.push(...complete.warnings);
  return { source, header, frames: complete.frames };
}

/** The images of the scan, which must be as many as the text file says. */
function spansOf(
  files: readonly DataFile[],
  { signalFrames }: Frms6Info,
  base: string,
  { allowTruncated }: OpenOptions,
  warnings: string[],
): FileSpan[] {
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
  if ((signalFrames ?? 0) > found) warnings.push(text);
  return spans;
}
