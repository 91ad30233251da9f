/**
 * Lowers checked expressions to one graph of operations with its reductions, and to formulas of the reductions.
 *
 * @module
 */

import { Algebra, angle, distance, exponential, logarithm, logarithm1p, power, sine } from "./angles.ts";
import {
  type Analysis,
  type CheckedResult,
  children,
  CONSTANTS,
  reductionOf,
  type ResultShape,
} from "../language/analysis.ts";
import type { Ast } from "../language/parser.ts";
import { Graph, type OperationName, type Value } from "./graph.ts";
import type { Precision } from "./precision.ts";

/** A reduction of the values of all samples of a frame, or of a pixel in all frames. */
export interface Reduction {
  /** Over the pixels of each frame, or over the frames for each pixel. */
  readonly axis: "frame" | "frames";
  /** The kind of reduction; means are sums that a formula divides. */
  readonly how: "sum" | "min" | "max" | "count";
  /** The value that is reduced: a number, or, for counts, a truth value. */
  readonly value: Value;
}

/** How a result is computed from reductions, in float64. */
interface Formula {
  /** Its operations. */
  readonly graph: Graph;
  /** Its result. `input i` is reduction i, `input -1` is the number of samples that were reduced. */
  readonly root: Value;
}

/** One result. */
export interface ResultPlan {
  /** Its name. */
  readonly name: string;
  /** What each of its numbers belongs to. */
  readonly shape: ResultShape;
  /** The index of the reduction, or, for one number per sample, of the map that is its value. */
  readonly source?: number;
  /** The formula that computes it from reductions. */
  readonly formula?: Formula;
}

/** Expressions, ready to be compiled. */
export interface Program {
  /** The type of the values of samples. */
  readonly precision: Precision;
  /** Every operation on samples. */
  readonly graph: Graph;
  /** Arrays of the shape of a frame, in the order in which kernels take them. */
  readonly arrays: readonly string[];
  /** Numbers, in the order in which kernels take them. */
  readonly params: readonly string[];
  /** Every reduction. */
  readonly reductions: readonly Reduction[];
  /** Every result that has one number per sample. */
  readonly maps: readonly Value[];
  /** The results. */
  readonly results: readonly ResultPlan[];
}

/** Lowers `analysis` for values of `precision`. */
export function lower(analysis: Analysis, precision: Precision): Program {
  const { arrays, params } = analysis;
  const inside = new Lowering(new Graph(precision), arrays, params);
  const reductions: Reduction[] = [];
  const maps: Value[] = [];
  const results = analysis.results.map((result): ResultPlan => {
    const { name, shape, tree } = result;
    if (shape === "sample") return { name, shape, source: maps.push(inside.number(tree)) - 1 };
    const formula = formulaOf(result, inside, reductions, arrays, params);
    const { root } = formula;
    return root.name === "input" && root.index >= 0
      ? { name, shape, source: root.index }
      : { name, shape, formula };
  });
  return { precision, graph: inside.algebra.graph, arrays, params, reductions, maps, results };
}

function formulaOf(
  { tree }: CheckedResult,
  inside: Lowering,
  reductions: Reduction[],
  arrays: readonly string[],
  params: readonly string[],
): Formula {
  const graph = new Graph("float64");
  const number = (reduction: Reduction): Value => {
    const same = reductions.findIndex(({ axis, how, value }) =>
      axis === reduction.axis && how === reduction.how && value === reduction.value
    );
    return graph.leaf("input", same >= 0 ? same : reductions.push(reduction) - 1);
  };
  const reduce = (call: Ast): Value | undefined => {
    const found = reductionOf(call);
    if (!found) return undefined;
    const { axis, how } = found;
    const value = inside.lower(children(call)[0]!);
    if (how === "count") return number({ axis, how, value: inside.truthOf(value) });
    if (how === "mean") {
      return graph.op("div", number(sumOf(axis, value, inside)), graph.leaf("input", -1));
    }
    return number(how === "sum" ? sumOf(axis, value, inside) : { axis, how, value: inside.numberOf(value) });
  };
  return { graph, root: new Lowering(graph, arrays, params, reduce).number(tree) };
}

