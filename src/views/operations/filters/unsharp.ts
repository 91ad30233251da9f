/**
 * Unsharp masks: details made stronger.
 *
 * @module
 */

import type { OptionNames } from "../../../options.ts";
import { finite, needed, positive } from "../../../options/rules.ts";
import { type OperationEntry, operationOf, type ViewOperation } from "../operation.ts";
import { eachOf, perDimension, sigmaRule } from "../rules.ts";
import { type FilterScratch, resultRule, type ResultType, separableEntry } from "./separable_entry.ts";
import { gaussianReach, gaussianWeights, SAME } from "./weights.ts";

/**
 * Options of {@link unsharp}.
 * @category Views
 */
export interface UnsharpOptions<D extends ResultType = ResultType> {
  /** Standard deviation in samples: one number for all dimensions, or one per dimension; 0 leaves a dimension as it is. */
  readonly sigma: number | readonly number[];
  /** How much of the details is added. Finite. Default 1. */
  readonly amount?: number;
  /** Where the Gaussian ends, in standard deviations: its radius is `truncate * sigma`, rounded. Above 0. Default 4. */
  readonly truncate?: number;
  /** Type of the result; see {@link GaussianOptions}. */
  readonly dtype?: D;
}

// deno-fmt-ignore: written by `deno task build`
const NAMES: OptionNames<UnsharpOptions> = {
  sigma: needed(sigmaRule), amount: finite, truncate: positive, dtype: resultRule,
};

/** See {@link unsharp}. */
export const UNSHARP: OperationEntry<UnsharpOptions, FilterScratch> = separableEntry<UnsharpOptions>({
  name: "unsharp",
  params: NAMES,
  radius: ({ sigma, truncate = 4 }) => eachOf(sigma, (one) => gaussianReach(one, truncate)),
  isSingle: () => false,
  products: ({ sigma, amount = 1, truncate = 4 }, { length: rank }) => {
    const smooth = perDimension(sigma, rank).map((one) => gaussianWeights(one, truncate));
    const first = smooth[0]!.map((weight) => -amount * weight);
    return [[[1 + amount], ...Array(rank - 1).fill(SAME)], [first, ...smooth.slice(1)]];
  },
  join: () => "sum",
});

/**
 * The unsharp mask: `sample + amount * (sample - mean)`, with the mean of {@link gaussian}. Results are not limited to the
 * range of the samples, unless `dtype` is their type. Everything else is as for {@link gaussian}.
 *
 * @param options width of the Gaussian, amount, and the type of the result
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, unsharp } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(90, 90, 90, 20, 20, 20), shape: [1, 6] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, unsharp({ sigma: 0.8, dtype: "uint8" }), { context });
 * assertEquals(data, Uint8Array.of(90, 92, 108, 2, 18, 20));
 * ```
 * @category Views
 */
export function unsharp<const D extends ResultType = "float32" | "float64">(
  options: UnsharpOptions<D>,
): ViewOperation<D> {
  return operationOf(UNSHARP, options);
}
