/**
 * Any part of a data set as an array: a box, a frame, a line, a sample.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import { asFrames } from "../../dataset/single_values.ts";
import { TilewiseError } from "../../errors.ts";
import { inWords } from "../../options.ts";
import { type TypedArray, unitsOf, zeros } from "../../space/dtype.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { parseRanges, type Range, rangeEntries, resolveRanges } from "../../space/ranges.ts";
import { type Shape, sizeOf, stridesOf } from "../../space/shape.ts";
import { pickFrames } from "../builtin/pick_frames.ts";
import { checkDataset } from "../plan/given.ts";
import { analyse, type AnalysisOptions, checkAnalysis } from "./shortcuts.ts";

/**
 * What {@link read} reads: one entry per dimension, those of the scan first, as written in Python (`"0:8, 3, :,
 * 16:32"`), or a list of entries (`[3, 4]`). A dimension with a whole number as entry is not in the result; dimensions
 * without an entry are read whole.
 * @category Arrays
 */
export type ReadSelection = string | readonly (number | string)[];

/**
 * The samples of any box of a data set, in its dtype: for example of one frame, or of one pixel in all frames. The
 * whole frames of the selection must fit into the memory of the context. Positions without an image give zeros that are
 * not valid.
 *
 * @param dataset what `open` gave
 * @param selection an index or a range per dimension, as text or as a list; all, if absent
 * @param options the context, a signal, and corrections
 * @returns the samples, with the shape of the selection
 * @throws {TilewiseError} `invalid` for a selection outside of the data set, and the errors of a run.
 *
 * @example
 * ```ts
 * import { open, read } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open({ data: Uint8Array.of(1, 2, 3, 4, 5, 6), shape: [1, 3, 1, 2] });
 * const frame = await read(scan, [0, -1]);
 * assertEquals([frame.shape, [...frame.data]], [[1, 2], [5, 6]]);
 * const box = await read(scan, "0, 1:, 0, 1");
 * assertEquals([box.shape, [...box.data]], [[2], [4, 6]]);
 * ```
 * @category Arrays
 */
export async function read(
  dataset: Dataset,
  selection: ReadSelection = [],
  options: AnalysisOptions = {},
): Promise<NDArray> {
  checkAnalysis("read()", dataset, options);
  checkDataset("read()", dataset);
  const { ranges, kept, text } = resolved(selection, dataset.shape);
  const dims = dataset.navShape.length;
  const roi = dims === 0 ? undefined : { range: text.slice(0, dims).join(",") };
  const shape = ranges.map((range) => rangeEntries(range).length).filter((_, d) => kept[d]);
  if (sizeOf(dataset.shape) === 0) return ndarray(zeros(dataset.dtype, 0), shape, dataset.dtype);
  const { data, dtype, valid } = (await analyse(asFrames(dataset), pickFrames(), options, roi)).intensity;
  const inFrame = ranges.slice(dims);
  const frames = ranges.slice(0, dims).reduce((product, range) => product * rangeEntries(range).length, 1);
  const units = unitsOf(dtype);
  const cropped = zeros(dtype, sizeOf(shape));
  if (data.length > 0) crop(cropped, data, frames, dataset.sigShape, inFrame, units);
  return ndarray(cropped, shape, dtype, maskOf(valid, kept.slice(0, dims).includes(true), sizeOf(shape)));
}

/** The ranges of a selection, one per dimension, and which dimensions the result has. */
function resolved(
  selection: ReadSelection,
  shape: Shape,
): { ranges: Range[]; kept: boolean[]; text: string[] } {
  const isList = Array.isArray(selection) &&
    selection.every((one) => ["number", "string"].includes(typeof one));
  if (typeof selection !== "string" && !isList) {
    const text = `Cannot read ${
      inWords(selection)
    }: write an entry for each dimension, as in "0:8, 3" or [0, -1]`;
    throw new TilewiseError("invalid", text, { option: "selection", found: inWords(selection) });
  }
  const given = typeof selection === "string" ? selection : selection.join(",");
  const written = given.trim() === "" ? [] : parseRanges(given);
  const missing = Math.max(0, shape.length - written.length);
  const all = [...written, ...Array.from({ length: missing }, () => parseRanges(":")).flat()];
  const ranges = resolveRanges(all, shape, "the data set");
  return { ranges, kept: all.map(({ text }) => !/^-?\d+$/.test(text)), text: all.map(({ text }) => text) };
}

/** Copies the `ranges` of each of `frames` frames, run by run along the last dimension. */
function crop(
  to: TypedArray,
  from: TypedArray,
  frames: number,
  sigShape: Shape,
  ranges: readonly Range[],
  units: number,
): void {
  const strides = stridesOf(sigShape);
  const last = ranges.at(-1) ?? { start: 0, stop: 1, step: 1 };
  const rows = ranges.slice(0, -1).reduce<number[]>(
    (starts, range, d) => starts.flatMap((at) => rangeEntries(range).map((i) => at + i * strides[d]!)),
    [0],
  );
  const run = last.step === 1 ? last.stop - last.start : 1;
  const runs = last.step === 1 ? [last.start] : rangeEntries(last);
  const pixels = sizeOf(sigShape);
  let at = 0;
  for (let f = 0; f < frames; f++) {
    for (const row of rows) {
      for (const start of runs) {
        const first = (f * pixels + row + start) * units;
        copyNumbers(to, from.subarray(first, first + run * units), at);
        at += run * units;
      }
    }
  }
}

/** The valid mask: one byte per position, or per sample if the result is one position; absent: all samples are valid. */
function maskOf(
  valid: Uint8Array | undefined,
  hasPositions: boolean,
  samples: number,
): Uint8Array | undefined {
  if (!valid || valid.every((byte) => byte === 1)) return undefined;
  return hasPositions ? valid : new Uint8Array(samples);
}
