/**
 * Local minima and maxima: erosion and dilation by a box.
 *
 * The extreme of a box is computed along one dimension after another: one pass for each dimension that has a radius,
 * slowest first, each pass over lines of samples without gaps.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import type { Kernels } from "../../kernels/bind.ts";
import type { KernelFamilies } from "../../kernels/families/families.ts";
import { kernel } from "../../kernels/registry.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Places } from "../../memory/places.ts";
import { denseStrides } from "../../memory/strided.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { betweenPasses, eachLine, passesAlong, shapesOfPasses } from "./lines.ts";
import {
  type OperationEntry,
  type OperationFacts,
  operationOf,
  type PlacedSamples,
  type Radius,
  type ViewOperation,
} from "./operation.ts";
import { radiusRule } from "./rules.ts";

/**
 * Options of {@link localMinimum} and {@link localMaximum}.
 * @category Views
 */
export interface LocalExtremeOptions {
  /**
   * Samples on both sides of the window: one number for all dimensions, or one per dimension. Default: the radius of
   * the views, or 1 if they have none.
   */
  readonly radius?: Radius;
}

/** Their rules. */
export const EXTREME_NAMES: OptionNames<LocalExtremeOptions> = { radius: radiusRule };

/** The intermediate arrays: between the first and the second pass, and between the second and the third. */
export type Between = "first" | "second";

/** See {@link localMinimum}. */
export const LOCAL_MINIMUM: OperationEntry<LocalExtremeOptions, Between> = extremes(
  "localMinimum",
  "window_min",
);
/** See {@link localMaximum}. */
export const LOCAL_MAXIMUM: OperationEntry<LocalExtremeOptions, Between> = extremes(
  "localMaximum",
  "window_max",
);

function extremes(
  name: "localMinimum" | "localMaximum",
  family: "window_min" | "window_max",
): OperationEntry<LocalExtremeOptions, Between> {
  return {
    name,
    params: EXTREME_NAMES,
    kernels: [family],
    usualRadius: 1,
    radius: ({ radius }) => radius,
    result: (dtype) => dtype,
    values: () => "same",
    scratch: extremeScratch,
    start: (setting) => extremeWork(family, setting),
  };
}

/** The extreme of the window of `radius` around every sample of a view, which has that halo. */
export function extremeWork(
  family: "window_min" | "window_max",
  { kernels, dtype, radius, scratch }: ExtremeSetting,
): (view: PlacedSamples, out: PlacedSamples) => void {
  const extreme: KernelFamilies["window_min"] = kernel(kernels, family, dtype);
  const passes = passesAlong(radius);
  return (view, out) => {
    let from = view;
    for (const [n, d] of passes.entries()) {
      const shape = from.shape.with(d, out.shape[d]!);
      const between = (): PlacedSamples => {
        const pointer = scratch.at(betweenPasses(n));
        return { pointer, shape, strides: denseStrides(shape, dtype) };
      };
      const to = n === passes.length - 1 ? out : between();
      alongDimension(extreme, from, to, d, radius[d]!);
      from = to;
    }
  };
}

/** What {@link extremeWork} needs. */
interface ExtremeSetting {
  /** The kernels. */
  readonly kernels: Kernels;
  /** Type of the samples. */
  readonly dtype: DType;
  /** Samples on both sides. */
  readonly radius: Shape;
  /** Memory for what is between passes, of {@link extremeScratch} bytes. */
  readonly scratch: Places<Between>;
}

/** One pass: from lines with a halo along dimension `d` to lines without it. */
function alongDimension(
  extreme: KernelFamilies["window_min"],
  from: PlacedSamples,
  to: PlacedSamples,
  d: number,
  radius: number,
): void {
  eachLine(from, to, (data, out, n) => extreme(out, data, n, from.strides[d]!, 2 * radius + 1));
}

/** Bytes of the results of all passes but the last, which writes the final result. */
export function extremeScratch(
  { radius, tile, dtype }: Pick<OperationFacts<object>, "radius" | "tile" | "dtype">,
): Record<Between, number> {
  const shapes = shapesOfPasses(tile, radius, passesAlong(radius)).slice(0, -1);
  const [first = 0, second = 0] = shapes.map((shape) => sizeOf(shape) * dtypeInfo(dtype).itemSize);
  return { first, second };
}

/**
 * Every sample becomes the least of the window of `2 radius + 1` samples per dimension around it: erosion by a box, for
 * arrays of any rank. The result has the type of the samples. A NaN makes every window that contains it NaN.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @param options the radius
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { localMinimum, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open(Uint8Array.of(5, 3, 9, 7), { format: "raw", dtype: "uint8", nav: [], sig: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, localMinimum(), { context });
 * assertEquals(data, Uint8Array.of(3, 3, 3, 7));
 * ```
 * @category Views
 */
export function localMinimum(options: LocalExtremeOptions = {}): ViewOperation {
  return operationOf(LOCAL_MINIMUM, options);
}

/**
 * Every sample becomes the greatest of the window of `2 radius + 1` samples per dimension around it: dilation by a box.
 * Everything else is as for {@link localMinimum}.
 *
 * @param options the radius
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { localMaximum, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open(Uint8Array.of(5, 3, 9, 7), { format: "raw", dtype: "uint8", nav: [], sig: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, localMaximum(), { context });
 * assertEquals(data, Uint8Array.of(5, 9, 9, 9));
 * ```
 * @category Views
 */
export function localMaximum(options: LocalExtremeOptions = {}): ViewOperation {
  return operationOf(LOCAL_MAXIMUM, options);
}
