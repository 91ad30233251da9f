/**
 * Expressions as UDFs: `sum(sqrt(max(x * gain - dark, 0)))` at the speed of a kernel, without a build step.
 *
 * @module
 */

import { analyse } from "../../expr/language/analysis.ts";
import { checkOptionNames } from "../../options.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";
import { type ExpressionInputs, INPUTS, names } from "./expression/inputs.ts";

export type { ExpressionInputs } from "./expression/inputs.ts";

/**
 * A UDF from an expression of the sample `x`, compiled to WebAssembly when it first runs; or from several expressions
 * by name, all computed in one pass over the data. The result of a single expression is called `value`.
 *
 * - `+ - * / **`, comparisons, `&& || !`, `a ? b : c`; `abs atan2 ceil clamp cos exp floor hypot log log1p max min pow
 *   round sin sqrt trunc`; `pi e inf nan`; `row` and `col` of the pixel, `frame` (scan position).
 * - `sum(…) mean(…) min(…) max(…) count(…)`: one number per frame. `frames.sum(…)` and so on: one number per pixel, over
 *   all frames. Without a reduction: one number per sample, float32 or float64. Reductions are float64, and may be
 *   combined: `sum(x * col) / sum(x)`.
 *
 * Samples are computed in `precision` and added in float64 in a fixed order; sums of integer samples are exact. With a
 * NaN, minima and maxima are NaN.
 *
 * @param source one expression, or several by the names of their results
 * @param inputs further arrays and numbers by the names that the expression uses
 * @returns the UDF, for a plan, `run` or an analysis of your own
 * @throws {TilewiseError} `invalid`, with `column` and `expected` in the details
 *
 * @example Counts above a threshold, and the sum image, in one pass
 * ```ts
 * import { expression, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const ref = expression({ bright: "count(x > t)", image: "frames.sum(x)" }, { params: { t: 1 } });
 * const { e } = await run(await plan(scan, { e: ref }));
 * assertEquals([...e.bright.data], [1, 2]);
 * assertEquals([...e.image.data], [4, 6]);
 * ```
 * @category Expressions
 */
export function expression<S extends string | Readonly<Record<string, string>>>(
  source: S,
  inputs: ExpressionInputs = {},
): UdfRef<ExpressionTypes<S>> {
  checkOptionNames("expression()", inputs, INPUTS);
  analyse(source, names(inputs)); // so that mistakes throw here, not on a worker
  return builtin("expression", { source, ...inputs });
}

/**
 * The dtypes of the results of {@link expression}: float64; results with one number per sample have its precision.
 * @category Expressions
 */
export type ExpressionTypes<S> = {
  readonly [K in S extends string ? "value" : keyof S & string]: "float32" | "float64";
};