/** A sum; the sum of truth values is a count. */
function sumOf(axis: "frame" | "frames", value: Value, inside: Lowering): Reduction {
  const truth = value.kind === "truth";
  return { axis, how: truth ? "count" : "sum", value: truth ? value : inside.numberOf(value) };
}

const OPERATORS: Readonly<Record<string, OperationName>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "==": "eq",
  "!=": "ne",
};

/** Lowers trees; `special` may lower a node in its own way. */
class Lowering {
  readonly algebra: Algebra;

  constructor(
    graph: Graph,
    private readonly arrays: readonly string[],
    private readonly params: readonly string[],
    private readonly special: (tree: Ast) => Value | undefined = () => undefined,
  ) {
    this.algebra = new Algebra(graph);
  }

  number(tree: Ast): Value {
    return this.numberOf(this.lower(tree));
  }

  numberOf(value: Value): Value {
    return value.kind === "truth" ? this.algebra.op("one", value) : value;
  }

  truthOf(value: Value): Value {
    return value.kind === "truth" ? value : this.algebra.op("ne", value, 0);
  }

  lower(tree: Ast): Value {
    const own = this.special(tree);
    if (own) return own;
    const { algebra } = this;
    switch (tree.kind) {
      case "number":
        return algebra.value(tree.value);
      case "name":
        return this.#name(tree.name);
      case "unary":
        return tree.operator === "!"
          ? algebra.op("not", this.truthOf(this.lower(tree.argument)))
          : algebra.op("neg", this.number(tree.argument));
      case "binary":
        return this.#binary(tree);
      case "choose":
        return algebra.select(
          this.truthOf(this.lower(tree.test)),
          this.number(tree.yes),
          this.number(tree.no),
        );
      case "call":
        return this.#call(tree.name, tree.args.map((arg) => this.number(arg)));
    }
  }

  #name(name: string): Value {
    const { graph } = this.algebra;
    if (Object.hasOwn(CONSTANTS, name)) return graph.constant(CONSTANTS[name]!);
    if (name === "x") return graph.leaf("sample");
    if (name === "row" || name === "col" || name === "frame") return graph.leaf(name);
    const array = this.arrays.indexOf(name);
    return array >= 0 ? graph.leaf("array", array) : graph.leaf("parameter", this.params.indexOf(name));
  }

  #binary({ operator, left, right }: Ast & { kind: "binary" }): Value {
    const { algebra } = this;
    if (operator === "&&" || operator === "||") {
      const [a, b] = [this.truthOf(this.lower(left)), this.truthOf(this.lower(right))];
      return algebra.op(operator === "&&" ? "both" : "either", a, b);
    }
    const [a, b] = [this.number(left), this.number(right)];
    return operator === "**" ? power(algebra, a, b) : algebra.op(OPERATORS[operator]!, a, b);
  }

  #call(name: string, args: readonly Value[]): Value {
    const { algebra } = this;
    const [a, b, c] = args as [Value, Value, Value];
    switch (name) {
      case "min":
      case "max":
        return args.reduce((found, next) => this.#extreme(name, found, next));
      case "clamp":
        return this.#extreme("min", this.#extreme("max", a, b), c);
      case "round":
        return algebra.op("nearest", a);
      case "exp":
        return exponential(algebra, a);
      case "log":
        return logarithm(algebra, a);
      case "log1p":
        return logarithm1p(algebra, a);
      case "pow":
        return power(algebra, a, b);
      case "sin":
        return sine(algebra, a, 0);
      case "cos":
        return sine(algebra, a, 1);
      case "atan2":
        return angle(algebra, a, b);
      case "hypot":
        return distance(algebra, a, b);
      default:
        return algebra.op(name as OperationName, a); // abs ceil floor sqrt trunc
    }
  }

  /** The smaller or larger of two numbers; NaN if either is NaN. With a constant it takes one instruction. */
  #extreme(name: "min" | "max", a: Value, b: Value): Value {
    const simple = name === "min" ? "lesser" : "greater";
    const known = ({ constant }: Value) => typeof constant === "number" && !Number.isNaN(constant);
    if (known(b)) return this.algebra.op(simple, a, b);
    return known(a) ? this.algebra.op(simple, b, a) : this.algebra.op(name, a, b);
  }
}
