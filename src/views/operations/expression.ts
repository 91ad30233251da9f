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
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { each, needed, number, text } from "../../options/rules.ts";
import type { ValueRule } from "../../space/axes.ts";
import { dtypeInfo, floatOf } from "../../space/dtype.ts";
import { meaningRule } from "../../space/meaning/rules.ts";
import { withHalo } from "../../space/halo.ts";
import { sizeOf } from "../../space/shape.ts";
import { eachPlace } from "./lines.ts";
import { type OperationEntry, type OperationFacts, orderOfArrays, type ViewOperation } from "./operation.ts";
import { inputsRule } from "./rules.ts";

/**
 * Options of {@link viewExpression}.
 * @category Views
 */
export interface ViewExpressionOptions<D extends Precision = Precision> {
  /** Numbers that the expression names. */
  readonly params?: Readonly<Record<string, number>>;
  /** Type of the result, and in which it is computed. Default: `float32` where it holds all samples, else `float64`. */
  readonly dtype?: D;
  /**
   * Names of the arrays that it takes, as {@link joinArrays} joins them: each stands for its sample, and has neighbours
   * as `x` has. Default: one array, `x`.
   */
  readonly inputs?: readonly string[];
  /** What its results mean, see `ValueRule`: `same`, `sums`, or facts such as `{ kind: "amount", unit: "nm" }`. Default: what follows from their type. */
  readonly values?: ValueRule;
}

/** The part that travels. */
interface ExpressionUse {
  readonly text: string;
  readonly params: Readonly<Record<string, number>>;
  readonly dtype?: Precision;
  readonly inputs?: readonly string[];
  readonly values?: ValueRule;
}

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<ViewExpressionOptions> = {
  params: each("an object of numbers by name", number), dtype: PRECISION, inputs: inputsRule,
  values: meaningRule,
};
// deno-fmt-ignore: written by `deno task build`
const USE_NAMES: OptionNames<ExpressionUse> = {
  ...OPTIONS, text: needed(text), params: needed(each("an object of numbers by name", number)),
  dtype: PRECISION,
};

/** Where samples are that an expression names. */
interface Neighbour {
  /** The array, by its place among the inputs. */
  readonly array: number;
  /** Distances, slowest dimension first; none for the sample itself. */
  readonly at: readonly number[];
}

/** An expression whose neighbours have names: `x[0,-1]` is the array `x_0_m1_`, as long as before, for the columns in errors. */
interface Named {
  readonly text: string;
  /** The neighbours by name. */
  readonly neighbours: ReadonlyMap<string, Neighbour>;
}

function named({ text, inputs = ["x"] }: Pick<ExpressionUse, "text" | "inputs">): Named {
  const neighbours = new Map<string, Neighbour>();
  for (const [array, name] of inputs.entries()) if (name !== "x") neighbours.set(name, { array, at: [] });
  const renamed = text.replace(/\b([A-Za-z_]\w*)\[([^\]]*)\]/g, (whole, input: string, inside: string) => {
    const array = inputs.indexOf(input);
    if (array < 0) {
      const words = `Cannot use the neighbour ${whole}: there is ${inputs.join(", ")}, no array ${input}`;
      throw new TilewiseError("invalid", words, {
        option: "inputs",
        expected: inputs.join(", "),
        found: input,
      });
    }
    const distances = inside.split(",").map((part) => part.trim() === "" ? NaN : Number(part));
    if (!distances.every(Number.isSafeInteger)) {
      const words =
        `Cannot use the neighbour ${whole}: write whole numbers, one per dimension, as in x[0,-1]`;
      throw new TilewiseError("invalid", words, { option: "expression", found: whole });
    }
    const name = whole.replace(/[[\],+ ]/g, "_").replaceAll("-", "m");
    neighbours.set(name, { array, at: distances });
    return name;
  });
  return { text: renamed, neighbours };
}

function analysisOf(use: ExpressionUse): Analysis & Named {
  const { text, params, inputs = ["x"] } = use;
  const { neighbours, text: renamed } = named(use);
  const analysis = analyse(renamed, { arrays: [...neighbours.keys()], params: Object.keys(params) });
  const [result] = analysis.results;
  if (result?.shape !== "sample" || /\b(row|col|frame)\b/.test(renamed)) {
    const words =
      `Cannot use "${text}" over views: it must give a number per sample, from x, its neighbours and ` +
      "parameters, without sums, row, col or frame";
    throw new TilewiseError("unsupported", words, { option: "expression", found: text });
  }
  if (!inputs.includes("x") && /\bx\b/.test(renamed)) {
    const words = `Cannot use x in "${text}": it takes the arrays ${inputs.join(", ")}`;
    throw new TilewiseError("invalid", words, { option: "inputs", expected: inputs.join(", "), found: "x" });
  }
  return { ...analysis, text: renamed, neighbours };
}

