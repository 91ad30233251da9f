/**
 * Derivatives by differences of neighbours: Sobel, Prewitt and Scharr, and the Laplacian.
 *
 * @module
 */

import type { OptionNames } from "../../../options.ts";
import { TilewiseError } from "../../../errors.ts";
import { whole } from "../../../options/rules.ts";
import type { Shape } from "../../../space/shape.ts";
import { type OperationEntry, type OperationFacts, operationOf, type ViewOperation } from "../operation.ts";
import { evenRadiusRule } from "../rules.ts";
import { type FilterScratch, resultRule, type ResultType, separableEntry } from "./separable_entry.ts";
import { CURVATURE, DIFFERENCE, type Product, SAME, type Weights } from "./weights.ts";

/**
 * Options of {@link sobel}, {@link prewitt} and {@link scharr}.
 * @category Views
 */
export interface GradientOptions<D extends ResultType = ResultType> {
  /** The dimension along which differences are taken; -1 is the last one. Whole. Default: all, and their magnitude. */
  readonly axis?: number;
  /** 1, or 0 for dimensions that are left out: `[0, 1, 1]` for each image of a stack. Default 1. */
  readonly radius?: number | Shape;
  /** Type of the result; see {@link GaussianOptions}. */
  readonly dtype?: D;
}

/**
 * Options of {@link laplacian}.
 * @category Views
 */
export interface LaplacianOptions<D extends ResultType = ResultType> {
  /** 1, or 0 for dimensions that are left out: `[0, 1, 1]` for each image of a stack. Default 1. */
  readonly radius?: number | Shape;
  /** Type of the result; see {@link GaussianOptions}. */
  readonly dtype?: D;
}

const LAPLACIAN_NAMES: OptionNames<LaplacianOptions> = { radius: evenRadiusRule, dtype: resultRule };

// deno-fmt-ignore: written by `deno task build`
const GRADIENT_NAMES: OptionNames<GradientOptions> = {
  axis: whole(-Infinity), radius: evenRadiusRule, dtype: resultRule,
};

/** See {@link sobel}. */
export const SOBEL: OperationEntry<GradientOptions, FilterScratch> = gradient("sobel", [1, 2, 1]);
/** See {@link prewitt}. */
export const PREWITT: OperationEntry<GradientOptions, FilterScratch> = gradient("prewitt", [1, 1, 1]);
/** See {@link scharr}. */
export const SCHARR: OperationEntry<GradientOptions, FilterScratch> = gradient("scharr", [3, 10, 3]);

/** See {@link laplacian}. */
export const LAPLACIAN: OperationEntry<LaplacianOptions, FilterScratch> = separableEntry<LaplacianOptions>({
  name: "laplacian",
  params: LAPLACIAN_NAMES,
  radius: ({ radius = 1 }) => radius,
  isSingle: () => true,
  products: (_, radius) => alongEach(radius, CURVATURE, SAME),
  join: () => "sum",
  check: (facts) => checkRadius("laplacian", facts),
});

function gradient(name: string, smooth: Weights): OperationEntry<GradientOptions, FilterScratch> {
  return separableEntry<GradientOptions>({
    name,
    params: GRADIENT_NAMES,
    radius: ({ radius = 1 }) => radius,
    isSingle: () => true,
    products: ({ axis }, radius) => alongEach(radius, DIFFERENCE, smooth, axis),
    join: ({ axis }) => axis === undefined ? "root of squares" : undefined,
    check: (facts) => {
      checkRadius(name, facts);
      checkAxis(name, facts);
    },
  });
}

/** One product for each dimension that takes part, or only for `axis`: `main` along it, `other` along the others. */
function alongEach(radius: Shape, main: Weights, other: Weights, axis?: number): Product[] {
  const rank = radius.length;
  const takesPart = radius.map((r) => r > 0);
  const wanted = (d: number) => takesPart[d] && (axis === undefined || d === (axis + rank) % rank);
  const along = [...takesPart.keys()].filter(wanted);
  if (along.length === 0) return [takesPart.map(() => [0])];
  return along.map((a) => takesPart.map((takes, d) => takes ? (d === a ? main : other) : SAME));
}

