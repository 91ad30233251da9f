/**
 * Gaussian filters: smoothing, derivatives, and what is made of derivatives.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { OptionNames } from "../../../options.ts";
import { needed, positive } from "../../../options/rules.ts";
import { type OperationEntry, operationOf, type ViewOperation } from "../operation.ts";
import { eachOf, orderRule, perDimension, sigmaRule } from "../rules.ts";
import {
  type FilterScratch,
  isUnsigned,
  resultRule,
  type ResultType,
  separableEntry,
} from "./separable_entry.ts";
import { gaussianReach, gaussianWeights, type Product } from "./weights.ts";

/** Standard deviations and where Gaussians end: what all filters of this file have. */
interface Bell {
  readonly sigma: number | readonly number[];
  readonly truncate?: number;
}

/**
 * Options of {@link gaussian}.
 * @category Views
 */
export interface GaussianOptions<D extends ResultType = ResultType> {
  /** Standard deviation in samples: one number for all dimensions, or one per dimension; 0 leaves a dimension as it is. */
  readonly sigma: number | readonly number[];
  /** Where the Gaussian ends, in standard deviations: its radius is `truncate * sigma`, rounded. Default 4. */
  readonly truncate?: number;
  /** Order of the derivative: one number for all dimensions, or one per dimension. Default 0: smoothing. */
  readonly order?: number | readonly number[];
  /**
   * Type of the result. Default: float32, and float64 for float64 and integers of 32 bits. Integers: rounded to nearest,
   * half to even, and limited to the range of the type.
   */
  readonly dtype?: D;
}

/**
 * Options of {@link laplacianOfGaussian} and {@link gaussianGradient}.
 * @category Views
 */
export interface GaussianSumOptions<D extends ResultType = ResultType> {
  /** Standard deviation in samples: one number for all dimensions, or one per dimension; 0 leaves a dimension out. */
  readonly sigma: number | readonly number[];
  /** Where the Gaussian ends, in standard deviations: its radius is `truncate * sigma`, rounded. Above 0. Default 4. */
  readonly truncate?: number;
  /** Type of the result; see {@link GaussianOptions}. */
  readonly dtype?: D;
}

// deno-fmt-ignore: written by `deno task build`
const SUM_NAMES: OptionNames<GaussianSumOptions> = {
  sigma: needed(sigmaRule), truncate: positive, dtype: resultRule,
};

const NAMES: OptionNames<GaussianOptions> = { ...SUM_NAMES, order: orderRule };

/** See {@link gaussian}. */
export const GAUSSIAN: OperationEntry<GaussianOptions, FilterScratch> = separableEntry<GaussianOptions>({
  name: "gaussian",
  params: NAMES,
  radius: reach,
  isSingle: ({ order = 0 }, dtype) => isUnsigned(dtype) && perDimension(order, 1).every((one) => one === 0),
  products: (params, { length: rank }) => {
    const orders = perDimension(params.order ?? 0, rank);
    return [product(params, rank, (d) => orders[d] ?? 0)];
  },
  check: ({ params: { order = 0 }, tile: { length: rank } }) => {
    const { length } = perDimension(order, rank);
    if (length === rank) return;
    const text = `gaussian() takes ${rank} orders for an array of ${rank} dimensions, not ${length}`;
    throw new TilewiseError("invalid", text, { option: "order", expected: rank, found: length });
  },
});

/** See {@link laplacianOfGaussian}. */
export const LAPLACIAN_OF_GAUSSIAN: OperationEntry<GaussianSumOptions, FilterScratch> = separableEntry({
  name: "laplacianOfGaussian",
  params: SUM_NAMES,
  radius: reach,
  isSingle: () => false,
  products: (params, { length: rank }) => derivatives(params, rank, 2),
  join: () => "sum",
});

