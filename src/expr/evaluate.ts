/**
 * Computes the values of a graph one after another, without compiling anything.
 *
 * @module
 */

import { type Graph, needed, type Value } from "./program/graph.ts";
import { type Lane, type LeafName, operation, type OperationName } from "./program/operations.ts";

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
