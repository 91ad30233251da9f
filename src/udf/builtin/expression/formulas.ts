/**
 * Results of expressions that formulas compute from reductions.
 *
 * @module
 */

import { type FormulaInputs, formulaOf } from "../../../expr/formulas.ts";
import type { Program, ResultPlan } from "../../../expr/program/program.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import type { Buffers } from "../../interface/buffer_types.ts";
import type { UdfMeta } from "../../interface/udf.ts";
import { type FrameArrays, numbersOf } from "./arrays.ts";
import type { Slots } from "./buffers.ts";

interface Lowered {
  readonly program: Program;
  readonly slots: Slots;
}

interface Inputs {
  readonly arrays?: FrameArrays;
  readonly params?: Readonly<Record<string, number>>;
}

/** Fills the buffers of results with one number per frame; their rows are the rows of the reductions. */
export function frameFormulas(buffers: Buffers, lowered: Lowered, meta: UdfMeta, inputs: Inputs): void {
  for (const result of open(lowered, "frame")) {
    const into = buffers[result.name]!;
    const compute = formulaOf(result, lowered.program, numbers(buffers, lowered, meta, inputs, meta.pixels));
    for (let row = 0; row < into.length; row++) into[row] = compute(row);
  }
}

/** The results with one number per pixel. */
export function pixelFormulas(
  buffers: Buffers,
  lowered: Lowered,
  meta: UdfMeta,
  inputs: Inputs,
): Record<string, TypedArray> {
  const frames = Number(buffers[lowered.slots.frames]?.[0] ?? 0);
  return Object.fromEntries(
    open(lowered, "pixel").map((result) => {
      const compute = formulaOf(result, lowered.program, numbers(buffers, lowered, meta, inputs, frames));
      return [result.name, Float64Array.from({ length: meta.pixels }, (_, pixel) => compute(pixel))];
    }),
  );
}

/** Results whose shape differs from that of every reduction. */
function open({ program, slots }: Lowered, shape: "frame" | "pixel"): ResultPlan[] {
  return program.results.filter((result) =>
    result.shape === shape && !slots.reductions.includes(result.name)
  );
}

function numbers(
  buffers: Buffers,
  { slots }: Lowered,
  meta: UdfMeta,
  { arrays = {}, params = {} }: Inputs,
  reduced: number,
): FormulaInputs {
  return {
    reductions: slots.reductions.map((name) => buffers[name]!),
    arrays: (name) => numbersOf(name, arrays[name]!, meta),
    params,
    width: meta.sigShape.at(-1) ?? 1,
    reduced,
  };
}
