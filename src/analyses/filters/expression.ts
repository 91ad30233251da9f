/**
 * Filters as expressions: `expr:EXPRESSION;NAME=NUMBER;dtype=float64;unit=nm`.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { viewExpression } from "../../views/operations/expression.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { WordError } from "../word_error.ts";
import { numbersIn, type WordDefaults } from "./filter.ts";
import { isExpression, namedFilter } from "./words.ts";

/** The operation that a word means: an expression, or a filter of the table. */
export function filterOf(text: string, defaults: WordDefaults = {}): ViewOperation {
  return isExpression(text) ? ofExpression(text, defaults) : namedFilter(text, defaults);
}

/** `expr:EXPRESSION;NAME=NUMBER;dtype=float64;unit=nm`. */
function ofExpression(word: string, { inputs }: WordDefaults): ViewOperation {
  const parts = word.slice(5).split(";").map((part) => part.trim()).filter((part) => part !== "");
  const named = (part: string) => /^([A-Za-z_]\w*)\s*=(?!=)\s*(.*)$/s.exec(part);
  const [text, ...others] = parts.filter((part) => !named(part));
  if (text === undefined || others.length > 0) {
    throw new WordError(
      `"${word}" must be one expression, with numbers by name: write expr:'max(x - k, 0);k=3'`,
    );
  }
  const params: Record<string, number> = {};
  let dtype: "float32" | "float64" | undefined, unit: string | undefined;
  for (const [, name = "", value = ""] of parts.flatMap((part) => [named(part) ?? []])) {
    if (name === "dtype" && (value === "float32" || value === "float64")) dtype = value;
    else if (name === "unit") unit = value;
    else if (name !== "") params[name] = paramIn(name, value);
  }
  const values = unit === undefined ? {} : { values: { kind: "amount", unit } as const };
  return viewExpression(text, { params, ...values, ...defined({ dtype, inputs }) });
}

function paramIn(name: string, text: string): number {
  const value = numbersIn(text);
  if (typeof value === "number") return value;
  throw new WordError(`an expression cannot use ${name}=${text}; write a number`);
}
