/**
 * Expressions over views: a number for every sample, from that sample and its neighbours, compiled to WebAssembly.
 *
 * Samples become floats first, once per view. A neighbour is then the same line of floats, a few samples away.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { compileAnalysis, type KernelSource } from "../../expr/compile.ts";
import { analyse, type Analysis } from "../../expr/language/analysis.ts";
import { PRECISION, type Precision } from "../../expr/program/precision.ts";
import type { KernelFamilies } from "../../kernels/families/families.ts";
import { kernel } from "../../kernels/registry.ts";
import { denseStrides } from "../../memory/strided.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { each, needed, number, text } from "../../options/rules.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { withHalo } from "../../space/halo.ts";
import { sizeOf } from "../../space/shape.ts";
import { eachPlace } from "./lines.ts";
import type { OperationEntry, OperationFacts, ViewOperation } from "./operation.ts";

/**
 * Options of {@link viewExpression}.
 * @category Views
 */
export interface ViewExpressionOptions<D extends Precision = Precision> {
  /** Numbers that the expression names. */
  readonly params?: Readonly<Record<string, number>>;
  /** Type of the result, and in which it is computed. Default `float32`. */
  readonly dtype?: D;
}

/** The part that travels. */
interface ExpressionUse {
  readonly text: string;
  readonly params: Readonly<Record<string, number>>;
  readonly dtype: Precision;
}

const USE_NAMES: OptionNames<ExpressionUse> = {
  text,
  params: each("an object of numbers by name", number),
  dtype: needed(PRECISION),
};
const { text: _, ...NAMES } = USE_NAMES;
const OPTIONS: OptionNames<ViewExpressionOptions> = { ...NAMES, dtype: PRECISION };

/** An expression whose neighbours have names: `x[0,-1]` is the array `x_0_m1_`, as long as before, for the columns in errors. */
interface Named {
  readonly text: string;
  /** Distances of the neighbours by name. */
  readonly neighbours: ReadonlyMap<string, readonly number[]>;
}

function named(text: string): Named {
  const neighbours = new Map<string, readonly number[]>();
  const renamed = text.replace(/\bx\[([^\]]*)\]/g, (whole, inside: string) => {
    const distances = inside.split(",").map((part) => part.trim() === "" ? NaN : Number(part));
    if (!distances.every(Number.isSafeInteger)) {
      const words =
        `Cannot use the neighbour ${whole}: write whole numbers, one per dimension, as in x[0,-1]`;
      throw new TilewiseError("invalid", words, { option: "expression", found: whole });
    }
    const name = whole.replace(/[[\],+ ]/g, "_").replaceAll("-", "m");
    neighbours.set(name, distances);
    return name;
  });
  return { text: renamed, neighbours };
}

function analysisOf({ text, params }: ExpressionUse): Analysis & Named {
  const { neighbours, text: renamed } = named(text);
  const analysis = analyse(renamed, { arrays: [...neighbours.keys()], params: Object.keys(params) });
  const [result] = analysis.results;
  if (result?.shape !== "sample" || /\b(row|col|frame)\b/.test(renamed)) {
    const words =
      `Cannot use "${text}" over views: it must give a number per sample, from x, its neighbours and ` +
      "parameters, without sums, row, col or frame";
    throw new TilewiseError("unsupported", words, { option: "expression", found: text });
  }
  return { ...analysis, text: renamed, neighbours };
}

/** See {@link viewExpression}. */
export const VIEW_EXPRESSION: OperationEntry<ExpressionUse, "floats"> = {
  name: "viewExpression",
  params: USE_NAMES,
  kernels: ["convert_f64"],
  usualRadius: 0,
  radius(use) {
    const all = [...named(use.text).neighbours.values()];
    const rank = Math.max(0, ...all.map(({ length }) => length));
    const reach = Array.from({ length: rank }, (_, d) => Math.max(...all.map((at) => Math.abs(at[d] ?? 0))));
    return reach.some((n) => n > 0) ? reach : 0;
  },
  result: (_, { dtype }) => dtype,
  check({ params, tile }) {
    for (const [name, at] of analysisOf(params).neighbours) {
      if (at.length === tile.length) continue;
      const words =
        `Cannot use the neighbour ${name}: the array has ${tile.length} dimensions, not ${at.length}`;
      throw new TilewiseError("invalid", words, {
        option: "expression",
        expected: tile.length,
        found: at.length,
      });
    }
  },
  scratch: (facts) => ({ floats: floatBytes(facts) }),
  start({ kernels, dtype, params, halo, scratch }) {
    const analysis = analysisOf(params);
    const precision = params.dtype;
    const family = precision === "float32" ? "convert_f32" : "convert_f64";
    const widen: KernelFamilies["convert_f32"] = kernel(kernels, family, dtype);
    const source: KernelSource = compileAnalysis(analysis, { dtype: precision, precision });
    const compute = source.bind(kernels.memory);
    const values = analysis.params.map((name) => params.params[name]!);
    const { itemSize } = dtypeInfo(precision);
    return (view, out) => {
      const floats = { pointer: scratch.floats, strides: denseStrides(view.shape, precision) };
      eachPlace(view.shape.slice(0, -1), view, floats, (from, to) => widen(to, from, view.shape.at(-1)!));
      const centre = halo.front.reduce((at, r, d) => at + r * floats.strides[d]!, floats.pointer);
      const apart = analysis.arrays.map((name) => {
        return analysis.neighbours.get(name)!.reduce((at, n, d) => at + n * floats.strides[d]!, 0);
      });
      const length = out.shape.at(-1)!;
      const call = {
        frames: 1,
        frameStride: length * itemSize,
        start: 0,
        count: length,
        width: length,
        frame: 0,
      };
      const from = { pointer: centre, strides: floats.strides };
      eachPlace(out.shape.slice(0, -1), from, out, (data, to) => {
        const arrays = apart.map((bytes) => data + bytes);
        const outputs = [{ pointer: to, stride: length * itemSize }];
        compute({ ...call, data, lanes: 0, arrays, params: values, outputs });
      });
    };
  },
};

function floatBytes({ tile, halo, params: { dtype } }: OperationFacts<ExpressionUse>): number {
  return sizeOf(withHalo(tile, halo)) * dtypeInfo(dtype).itemSize;
}

/**
 * An operation from an expression: `x` is a sample, `x[0,-1]` its left neighbour in two dimensions (distances, slowest
 * dimension first). Functions and operators are those of `expression` for frames, without sums. The radius follows from
 * the neighbours. It is compiled to WebAssembly, and runs on workers.
 *
 * Errors: `invalid`, with the column, for an expression that cannot be understood; `unsupported` for sums, and complex
 * samples.
 *
 * @example The slope from left to right, at least 1
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, viewExpression } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const slope = viewExpression("max(x[0,1] - x[0,-1], least)", { params: { least: 1 } });
 * const image = await open({ data: Uint8Array.of(3, 6, 9, 13), shape: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * assertEquals((await mapViews(image, slope, { context })).data, Float32Array.of(3, 6, 7, 4));
 * ```
 * @category Views
 */
export function viewExpression<const D extends Precision = "float32">(
  expression: string,
  options: ViewExpressionOptions<D> = {},
): ViewOperation<D> {
  const call = "viewExpression()";
  checkOptionNames(call, options, OPTIONS);
  text(call, "expression", expression);
  const { params = {}, dtype = "float32" } = options;
  const use: ExpressionUse = { text: expression, params, dtype };
  analysisOf(use);
  return { name: expression, operation: "viewExpression", params: use };
}
