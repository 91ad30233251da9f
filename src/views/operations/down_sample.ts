/**
 * Down-sampling: one sample for every block of samples.
 *
 * For every line of the result, the lines of the array that belong to it become one, and then each `factor` of its
 * samples:
 *
 * ```text
 *   sum, factor 2 × 3:   a b c d e f g  →  A B C D E F G  →  A + B + C, D + E + F, G        A = a + h, …
 *                        h i j k l m n
 * ```
 *
 * Sums are float64.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import type { KernelFamilies } from "../../kernels/families/families.ts";
import { kernel } from "../../kernels/registry.ts";
import { copyView } from "../../memory/copy_box.ts";
import { stridedView } from "../../memory/strided.ts";
import { either, needed, oneOf, whole } from "../../options/rules.ts";
import { type DType, dtypeInfo, floatOf } from "../../space/dtype.ts";
import { shapeFrom } from "../../space/rules.ts";
import { type Shape, sizeOf, unravel } from "../../space/shape.ts";
import {
  type OperationEntry,
  type OperationFacts,
  operationOf,
  type OperationSetting,
  type PlacedSamples,
  type TileWork,
  type ViewOperation,
} from "./operation.ts";

/**
 * What becomes of a block of samples.
 * @category Views
 */
export type DownSampling = "mean" | "max" | "min" | "sum" | "nearest";

/**
 * Options of {@link downSample}.
 * @category Views
 */
export interface DownSampleOptions<H extends DownSampling = DownSampling> {
  /** Samples that become one: a number for all dimensions, or one per dimension. */
  readonly factor: number | Shape;
  /** What becomes of them; `nearest` is the first of them, as for labels. Default `mean`. */
  readonly reduce?: H;
}

type Setting = OperationSetting<DownSampleOptions, "lines">;

/** What may become of a block. */
const REDUCTIONS: readonly DownSampling[] = ["mean", "max", "min", "sum", "nearest"];

const NAMES: OptionNames<DownSampleOptions> = {
  factor: needed(
    either("a whole number from 1, or a list with one per dimension", whole(1), shapeFrom(1, "[2, 2]")),
  ),
  reduce: oneOf(...REDUCTIONS),
};

/** See {@link downSample}. */
export const DOWN_SAMPLE: OperationEntry<DownSampleOptions, "lines"> = {
  name: "downSample",
  params: NAMES,
  kernels: ["window_min", "sum_frames"],
  usualRadius: 0,
  radius: () => 0,
  factors: ({ factor }) => factor,
  place: ({ reduce }) => reduce === "nearest" ? "first" : "middle",
  result: (dtype, { reduce = "mean" }) =>
    reduce === "mean" ? floatOf(dtype) : reduce === "sum" ? "float64" : dtype,
  values(given, { reduce: how = "mean" }) {
    if (how !== "mean" && how !== "sum") return "same";
    if (given.kind === "label" || given.kind === "phase") throw noAmounts(how, given.kind);
    return "sums";
  },
  scratch: (facts) => ({ lines: linesBytes(facts) }),
  start: (setting) => {
    const { reduce: how = "mean" } = setting.params;
    if (how === "nearest") return nearestWork(setting);
    return how === "max" || how === "min" ? extremeWork(setting, how) : sumWork(setting, how);
  },
};

function noAmounts(how: "mean" | "sum", kind: "label" | "phase"): TilewiseError {
  const what = kind === "label" ? "labels, which are names" : "phases, which begin again after a turn";
  const text = `downSample() makes no ${how} of ${what}: give { reduce: "nearest" }, "max" or "min"`;
  return new TilewiseError("invalid", text, { option: "reduce", expected: "nearest, max, min", found: how });
}

/** Lines of one result that lie at different places of the dimensions before the last two. */
function groupsOf(factors: Shape): Shape {
  return factors.slice(0, -2);
}

function linesBytes(
  { params: { factor, reduce: how = "mean" }, dtype, tile }: OperationFacts<DownSampleOptions>,
): number {
  if (how === "nearest") return 0;
  const length = tile.at(-1)!;
  if (how === "mean" || how === "sum") return 8 * length;
  const groups = sizeOf(groupsOf(factorsOf(factor, tile.length)));
  return (groups + 1) * length * dtypeInfo(dtype).itemSize;
}

function factorsOf(factor: number | Shape, rank: number): Shape {
  return typeof factor === "number" ? new Array<number>(rank).fill(factor) : factor;
}

/** A line of the result, and the lines of the view that become it: groups of `rows` lines. */
interface Lines {
  readonly to: number;
  readonly groups: readonly number[];
  readonly rows: number;
  readonly rowStride: number;
}

