/**
 * Thresholds: which samples are greater than a number.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import type { KernelFamilies } from "../../kernels/families/families.ts";
import { kernel } from "../../kernels/registry.ts";
import { needed, number } from "../../options/rules.ts";
import { eachLine } from "./lines.ts";
import { type OperationEntry, operationOf, type ViewOperation } from "./operation.ts";

/**
 * Options of {@link threshold}.
 * @category Views
 */
export interface ThresholdOptions {
  /** Samples above it become true. Any number. */
  readonly value: number;
}

const NAMES: OptionNames<ThresholdOptions> = { value: needed(number) };

/** See {@link threshold}. */
export const THRESHOLD: OperationEntry<ThresholdOptions, never> = {
  name: "threshold",
  params: NAMES,
  kernels: ["greater"],
  usualRadius: 0,
  radius: () => 0,
  result: () => "bool",
  values: () => ({ kind: "mask" }),
  scratch: () => ({}),
  start({ kernels, dtype, params: { value } }) {
    const greater: KernelFamilies["greater"] = kernel(kernels, "greater", dtype);
    return (view, out) => eachLine(view, out, (data, to, n) => greater(to, data, n, value));
  },
};

/**
 * Every sample becomes true if it is greater than `value`, else false, also if it is NaN. Samples are compared with
 * the number as it is, whatever their type: of integers, 3 is greater than 2.5.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @param options the value to compare with
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { boxMean, mapViews, threshold } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 6, 9, 12), shape: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * const { data, dtype } = await mapViews(image, [boxMean({ radius: [0, 1] }), threshold({ value: 6 })], { context });
 * assertEquals([dtype, ...data], ["bool", 0, 0, 1, 1]);
 * ```
 * @category Views
 */
export function threshold(options: ThresholdOptions): ViewOperation<"bool"> {
  return operationOf(THRESHOLD, options);
}
