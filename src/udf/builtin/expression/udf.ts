/**
 * Expressions as UDFs: `sum(sqrt(max(x * gain - dark, 0)))` at the speed of a kernel, without a build step.
 *
 * @module
 */

import { analyse } from "../../../expr/language/analysis.ts";
import { checkReal, defaultPrecision } from "../../../expr/compile.ts";
import { PRECISION, type Precision } from "../../../expr/program/precision.ts";
import { lower, type Program } from "../../../expr/program/program.ts";
import { checkOptionNames, type OptionNames } from "../../../options.ts";
import { each, either, list, number } from "../../../options/rules.ts";
import { asNumbers, combineInto, fillNumbers } from "../../../space/numbers.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import { arrayValue } from "../../../space/rules.ts";
import type { Buffers, BufferTypes } from "../../interface/buffer_types.ts";
import type { Udf, UdfMeta } from "../../interface/udf.ts";
import { builtin, type UdfRef } from "../../interface/udf_ref.ts";
import { arrayBytes, arrayConstants, type FrameArrays } from "./arrays.ts";
import { buffersOf, isRounded, type Slots, slotsOf } from "./buffers.ts";
import { frameFormulas, pixelFormulas } from "./formulas.ts";
import { type ExpressionParts, ExpressionTiles, laneScratch } from "./tiles.ts";

/**
 * Inputs of {@link expression}.
 * @category Expressions
 */
export interface ExpressionInputs {
  /** Arrays of the shape of a frame: dark frames, gain maps, masks. */
  readonly arrays?: FrameArrays;
  /** Numbers. */
  readonly params?: Readonly<Record<string, number>>;
  /** Type of the values of samples. Default: float32 for integers of 8 and 16 bits and floats up to 32, else float64. */
  readonly precision?: Precision;
}

const INPUTS: OptionNames<ExpressionInputs> = {
  arrays: each("an object of arrays by name", either("an array", list, arrayValue)),
  params: each("an object of numbers by name", number),
  precision: PRECISION,
};

/**
 * A UDF from an expression of the sample `x`, compiled to WebAssembly when it first runs; or from several expressions
 * by name, all computed in one pass over the data. The result of a single expression is called `value`.
 *
 * - `+ - * / **`, comparisons, `&& || !`, `a ? b : c`; `abs atan2 ceil clamp cos exp floor hypot log log1p max min pow
 *   round sin sqrt trunc`; `pi e inf nan`; `row` and `col` of the pixel, `frame` (scan position).
 * - `sum(…) mean(…) min(…) max(…) count(…)`: one number per frame. `frames.sum(…)` and so on: one number per pixel, over
 *   all frames. Without a reduction: one number per sample, float32 or float64. Reductions are float64, and may be
 *   combined: `sum(x * col) / sum(x)`.
 *
 * Samples are computed in `precision` and added in float64 in a fixed order; sums of integer samples are exact. With a
 * NaN, minima and maxima are NaN. Errors: `invalid`, with `column` and `expected` in the details.
 *
 * @example Counts above a threshold, and the sum image, in one pass
 * ```ts
 * import { expression, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const ref = expression({ bright: "count(x > t)", image: "frames.sum(x)" }, { params: { t: 1 } });
 * const { e } = await run(await plan(scan, { e: ref }));
 * assertEquals([...e.bright.data], [1, 2]);
 * assertEquals([...e.image.data], [4, 6]);
 * ```
 * @category Expressions
 */
export function expression<S extends string | Readonly<Record<string, string>>>(
  source: S,
  inputs: ExpressionInputs = {},
): UdfRef<ExpressionTypes<S>> {
  checkOptionNames("expression()", inputs, INPUTS);
  analyse(source, names(inputs)); // so that mistakes throw here, not on a worker
  return builtin("expr", { source, ...inputs });
}

/**
 * The dtypes of the results of {@link expression}: float64; results with one number per sample have its precision.
 * @category Expressions
 */
export type ExpressionTypes<S> = {
  readonly [K in S extends string ? "value" : keyof S & string]: "float32" | "float64";
};

/** The UDF behind {@link expression}. */
export function expr(
  { source, ...inputs }: { source: string | Readonly<Record<string, string>> } & ExpressionInputs,
): Udf<BufferTypes, ExpressionParts> {
  checkOptionNames("expression()", inputs, INPUTS);
  const analysis = analyse(source, names(inputs));
  const programs = new Map<Precision, { program: Program; slots: Slots }>();
  const of = ({ nativeDType }: UdfMeta) => {
    checkReal(nativeDType);
    const precision = inputs.precision ?? defaultPrecision(nativeDType);
    const program = programs.get(precision)?.program ?? lower(analysis, precision);
    const found = programs.get(precision) ?? { program, slots: slotsOf(program) };
    programs.set(precision, found);
    return found;
  };
  const tiles = new ExpressionTiles(analysis, inputs.params ?? {});
  return {
    name: "expression",
    buffers: (meta) => buffersOf(of(meta), meta),
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
    preprocess: (buffers, { meta }) => startExtremes(buffers, of(meta)),
    processTile: (tile, buffers, context) => tiles.process(tile, buffers, context, of(context.meta)),
    merge(into, from, { meta, kernels }) {
      const { program, slots } = of(meta);
      program.reductions.forEach(({ axis, how }, r) => {
        const [a, b] = [into[slots.reductions[r]!]!, from[slots.reductions[r]!]!];
        if (axis === "frame") return;
        if (how === "min" || how === "max") joinExtremes(how, a, b);
        else kernels.exports.add_f64(a.byteOffset, b.byteOffset, a.length);
      });
      const [a, b] = [into[slots.frames], from[slots.frames]];
      if (a && b) kernels.exports.add_f64(a.byteOffset, b.byteOffset, 1);
    },
    postprocess: (buffers, { meta }) => frameFormulas(buffers, of(meta), meta, inputs),
    results: (buffers, meta) => pixelFormulas(buffers, of(meta), meta, inputs),
  };
}

function names({ arrays = {}, params = {} }: ExpressionInputs) {
  return { arrays: Object.keys(arrays), params: Object.keys(params) };
}

function startExtremes(buffers: Buffers, { program, slots }: { program: Program; slots: Slots }): void {
  program.reductions.forEach(({ how }, r) => {
    const buffer = buffers[slots.reductions[r]!];
    if (buffer && how === "min") fillNumbers(buffer, Infinity);
    if (buffer && how === "max") fillNumbers(buffer, -Infinity);
  });
}

function joinExtremes(how: "min" | "max", into: TypedArray, from: TypedArray): void {
  combineInto(asNumbers(into), asNumbers(from), how === "min" ? Math.min : Math.max);
}
