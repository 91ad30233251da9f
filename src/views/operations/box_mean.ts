/**
 * The box filter: every sample becomes the mean of its neighbourhood.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import type { KernelFamilies } from "../../kernels/families/families.ts";
import { kernel } from "../../kernels/registry.ts";
import { floatOf } from "../../space/dtype.ts";
import { type OperationEntry, operationOf, type Radius, type ViewOperation } from "./operation.ts";
import { eachPlane } from "./lines.ts";
import { radiusRule } from "./rules.ts";

/**
 * Options of {@link boxMean}.
 * @category Views
 */
export interface BoxMeanOptions {
  /**
   * Samples on both sides of a mean: one number for the last two dimensions, or one per dimension, 0 in all but the last two.
   * Default: the radius of the views, or 1 if they have none.
   */
  readonly radius?: Radius;
}

const NAMES: OptionNames<BoxMeanOptions> = { radius: radiusRule };

/** See {@link boxMean}. */
export const BOX_MEAN: OperationEntry<BoxMeanOptions, "columns"> = {
  name: "boxMean",
  params: NAMES,
  kernels: ["box_mean"],
  usualRadius: 1,
  images: true,
  radius: ({ radius }) => radius,
  result: floatOf,
  values: () => "sums",
  check({ radius }) {
    if (radius.slice(0, -2).every((r) => r === 0)) return;
    const found = radius.join(", ");
    const would = [...radius.slice(0, -2).map(() => 0), ...radius.slice(-2)].join(", ");
    const text =
      `boxMean() takes means over the last two dimensions, not over radius ${found}; use [${would}]`;
    throw new TilewiseError("unsupported", text, { option: "radius", expected: would, found });
  },
  scratch: ({ tile, radius }) => ({ columns: 8 * (tile.at(-1)! + 2 * radius.at(-1)!) }),
  start({ kernels, dtype, radius, scratch }) {
    const mean: KernelFamilies["box_mean"] = kernel(kernels, "box_mean", dtype);
    const [ry, rx] = [radius.at(-2) ?? 0, radius.at(-1)!];
    const columns = scratch.at("columns");
    return (view, out) => {
      eachPlane(view, out, (data, rowStride, to, outStride, rows, n) => {
        mean(to, outStride, data, rowStride, rows, n, ry, rx, columns);
      });
    };
  },
};

/**
 * The box filter: every sample becomes the mean of the window of `2 radius + 1` samples per dimension around it,
 * for images and for each image of a stack. Sums of integers are exact; sums of floats are computed in f64, always in
 * the same order, so that a result does not depend on tiles.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool; means are float64 of float64 and of integers of
 * 32 bits, otherwise float32.
 *
 * @param options the radius
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { boxMean, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open(Uint8Array.of(3, 6, 9, 12), { format: "raw", dtype: "uint8", nav: [], sig: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, boxMean({ radius: [0, 1] }), { context });
 * assertEquals(data, Float32Array.of(4, 6, 9, 11));
 * ```
 * @category Views
 */
export function boxMean(options: BoxMeanOptions = {}): ViewOperation<"float32" | "float64"> {
  return operationOf(BOX_MEAN, options);
}
