/**
 * Errors in expressions: they name the expression, the column, and what was expected there.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";

/** The content of an error of {@link expressionError}. */
export interface ExpressionProblem {
  /** The expression. */
  readonly text: string;
  /** Column of the problem, from 1. */
  readonly column: number;
  /** What is wrong, as a clause. */
  readonly problem: string;
  /** What would be correct. */
  readonly expected: string;
}

/** An `invalid` error that points into an expression; `column` and `expected` are in its details too. */
export function expressionError({ text, column, problem, expected }: ExpressionProblem): TilewiseError {
  const message = `Cannot use the expression "${excerpt(text, column)}": ${problem} at column ${column}; ` +
    `expected ${expected}`;
  return new TilewiseError("invalid", message, { expression: text, column, expected });
}

/** The expression, or, if it is long, the part around `column`. */
function excerpt(text: string, column: number): string {
  if (text.length <= 100) return text;
  const from = Math.max(0, Math.min(column - 40, text.length - 80));
  return `${from > 0 ? "…" : ""}${text.slice(from, from + 80)}${from + 80 < text.length ? "…" : ""}`;
}
