/**
 * Variances and standard deviations of windows.
 *
 * Those of small integers are made of exact sums and sums of squares; those of all others of differences to a sample of the window,
 * as sums of squares lose all digits where samples are far from 0 (`spread.ts`).
 *
 * @module
 */

import type { KernelFamilies } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import {
  type OperationEntry,
  type OperationFacts,
  operationOf,
  type OperationSetting,
  type Radius,
  type ViewOperation,
} from "../operation.ts";
import { radiusRule } from "../rules.ts";
import {
  type Finish,
  floatOf,
  type Separable,
  type SeparableScratch,
  separableScratch,
  separableWork,
} from "./separable.ts";
import { SPREAD_KERNELS, type SpreadScratch, spreadScratch, spreadWork } from "./spread.ts";
import { boxWeights } from "./weights.ts";

/**
 * Options of {@link localVariance} and {@link localDeviation}.
 * @category Views
 */
export interface LocalVarianceOptions {
  /**
   * Samples on both sides of the window: one number for all dimensions, or one per dimension. Default: the radius of
   * the views, or 1 if they have none.
   */
  readonly radius?: Radius;
}

/** Scratch memory: that of sums, or of spreads, and a row of f64 results. */
type Scratch = SeparableScratch | SpreadScratch | "row";

/** See {@link localVariance}. */
export const LOCAL_VARIANCE: OperationEntry<LocalVarianceOptions, Scratch> = varianceEntry(
  "localVariance",
  false,
);
/** See {@link localDeviation}. */
export const LOCAL_DEVIATION: OperationEntry<LocalVarianceOptions, Scratch> = varianceEntry(
  "localDeviation",
  true,
);

function varianceEntry(name: string, root: boolean): OperationEntry<LocalVarianceOptions, Scratch> {
  return {
    name,
    params: { radius: radiusRule },
    kernels: ["square_f64"],
    calls: ["convert_f32", ...SPREAD_KERNELS],
    usualRadius: 1,
    radius: ({ radius }) => radius,
    result: (dtype) => floatOf(dtype),
    values: () => root ? "sums" : "squares",
    scratch: (facts) => {
      return sumsExactly(facts)
        ? { ...separableScratch(momentsOf(facts)), steps: 0, row: 8 * facts.tile.at(-1)! }
        : { weights: 0, squares: 0, sums: 0, row: 0, ...spreadScratch(facts) };
    },
    start: (setting) => {
      const { kernels, scratch } = setting;
      return sumsExactly(setting)
        ? separableWork(momentsOf(setting), kernels, scratch, varianceFinish(setting, root))
        : spreadWork(setting, kernels, scratch, root ? "deviations" : "variances");
    },
  };
}

/** Whether sums, sums of squares, and what variances are made of are whole numbers below 2^53, for any samples. */
function sumsExactly({ dtype, radius }: OperationFacts<object>): boolean {
  const { kind, itemSize } = dtypeInfo(dtype);
  return kind !== "f" && countOf(radius) * 2 ** (8 * itemSize) <= 2 ** 26.5;
}

/** Makes variances, or their roots, of sums and sums of squares. */
function varianceFinish(
  { kernels, result, scratch, radius }: OperationSetting<LocalVarianceOptions, Scratch>,
  root: boolean,
): Finish {
  const variance: KernelFamilies["variance"] = kernel(kernels, "variance", "float64");
  const narrow: KernelFamilies["convert_f32"] = kernel(kernels, "convert_f32", "float64");
  const count = countOf(radius);
  return (sums, out, _, rows, n) => {
    for (let y = 0; y < rows; y++) {
      const [from, to] = [sums.pointer + y * sums.rowStride, out.pointer + y * out.rowStride];
      const made = result === "float64" ? to : scratch.at("row");
      variance(made, from, from + sums.termStride, n, count, root ? 1 : 0);
      if (result !== "float64") narrow(to, made, n);
    }
  };
}

/** Sums of windows, and sums of squares. */
function momentsOf({ dtype, tile, radius }: OperationFacts<object>): Separable {
  const product = radius.map(boxWeights);
  const terms = [{ product }, { product, ofSquares: true }];
  return { dtype, tile, radius, terms, float: "float64", finished: true };
}

function countOf(radius: Shape): number {
  return sizeOf(radius.map((r) => 2 * r + 1));
}

/**
 * The variance of the window of `2 radius + 1` samples per dimension around every sample, for arrays of any rank: the mean
 * of the squares of deviations from the mean, in f64. It is right however far the samples are from 0, exact for integers of 8
 * bits, and of 16 in windows of up to 1448 samples, and does not depend on tiles. The result is float32, or float64 for
 * float64 and integers of 32 bits. A NaN makes every result NaN whose window contains it.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @param options the radius
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { localVariance, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 3, 3, 9, 9, 9), shape: [1, 6] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, localVariance({ radius: 1 }), { context });
 * assertEquals([...data], [0, 0, 8, 8, 0, 0]);
 * ```
 * @category Views
 */
export function localVariance(options: LocalVarianceOptions = {}): ViewOperation<"float32" | "float64"> {
  return operationOf(LOCAL_VARIANCE, options);
}

/**
 * The standard deviation of the window around every sample: the root of {@link localVariance}.
 *
 * @param options the radius
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { localDeviation, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 3, 9, 9), shape: [4] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, localDeviation({ radius: 1 }), { context });
 * assertEquals([...data], [0, Math.fround(Math.sqrt(8)), Math.fround(Math.sqrt(8)), 0]);
 * ```
 * @category Views
 */
export function localDeviation(options: LocalVarianceOptions = {}): ViewOperation<"float32" | "float64"> {
  return operationOf(LOCAL_DEVIATION, options);
}
