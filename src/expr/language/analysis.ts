/**
 * Checks the meaning of an expression before anything is compiled: names, numbers of arguments, shapes.
 *
 * A result is one number per frame (`sum(x)`), one per pixel (`frames.sum(x)`), or one per sample (`sqrt(x)`, without a
 * reduction). Inside reductions everything has one value per sample; outside of them shapes must fit.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type Ast, expressionError, parse } from "./parser.ts";

// The predefined names of expressions: functions, reductions, constants, coordinates; and suggestions for misspelt
// names.

/** Functions of samples, with their smallest and largest number of arguments. */
const FUNCTIONS: Readonly<Record<string, readonly [number, number]>> = {
  abs: [1, 1],
  atan2: [2, 2],
  ceil: [1, 1],
  clamp: [3, 3],
  cos: [1, 1],
  exp: [1, 1],
  floor: [1, 1],
  hypot: [2, 2],
  log: [1, 1],
  log1p: [1, 1],
  max: [2, 16],
  min: [2, 16],
  pow: [2, 2],
  round: [1, 1],
  sin: [1, 1],
  sqrt: [1, 1],
  trunc: [1, 1],
};

/** Reductions of one argument: over the pixels of a frame, or over the frames (`frames.sum`). */
const REDUCTIONS = ["sum", "mean", "min", "max", "count"] as const;

/** The name of a reduction. */
type ReductionName = (typeof REDUCTIONS)[number];

/** Constants. */
export const CONSTANTS: Readonly<Record<string, number>> = {
  pi: Math.PI,
  e: Math.E,
  inf: Infinity,
  nan: NaN,
};

/** The sample, the coordinates of its pixel, and the scan position of its frame. */
const VARIABLES = ["x", "row", "col", "frame"] as const;

/** Names that parameters and arrays cannot have. */
export function isReserved(name: string): boolean {
  return Object.hasOwn(CONSTANTS, name) || name === "frames" ||
    (VARIABLES as readonly string[]).includes(name);
}

/** Every callable name, for messages. */
function callables(): string[] {
  return [
    ...new Set([...Object.keys(FUNCTIONS), ...REDUCTIONS, ...REDUCTIONS.map((name) => `frames.${name}`)]),
  ];
}

/**
 * The name among `known` that is most similar to `name`, if one is similar.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(closest("sqr", ["sin", "sqrt"]), "sqrt");
 * assertEquals(closest("zebra", ["sin", "sqrt"]), undefined);
 * ```
 */
