/**
 * Kernels of cubes that are expressions: each output from samples of inputs, matched by the names of dimensions.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { registerJobs } from "../../../executor/handler.ts";
import { analyse, type Analysis, isReserved } from "../../../expr/language/analysis.ts";
import { checkOptionNames, inWords, isNamed, type OptionNames } from "../../../options.ts";
import { each, number } from "../../../options/rules.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import type { ArraySchema, Hypercube } from "../../cube/cube.ts";
import { withRole } from "../../cube/schema.ts";
import type { TilePlan } from "../../plan/budget.ts";
import type { CubeKernel, PreparedKernel } from "../kernel.ts";
import type { ExpressionShared, OutputFormula } from "./expression_job.ts";
import { LINE } from "./lines.ts";

/**
 * Options of {@link cubeExpression}.
 * @category Hypercubes
 */
export interface CubeExpressionOptions {
  /** Numbers that the expressions name. */
  readonly params?: Readonly<Record<string, number>>;
}

const OPTIONS: OptionNames<CubeExpressionOptions> = { params: each("an object of numbers by name", number) };

const JOB = {
  name: "tilewise:cube-expression",
  module: import.meta.resolve("./expression_job.ts"),
  export: "expressionJob",
};
registerJobs({ [JOB.name]: () => import("./expression_job.ts") });

/**
 * A kernel of expressions, one per output. An expression names inputs, dimensions and parameters, and gives one sample of
 * the output: an input counts for all positions along the dimensions that it does not have, and a dimension is the position
 * along it. The language is the same as that of `expression`, without sums. Outputs are `float32` or `float64`, and
 * are computed in that type.
 *
 * Errors: `invalid` and `unsupported`, when a run begins.
 *
 * @example Every image, with every gain
 * ```ts
 * import { createContext, run } from "@tilewise/tilewise";
 * import { fromArrays, hypercube, planTiles, toMemory } from "@tilewise/tilewise/hypercube";
 * import { cubeExpression } from "@tilewise/tilewise/unstable/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { gain: 2, y: 1, x: 3 },
 *   arrays: [
 *     { name: "image", shape: ["y", "x"], dtype: "uint8" },
 *     { name: "factor", shape: ["gain"], dtype: "float32" },
 *     { name: "out", shape: ["gain", "y", "x"], dtype: "float32", role: "output" },
 *   ],
 * });
 * await using context = createContext({ workers: 0 });
 * const memory = toMemory("out");
 * await run(planTiles(cube, { context, tile: ["gain"] }), {
 *   kernel: cubeExpression({ out: "factor * image + dark" }, { params: { dark: 1 } }),
 *   sources: [fromArrays({ image: Uint8Array.of(1, 2, 3), factor: Float32Array.of(1, 10) })],
 *   sinks: [memory],
 * });
 * assertEquals(memory.array("out", "float32").data, Float32Array.of(2, 3, 4, 11, 21, 31));
 * ```
 * @category Hypercubes
 */
export function cubeExpression(
  outputs: Readonly<Record<string, string>>,
  options: CubeExpressionOptions = {},
): CubeKernel {
  if (!isNamed(outputs) || Object.keys(outputs).length === 0) {
    const found = inWords(outputs);
    const words = `cubeExpression() takes expressions by the names of outputs; it was given ${found}`;
    throw new TilewiseError("invalid", words, { option: "outputs", found });
  }
  checkOptionNames("cubeExpression()", options, OPTIONS);
  const { params = {} } = options;
  return { ...JOB, prepare: (plan) => Promise.resolve(prepared(outputs, params, plan)) };
}

function prepared(
  outputs: Readonly<Record<string, string>>,
  params: Readonly<Record<string, number>>,
  { cube }: TilePlan,
): PreparedKernel {
  const formulas = Object.entries(outputs).map(([name, text]) => formulaOf(cube, name, text, params));
  const most = Math.max(...formulas.map(({ inputs }) => inputs.length));
  const shared: Omit<ExpressionShared, "places"> = { formulas, params };
  return {
    scratch: Math.max(1, most) * LINE * 8,
    at: (places) => ({ ...JOB, shared: { ...shared, places } satisfies ExpressionShared }),
  };
}