/** Every line of the result. At the end of the view there are fewer lines for one. */
function* linesOf(view: PlacedSamples, out: PlacedSamples, factors: Shape): Generator<Lines, void> {
  const rank = view.shape.length;
  const outer = out.shape.slice(0, -1);
  const rowStride = rank > 1 ? view.strides[rank - 2]! : 0;
  for (let flat = 0, all = sizeOf(outer); flat < all; flat++) {
    const at = unravel(flat, outer);
    const first = at.reduce((sum, i, d) => sum + i * factors[d]! * view.strides[d]!, view.pointer);
    const counts = at.map((i, d) => Math.min(factors[d]!, view.shape[d]! - i * factors[d]!));
    const planes = counts.slice(0, -1);
    const groups = Array.from({ length: sizeOf(planes) }, (_, g) => {
      return unravel(g, planes).reduce((sum, i, d) => sum + i * view.strides[d]!, first);
    });
    const to = at.reduce((sum, i, d) => sum + i * out.strides[d]!, out.pointer);
    yield { to, groups, rows: counts.at(-1) ?? 1, rowStride };
  }
}

function sumWork({ kernels, dtype, params, tile, scratch }: Setting, how: "mean" | "sum"): TileWork {
  const add: KernelFamilies["sum_frames"] = kernel(kernels, "sum_frames", dtype);
  const sum: KernelFamilies["block_sum"] = kernel(kernels, "block_sum", "float64");
  const means = floatOf(dtype) === "float32" ? "block_mean" : "block_mean_f64";
  const mean: KernelFamilies["block_mean"] = kernel(kernels, means, "float64");
  const factors = factorsOf(params.factor, tile.length);
  const [line, factor] = [scratch.at("lines"), factors.at(-1)!];
  return (view, out) => {
    const length = view.shape.at(-1)!;
    const zeros = new Uint8Array(kernels.memory.buffer, line, 8 * length);
    for (const { to, groups, rows, rowStride } of linesOf(view, out, factors)) {
      zeros.fill(0);
      for (const data of groups) add(line, data, rows, rowStride, length);
      if (how === "sum") sum(to, line, length, factor);
      else mean(to, line, length, factor, rows * groups.length);
    }
  };
}

function nearestWork({ kernels: { memory }, dtype, params }: Setting): TileWork {
  return (view, out) => {
    const factors = factorsOf(params.factor, out.shape.length);
    const steps = view.strides.map((stride, d) => stride * factors[d]!);
    const firsts = stridedView(memory.buffer, view.pointer, dtype, out.shape, steps);
    copyView(firsts, stridedView(memory.buffer, out.pointer, dtype, out.shape, out.strides));
  };
}

function extremeWork({ kernels, dtype, params, tile, scratch }: Setting, how: "max" | "min"): TileWork {
  const extreme: KernelFamilies["window_min"] = kernel(kernels, `window_${how}`, dtype);
  const block: KernelFamilies["block_min"] = kernel(kernels, `block_${how}`, dtype);
  const factors = factorsOf(params.factor, tile.length);
  const [line, factor] = [scratch.at("lines"), factors.at(-1)!];
  return (view, out) => {
    const length = view.shape.at(-1)!;
    const bytes = length * dtypeInfo(dtype).itemSize;
    for (const { to, groups, rows, rowStride } of linesOf(view, out, factors)) {
      groups.forEach((data, g) => extreme(line + (g + 1) * bytes, data, length, rowStride, rows));
      extreme(line, line + bytes, length, bytes, groups.length);
      block(to, line, length, factor);
    }
  };
}

/**
 * Type of the result of {@link downSample}.
 * @category Views
 */
export type SampledType<H extends DownSampling> = H extends "mean" ? "float32" | "float64"
  : H extends "sum" ? "float64"
  : DType;

/**
 * One sample for every block of `factor` samples per dimension, for arrays of any rank: their mean (float64 of float64 and of
 * integers of 32 bits, otherwise float32), sum (float64), least, greatest or first (of the type of the samples). Labels have no
 * mean and no sum. The result has `ceil(n / factor)` samples per dimension. At the end of the array, a block has the samples
 * that are left: the mean is that of fewer samples.
 *
 * Sums of integers are exact; sums of floats are computed in float64, in the same order for any tiles.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @param options factors per dimension, and what a block becomes
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { downSample, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(1, 3, 9, 5, 7, 1), shape: [2, 3] });
 * await using context = createContext({ workers: 0 });
 * const { shape, data } = await mapViews(image, downSample({ factor: 2 }), { context });
 * assertEquals([shape, data], [[1, 2], Float32Array.of(4, 5)]);
 * ```
 * @category Views
 */
export function downSample<const H extends DownSampling = "mean">(
  options: DownSampleOptions<H>,
): ViewOperation<SampledType<H>> {
  return operationOf(DOWN_SAMPLE, options);
}
