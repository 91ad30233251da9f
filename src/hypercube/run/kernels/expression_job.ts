/**
 * Expressions over cubes, in workers: line by line, each compiled to WebAssembly once.
 *
 * @module
 */

import type { JobHandler, WorkerContext } from "../../../executor/task.ts";
import { compileAnalysis } from "../../../expr/compile.ts";
import type { Analysis } from "../../../expr/language/analysis.ts";
import { typedArray } from "../../../space/dtype.ts";
import type { FloatArray } from "../../../space/numbers.ts";
import { stridesOf } from "../../../space/shape.ts";
import { viewOf } from "../../providers/provider.ts";
import type { CubeTask } from "../kernel.ts";
import { eachLine, LINE, loopsOf } from "./lines.ts";

/** An input of an expression: an array, or the position along a dimension. */
interface FormulaInput {
  /** Its name. */
  readonly name: string;
  /** Its name in the expression. */
  readonly alias: string;
  /** Whether it is an array. */
  readonly isArray: boolean;
  /** Of a dimension: the start of its window in the cube. */
  readonly from: number;
  /** The axes of the output to which its axes belong. */
  readonly axes: readonly number[];
}

/** An output and its expression. */
export interface OutputFormula {
  /** The name of the output. */
  readonly output: string;
  /** The expression. */
  readonly analysis: Analysis;
  /** Type of its samples, and in which they are computed. */
  readonly precision: "float32" | "float64";
  /** Number of axes of the output. */
  readonly rank: number;
  /** The inputs that it names. */
  readonly inputs: readonly FormulaInput[];
}

/** What all tiles share. */
export interface ExpressionShared {
  /** The outputs. */
  readonly formulas: readonly OutputFormula[];
  /** The parameters. */
  readonly params: Readonly<Record<string, number>>;
  /** Addresses of memory for lines, one per worker. */
  readonly places: readonly number[];
}

/** Makes the handler that computes the outputs. */
export function expressionJob(
  { formulas, params, places }: ExpressionShared,
  { memory, index }: WorkerContext,
): JobHandler<CubeTask, void> {
  const place = places[index]!;
  const works = formulas.map((formula) => workOf(formula, params, memory, place));
  return { run: (task) => works.forEach((work) => work(task)) };
}

function workOf(
  { output, analysis, precision, rank, inputs }: OutputFormula,
  params: Readonly<Record<string, number>>,
  memory: WebAssembly.Memory,
  place: number,
): (task: CubeTask) => void {
  const compute = compileAnalysis(analysis, { dtype: precision, precision }).bind(memory);
  const values = analysis.params.map((name) => params[name]!);
  const addresses = inputs.map((_, n) => place + n * LINE * 8);
  const arrays = analysis.arrays.map((name) => addresses[inputs.findIndex(({ alias }) => alias === name)]!);
  const itemSize = precision === "float32" ? 4 : 8;
  return ({ arrays: placed, extents }) => {
    const { pointer, shape } = placed[output]!;
    const given = inputs.map((input) => samplesOf(input, { arrays: placed, extents }, shape, memory));
    const loops = loopsOf(shape, [
      stridesOf(shape),
      ...inputs.map(({ axes }, n) => spread(axes, given[n]!.strides, rank)),
    ]);
    eachLine(loops, (count, [at = 0, ...from]) => {
      for (const [n, { data }] of given.entries()) {
        const line = typedArray(precision, memory.buffer, addresses[n]!, count);
        gather(line, data, from[n]!, loops.strides[n + 1]!.at(-1)!);
      }
      const outputs = [{ pointer: pointer + at * itemSize, stride: 0 }];
      compute({
        data: place,
        frames: 1,
        frameStride: 0,
        start: 0,
        count,
        width: count,
        frame: 0,
        lanes: 0,
        arrays,
        params: values,
        outputs,
      });
    });
  };
}

/** Samples of an input, or the positions along a dimension of the tile, with their strides. */
function samplesOf(
  { name, isArray, from, axes }: FormulaInput,
  { arrays, extents }: Pick<CubeTask, "arrays" | "extents">,
  shape: readonly number[],
  memory: WebAssembly.Memory,
): { readonly data: ArrayLike<number | bigint>; readonly strides: readonly number[] } {
  if (isArray) {
    const { data, stride } = viewOf(memory, arrays[name]!);
    return { data, strides: stride };
  }
  const first = extents[name]?.[0] ?? from;
  return { data: Float64Array.from({ length: shape[axes[0]!]! }, (_, i) => first + i), strides: [1] };
}

/** The strides of an input along the axes of the output: 0 where it has no such axis. */
function spread(axes: readonly number[], strides: readonly number[], rank: number): number[] {
  const all = new Array<number>(rank).fill(0);
  for (const [d, axis] of axes.entries()) all[axis]! += strides[d]!;
  return all;
}

function gather(line: FloatArray, data: ArrayLike<number | bigint>, from: number, step: number): void {
  if (step === 0) line.fill(Number(data[from]!));
  else for (let i = 0; i < line.length; i++) line[i] = Number(data[from + i * step]!);
}
