/**
 * Parses expressions, by operator precedence.
 *
 * ```
 * a ? b : c   ||   &&   < <= > >= == !=   + -   * /   - !   **      from loose to tight
 * ```
 *
 * `-x ** 2` is `-(x ** 2)`, `a ** b ** c` is `a ** (b ** c)`, and comparisons do not chain.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";

// Splits an expression into numbers, names and symbols.

/** A token of an expression. */
interface Token {
  /** Its kind. */
  readonly kind: "number" | "name" | "symbol" | "end";
  /** Its text. */
  readonly text: string;
  /** Its first column, from 1. */
  readonly column: number;
}

/** Largest number of tokens of one expression: enough for a page of formulas, few enough for every stack. */
const MAX_TOKENS = 2000;

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

/** The tokens of `text`, followed by one of kind `end`. */
function tokens(text: string): Token[] {
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
interface ExpressionProblem {
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

/** Largest nesting depth of parentheses, calls and signs. */
const MAX_DEPTH = 100;

const LEVELS: Readonly<Record<string, number>> = {
  "||": 1,
  "&&": 2,
  "<": 3,
  "<=": 3,
  ">": 3,
  ">=": 3,
  "==": 3,
  "!=": 3,
  "+": 4,
  "-": 4,
  "*": 5,
  "/": 5,
};
const COMPARISON = 3;

/**
 * The tree of an expression.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals(parse("-x").kind, "unary");
 * assertThrows(() => parse("sqrt(x"), Error, 'it ends at column 7; expected "," or ")"');
 * ```
 */
export function parse(text: string): Ast {
  const parser = new Parser(text, tokens(text));
  return parser.whole();
}

class Parser {
  #at = 0;
  #depth = 0;

  constructor(private readonly text: string, private readonly words: readonly Token[]) {}

  whole(): Ast {
    const tree = this.#choice();
    if (this.#word.kind !== "end") throw this.#unexpected("an operator or the end");
    return tree;
  }

  get #word(): Token {
    return this.words[this.#at]!;
  }

  #choice(): Ast {
    return this.#nested(() => {
      const test = this.#binary(1);
      const { column } = this.#word;
      if (!this.#accept("?")) return test;
      const yes = this.#choice();
      this.#expect(":", `":" of the choice that began at column ${column}`);
      return { kind: "choose", test, yes, no: this.#choice(), column };
    });
  }

  #binary(loosest: number): Ast {
    let left = this.#unary();
    for (;;) {
      const { text, column, kind } = this.#word;
      const level = kind === "symbol" ? LEVELS[text] ?? 0 : 0;
      if (level < loosest) return left;
      this.#at++;
      const right = this.#binary(level + 1);
      left = { kind: "binary", operator: text as BinaryOperator, left, right, column };
      if (level === COMPARISON && LEVELS[this.#word.text] === COMPARISON) {
        throw this.#unexpected('no second comparison: write "a < b && b < c"');
      }
    }
  }

  #unary(): Ast {
    const { text, column } = this.#word;
    if (text === "+") {
      this.#at++;
      return this.#nested(() => this.#unary());
    }
    if (text !== "-" && text !== "!") return this.#power();
    this.#at++;
    return { kind: "unary", operator: text, argument: this.#nested(() => this.#unary()), column };
  }

  #power(): Ast {
    const base = this.#primary();
    const { column } = this.#word;
    if (!this.#accept("**")) return base;
    const exponent = this.#nested(() => this.#unary());
    return { kind: "binary", operator: "**", left: base, right: exponent, column };
  }

  #primary(): Ast {
    const word = this.#word;
    if (word.kind === "number") {
      this.#at++;
      return { kind: "number", value: Number(word.text), column: word.column };
    }
    if (word.kind === "name") return this.#named(word);
    if (!this.#accept("(")) throw this.#unexpected('a number, a name or "("');
    const inside = this.#choice();
    this.#expect(")", `an operator or the ")" of column ${word.column}`);
    return inside;
  }

  #named({ text, column }: Token): Ast {
    this.#at++;
    let name = text;
    if (this.#accept(".")) {
      if (this.#word.kind !== "name") throw this.#unexpected(`a name after "${text}."`);
      name = `${text}.${this.#word.text}`;
      this.#at++;
    }
    return this.#accept("(") ? { kind: "call", name, args: this.#args(), column } : {
      kind: "name",
      name,
      column,
    };
  }

  #args(): Ast[] {
    const args: Ast[] = [];
    if (this.#accept(")")) return args;
    for (;;) {
      args.push(this.#choice());
      if (this.#accept(")")) return args;
      this.#expect(",", '"," or ")"');
    }
  }

  #accept(symbol: string): boolean {
    if (this.#word.kind !== "symbol" || this.#word.text !== symbol) return false;
    this.#at++;
    return true;
  }

  #expect(symbol: string, expected: string): void {
    if (!this.#accept(symbol)) throw this.#unexpected(expected);
  }

  #nested<T>(parse: () => T): T {
    if (++this.#depth > MAX_DEPTH) {
      const problem = `it is nested more than ${MAX_DEPTH} deep`;
      throw expressionError({
        text: this.text,
        column: this.#word.column,
        problem,
        expected: "a flatter one",
      });
    }
    const found = parse();
    this.#depth--;
    return found;
  }

  #unexpected(expected: string): Error {
    const { kind, text, column } = this.#word;
    const problem = kind === "end" ? "it ends" : `found "${text}"`;
    return expressionError({ text: this.text, column, problem, expected });
  }
}

/** A binary operator. */
type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "**"
  | "<"
  | "<="
  | ">"
  | ">="
  | "=="
  | "!="
  | "&&"
  | "||";

/** A node; `column` is its place in the text, from 1. */
export type Ast =
  | { readonly kind: "number"; readonly value: number; readonly column: number }
  | { readonly kind: "name"; readonly name: string; readonly column: number }
  | { readonly kind: "unary"; readonly operator: "-" | "!"; readonly argument: Ast; readonly column: number }
  | {
    readonly kind: "binary";
    readonly operator: BinaryOperator;
    readonly left: Ast;
    readonly right: Ast;
    readonly column: number;
  }
  | {
    readonly kind: "choose";
    readonly test: Ast;
    readonly yes: Ast;
    readonly no: Ast;
    readonly column: number;
  }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Ast[]; readonly column: number };
