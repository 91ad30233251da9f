/**
 * Splits an expression into numbers, names and symbols.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";

/** A token of an expression. */
export interface Token {
  /** Its kind. */
  readonly kind: "number" | "name" | "symbol" | "end";
  /** Its text. */
  readonly text: string;
  /** Its first column, from 1. */
  readonly column: number;
}

/** Largest number of tokens of one expression: enough for a page of formulas, few enough for every stack. */
export const MAX_TOKENS = 2000;

const WORD =
  /(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_]\w*)|(?<symbol>\*\*|&&|\|\||[=!<>]=|[-+*/()<>?:!,.])/y;

/** Hints for symbols that are often written by mistake. */
const HINTS: Readonly<Record<string, string>> = {
  "^": '"**" for a power',
  "&": '"&&" for "and"',
  "|": '"||" for "or"',
  "=": '"==" for a comparison',
  "%": "an operator: x - y * floor(x / y) is the remainder",
};

/**
 * The tokens of `text`, followed by one of kind `end`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(tokens("x**2.5").map(({ text }) => text), ["x", "**", "2.5", ""]);
 * ```
 */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text[at]!)) {
      at++;
      continue;
    }
    WORD.lastIndex = at;
    const match = WORD.exec(text);
    if (!match) throw unknownSign(text, at);
    if (found.length === MAX_TOKENS) throw tooLong(text, at);
    const { number, name } = match.groups!;
    const kind = number !== undefined ? "number" : name !== undefined ? "name" : "symbol";
    found.push({ kind, text: match[0], column: at + 1 });
    at += match[0].length;
  }
  found.push({ kind: "end", text: "", column: text.length + 1 });
  return found;
}

function unknownSign(text: string, at: number): Error {
  const sign = String.fromCodePoint(text.codePointAt(at)!);
  const expected = HINTS[sign] ?? "numbers, names, operators and parentheses";
  return expressionError({
    text,
    column: at + 1,
    problem: `${JSON.stringify(sign)} means nothing`,
    expected,
  });
}

function tooLong(text: string, at: number): Error {
  const problem = `it has more than ${MAX_TOKENS} words`;
  return expressionError({ text, column: at + 1, problem, expected: "a shorter one, or several results" });
}

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
