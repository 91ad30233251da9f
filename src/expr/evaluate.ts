/**
 * Computes the values of a graph one after another, without compiling anything.
 *
 * @module
 */

import {
  type Graph,
  type Lane,
  type LeafName,
  needed,
  operation,
  type OperationName,
  type Value,
} from "./program/graph.ts";
import type { Program, ResultPlan } from "./program/program.ts";

/** Gives the value of a leaf. */
export type LeafReader = (name: LeafName, index: number) => number;

/** Evaluates the values that the roots need. */
export class Evaluator {
  readonly #lanes: Lane[] = [];
  readonly #steps: ((read: LeafReader) => void)[];

  /** Prepares the steps; they are the same for every sample. */
  constructor(graph: Graph, roots: readonly Value[]) {
    this.#steps = needed(graph, roots).map((value) => this.#step(value, graph));
  }

  /** Computes all values for one sample. */
  run(read: LeafReader): void {
    for (const step of this.#steps) step(read);
  }

  /** A value of the last {@link run}. */
  lane({ id }: Value): number {
    return Number(this.#lanes[id]);
  }

  #step({ id, name, operands, index, constant }: Value, graph: Graph): (read: LeafReader) => void {
    const lanes = this.#lanes;
    if (constant !== undefined) {
      lanes[id] = constant;
      return () => {};
    }
    if (operands.length === 0) {
      const { round } = graph.facts;
      return (read) => lanes[id] = round(read(name as LeafName, index));
    }
    const [a, b = a, c = a] = operands.map((operand) => operand.id) as [number, number?, number?];
    const compute = operation(name as OperationName, graph.precision, index);
    return () => lanes[id] = compute(lanes[a]!, lanes[b]!, lanes[c]!);
  }
}

// Computes formulas of reductions, in float64: means, quotients, and anything else around `sum(…)`.

/** The inputs of a formula. */
export interface FormulaInputs {
  /** Per reduction, its results. */
  readonly reductions: readonly ArrayLike<unknown>[];
  /** Arrays of the shape of a frame by name; only those that formulas use are read. */
  readonly arrays: (name: string) => ArrayLike<number>;
  /** Numbers by name. */
  readonly params: Readonly<Record<string, number>>;
  /** Pixels per row. */
  readonly width: number;
  /** Number of samples that were reduced to one number. */
  readonly reduced: number;
}

/** A function that gives entry `i` of a result: from its formula, or as a copy of a reduction. */
export function formulaOf(
  { formula, source }: ResultPlan,
  { arrays, params }: Program,
  inputs: FormulaInputs,
): (i: number) => number {
  if (!formula) return (i) => Number(inputs.reductions[source!]![i]);
  const { graph, root } = formula;
  const evaluator = new Evaluator(graph, [root]);
  const maps: ArrayLike<number>[] = [];
  for (const { name, index } of graph.values) {
    if (name === "array") maps[index] = inputs.arrays(arrays[index]!);
  }
  let at = 0;
  const read: LeafReader = (name, index) => {
    if (name === "input") return index < 0 ? inputs.reduced : Number(inputs.reductions[index]![at]);
    if (name === "parameter") return inputs.params[params[index]!]!;
    if (name === "array") return Number(maps[index]![at]);
    return name === "row" ? Math.floor(at / inputs.width) : at % inputs.width;
  };
  return (i) => {
    at = i;
    evaluator.run(read);
    return evaluator.lane(root);
  };
}
