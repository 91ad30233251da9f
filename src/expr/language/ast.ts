/**
 * Expressions as syntax trees.
 *
 * @module
 */

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
