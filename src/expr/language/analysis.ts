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
import {
  callables,
  closest,
  CONSTANTS,
  FUNCTIONS,
  isReserved,
  type ReductionName,
  REDUCTIONS,
  VARIABLES,
} from "./names.ts";

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
