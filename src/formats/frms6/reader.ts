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
import { type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import { contiguous } from "../../dataset/layout/storage.ts";
import { TilewiseError } from "../../errors.ts";
import { readBytes } from "../../io/source/source.ts";
import type { Shape } from "../../space/shape.ts";
import { arrange } from "../common/arrange.ts";
import { besideAnyCase } from "../common/beside.ts";
import type { FormatInput } from "../common/format.ts";
import { extensionOf, stemOf } from "../../io/file/names.ts";
import { FILE_HEADER, FRAME_HEADER } from "./format.ts";
import { type DataFile, dataFiles, type Frms6Info, parseFrms6Info, pitchOf, spansOf } from "./files.ts";
import { scanAxes } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";

/** Most bytes of the text file. */
const MOST_TEXT = 2 ** 20;

export async function open(input: FormatInput, options: OpenOptions): Promise<Dataset[]> {
  const base = stemOf(input.name).replace(extensionOf(input.name) === "hdr" ? /$^/ : /_\d+$/, "");
  const info = await infoOf(input, `${base}.hdr`, options);
  const files = await dataFiles(input, base, options);
  const { rows, width } = files[0]!.header;
  const fold = { rows, width: width / 2, bin: info.bin };
  const native: Shape = [2 * rows * info.bin, width / 2];
  const { spans, warnings } = spansOf(files.slice(1), info, base, options);
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
  const { gainMapOf } = await import("./gain_map.ts"); // it may lie in an HDF5 file
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
    axes: scanAxes(arranged.navShape.length, arranged.sigShape.length),
    warnings: [...files.flatMap((file) => file.warnings), ...warnings, ...arranged.warnings],
    ...(gain ? { beside: [gain.source] } : {}),
    ...(why.length > 0
      ? { corrections: { ...(dark ? { dark } : {}), ...(gain ? { gain: gain.layout } : {}), why } }
      : {}),
  });
  if (!dark) return [signal];
  return [
    signal,
    new Dataset({
      ...common,
      array: "dark",
      navShape: [],
      layout: dark,
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

async function infoOf(input: FormatInput, name: string, { signal }: OpenOptions): Promise<Frms6Info> {
  const source = await besideAnyCase(input, name);
  if (!source) {
    const text = `Cannot read ${input.name}: ${name}, which has binning and scan, is not beside it`;
    throw new TilewiseError("not-found", text, { file: name });
  }
  const bytes = await readBytes(source, 0, Math.min(source.size, MOST_TEXT), signal);
  return parseFrms6Info(new TextDecoder("latin1").decode(bytes), source.name);
}