/** See {@link viewExpression}. */
export const VIEW_EXPRESSION: OperationEntry<ExpressionUse, "floats"> = {
  name: "viewExpression",
  params: USE_NAMES,
  kernels: ["convert_f64"],
  calls: ["convert_f32"],
  usualRadius: 0,
  arrays: ({ inputs }) => inputs,
  radius(use) {
    const all = [...named(use).neighbours.values()].map(({ at }) => at);
    const rank = Math.max(0, ...all.map(({ length }) => length));
    const reach = Array.from({ length: rank }, (_, d) => Math.max(...all.map((at) => Math.abs(at[d] ?? 0))));
    return reach.some((n) => n > 0) ? reach : 0;
  },
  result: (stored, { dtype }) => dtype ?? floatOf(stored),
  values: (_, { values = "unknown" }) => values,
  check({ params, tile }) {
    for (const [name, { at }] of analysisOf(params).neighbours) {
      if (at.length === tile.length || at.length === 0) continue;
      const words =
        `Cannot use the neighbour ${name}: the array has ${tile.length} dimensions, not ${at.length}`;
      throw new TilewiseError("invalid", words, {
        option: "expression",
        expected: tile.length,
        found: at.length,
      });
    }
  },
  scratch: (facts) => ({ floats: floatBytes(facts) * (facts.params.inputs?.length ?? 1) }),
  start({ kernels, dtype, params, halo, scratch, ...facts }) {
    const analysis = analysisOf(params);
    const { inputs = [], dtype: precision = floatOf(dtype) } = params;
    const order = orderOfArrays(inputs, facts);
    const family = precision === "float32" ? "convert_f32" : "convert_f64";
    const widen: KernelFamilies["convert_f32"] = kernel(kernels, family, dtype);
    const source: KernelSource = compileAnalysis(analysis, { dtype: precision, precision });
    const compute = source.bind(kernels.memory);
    const values = analysis.params.map((name) => params.params[name]!);
    const { itemSize } = dtypeInfo(precision);
    return (view, out) => {
      const strides = denseStrides(view.shape, precision);
      const size = sizeOf([...view.shape, itemSize]);
      for (const [n, k] of order.entries()) {
        const from = { pointer: view.pointer + k * (view.apart ?? 0), strides: view.strides };
        const floats = { pointer: scratch.at("floats") + n * size, strides };
        eachPlace(view.shape.slice(0, -1), from, floats, (from, to) => widen(to, from, view.shape.at(-1)!));
      }
      const centre = halo.front.reduce((at, r, d) => at + r * strides[d]!, scratch.at("floats"));
      const apart = analysis.arrays.map((name) => {
        const { array, at } = analysis.neighbours.get(name)!;
        return at.reduce((bytes, n, d) => bytes + n * strides[d]!, array * size);
      });
      const x = Math.max(0, inputs.indexOf("x")) * size;
      const length = out.shape.at(-1)!;
      const call = {
        frames: 1,
        frameStride: length * itemSize,
        start: 0,
        count: length,
        width: length,
        frame: 0,
      };
      eachPlace(out.shape.slice(0, -1), { pointer: centre, strides }, out, (data, to) => {
        const arrays = apart.map((bytes) => data + bytes);
        const outputs = [{ pointer: to, stride: length * itemSize }];
        compute({ ...call, data: data + x, lanes: 0, arrays, params: values, outputs });
      });
    };
  },
};

function floatBytes({ tile, halo, result }: OperationFacts<ExpressionUse>): number {
  return sizeOf(withHalo(tile, halo)) * dtypeInfo(result).itemSize;
}

/**
 * An operation from an expression: `x` is a sample, `x[0,-1]` its left neighbour in two dimensions (distances, slowest
 * dimension first). With `inputs` there are several arrays, and their names stand for samples. Functions and operators are those of `expression` for frames, without sums. The radius follows from
 * the neighbours. It is compiled to WebAssembly, and runs on workers.
 *
 * @param expression the formula
 * @param options names of arrays and of numbers, and the type of the result
 * @returns the operation, for a chain, a plan or `mapViews`
 * @throws {TilewiseError} `invalid`, with the column, for an expression that cannot be understood; `unsupported` for sums,
 * and complex samples
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
export function viewExpression<const D extends Precision = Precision>(
  expression: string,
  options: ViewExpressionOptions<D> = {},
): ViewOperation<D> {
  const call = "viewExpression()";
  checkOptionNames(call, options, OPTIONS);
  text(call, "expression", expression);
  const { params = {}, dtype, inputs, values } = options;
  const optional = defined({ dtype, inputs, values });
  const use: ExpressionUse = { text: expression, params, ...optional };
  analysisOf(use);
  return { name: expression, operation: "viewExpression", params: use };
}