/** See {@link gaussianGradient}. */
export const GAUSSIAN_GRADIENT: OperationEntry<GaussianSumOptions, FilterScratch> = separableEntry({
  name: "gaussianGradient",
  params: SUM_NAMES,
  radius: reach,
  isSingle: () => false,
  products: (params, { length: rank }) => derivatives(params, rank, 1),
  join: () => "root of squares",
});

/** Samples of halo. */
function reach({ sigma, truncate = 4 }: Bell): number | readonly number[] {
  return eachOf(sigma, (one) => gaussianReach(one, truncate));
}

/** Gaussians along all dimensions, differentiated so often. */
function product({ sigma, truncate = 4 }: Bell, rank: number, order: (d: number) => number): Product {
  return perDimension(sigma, rank).map((one, d) => gaussianWeights(one, truncate, order(d)));
}

/** One product for each dimension that has a Gaussian: smoothed along all of them, and differentiated along that one. */
function derivatives(params: Bell, rank: number, order: number): Product[] {
  const sigmas = perDimension(params.sigma, rank);
  const smoothed = [...sigmas.keys()].filter((d) => sigmas[d]! > 0);
  if (smoothed.length === 0) return [Array(rank).fill([0])];
  return smoothed.map((along) => product(params, rank, (d) => d === along ? order : 0));
}

/**
 * The Gaussian filter: every sample becomes the mean of its surroundings, weighted with a Gaussian, or a derivative of
 * that; for arrays of any rank. Sums are f64, or f32 for smoothed unsigned integers of up to 16 bits, in an order that
 * does not depend on tiles. A NaN makes every result NaN whose surroundings contain it.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @param options width per dimension, order of the derivative, and the type of the result
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { gaussian, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(0, 0, 0, 100, 0, 0, 0), shape: [1, 7] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, gaussian({ sigma: 0.8, dtype: "uint8" }), { context });
 * assertEquals(data, Uint8Array.of(0, 2, 23, 50, 23, 2, 0));
 * ```
 * @category Views
 */
export function gaussian<const D extends ResultType = "float32" | "float64">(
  options: GaussianOptions<D>,
): ViewOperation<D> {
  return operationOf(GAUSSIAN, options);
}

/**
 * The Laplacian of a Gaussian: the sum of the second derivatives of what {@link gaussian} gives, which finds blobs of
 * radius `sigma * √2`, as minima where they are bright. Everything else is as for {@link gaussian}.
 *
 * @param options width per dimension, and the type of the result
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { laplacianOfGaussian, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(0, 0, 0, 100, 0, 0, 0), shape: [1, 7] });
 * await using context = createContext({ workers: 0 });
 * const found = await mapViews(image, laplacianOfGaussian({ sigma: [0, 0.8], dtype: "int8" }), { context });
 * assertEquals(found.data, Int8Array.of(1, 18, 20, -78, 20, 18, 1));
 * ```
 * @category Views
 */
export function laplacianOfGaussian<const D extends ResultType = "float32" | "float64">(
  options: GaussianSumOptions<D>,
): ViewOperation<D> {
  return operationOf(LAPLACIAN_OF_GAUSSIAN, options);
}

/**
 * The magnitude of the gradient: the root of the sum of the squares of the first derivatives of what {@link gaussian}
 * gives. Everything else is as for {@link gaussian}.
 *
 * @param options width per dimension, and the type of the result
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { gaussianGradient, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(0, 0, 0, 100, 100, 100), shape: [1, 6] });
 * await using context = createContext({ workers: 0 });
 * const edges = await mapViews(image, gaussianGradient({ sigma: 0.8, dtype: "uint8" }), { context });
 * assertEquals(edges.data, Uint8Array.of(0, 7, 43, 43, 7, 0));
 * ```
 * @category Views
 */
export function gaussianGradient<const D extends ResultType = "float32" | "float64">(
  options: GaussianSumOptions<D>,
): ViewOperation<D> {
  return operationOf(GAUSSIAN_GRADIENT, options);
}