function checkRadius(name: string, { radius }: OperationFacts<object>): void {
  if (radius.every((r) => r <= 1)) return;
  const [found, expected] = [radius.join(", "), radius.map((r) => Math.min(r, 1)).join(", ")];
  const text = `${name}() takes differences of the next samples, not over radius ${found}; use [${expected}]`;
  throw new TilewiseError("unsupported", text, { option: "radius", expected, found });
}

function checkAxis(name: string, { params: { axis = 0 }, radius }: OperationFacts<GradientOptions>): void {
  const rank = radius.length;
  if (axis >= -rank && axis < rank) return;
  const text = `${name}() has no dimension ${axis}: the array has ${rank}, from 0 to ${rank - 1}`;
  throw new TilewiseError("invalid", text, {
    option: "axis",
    expected: `${-rank} to ${rank - 1}`,
    found: axis,
  });
}

/**
 * The Sobel filter: differences of the samples on both sides, smoothed with 1, 2, 1 along the other dimensions, for
 * arrays of any rank. Without `axis`, the magnitude: the root of the sum of their squares. Weights are whole numbers, as
 * in `scipy.ndimage`, so that differences of integers of up to 16 bits are exact.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool. A NaN makes every result NaN whose window contains it.
 *
 * @param options the axis, and the type of the result
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, sobel } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 3, 9, 9, 8), shape: [1, 5] });
 * await using context = createContext({ workers: 0 });
 * const across = await mapViews(image, sobel({ axis: -1 }), { context });
 * assertEquals([...across.data], [0, 24, 24, -4, -4]);
 * const edges = await mapViews(image, sobel({ dtype: "uint8" }), { context });
 * assertEquals([...edges.data], [0, 24, 24, 4, 4]);
 * ```
 * @category Views
 */
export function sobel<const D extends ResultType = "float32" | "float64">(
  options: GradientOptions<D> = {},
): ViewOperation<D> {
  return operationOf(SOBEL, options);
}

/**
 * The Prewitt filter: as {@link sobel}, smoothed with 1, 1, 1.
 *
 * @param options the axis, and the type of the result
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, prewitt } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 3, 9, 9, 8), shape: [1, 5] });
 * await using context = createContext({ workers: 0 });
 * assertEquals([...(await mapViews(image, prewitt({ axis: -1 }), { context })).data], [0, 18, 18, -3, -3]);
 * ```
 * @category Views
 */
export function prewitt<const D extends ResultType = "float32" | "float64">(
  options: GradientOptions<D> = {},
): ViewOperation<D> {
  return operationOf(PREWITT, options);
}

/**
 * The Scharr filter: as {@link sobel}, smoothed with 3, 10, 3, which depends less on the direction of edges.
 *
 * @param options the axis, and the type of the result
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, scharr } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 3, 9, 9, 8), shape: [1, 5] });
 * await using context = createContext({ workers: 0 });
 * assertEquals([...(await mapViews(image, scharr({ axis: -1 }), { context })).data], [0, 96, 96, -16, -16]);
 * ```
 * @category Views
 */
export function scharr<const D extends ResultType = "float32" | "float64">(
  options: GradientOptions<D> = {},
): ViewOperation<D> {
  return operationOf(SCHARR, options);
}

/**
 * The Laplacian: the sum over all dimensions of both neighbours less twice the sample itself, for arrays of any rank.
 * Everything else is as for {@link sobel}.
 *
 * @param options the type of the result
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { laplacian, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 3, 9, 9, 8), shape: [1, 5] });
 * await using context = createContext({ workers: 0 });
 * assertEquals([...(await mapViews(image, laplacian(), { context })).data], [0, 6, -6, -1, 1]);
 * ```
 * @category Views
 */
export function laplacian<const D extends ResultType = "float32" | "float64">(
  options: LaplacianOptions<D> = {},
): ViewOperation<D> {
  return operationOf(LAPLACIAN, options);
}
