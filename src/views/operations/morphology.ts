/**
 * Morphology by boxes: what is made of erosions and dilations.
 *
 * @module
 */

import type { KernelFamilies } from "../../kernels/families/families.ts";
import { kernel } from "../../kernels/registry.ts";
import { denseStrides } from "../../memory/strided.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { eachPlace } from "./lines.ts";
import { type Between, extremeScratch, extremeWork, type LocalExtremeOptions } from "./local_extremes.ts";
import { type OperationEntry, operationOf, type ViewOperation } from "./operation.ts";
import { radiusRule } from "./rules.ts";

/** See {@link morphologicalGradient}. */
export const MORPHOLOGICAL_GRADIENT: OperationEntry<LocalExtremeOptions, Between | "least"> = {
  name: "morphologicalGradient",
  params: { radius: radiusRule },
  kernels: ["window_min", "window_max", "subtract"],
  usualRadius: 1,
  radius: ({ radius }) => radius,
  result: (dtype) => dtype,
  scratch: (facts) => {
    return { ...extremeScratch(facts), least: sizeOf(facts.tile) * dtypeInfo(facts.dtype).itemSize };
  },
  start: (setting) => {
    const { kernels, dtype, scratch } = setting;
    const [least, greatest] = [extremeWork("window_min", setting), extremeWork("window_max", setting)];
    const subtract: KernelFamilies["subtract"] = kernel(kernels, "subtract", dtype);
    return (view, out) => {
      const low = { pointer: scratch.least, shape: out.shape, strides: denseStrides(out.shape, dtype) };
      least(view, low);
      greatest(view, out);
      const n = out.shape.at(-1)!;
      eachPlace(out.shape.slice(0, -1), low, out, (data, to) => subtract(to, to, data, n));
    };
  },
};

/**
 * The morphological gradient: the greatest sample of the window of `2 radius + 1` samples per dimension less the least
 * one, in the type of the samples; integers modulo its range. A NaN makes every result NaN whose window contains it.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, morphologicalGradient } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 3, 3, 9, 8), shape: [1, 5] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, morphologicalGradient(), { context });
 * assertEquals(data, Uint8Array.of(0, 0, 6, 6, 1));
 * ```
 * @category Views
 */
export function morphologicalGradient(options: LocalExtremeOptions = {}): ViewOperation {
  return operationOf(MORPHOLOGICAL_GRADIENT, options);
}
