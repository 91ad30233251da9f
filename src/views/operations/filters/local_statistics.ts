/**
 * Variances and standard deviations of windows, and thresholds that follow the means of windows.
 *
 * Sums are f64, and exact for integers: those of squares up to 2^53.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { KernelFamilies } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { OptionNames } from "../../../options.ts";
import { finite, positive } from "../../../options/rules.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import {
  type OperationEntry,
  type OperationFacts,
  operationOf,
  type OperationSetting,
  type Radius,
  type ViewOperation,
} from "../operation.ts";
import { eachOf, perDimension, radiusRule, sigmaRule } from "../rules.ts";
import {
  type Finish,
  floatOf,
  type Separable,
  type SeparableScratch,
  separableScratch,
  separableWork,
  type Term,
} from "./separable.ts";
import { boxWeights, gaussianReach, gaussianWeights, type Product } from "./weights.ts";

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

/**
 * Options of {@link localThreshold}.
 * @category Views
 */
export interface LocalThresholdOptions {
  /**
   * Samples on both sides of the window whose mean is the threshold: one number for all dimensions, or one per
   * dimension. Default: the radius of the views, or 1 if they have none.
   */
  readonly radius?: Radius;
  /** Standard deviation of a Gaussian, whose mean is the threshold instead: one number, or one per dimension. */
  readonly sigma?: number | readonly number[];
  /** Where the Gaussian ends, in standard deviations. Default 4. */
  readonly truncate?: number;
  /** What is subtracted from the mean. Default 0. */
  readonly offset?: number;
}

/** Scratch memory: that of the sums, and a row of f64 results. */
type Scratch = SeparableScratch | "row";

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

const THRESHOLD_NAMES: OptionNames<LocalThresholdOptions> = {
  radius: radiusRule,
  sigma: sigmaRule,
  truncate: positive,
  offset: finite,
};

/** See {@link localThreshold}. */
export const LOCAL_THRESHOLD: OperationEntry<LocalThresholdOptions, SeparableScratch> = {
  name: "localThreshold",
  params: THRESHOLD_NAMES,
  kernels: ["above"],
  calls: ["convert_f32"],
  usualRadius: 1,
  radius: ({ radius, sigma, truncate = 4 }) =>
    sigma === undefined ? radius : eachOf(sigma, (one) => gaussianReach(one, truncate)),
  result: () => "bool",
  check: ({ params: { radius, sigma } }) => {
    if (radius === undefined || sigma === undefined) return;
    const text =
      "localThreshold() takes the mean of a window or of a Gaussian: give radius or sigma, not both";
    throw new TilewiseError("invalid", text, { option: "sigma", expected: "radius or sigma" });
  },
  scratch: (facts) => separableScratch(inDoubles(facts, levelTerms(facts))),
  start: (setting) => {
    const { params: { sigma, offset = 0 }, radius, dtype, kernels } = setting;
    const above: KernelFamilies["above"] = kernel(kernels, "above", dtype);
    const count = sigma === undefined ? countOf(radius) : 1;
    const finish: Finish = (sums, out, samples, rows, n) => {
      for (let y = 0; y < rows; y++) {
        const data = samples.pointer + y * samples.rowStride;
        const level = sums.pointer + y * sums.rowStride;
        above(out.pointer + y * out.rowStride, data, level, n, count, offset);
      }
    };
    return separableWork(inDoubles(setting, levelTerms(setting)), kernels, setting.scratch, finish);
  },
};

function varianceEntry(name: string, root: boolean): OperationEntry<LocalVarianceOptions, Scratch> {
  return {
    name,
    params: { radius: radiusRule },
    kernels: ["square_f64"],
    calls: ["convert_f32"],
    usualRadius: 1,
    radius: ({ radius }) => radius,
    result: (dtype) => floatOf(dtype),
    scratch: (facts) => {
      return {
        ...separableScratch(inDoubles(facts, momentTerms(facts.radius))),
        row: 8 * facts.tile.at(-1)!,
      };
    },
    start: (setting) => {
      const finish = varianceFinish(setting, root);
      return separableWork(
        inDoubles(setting, momentTerms(setting.radius)),
        setting.kernels,
        setting.scratch,
        finish,
      );
    },
  };
}

/** Makes variances of sums and sums of squares. */
function varianceFinish(
  { kernels, result, radius, scratch }: OperationSetting<LocalVarianceOptions, Scratch>,
  root: boolean,
): Finish {
  const variance: KernelFamilies["variance"] = kernel(kernels, "variance", "float64");
  const narrow: KernelFamilies["convert_f32"] = kernel(kernels, "convert_f32", "float64");
  const count = countOf(radius);
  const row = result === "float64" ? undefined : scratch.at("row");
  return (sums, out, _, rows, n) => {
    for (let y = 0; y < rows; y++) {
      const [from, to] = [sums.pointer + y * sums.rowStride, out.pointer + y * out.rowStride];
      variance(row ?? to, from, from + sums.termStride, n, count, root ? 1 : 0);
      if (row !== undefined) narrow(to, row, n);
    }
  };
}

function inDoubles({ dtype, tile, radius }: OperationFacts<object>, terms: readonly Term[]): Separable {
  return { dtype, tile, radius, terms, float: "float64", finished: true };
}

function countOf(radius: Shape): number {
  return sizeOf(radius.map((r) => 2 * r + 1));
}

/** Sums of windows, and sums of squares. */
function momentTerms(radius: Shape): Term[] {
  const product = radius.map(boxWeights);
  return [{ product }, { product, ofSquares: true }];
}

/** Sums of windows, or means of Gaussians. */
function levelTerms(
  { params: { sigma, truncate = 4 }, radius }: OperationFacts<LocalThresholdOptions>,
): Term[] {
  const product: Product = sigma === undefined
    ? radius.map(boxWeights)
    : perDimension(sigma, radius.length).map((one) => gaussianWeights(one, truncate));
  return [{ product }];
}

/**
 * The variance of the window of `2 radius + 1` samples per dimension around every sample, for arrays of any rank: the mean
 * of the squares less the square of the mean, at least 0. Sums are f64, in an order that does not depend on tiles; those
 * of integers are exact as long as they are below 2^53. The result is float32, or float64 for float64 and integers of 32
 * bits. A NaN makes every result NaN whose window contains it.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
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

/**
 * Whether every sample is greater than the mean around it less `offset`, for images with uneven light: true or false.
 * The mean is that of a window, or that of {@link gaussian} if `sigma` is given, in f64. Comparisons with NaN are false.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { localThreshold, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(1, 9, 1, 101, 109, 101), shape: [1, 6] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, localThreshold({ radius: 1, offset: -2 }), { context });
 * assertEquals([...data].map(Number), [0, 1, 0, 1, 1, 0]);
 * ```
 * @category Views
 */
export function localThreshold(options: LocalThresholdOptions = {}): ViewOperation<"bool"> {
  return operationOf(LOCAL_THRESHOLD, options);
}
