/**
 * Convolution and correlation with given weights.
 *
 * Weights that are a product of weights along each dimension are applied along one dimension after another; others as they
 * are, sample by sample. So are those of floats where some are zero: NaN and Infinity times zero would be NaN.
 *
 * @module
 */

import type { KernelFamilies } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { OptionNames } from "../../../options.ts";
import { needed } from "../../../options/rules.ts";
import { type DType, dtypeInfo, typedArray } from "../../../space/dtype.ts";
import { type Shape, sizeOf, unravel } from "../../../space/shape.ts";
import { eachLine } from "../lines.ts";
import {
  type Nested,
  nestedRule,
  offsetsIn,
  radiusOfWindow,
  type WindowNumbers,
  windowNumbers,
} from "./nested.ts";
import {
  type OperationEntry,
  type OperationFacts,
  operationOf,
  type OperationSetting,
  type TileWork,
  type ViewOperation,
} from "../operation.ts";
import type { Float } from "./separable.ts";
import {
  castOf,
  type FilterScratch,
  isUnsigned,
  resultRule,
  type ResultType,
  separableEntry,
  sumType,
} from "./separable_entry.ts";
import type { Product, Weights } from "./weights.ts";

/**
 * Options of {@link convolve} and {@link correlate}.
 * @category Views
 */
export interface ConvolveOptions<D extends ResultType = ResultType> {
  /** Nested lists of odd lengths, one level per dimension of the array; the weight in the middle is that of the sample. */
  readonly weights: Nested;
  /** Type of the result; see {@link GaussianOptions}. */
  readonly dtype?: D;
}

const NAMES: OptionNames<ConvolveOptions> = { weights: needed(nestedRule), dtype: resultRule };

/** Scratch memory: that of products; or offsets, weights, and a row of sums of another type than the result. */
type Scratch = FilterScratch | "offsets" | "row";

/** See {@link correlate}. */
export const CORRELATE: OperationEntry<ConvolveOptions, Scratch> = entry("correlate", (window) => window);
/** See {@link convolve}. */
export const CONVOLVE: OperationEntry<ConvolveOptions, Scratch> = entry(
  "convolve",
  ({ shape, values }) => ({ shape, values: values.toReversed() }),
);

function entry(
  name: string,
  turned: (window: WindowNumbers) => WindowNumbers,
): OperationEntry<ConvolveOptions, Scratch> {
  const windowOf = ({ weights }: ConvolveOptions) => turned(windowNumbers(weights));
  const separable = separableEntry<ConvolveOptions>({
    name,
    params: NAMES,
    radius: ({ weights }) => radiusOfWindow(weights),
    isSingle,
    products: (params) => [productOf(windowOf(params))!],
  });
  return {
    ...separable,
    scratch: (facts) => {
      const window = windowOf(facts.params);
      const none = { weights: 0, squares: 0, first: 0, second: 0, sums: 0, ones: 0, joined: 0 };
      if (isQuick(window, facts.dtype)) return { ...separable.scratch(facts), offsets: 0, row: 0 };
      return { ...none, ...tapsScratch(facts, window) };
    },
    start: (setting) => {
      const window = windowOf(setting.params);
      return isQuick(window, setting.dtype) ? separable.start(setting) : tapsWork(setting, window);
    },
  };
}

/** Whether f32 holds all sums of small integers, or rounds them as well as f64 does, as nothing cancels. */
function isSingle({ weights }: ConvolveOptions, dtype: DType): boolean {
  const { values } = windowNumbers(weights);
  if (isUnsigned(dtype) && values.every((weight) => weight >= 0)) return true;
  const most = 2 ** (8 * dtypeInfo(dtype).itemSize) *
    values.reduce((sum, weight) => sum + Math.abs(weight), 0);
  return values.every(Number.isInteger) && most <= 2 ** 24;
}

/** The type of sums. */
function sumsOf(facts: OperationFacts<ConvolveOptions>): Float {
  return sumType(facts, isSingle(facts.params, facts.dtype));
}

