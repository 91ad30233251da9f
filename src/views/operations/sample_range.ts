/**
 * The least and the greatest sample.
 *
 * @module
 */

import type { KernelFamilies } from "../../kernels/families/families.ts";
import { kernel } from "../../kernels/registry.ts";
import { eachPlace } from "./lines.ts";
import { type OperationEntry, operationOf } from "./operation.ts";
import type { ViewReduction } from "./reduction.ts";

/** See {@link sampleRange}. */
export const SAMPLE_RANGE: OperationEntry<object, "range"> = {
  name: "sampleRange",
  params: {},
  kernels: ["min_max"],
  usualRadius: 0,
  radius: () => 0,
  result: () => "float64",
  partial: () => 2,
  scratch: () => ({ range: 16 }),
  start({ kernels, dtype, scratch }) {
    const minMax: KernelFamilies["min_max"] = kernel(kernels, "min_max", dtype);
    const range = scratch.at("range");
    return (view, out) => {
      const found = new Float64Array(kernels.memory.buffer, range, 2);
      found.set([Infinity, -Infinity]);
      const length = view.shape.at(-1)!;
      const lines = { pointer: 0, strides: view.strides };
      eachPlace(view.shape.slice(0, -1), view, lines, (data) => minMax(range, data, length));
      new Float64Array(kernels.memory.buffer, out.pointer, 2).set(found);
    };
  },
};

/**
 * The least and the greatest sample.
 * @category Views
 */
export interface SampleRange {
  /** The least; Infinity if there is none. */
  readonly min: number;
  /** The greatest; -Infinity if there is none. */
  readonly max: number;
}

/**
 * The reduction to the least and the greatest sample; NaN does not count.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { reduceViews, sampleRange } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Float32Array.of(3, NaN, -9, 12), shape: [2, 2] });
 * await using context = createContext({ workers: 0 });
 * assertEquals(await reduceViews(image, sampleRange(), { context }), { min: -9, max: 12 });
 * ```
 * @category Views
 */
export function sampleRange(): ViewReduction<SampleRange, "float64"> {
  return {
    operation: operationOf(SAMPLE_RANGE, {}),
    async merge(partials) {
      let [min, max] = [Infinity, -Infinity];
      for await (const { data: [low = Infinity, high = -Infinity] } of partials) {
        [min, max] = [Math.min(min, low), Math.max(max, high)];
      }
      return { min, max };
    },
  };
}
