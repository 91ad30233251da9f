/**
 * Variances and standard deviations of windows, and thresholds that follow the means of windows.
 *
 * Variances of small integers are made of exact sums and sums of squares; those of all others of deviations from means, as
 * sums of squares lose all digits where samples are far from 0 (`spread.ts`). For the same reason Gaussian means are compared
 * as deviations from their samples (`deviation.ts`).
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { KernelFamilies, KernelFamily } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { OptionNames } from "../../../options.ts";
import { finite, positive } from "../../../options/rules.ts";
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
import { eachOf, perDimension, radiusRule, sigmaRule } from "../rules.ts";
import {
  DEVIATION_KERNELS,
  type DeviationFinish,
  type Deviations,
  type DeviationScratch,
  deviationScratch,
  deviationWork,
} from "./deviation.ts";
import {
  type Finish,
  floatOf,
  type Separable,
  type SeparableScratch,
  separableScratch,
  separableWork,
  type Term,
} from "./separable.ts";
import {
  SPREAD_KERNELS,
  type SpreadFinish,
  type SpreadScratch,
  spreadScratch,
  spreadWork,
} from "./spread.ts";
import { boxWeights, gaussianReach, gaussianWeights } from "./weights.ts";

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

/** Scratch memory: that of sums, spreads or deviations, a row of f64 results, and one of zeros. */
type Scratch = SeparableScratch | SpreadScratch | DeviationScratch | "row" | "zeros";

/** The kernels that all of them call beside their own. */
const CALLS: readonly KernelFamily[] = ["convert_f32", "subtract", ...SPREAD_KERNELS, ...DEVIATION_KERNELS];

/** No memory for sums. */
const NO_SUMS: Readonly<Record<SeparableScratch, number>> = {
  weights: 0,
  squares: 0,
  first: 0,
  second: 0,
  sums: 0,
};

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
export const LOCAL_THRESHOLD: OperationEntry<LocalThresholdOptions, Scratch> = {
  name: "localThreshold",
  params: THRESHOLD_NAMES,
  kernels: ["above"],
  calls: CALLS,
  usualRadius: 1,
  radius: ({ radius, sigma, truncate = 4 }) =>
    sigma === undefined ? radius : eachOf(sigma, (one) => gaussianReach(one, truncate)),
  result: () => "bool",
  values: () => ({ kind: "mask" }),
  check: ({ params: { radius, sigma } }) => {
    if (radius === undefined || sigma === undefined) return;
    const text =
      "localThreshold() takes the mean of a window or of a Gaussian: give radius or sigma, not both";
    throw new TilewiseError("invalid", text, { option: "sigma", expected: "radius or sigma" });
  },
  scratch: (facts) => {
    const row = 8 * facts.tile.at(-1)!;
    const deviations = deviationsOf(facts);
    if (deviations) return { ...NO_SUMS, ...deviationScratch(deviations), row: 0, zeros: row };
    return hasFarSums(facts)
      ? { ...NO_SUMS, ...spreadScratch(facts), row, zeros: 0 }
      : { ...separableScratch(inDoubles(facts, sumTerms(facts.radius))), samples: 0, row: 0, zeros: 0 };
  },
  start: (setting) => {
    const { params: { offset = 0 }, radius, dtype, kernels, scratch } = setting;
    const above: KernelFamilies["above"] = kernel(kernels, "above", dtype);
    const deviations = deviationsOf(setting);
    if (deviations) return deviationWork(deviations, kernels, scratch, belowZero(setting, offset));
    if (hasFarSums(setting)) {
      return spreadWork(setting, kernels, scratch, "sums", aboveMeans(setting, offset));
    }
    const count = countOf(radius);
    const finish: Finish = (sums, out, samples, rows, n) => {
      for (let y = 0; y < rows; y++) {
        const data = samples.pointer + y * samples.rowStride;
        const level = sums.pointer + y * sums.rowStride;
        above(out.pointer + y * out.rowStride, data, level, n, count, offset);
      }
    };
    return separableWork(inDoubles(setting, sumTerms(radius)), kernels, scratch, finish);
  },
};

function varianceEntry(name: string, root: boolean): OperationEntry<LocalVarianceOptions, Scratch> {
  return {
    name,
    params: { radius: radiusRule },
    kernels: ["square_f64"],
    calls: CALLS,
    usualRadius: 1,
    radius: ({ radius }) => radius,
    result: (dtype) => floatOf(dtype),
    values: () => root ? "sums" : "squares",
    scratch: (facts) => {
      const row = 8 * facts.tile.at(-1)!;
      if (!sumsExactly(facts)) return { ...NO_SUMS, ...spreadScratch(facts), row, zeros: row };
      const sums = separableScratch(inDoubles(facts, momentTerms(facts.radius)));
      return { ...sums, samples: 0, row, zeros: 0 };
    },
    start: (setting) => {
      const { kernels, scratch } = setting;
      if (!sumsExactly(setting)) {
        return spreadWork(setting, kernels, scratch, "variances", spreadFinish(setting, root));
      }
      const moments = inDoubles(setting, momentTerms(setting.radius));
      return separableWork(moments, kernels, scratch, varianceFinish(setting, root));
    },
  };
}

