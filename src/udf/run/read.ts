/**
 * Any part of a data set as an array: a box, a frame, a line, a sample.
 *
 * @module
 */

import type { Corrections } from "../../dataset/corrections.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { asFrames } from "../../dataset/single_values.ts";
import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, defined, inWords, type OptionNames } from "../../options.ts";
import { callable, signal as signalRule } from "../../options/rules.ts";
import type { Context } from "../../runner/context.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { type DType, dtypeInfo, type TypedArray, unitsOf, zeros } from "../../space/dtype.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { copyNumbers, fillNumbers } from "../../space/numbers.ts";
import { parseRanges, type Range, rangeEntries, resolveRanges } from "../../space/ranges.ts";
import { type Shape, sizeOf, stridesOf } from "../../space/shape.ts";
import { pickFrames } from "../builtin/pick_frames.ts";
import { corrections as correctionsRule } from "../plan/corrections.ts";
import { checkDataset } from "../plan/given.ts";
import type { Progress } from "../plan/plan_facts.ts";
import { udfPlan } from "./plan.ts";

/**
 * What {@link read} reads: one entry per dimension, those of the scan first, as written in Python (`"0:8, 3, :,
 * 16:32"`), or a list of entries (`[3, 4]`). A dimension with a whole number as entry is not in the result; dimensions
 * without an entry are read whole.
 * @category Arrays
 */
export type ReadSelection = string | readonly (number | string)[];

/**
 * Options of {@link read}.
 * @category Analyses
 */
export interface AnalysisOptions {
  /** Dark frame, gain map, dead pixels. */
  readonly corrections?: Corrections;
  /** The context in which to run. */
  readonly context?: Context;
  /** Cancels the analysis. */
  readonly signal?: AbortSignal;
  /** Called repeatedly with the progress. */
  readonly onProgress?: (progress: Progress) => void;
}

// deno-fmt-ignore: written by `deno task build`
const ANALYSIS_OPTIONS: OptionNames<AnalysisOptions> = {
  corrections: correctionsRule, context: contextRule, signal: signalRule, onProgress: callable,
};

/**
 * The samples of any box of a data set, in its dtype: for example of one frame, or of one pixel in all frames. The
 * whole frames of the selection must fit into the memory of the context. Positions without an image give
 * samples that are not valid: NaN, or zeros in types without it.
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
  checkDataset("read()", dataset);
  checkOptionNames("read()", options, ANALYSIS_OPTIONS);
  const { ranges, kept, text } = resolved(selection, dataset.shape);
  const dims = dataset.navShape.length;
  const roi = dims === 0 ? undefined : { range: text.slice(0, dims).join(",") };
  const shape = ranges.map((range) => rangeEntries(range).length).filter((_, d) => kept[d]);
  if (sizeOf(dataset.shape) === 0) return ndarray(zeros(dataset.dtype, 0), shape, dataset.dtype);
  const { signal, onProgress, ...settings } = options;
  const planned = await udfPlan(asFrames(dataset), { it: pickFrames() }, {
    ...settings,
    ...defined({ roi }),
  });
  const { data, dtype, valid } = (await planned.run(defined({ signal, onProgress }))).it.intensity;
  const [inScan, inFrame] = [ranges.slice(0, dims), ranges.slice(dims)];
  const frames = inScan.reduce((product, range) => product * rangeEntries(range).length, 1);
  const { indices } = planned.roi, hasAll = !indices || indices.length === frames;
  const present: Present = hasAll
    ? { valid }
    : presentIn(startsOf(inScan, stridesOf(dataset.navShape)), indices, valid);
  const cropped = zeros(dtype, sizeOf(shape));
  crop(cropped, data, frames, present, dataset.sigShape, inFrame, dtype);
  return ndarray(cropped, shape, dtype, maskOf(present, kept.slice(0, dims).includes(true), sizeOf(shape)));
}

/** What there is of the frames that are read: nothing of those that the plan has left out, as they are not valid. */
interface Present {
  /** Whether a frame has an image, one byte per frame. Absent: all have one. */
  readonly valid: Uint8Array | undefined;
  /** The place of each frame among those that were picked; -1: none. Absent: all were. */
  readonly places?: Int32Array;
}

/** The same of frames at `positions`, of which those at `picked` were picked; both are in the order of the scan. */
function presentIn(
  positions: readonly number[],
  picked: ArrayLike<number>,
  valid: Uint8Array | undefined,
): Present {
  let next = 0;
  const places = Int32Array.from(positions, (position) => picked[next] === position ? next++ : -1);
  return { valid: Uint8Array.from(places, (place) => place < 0 ? 0 : valid?.[place] ?? 1), places };
}

/** Where the entries of `ranges` lie, in order. */
function startsOf(ranges: readonly Range[], strides: readonly number[]): number[] {
  return ranges.reduce<number[]>(
    (starts, range, d) => starts.flatMap((at) => rangeEntries(range).map((i) => at + i * strides[d]!)),
    [0],
  );
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

/** Copies the `ranges` of each frame that is there, run by run along the last dimension; others are NaN where there is one. */
function crop(
  to: TypedArray,
  from: TypedArray,
  frames: number,
  { places }: Present,
  sigShape: Shape,
  ranges: readonly Range[],
  dtype: DType,
): void {
  const last = ranges.at(-1) ?? { start: 0, stop: 1, step: 1 };
  const rows = startsOf(ranges.slice(0, -1), stridesOf(sigShape));
  const run = last.step === 1 ? last.stop - last.start : 1;
  const runs = last.step === 1 ? [last.start] : rangeEntries(last);
  const pixels = sizeOf(sigShape), isFloat = "fc".includes(dtypeInfo(dtype).kind), units = unitsOf(dtype);
  let at = 0;
  for (let f = 0; f < frames; f++) {
    const place = places?.[f] ?? f;
    for (const row of rows) {
      for (const start of runs) {
        const first = (place * pixels + row + start) * units;
        if (place >= 0) copyNumbers(to, from.subarray(first, first + run * units), at);
        else if (isFloat) fillNumbers(to, NaN, at, at + run * units);
        at += run * units;
      }
    }
  }
}

/** The valid mask: one byte per position, or per sample if the result is one position; absent: all samples are valid. */
function maskOf({ valid }: Present, hasPositions: boolean, samples: number): Uint8Array | undefined {
  if (!valid || valid.every((byte) => byte === 1)) return undefined;
  return hasPositions ? valid : new Uint8Array(samples);
}
