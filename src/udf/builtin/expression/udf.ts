/**
 * The UDF that evaluates an expression for each frame.
 *
 * @module
 */

import { checkReal } from "../../../expr/compile.ts";
import { type FormulaInputs, formulaOf } from "../../../expr/evaluate.ts";
import { analyse } from "../../../expr/language/analysis.ts";
import type { Precision } from "../../../expr/program/precision.ts";
import { lower, type Program, type ResultPlan } from "../../../expr/program/program.ts";
import { checkOptionNames } from "../../../options.ts";
import { floatOf, type TypedArray } from "../../../space/dtype.ts";
import {
  arrayBytes,
  arrayConstants,
  type ExpressionInputs,
  type FrameArrays,
  INPUTS,
  names,
  numbersOf,
} from "./inputs.ts";
import {
  buffersOf,
  type ExpressionParts,
  ExpressionTiles,
  isRounded,
  laneScratch,
  type Slots,
  slotsOf,
} from "./tiles.ts";
import type { Buffers, BufferTypes } from "../../interface/buffer_types.ts";
import type { Udf, UdfMeta } from "../../interface/udf.ts";

/** The UDF behind `expression`. */
export function expressionUdf(
  { source, ...inputs }: { source: string | Readonly<Record<string, string>> } & ExpressionInputs,
): Udf<BufferTypes, ExpressionParts> {
  checkOptionNames("expression()", inputs, INPUTS);
  const analysis = analyse(source, names(inputs));
  const programs = new Map<Precision, { program: Program; slots: Slots }>();
  const of = ({ nativeDType }: UdfMeta) => {
    checkReal(nativeDType);
    const precision = inputs.precision ?? floatOf(nativeDType);
    const program = programs.get(precision)?.program ?? lower(analysis, precision);
    const found = programs.get(precision) ?? { program, slots: slotsOf(program) };
    programs.set(precision, found);
    return found;
  };
  const tiles = new ExpressionTiles(analysis, inputs.params ?? {});
  return {
    name: "expression",
    buffers: (meta) => buffersOf(of(meta), meta, inputs.values ?? "unknown"),
    inputDType: "native",
    raw: true,
    tiling: { contiguous: true },
    order: (meta) => isRounded(of(meta).program, meta) ? "tree" : "any",
    leastBytes: (meta) => arrayBytes(of(meta).program, meta),
    constants: (meta) => arrayConstants(of(meta).program, inputs.arrays ?? {}, meta),
    scratch: (meta) => laneScratch(of(meta).program),
    taskData: ({ scratch }) => {
      scratch.lanes.fill(0);
      return new Map();
    },
    processTile: (tile, buffers, context) => tiles.process(tile, buffers, context, of(context.meta)),
    merge(into, from, { meta, kernels }) {
      const { program, slots } = of(meta);
      program.reductions.forEach(({ axis, how }, r) => {
        const [a, b] = [into[slots.reductions[r]!]!, from[slots.reductions[r]!]!];
        if (axis === "frame" || how === "min" || how === "max") return; // these have a rule
        kernels.exports.add_f64(a.byteOffset, b.byteOffset, a.length);
      });
      const [a, b] = [into[slots.frames], from[slots.frames]];
      if (a && b) kernels.exports.add_f64(a.byteOffset, b.byteOffset, 1);
    },
    postprocess: (buffers, { meta }) => frameFormulas(buffers, of(meta), meta, inputs),
    results: (buffers, meta) => pixelFormulas(buffers, of(meta), meta, inputs),
  };
}

interface Lowered {
  readonly program: Program;
  readonly slots: Slots;
}

interface Inputs {
  readonly arrays?: FrameArrays;
  readonly params?: Readonly<Record<string, number>>;
}

/** Fills the buffers of results with one number per frame; their rows are the rows of the reductions. */
function frameFormulas(buffers: Buffers, lowered: Lowered, meta: UdfMeta, inputs: Inputs): void {
  for (const result of open(lowered, "frame")) {
    const into = buffers[result.name]!;
    const compute = formulaOf(result, lowered.program, numbers(buffers, lowered, meta, inputs, meta.pixels));
    for (let row = 0; row < into.length; row++) into[row] = compute(row);
  }
}

/** The results with one number per pixel. */
function pixelFormulas(
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