/** Whether sums, sums of squares, and what variances are made of are whole numbers below 2^53, for any samples. */
function sumsExactly({ dtype, radius }: OperationFacts<object>): boolean {
  const { kind, itemSize } = dtypeInfo(dtype);
  return kind !== "f" && countOf(radius) * 2 ** (8 * itemSize) <= 2 ** 26.5;
}

/**
 * Whether levels are means of windows for whose sums f64 has no room. It has for samples of all other types: of float32 with 24
 * bits, unless a sample is a million times greater than another one, beside which that does not count.
 */
function hasFarSums({ dtype }: OperationFacts<LocalThresholdOptions>): boolean {
  return dtype === "float64";
}

/** Deviations of means of Gaussians, if levels are such means. */
function deviationsOf(
  { params: { sigma, truncate = 4 }, dtype, tile }: OperationFacts<LocalThresholdOptions>,
): Deviations | undefined {
  if (sigma === undefined) return undefined;
  return {
    dtype,
    tile,
    product: perDimension(sigma, tile.length).map((one) => gaussianWeights(one, truncate)),
  };
}

/** Samples are greater than their means, less `offset`, where deviations of these are less than `offset`. */
function belowZero(
  { kernels, scratch, tile }: OperationSetting<LocalThresholdOptions, "zeros">,
  offset: number,
): DeviationFinish {
  const above: KernelFamilies["above"] = kernel(kernels, "above", "float64");
  const zeros = scratch.at("zeros");
  new Float64Array(kernels.memory.buffer, zeros, tile.at(-1)!).fill(0);
  return (deviations, out, rows, n) => {
    for (let y = 0; y < rows; y++) {
      above(
        out.pointer + y * out.rowStride,
        zeros,
        deviations.pointer + y * deviations.rowStride,
        n,
        1,
        offset,
      );
    }
  };
}

/** Compares samples with means, less a sample nearby, so that rounding decides only where they are as good as equal. */
function aboveMeans(
  { kernels, scratch, radius }: OperationSetting<LocalThresholdOptions, "row">,
  offset: number,
): SpreadFinish {
  const subtract: KernelFamilies["subtract"] = kernel(kernels, "subtract", "float64");
  const above: KernelFamilies["above"] = kernel(kernels, "above", "float64");
  const [row, count] = [scratch.at("row"), countOf(radius)];
  return ({ bases, excesses, samples }, out, rows, n) => {
    for (let y = 0; y < rows; y++) {
      subtract(row, samples.pointer + y * samples.rowStride, bases.pointer + y * bases.rowStride, n);
      above(
        out.pointer + y * out.rowStride,
        row,
        excesses.pointer + y * excesses.rowStride,
        n,
        count,
        offset,
      );
    }
  };
}

/** Makes a row of variances, or of their roots, of rows of sums and of sums of squares. */
type VarianceRow = (out: number, sums: number, squares: number, n: number) => void;

function varianceRow(
  { kernels, result, scratch }: OperationSetting<LocalVarianceOptions, Scratch>,
  root: boolean,
  count: number,
): VarianceRow {
  const variance: KernelFamilies["variance"] = kernel(kernels, "variance", "float64");
  const narrow: KernelFamilies["convert_f32"] = kernel(kernels, "convert_f32", "float64");
  const row = result === "float64" ? undefined : scratch.at("row");
  return (out, sums, squares, n) => {
    variance(row ?? out, sums, squares, n, count, root ? 1 : 0);
    if (row !== undefined) narrow(out, row, n);
  };
}

/** Makes variances of sums and sums of squares. */
function varianceFinish(
  setting: OperationSetting<LocalVarianceOptions, Scratch>,
  root: boolean,
): Finish {
  const variances = varianceRow(setting, root, countOf(setting.radius));
  return (sums, out, _, rows, n) => {
    for (let y = 0; y < rows; y++) {
      const from = sums.pointer + y * sums.rowStride;
      variances(out.pointer + y * out.rowStride, from, from + sums.termStride, n);
    }
  };
}

/** Makes results of variances, which are mean squares of what has the sum 0. */
function spreadFinish(
  setting: OperationSetting<LocalVarianceOptions, Scratch>,
  root: boolean,
): SpreadFinish {
  const results = varianceRow(setting, root, 1);
  const zeros = setting.scratch.at("zeros");
  new Float64Array(setting.kernels.memory.buffer, zeros, setting.tile.at(-1)!).fill(0);
  return ({ variances }, out, rows, n) => {
    for (let y = 0; y < rows; y++) {
      results(out.pointer + y * out.rowStride, zeros, variances.pointer + y * variances.rowStride, n);
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

/** Sums of windows. */
function sumTerms(radius: Shape): Term[] {
  return [{ product: radius.map(boxWeights) }];
}

/**
 * The variance of the window of `2 radius + 1` samples per dimension around every sample, for arrays of any rank: the mean
 * of the squares of deviations from the mean, in f64. It is right however far the samples are from 0, exact for integers of 8
 * bits, and of 16 in windows of up to 1448 samples, and does not depend on tiles. The result is float32, or float64 for float64 and integers of 32
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
