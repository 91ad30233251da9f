/**
 * Thresholds that follow the means of windows, or of Gaussians.
 *
 * Sums of windows have all digits of samples, but for float64: there, and where means are those of Gaussians, samples are compared
 * with them by the deviations of these (`deviation.ts`).
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { KernelFamilies } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { OptionNames } from "../../../options.ts";
import { finite, positive } from "../../../options/rules.ts";
import { sizeOf } from "../../../space/shape.ts";
import {
  type OperationEntry,
  type OperationFacts,
  operationOf,
  type OperationSetting,
  type Radius,
  type TileWork,
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
  type Separable,
  type SeparableScratch,
  separableScratch,
  separableWork,
} from "./separable.ts";
import { boxWeights, gaussianReach, gaussianWeights } from "./weights.ts";

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
  /** Where the Gaussian ends, in standard deviations. Above 0. Default 4. */
  readonly truncate?: number;
  /** What is subtracted from the mean. Finite. Default 0. */
  readonly offset?: number;
}

// deno-fmt-ignore: written by `deno task build`
const NAMES: OptionNames<LocalThresholdOptions> = {
  radius: radiusRule, sigma: sigmaRule, truncate: positive, offset: finite,
};

/** Scratch memory: that of sums, or of deviations. */
type Scratch = SeparableScratch | DeviationScratch;

/** See {@link localThreshold}. */
export const LOCAL_THRESHOLD: OperationEntry<LocalThresholdOptions, Scratch> = {
  name: "localThreshold",
  params: NAMES,
  kernels: ["above"],
  calls: ["below", ...DEVIATION_KERNELS],
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
    return hasAllDigits(facts)
      ? { ...separableScratch(sumsOf(facts)), steps: 0 }
      : { squares: 0, sums: 0, ...deviationScratch(deviationsOf(facts)) };
  },
  start: (setting) => hasAllDigits(setting) ? aboveMeans(setting) : belowOffset(setting),
};

type ThresholdFacts = OperationFacts<LocalThresholdOptions>;
type Setting = OperationSetting<LocalThresholdOptions, Scratch>;

/**
 * Whether levels are means of windows for whose sums f64 has room. It has for samples of all types but float64: of float32 with 24
 * bits, unless a sample is a million times greater than another one, beside which that does not count.
 */
function hasAllDigits({ params: { sigma }, dtype }: ThresholdFacts): boolean {
  return sigma === undefined && dtype !== "float64";
}

/** Sums of windows. */
function sumsOf({ dtype, tile, radius }: ThresholdFacts): Separable {
  const terms = [{ product: radius.map(boxWeights) }];
  return { dtype, tile, radius, terms, float: "float64", finished: true };
}

/** Weights of Gaussians have the sum 1; those of windows are ones, so that a sample that equals its mean has no deviation. */
function deviationsOf({ params: { sigma, truncate = 4 }, dtype, tile, radius }: ThresholdFacts): Deviations {
  const product = sigma === undefined
    ? radius.map(boxWeights)
    : perDimension(sigma, tile.length).map((one) => gaussianWeights(one, truncate));
  return { dtype, tile, product };
}

/** Compares samples with means, which are sums of as many samples. */
function aboveMeans(setting: Setting): TileWork {
  const { params: { offset = 0 }, dtype, kernels, scratch } = setting;
  const above: KernelFamilies["above"] = kernel(kernels, "above", dtype);
  const count = countOf(setting);
  const finish: Finish = (sums, out, samples, rows, n) => {
    for (let y = 0; y < rows; y++) {
      const data = samples.pointer + y * samples.rowStride;
      const level = sums.pointer + y * sums.rowStride;
      above(out.pointer + y * out.rowStride, data, level, n, count, offset);
    }
  };
  return separableWork(sumsOf(setting), kernels, scratch, finish);
}

/** Samples are greater than their means, less `offset`, where deviations of these are less than `offset`. */
function belowOffset(setting: Setting): TileWork {
  const { params: { sigma, offset = 0 }, kernels, scratch } = setting;
  const below: KernelFamilies["below"] = kernel(kernels, "below", "float64");
  const limit = sigma === undefined ? countOf(setting) * offset : offset;
  const finish: DeviationFinish = (deviations, out, rows, n) => {
    below(out.pointer, out.rowStride, deviations.pointer, deviations.rowStride, rows, n, limit);
  };
  return deviationWork(deviationsOf(setting), kernels, scratch, finish);
}

function countOf({ radius }: ThresholdFacts): number {
  return sizeOf(radius.map((r) => 2 * r + 1));
}

/**
 * Whether every sample is greater than the mean around it less `offset`, for images with uneven light: true or false.
 * The mean is that of a window, or that of {@link gaussian} if `sigma` is given, in f64. Comparisons with NaN are false.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @param options the window, and the offset from its mean
 * @returns the operation, for a chain, a plan or `mapViews`
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
