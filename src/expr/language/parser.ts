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

import { expressionError, type Token, tokens } from "./tokens.ts";

/** Largest nesting depth of parentheses, calls and signs. */
export const MAX_DEPTH = 100;

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
export type BinaryOperator =
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
