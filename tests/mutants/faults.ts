/**
 * Small faults that people make, and where they can be planted in a source text.
 *
 * @module
 */

import { codeOf } from "./code.ts";

/** A fault that can be planted. */
export interface Fault {
  /** What kind of fault it is. */
  readonly kind: string;
  /** Line of its place, from 1. */
  readonly line: number;
  /** Where the text that it replaces starts and stops. */
  readonly start: number;
  readonly stop: number;
  /** What stands there instead. */
  readonly text: string;
}

/** One kind: where it can be, and what it puts there instead of what was found. */
interface Kind {
  readonly where: RegExp;
  readonly instead: (...found: string[]) => string;
}

const OTHER: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
  "<<": ">>",
  ">>": "<<",
  ">>>": ">>",
  floor: "ceil",
  ceil: "floor",
  round: "floor",
  trunc: "ceil",
  min: "max",
  max: "min",
  true: "false",
  false: "true",
  every: "some",
  some: "every",
  width: "height",
  height: "width",
  first: "last",
  "[0]": "[1]",
  "[1]": "[0]",
};

const other = (found: string) => OTHER[found]!;
/** A name, or a member of one, without calls. */
const NAME = "[\\w#][\\w.!#]*";

const KINDS: Readonly<Record<string, Kind>> = {
  comparison: { where: /(?<= )(?:<|<=|>|>=|===|!==)(?= )/g, instead: other },
  sign: {
    where: /(?<=[\w)\]!] )[+-](?= [\w(])|(?<=[(=,:?[] ?)-(?=[\w(])/g,
    instead: (found) => other(found),
  },
  factor: { where: /(?<= )[*/](?= )/g, instead: other },
  "off by one": { where: / [+-] 1(?![\w.])/g, instead: () => "" },
  constant: { where: /(?<![\w.$])\d+(?![\w.])/g, instead: (found) => found === "1" ? "0" : `${+found + 1}` },
  rounding: { where: /(?<=\bMath\.)(?:floor|ceil|round|trunc)\b/g, instead: other },
  border: { where: /(?<=\bMath\.)(?:min|max)\b/g, instead: other },
  axes: {
    where: new RegExp(
      `(?<=[[(])(${NAME}), (${NAME})(?=[\\])])|\\[[01]\\](?!\\w)|\\b(?:width|height)\\b`,
      "g",
    ),
    instead: (found, a, b) => a === undefined ? other(found) : `${b}, ${a}`,
  },
  await: { where: /(?<!\bfor )\bawait (?!using\b)/g, instead: () => "" },
  negation: { where: /(?<=[ (])!(?=[\w(])/g, instead: () => "" },
  logic: { where: /(?<= )(?:&&|\|\|)(?= )|\b(?:every|some)(?=\()/g, instead: other },
  truth: { where: /(?<=[ (])(?:true|false)\b/g, instead: other },
  guard: {
    where: /(?<=\bif \()(?=[^\n]*\) (?:return|continue|throw|break)\b)/g,
    instead: () => "true ? false : ",
  },
  jump: {
    where: /\bcontinue;|\breturn;/g,
    instead: (found) => found === "continue;" ? "break;" : ";",
  },
  bits: { where: /(?<= )(?:<<|>>>|>>)(?= )/g, instead: other },
  "missing call": { where: /(?<=\n *)(?:await )?[\w.#!?[\]]+\([^;=\n]*\);(?=\n)/g, instead: () => ";" },
};

/** Numbers on a line of a table. */
const MANY_NUMBERS = /(?:\b\d+\b\D+){6}/;

/** All faults that can be planted in `text`. */
export function faultsIn(text: string): Fault[] {
  const code = codeOf(text);
  const lines = code.split("\n");
  const found: Fault[] = [];
  for (const [kind, { where, instead }] of Object.entries(KINDS)) {
    for (const match of code.matchAll(where)) {
      const start = match.index, stop = start + match[0].length;
      const line = code.slice(0, start).split("\n").length;
      if (MANY_NUMBERS.test(lines[line - 1]!) || isOfTexts(text, start, stop)) continue;
      found.push({ kind, line, start, stop, text: instead(...match) });
    }
  }
  return found;
}

/** Whether what stands there joins texts, or imports. */
function isOfTexts(text: string, start: number, stop: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", start) + 1, start);
  return /["'`]\s*$/.test(text.slice(0, start)) || /^\s*["'`]/.test(text.slice(stop)) ||
    /^(?:import|export type)\b/.test(line);
}

/** The text with a fault. */
export function planted(text: string, { start, stop, text: fault }: Fault): string {
  return text.slice(0, start) + fault + text.slice(stop);
}
