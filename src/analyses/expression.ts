/**
 * Expressions of your own.
 *
 * @module
 */

import { defined } from "../options.ts";
import type { ExpressionInputs } from "../udf/builtin/expression.ts";
import type { UdfRef } from "../udf/interface/udf_ref.ts";
import type { Analysis, Values } from "./analysis.ts";

/** The analysis. */
export const EXPRESSION: Analysis = {
  name: "expression",
  aliases: ["expr"],
  group: "Your own",
  help: "expressions of the sample x, compiled while you wait",
  notes: [
    "expr:'TEXT', in quotes, as shells have uses of their own for ( ) ; > *. Several parts are separated by ; and are",
    "  NAME=EXPRESSION  a result; a single one needs no name and is called value",
    "  NAME=@FILE.npy   an array of the shape of a frame",
    "  NAME=NUMBER      a number",
    "  precision=float32 or precision=float64",
    "  unit=UNIT        the unit of the results",
    "sum(…) mean(…) min(…) max(…) count(…) give one number per frame, frames.sum(…) and so on one per pixel; + - * / **,",
    "comparisons, && || !, a ? b : c, sqrt, log, exp, abs, min, max, …; row, col, frame; see the documentation of expression.",
  ],
  usage: ":'EXPRESSION'",
  parameters: {},
  results: { "NAME, or value": "as the expression says" },
  example: "expression:'bright=count(x > t);image=frames.mean(x);t=10'",
  make: async (values) => ({ ref: await expressionOf(values) }),
};

/** What cannot be names of results: the type of the values, and their unit. */
export const EXPRESSION_WORDS: readonly string[] = ["precision", "unit"];

/** Numbers, arrays and expressions by name; each says by what it is which of these it is. */
async function expressionOf(values: Values): Promise<UdfRef> {
  const { expression } = await import("../udf/builtin/expression.ts");
  const arrays: Record<string, unknown> = {};
  const params: Record<string, number> = {};
  const sources: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (EXPRESSION_WORDS.includes(name)) continue;
    if (typeof value === "number") params[name] = value;
    else if (typeof value === "string") sources[name] = value;
    else arrays[name] = value;
  }
  const { precision, unit } = values;
  const inputs = {
    arrays,
    params,
    ...defined({ precision }),
    ...(unit === undefined ? {} : { values: { kind: "amount", unit: String(unit) } }),
  } as ExpressionInputs;
  return expression(sources, inputs);
}