function tapsScratch(facts: OperationFacts<ConvolveOptions>, { values }: WindowNumbers) {
  const { itemSize } = dtypeInfo(sumsOf(facts));
  const row = sumsOf(facts) === facts.result ? 0 : itemSize * facts.tile.at(-1)!;
  return { offsets: 4 * values.length, weights: itemSize * values.length, row };
}

function tapsWork(setting: OperationSetting<ConvolveOptions, Scratch>, window: WindowNumbers): TileWork {
  const { kernels, dtype, result, scratch } = setting;
  const float = sumsOf(setting);
  const family = float === "float32" ? "taps_f32" : "taps_f64";
  const taps: KernelFamilies["taps_f64"] = kernel(kernels, family, dtype);
  const cast = float === result ? undefined : castOf(setting, float);
  const weights = window.values.filter((weight) => weight !== 0);
  const { buffer } = kernels.memory;
  const [placed, offsets] = [scratch.at("weights"), scratch.at("offsets")];
  typedArray(float, buffer, placed, weights.length).set(weights);
  const row = cast && scratch.at("row");
  return (view, out) => {
    const list = offsetsIn(window.shape, view.strides, (i) => window.values[i] !== 0);
    typedArray("uint32", buffer, offsets, list.length).set(list);
    eachLine(view, out, (data, to, n) => {
      taps(row ?? to, data, n, offsets, placed, list.length);
      if (row !== undefined) cast?.(to, row, n);
    });
  };
}

/** Whether weights are applied along one dimension after another. */
function isQuick(window: WindowNumbers, dtype: DType): boolean {
  const leavesOut = dtypeInfo(dtype).kind === "f" && window.values.includes(0);
  return !leavesOut && productOf(window) !== undefined;
}

/** The weights along each dimension whose product the window is; undefined if there are no such weights. */
function productOf({ shape, values }: WindowNumbers): Product | undefined {
  const middle = values.reduce((best, value, i) => Math.abs(value) > Math.abs(values[best]!) ? i : best, 0);
  const pivot = values[middle]!;
  if (pivot === 0) return undefined;
  const product = shape.map((n, d) => Array.from({ length: n }, (_, i) => along(shape, values, middle, d, i)))
    .map((weights, d): Weights => d === 0 ? weights : weights.map((weight) => weight / pivot));
  const slack = values.every(Number.isInteger) ? 0 : 1e-14 * Math.abs(pivot);
  const isProduct = values.every((value, i) => {
    const made = unravel(i, shape).reduce((all, p, d) => all * product[d]![p]!, 1);
    return Math.abs(made - value) <= slack;
  });
  return isProduct ? product : undefined;
}

/** The weight at position `i` of dimension `d`, and at that of the greatest weight in all others. */
function along(shape: Shape, values: readonly number[], middle: number, d: number, i: number): number {
  const step = sizeOf(shape.slice(d + 1));
  return values[middle + (i - unravel(middle, shape)[d]!) * step]!;
}

/**
 * Correlation: every sample becomes the sum of the samples around it, each times the weight at its place, for arrays of
 * any rank. Sums are f64, or f32 where that makes no difference, in an order that does not depend on tiles. Weights that
 * are a product of weights along each dimension are fast. A NaN makes every result NaN in which it has a weight.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @param options the weights, and the type of the result
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { correlate, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(1, 2, 4, 8), shape: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, correlate({ weights: [[0, 1, 10]] }), { context });
 * assertEquals([...data], [21, 42, 84, 88]);
 * ```
 * @category Views
 */
export function correlate<const D extends ResultType = "float32" | "float64">(
  options: ConvolveOptions<D>,
): ViewOperation<D> {
  return operationOf(CORRELATE, options);
}

/**
 * Convolution: {@link correlate} with the weights in reverse order along all dimensions.
 *
 * @param options the weights, and the type of the result
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { convolve, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(1, 2, 4, 8), shape: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, convolve({ weights: [[0, 1, 10]] }), { context });
 * assertEquals([...data], [11, 12, 24, 48]);
 * ```
 * @category Views
 */
export function convolve<const D extends ResultType = "float32" | "float64">(
  options: ConvolveOptions<D>,
): ViewOperation<D> {
  return operationOf(CONVOLVE, options);
}