export function closest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, 40).toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 2)) + 0.5;
  for (const candidate of known) {
    const distance = edits(wanted, candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Number of letters to insert, delete or change between two words. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** What each number of a result belongs to. */
export type ResultShape = "frame" | "pixel" | "sample";

/** One checked result. */
export interface CheckedResult {
  /** Its name. */
  readonly name: string;
  /** Its text. */
  readonly text: string;
  /** Its tree. */
  readonly tree: Ast;
  /** What each of its numbers belongs to. */
  readonly shape: ResultShape;
}

/** Checked expressions and the inputs that they use. */
export interface Analysis {
  /** The results, in the order given. */
  readonly results: readonly CheckedResult[];
  /** The arrays that are used. */
  readonly arrays: readonly string[];
  /** The parameters that are used. */
  readonly params: readonly string[];
}

/**
 * The names that an expression may use besides the predefined ones.
 * @category Expressions
 */
export interface InputNames {
  /** Arrays of the shape of a frame. */
  readonly arrays?: readonly string[];
  /** Numbers. */
  readonly params?: readonly string[];
}

/** Largest number of results, arrays and parameters together. */
const MAX_INPUTS = 200;

/** The reduction that a call is, if it is one. */
export function reductionOf(call: Ast): { axis: "frame" | "frames"; how: ReductionName } | undefined {
  if (call.kind !== "call") return undefined;
  const overFrames = call.name.startsWith("frames.");
  const how = (overFrames ? call.name.slice(7) : call.name) as ReductionName;
  if (!REDUCTIONS.includes(how)) return undefined;
  const isFunction = !overFrames && Object.hasOwn(FUNCTIONS, how) && call.args.length !== 1;
  return isFunction ? undefined : { axis: overFrames ? "frames" : "frame", how };
}

/** Checks one expression, or several by name; a single expression has the name `value`. */
export function analyse(source: string | Readonly<Record<string, string>>, names: InputNames = {}): Analysis {
  const texts = typeof source === "string" ? { value: source } : source;
  const { arrays = [], params = [] } = names;
  [...arrays, ...params].forEach((name, i, all) => checkInputName(name, all.indexOf(name) < i));
  const entries = Object.entries(texts);
  if (entries.length === 0) throw new TilewiseError("invalid", "Cannot compile an expression: there is none");
  if (entries.length + arrays.length + params.length > MAX_INPUTS) {
    const text =
      `Cannot compile ${entries.length} results of ${arrays.length} arrays and ${params.length} numbers ` +
      `in one pass: there can be ${MAX_INPUTS} together`;
    throw new TilewiseError("invalid", text, { expected: MAX_INPUTS });
  }
  const used = new Set<string>();
  const results = entries.map(([name, text]) => {
    checkResultName(name, text);
    return new Check(text, arrays, params, used).result(name);
  });
  return {
    results,
    arrays: arrays.filter((name) => used.has(name)),
    params: params.filter((name) => used.has(name)),
  };
}

function checkInputName(name: string, twice: boolean): void {
  const problem = twice
    ? "is given twice"
    : isReserved(name)
    ? "means something else in expressions"
    : "is not a name: letters, digits and _ make one";
  if (!twice && /^[A-Za-z_]\w*$/.test(name) && !isReserved(name)) return;
  throw new TilewiseError("invalid", `Cannot use the input "${name}": it ${problem}`, { found: name });
}

function checkResultName(name: string, text: unknown): void {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new TilewiseError("invalid", `Cannot call a result "${name}": letters, digits and _ make a name`);
  }
  if (typeof text === "string") return;
  throw new TilewiseError("invalid", `Cannot compile the result "${name}": its expression is not a string`);
}

class Check {
  constructor(
    private readonly text: string,
    private readonly arrays: readonly string[],
    private readonly params: readonly string[],
    private readonly used: Set<string>,
  ) {}

  result(name: string): CheckedResult {
    const tree = parse(this.text);
    if (!hasReduction(tree)) {
      this.#inside(tree);
      return { name, text: this.text, tree, shape: "sample" };
    }
    const shape = this.#around(tree);
    return { name, text: this.text, tree, shape: shape === "frame" ? "frame" : "pixel" };
  }

  /** Checks a tree with one value per sample: any name is allowed, reductions are not. */
  #inside(tree: Ast, reduction?: string): void {
    if (tree.kind === "name") this.#known(tree.name, tree.column);
    if (tree.kind === "call") {
      if (reductionOf(tree)) {
        const problem = `${tree.name} stands inside ${reduction}`;
        throw this.#error(tree.column, problem, "no reduction inside another; give each a result of its own");
      }
      this.#checkCall(tree);
    }
    for (const child of children(tree)) this.#inside(child, reduction);
  }

  /** Checks a tree around reductions: numbers, and values of the shape of their results. */
  #around(tree: Ast): "frame" | "pixel" | "number" {
    if (tree.kind === "name") return this.#shapeOfName(tree.name, tree.column);
    if (tree.kind === "call") {
      const reduction = reductionOf(tree);
      this.#checkCall(tree);
      if (reduction) {
        this.#inside(tree.args[0]!, tree.name);
        return reduction.axis === "frame" ? "frame" : "pixel";
      }
    }
    const shapes = new Set(children(tree).map((child) => this.#around(child)));
    if (shapes.has("frame") && shapes.has("pixel")) {
      const problem = "one side has a number per frame, the other a number per pixel";
      throw this.#error(tree.column, problem, "reductions of one kind: sum(…) or frames.sum(…)");
    }
    return shapes.has("frame") ? "frame" : shapes.has("pixel") ? "pixel" : "number";
  }

  #shapeOfName(name: string, column: number): "pixel" | "number" {
    this.#known(name, column);
    if (name === "x" || name === "frame") {
      const problem = `"${name}" stands outside of the reduction`;
      throw this.#error(column, problem, `it inside of one, such as sum(${name})`);
    }
    return name === "row" || name === "col" || this.arrays.includes(name) ? "pixel" : "number";
  }

  #known(name: string, column: number): void {
    const own = [...this.arrays, ...this.params];
    if (own.includes(name)) this.used.add(name);
    else if (!Object.hasOwn(CONSTANTS, name) && !(VARIABLES as readonly string[]).includes(name)) {
      const known = [...VARIABLES, ...own, ...Object.keys(CONSTANTS)];
      throw this.#unknown(`nothing is called "${name}"`, name, known, column);
    }
  }

  #checkCall({ name, args, column }: Ast & { kind: "call" }): void {
    const isReduction = reductionOf({ kind: "call", name, args, column }) !== undefined;
    if (!isReduction && !Object.hasOwn(FUNCTIONS, name)) {
      throw this.#unknown(`there is no function "${name}"`, name, callables(), column);
    }
    const [least, most] = isReduction ? [1, 1] : FUNCTIONS[name]!;
    if (args.length >= least && args.length <= most) return;
    const wanted = least === most ? `${least}` : `${least} to ${most}`;
    throw this.#error(column, `${name} got ${args.length}`, `${wanted} argument${wanted === "1" ? "" : "s"}`);
  }

  #unknown(problem: string, name: string, known: readonly string[], column: number): TilewiseError {
    const near = closest(name, known);
    return this.#error(column, problem, `${near ? `"${near}"? There are ` : "one of "}${known.join(", ")}`);
  }

  #error(column: number, problem: string, expected: string): TilewiseError {
    return expressionError({ text: this.text, column, problem, expected });
  }
}

function hasReduction(tree: Ast): boolean {
  return reductionOf(tree) !== undefined || children(tree).some(hasReduction);
}

/** The operands of a node. */
export function children(tree: Ast): readonly Ast[] {
  switch (tree.kind) {
    case "unary":
      return [tree.argument];
    case "binary":
      return [tree.left, tree.right];
    case "choose":
      return [tree.test, tree.yes, tree.no];
    case "call":
      return tree.args;
    default:
      return [];
  }
}
