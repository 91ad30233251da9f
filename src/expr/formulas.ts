/**
 * Computes formulas of reductions, in float64: means, quotients, and anything else around `sum(…)`.
 *
 * @module
 */

import { Evaluator, type LeafReader } from "./evaluate.ts";
import type { Program, ResultPlan } from "./program/program.ts";

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
