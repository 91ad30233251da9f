/**
 * Results that formulas make of reductions, in float64: means, quotients, whatever stands around `sum(…)`.
 *
 * @module
 */

import { Evaluator, type LeafReader } from "../../expr/evaluate.ts";
import type { Program, ResultPlan } from "../../expr/program.ts";
import type { TypedArray } from "../../space/dtype.ts";
import type { Buffers, UdfMeta } from "../udf.ts";
import { type FrameArrays, numbersOf } from "./expression_arrays.ts";
import type { Slots } from "./expression_buffers.ts";

interface Lowered {
  readonly program: Program;
  readonly slots: Slots;
}

interface Inputs {
  readonly arrays?: FrameArrays;
  readonly params?: Readonly<Record<string, number>>;
}

/** Fills the buffers of results that have one number a frame; their rows are those of the reductions. */
export function frameFormulas(buffers: Buffers, lowered: Lowered, meta: UdfMeta, inputs: Inputs): void {
  for (const result of open(lowered, "frame")) {
    const into = buffers[result.name]!;
    const compute = formula(result, buffers, lowered, meta, inputs, meta.pixels);
    for (let row = 0; row < into.length; row++) into[row] = compute(row);
  }
}

/** The results that have one number a pixel. */
export function pixelFormulas(
  buffers: Buffers,
  lowered: Lowered,
  meta: UdfMeta,
  inputs: Inputs,
): Record<string, TypedArray> {
  const frames = Number(buffers[lowered.slots.frames]?.[0] ?? 0);
  return Object.fromEntries(
    open(lowered, "pixel").map((result) => {
      const compute = formula(result, buffers, lowered, meta, inputs, frames);
      return [result.name, Float64Array.from({ length: meta.pixels }, (_, pixel) => compute(pixel))];
    }),
  );
}

/** Results of a shape that no reduction writes to. */
function open({ program, slots }: Lowered, shape: "frame" | "pixel"): ResultPlan[] {
  return program.results.filter((result) =>
    result.shape === shape && !slots.reductions.includes(result.name)
  );
}

/** Computes entry `i` of a result. */
function formula(
  { formula, source }: ResultPlan,
  buffers: Buffers,
  { program, slots }: Lowered,
  meta: UdfMeta,
  { arrays = {}, params = {} }: Inputs,
  reduced: number,
): (i: number) => number {
  if (!formula) return (i) => Number(buffers[slots.reductions[source!]!]![i]);
  const evaluator = new Evaluator(formula.graph, [formula.root]);
  const width = meta.sigShape.at(-1) ?? 1;
  const used = new Set(formula.graph.values.filter(({ name }) => name === "array").map(({ index }) => index));
  const maps = program.arrays.map((name, i) => used.has(i) ? numbersOf(name, arrays[name]!, meta) : []);
  let at = 0;
  const read: LeafReader = (name, index) => {
    if (name === "input") return index < 0 ? reduced : Number(buffers[slots.reductions[index]!]![at]);
    if (name === "parameter") return params[program.params[index]!]!;
    if (name === "array") return Number(maps[index]![at]);
    return name === "row" ? Math.floor(at / width) : at % width;
  };
  return (i) => {
    at = i;
    evaluator.run(read);
    return evaluator.lane(formula.root);
  };
}
