/**
 * Complex masks for the Fourier coefficients of a frame along rings.
 *
 * @module
 */

import { cosine, sine } from "../space/functions/functions.ts";
import { TilewiseError } from "../errors.ts";
import { checkOptionNames } from "../options.ts";
import { type NDArray, ndarray } from "../space/ndarray.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import { FOURIER_OPTIONS, type RadialFourierMaskOptions } from "./options.ts";
import { polarMap } from "./polar.ts";
import { eachRadialWeight, radialLayout } from "./radial_bins.ts";

/**
 * For each radial bin the masks `weight · exp(i·o·φ)` of the orders o = 0 … `maxOrder`, φ being the angle of
 * {@link polarMap}; complex128, shape (bins · orders, height, width).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const stack = radialFourierMasks([8, 8], { cy: 4, cx: 4, bins: 2, maxOrder: 3 });
 * assertEquals(stack.shape, [8, 8, 8]);
 * ```
 * @category Masks
 */
export function radialFourierMasks(shape: Shape, options: RadialFourierMaskOptions): NDArray<"complex128"> {
  checkOptionNames("radialFourierMasks()", options, FOURIER_OPTIONS);
  const { maxOrder = 24 } = options;
  const orders = checkOrder(maxOrder) + 1;
  const layout = radialLayout(shape, { ...options, bins: options.bins ?? 1 });
  const { cy, cx } = layout;
  const angle = polarMap(shape, { cy, cx }).angle.data;
  const frame = sizeOf(shape);
  const data = new Float64Array(2 * layout.bins * orders * frame);
  eachRadialWeight(shape, layout, (bin, pixel, weight) => {
    for (let order = 0; order < orders; order++) {
      const at = 2 * ((bin * orders + order) * frame + pixel);
      data[at] = weight * cosine(order * angle[pixel]!);
      data[at + 1] = weight * sine(order * angle[pixel]!);
    }
  });
  return ndarray(data, [layout.bins * orders, ...shape], "complex128");
}

/** The highest order, checked. */
export function checkOrder(maxOrder: number): number {
  if (Number.isInteger(maxOrder) && maxOrder >= 0) return maxOrder;
  throw new TilewiseError("invalid", `The highest order must be a whole number from 0, not ${maxOrder}`, {
    option: "maxOrder",
    found: String(maxOrder),
  });
}
