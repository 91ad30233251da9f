/**
 * The least and the greatest finite sample.
 *
 * @module
 */

import type { KernelFamilies } from "../../kernels/families/families.ts";
import { kernel } from "../../kernels/registry.ts";
import { type TypedArray, typedArray } from "../../space/dtype.ts";
import { eachPlace } from "./lines.ts";
import { type OperationEntry, operationOf, type ViewReduction } from "./operation.ts";

/** See {@link sampleRange}. */
export const SAMPLE_RANGE: OperationEntry<object, "range"> = {
  name: "sampleRange",
  params: {},
  kernels: ["min_max"],
  usualRadius: 0,
  radius: () => 0,
  result: () => "float64",
  values: () => "same",
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
      const outer = view.shape.slice(0, -1);
      eachPlace(outer, view, lines, (data) => minMax(range, data, length));
      if (found[0] === -Infinity || found[1] === Infinity) { // where there is none, it is the other way around
        found.set([Infinity, -Infinity]);
        eachPlace(outer, view, lines, (data) => {
          addFinite(found, typedArray(dtype, kernels.memory.buffer, data, length));
        });
      }
      new Float64Array(kernels.memory.buffer, out.pointer, 2).set(found);
    };
  },
};

/** Widens a range by the finite ones of some numbers: for the few tiles with infinities. */
function addFinite(range: Float64Array, samples: TypedArray): void {
  for (const sample of samples) {
    const value = Number(sample);
    if (!Number.isFinite(value)) continue;
    range[0] = Math.min(range[0]!, value);
    range[1] = Math.max(range[1]!, value);
  }
}

/**
 * The least and the greatest finite sample.
 * @category Views
 */
export interface SampleRange {
  /** The least; Infinity if there is none. */
  readonly min: number;
  /** The greatest; -Infinity if there is none. */
  readonly max: number;
}

/**
 * The reduction to the least and the greatest finite sample; NaN and infinities do not count.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { reduceViews, sampleRange } from "@tilewise/tilewise/unstable/views";
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