function formulaOf(
  cube: Hypercube,
  name: string,
  text: string,
  params: Readonly<Record<string, number>>,
): OutputFormula {
  const output = outputOf(cube, name);
  const inputs = withRole(cube, "input");
  const names = [...new Set([...inputs.map(({ name }) => name), ...cube.dimensions.keys()])];
  const aliases = aliasesOf(text, names);
  const free = names.filter((one) => !isReserved(one) && !Object.hasOwn(params, one));
  const renamed = text.replace(/\b[A-Za-z_]\w*/g, (word) => aliases.get(word) ?? word);
  const arrays = [...free, ...aliases.values()];
  const analysis = analyse({ [name]: renamed }, { arrays, params: Object.keys(params) });
  checkShape(analysis, text, renamed, names);
  const axes = analysis.arrays.map((alias) => {
    const one = [...aliases].find(([, other]) => other === alias)?.[0] ?? alias;
    const schema = inputs.find((input) => input.name === one);
    if (schema && dtypeInfo(schema.dtype).kind === "c") throw noComplex(text, schema);
    const from = schema ? 0 : cube.dimension(one).lower;
    return {
      name: one,
      alias,
      isArray: schema !== undefined,
      from,
      axes: axesOf(output, one, schema?.shape ?? [one]),
    };
  });
  return {
    output: name,
    analysis,
    precision: output.dtype === "float32" ? "float32" : "float64",
    rank: output.shape.length,
    inputs: axes,
  };
}

function outputOf(cube: Hypercube, name: string): ArraySchema {
  const schema = cube.array(name);
  if (schema.role === "output" && (schema.dtype === "float32" || schema.dtype === "float64")) return schema;
  const found = `${schema.dtype}, ${schema.role ?? "input"}`;
  const words =
    `Cannot compute ${name} (${found}) by an expression: it must be an output of float32 or float64`;
  throw new TilewiseError("invalid", words, { array: name, expected: "float32 or float64, output", found });
}

/** Names that mean something else in expressions over frames. */
const OF_FRAMES = ["x", "row", "col", "frame"];

/** Other names, as long as before, for arrays and dimensions whose names mean something else in expressions over frames. */
function aliasesOf(text: string, names: readonly string[]): Map<string, string> {
  const letters = [..."_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const aliases = new Map<string, string>();
  for (const name of names.filter((one) => OF_FRAMES.includes(one))) {
    const taken = (alias: string) =>
      names.includes(alias) || isReserved(alias) || [...aliases.values()].includes(alias) ||
      new RegExp(`\\b${alias}\\b`).test(text);
    const alias = letters.map((letter) => name.slice(0, -1) + letter).find((one) => !taken(one));
    if (alias !== undefined) aliases.set(name, alias);
  }
  return aliases;
}

function checkShape(
  { results: [result] }: Analysis,
  text: string,
  renamed: string,
  names: readonly string[],
): void {
  const wrong = OF_FRAMES.find((one) => new RegExp(`\\b${one}\\b`).test(renamed));
  if (result?.shape === "sample" && wrong === undefined) return;
  const what = wrong === undefined ? "sums" : `"${wrong}"`;
  const words =
    `Cannot use "${text}" over a cube: it must give one number per sample, from ${names.join(", ")} and ` +
    `parameters, without ${what}`;
  throw new TilewiseError("unsupported", words, { option: "outputs", found: text });
}

function noComplex(text: string, { name, dtype }: ArraySchema): TilewiseError {
  const words = `Cannot use "${text}" over a cube: ${name} is ${dtype}, and samples of expressions are real`;
  return new TilewiseError("unsupported", words, { array: name, found: dtype });
}

/** The axis of the output to which each axis of an input belongs: that of its name; fixed sizes count from the last axis. */
function axesOf({ name: output, shape }: ArraySchema, name: string, axes: ArraySchema["shape"]): number[] {
  return axes.map((axis, d) => {
    const behind = axes.length - d;
    const found = typeof axis === "string"
      ? shape.indexOf(axis)
      : shape.at(-behind) === axis
      ? shape.length - behind
      : -1;
    if (found >= 0) return found;
    const words =
      `Cannot compute ${output} from ${name}: ${output} has no axis ${axis}; an expression adds nothing up`;
    throw new TilewiseError("invalid", words, {
      array: output,
      found: String(axis),
      expected: shape.join(", "),
    });
  });
}
