/**
 * Expressions as functions: text in, a compiled function over stacks of frames out.
 *
 * @module
 */

import { TilewiseError } from "../../src/errors.ts";
import { checkOptionNames, type OptionNames } from "../../src/options.ts";
import { each, list, must, needed } from "../../src/options/rules.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray, zeros } from "../../src/space/dtype.ts";
import { dtypeName, shapeFrom } from "../../src/space/rules.ts";
import { type Shape, showShape, sizeOf } from "../../src/space/shape.ts";
import { formatBytes } from "../../src/space/size.ts";
import { analyse, type Analysis, type InputNames } from "../../src/expr/language/analysis.ts";
import { type ExpressionCall, lanesBytes } from "../../src/expr/program/call.ts";
import { compileAnalysis, type KernelSource } from "../../src/expr/compile.ts";
import { formulaOf } from "../../src/expr/evaluate.ts";
import { FLOATS, PRECISION, type Precision } from "../../src/expr/program/precision.ts";
import type { Program, ResultPlan } from "../../src/expr/program/program.ts";
import { expressionTwin } from "../oracles/expression.ts";

/**
 * What an expression is compiled for.
 * @category Expressions
 */
export interface ExpressionOptions extends InputNames {
  /** Type of the samples, `x`. */
  readonly dtype: DType;
  /** Type of the values of samples. Default: float32 for integers of 8 and 16 bits and floats up to 32, else float64. */
  readonly precision?: Precision;
}

const COMPILE_OPTIONS: OptionNames<ExpressionOptions> = {
  arrays: list,
  params: list,
  dtype: needed(dtypeName),
  precision: PRECISION,
};

/**
 * The data on which a compiled expression runs.
 * @category Expressions
 */
export interface ExpressionData {
  /** All samples, frame after frame, of the type for which the expression was compiled. */
  readonly samples: TypedArray;
  /** Shape of a frame. Default: one row of all samples. */
  readonly shape?: Shape;
  /** The arrays, by name: one number per pixel. */
  readonly arrays?: Readonly<Record<string, ArrayLike<number>>>;
  /** The parameters, by name. */
  readonly params?: Readonly<Record<string, number>>;
}

const DATA_NAMES: OptionNames<ExpressionData> = {
  samples: needed(must("a typed array", (value) => ArrayBuffer.isView(value))),
  shape: shapeFrom(0, "[128, 128]"),
  arrays: each("an object of arrays by name", list),
  params: true,
};

/**
 * The results by name: one number per frame, per pixel, or per sample.
 * @category Expressions
 */
export type ExpressionResults = Readonly<Record<string, Float32Array | Float64Array>>;

/**
 * An expression, compiled for one type of samples.
 * @category Expressions
 */
export interface CompiledExpression {
  /** The type in which values of samples are computed; reductions are float64. */
  readonly precision: Precision;
  /** The bytes of the WebAssembly module, which imports a shared or a private `env.memory`. */
  wasm(shared: boolean): Uint8Array<ArrayBuffer>;
  /** Runs the WebAssembly. */
  run(data: ExpressionData): ExpressionResults;
  /** Runs the plain twin: the same results, bit for bit, without WebAssembly. */
  runPlain(data: ExpressionData): ExpressionResults;
}

/**
 * Compiles an expression, or several by name that are computed in one pass; the result of a single expression is
 * `value`. The language is the same as for `expression`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const bright = compileExpression("sum(max(x - dark, 0))", { dtype: "uint16", arrays: ["dark"] });
 * const samples = Uint16Array.of(5, 1, 9, 3); // two frames of two pixels
 * const { value } = bright.run({ samples, shape: [2], arrays: { dark: [4, 0] } });
 * assertEquals(value, Float64Array.of(2, 8));
 * ```
 * @category Expressions
 */
export function compileExpression(
  source: string | Readonly<Record<string, string>>,
  options: ExpressionOptions,
): CompiledExpression {
  checkOptionNames("compileExpression()", options, COMPILE_OPTIONS);
  const analysis = analyse(source, options);
  const { dtype, precision } = options;
  const kernels = compileAnalysis(analysis, { dtype, ...(precision ? { precision } : {}) });
  return {
    precision: kernels.program.precision,
    wasm: (shared) => kernels.wasm(shared),
    run: (data) => runOn(kernels, analysis, data, "bind"),
    runPlain: (data) => runOn(kernels, analysis, data, "twin"),
  };
}

const PAGE = 65536;
const MOST_PAGES = 65535;

function runOn(
  kernels: KernelSource,
  { results }: Analysis,
  data: ExpressionData,
  which: "bind" | "twin",
): ExpressionResults {
  checkOptionNames("run()", data, DATA_NAMES);
  const { program } = kernels;
  const job = layOut(kernels, data);
  const pages = Math.ceil(job.bytes / PAGE);
  if (pages > MOST_PAGES) {
    const text = `Cannot run the expression on ${
      formatBytes(job.bytes)
    }: a function takes 4 GiB; run it as a UDF`;
    throw new TilewiseError("over-budget", text, { expected: MOST_PAGES * PAGE, found: job.bytes });
  }
  const memory = new WebAssembly.Memory({ initial: pages });
  job.fill(memory);
  const kernel = which === "bind" ? kernels.bind(memory) : expressionTwin(kernels, memory);
  const oneByOne = program.graph.values.some(({ name }) => name === "frame");
  if (!oneByOne) kernel(job.call);
  else for (let f = 0; f < job.call.frames; f++) kernel(frameOf(job.call, f));
  const outputs = job.call.outputs.map(({ pointer }, o) =>
    program.reductions[o] || program.precision === "float64"
      ? new Float64Array(memory.buffer, pointer, job.lengths[o])
      : new Float32Array(memory.buffer, pointer, job.lengths[o])
  );
  return Object.fromEntries(
    results.map(({ name }, r) => [name, resultOf(program.results[r]!, program, outputs, job)]),
  );
}

interface Job {
  readonly bytes: number;
  readonly call: ExpressionCall;
  readonly lengths: readonly number[];
  readonly data: ExpressionData;
  readonly pixels: number;
  fill(memory: WebAssembly.Memory): void;
}

/** Assigns an address to everything. */
function layOut({ program, sample }: KernelSource, data: ExpressionData): Job {
  const { samples, shape = [samples.length], arrays = {}, params = {} } = data;
  const pixels = sizeOf(shape);
  check(program, sample.dtype, data, pixels);
  const frames = pixels === 0 ? 0 : samples.length / pixels;
  const facts = FLOATS[program.precision];
  let bytes = 1024;
  const place = (size: number) => (bytes += Math.ceil(size / 64) * 64) - Math.ceil(size / 64) * 64;
  const start = place(samples.byteLength);
  const places = program.arrays.map(() => place(pixels * facts.bytes));
  const lanes = place(lanesBytes(program));
  const lengths = [
    ...program.reductions.map(({ axis }) => axis === "frame" ? frames : pixels),
    ...program.maps.map(() => samples.length),
  ];
  const outputs = lengths.map((length, o) => {
    const axis = program.reductions[o]?.axis;
    const stride = axis === "frame" ? 8 : axis === "frames" ? 0 : pixels * facts.bytes;
    return { pointer: place(length * (axis ? 8 : facts.bytes)), stride };
  });
  const call: ExpressionCall = {
    data: start,
    frames,
    frameStride: pixels * dtypeInfo(sample.dtype).itemSize,
    start: 0,
    count: pixels,
    width: Math.max(1, shape.at(-1) ?? 1),
    frame: 0,
    lanes,
    arrays: places,
    params: program.params.map((name) => params[name]!),
    outputs,
  };
  const fill = ({ buffer }: WebAssembly.Memory) => {
    const from = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    new Uint8Array(buffer, start).set(from);
    program.arrays.forEach((name, a) => {
      typedArray(program.precision, buffer, places[a]!, pixels).set(arrays[name]!);
    });
    program.reductions.forEach(({ how }, r) => {
      const first = how === "min" ? Infinity : how === "max" ? -Infinity : 0;
      new Float64Array(buffer, outputs[r]!.pointer, lengths[r]).fill(first);
    });
  };
  return { bytes, call, lengths, data, pixels, fill };
}

function check(program: Program, dtype: DType, data: ExpressionData, pixels: number): void {
  const { samples, shape = [samples.length], arrays = {}, params = {} } = data;
  const refuse = (problem: string) => {
    throw new TilewiseError("invalid", `Cannot run the expression: ${problem}`);
  };
  if (samples.constructor !== zeros(dtype, 0).constructor) {
    refuse(`the samples are a ${samples.constructor.name}, it was compiled for ${dtype}`);
  }
  if (pixels > 0 ? samples.length % pixels !== 0 : samples.length > 0) {
    refuse(`${samples.length} samples are not a whole number of frames of ${showShape(shape)}`);
  }
  for (const name of program.arrays) {
    if (arrays[name]?.length !== pixels) {
      refuse(`the array "${name}" has ${arrays[name]?.length ?? "no"} numbers, a frame ${pixels} pixels`);
    }
  }
  for (const name of program.params) {
    if (typeof params[name] !== "number") refuse(`the parameter "${name}" is not a number`);
  }
}

function frameOf(call: ExpressionCall, f: number): ExpressionCall {
  const outputs = call.outputs.map(({ pointer, stride }) => ({ pointer: pointer + f * stride, stride }));
  return { ...call, data: call.data + f * call.frameStride, frames: 1, frame: f, outputs };
}

function resultOf(
  result: ResultPlan,
  program: Program,
  outputs: readonly (Float32Array | Float64Array)[],
  { call, data, pixels }: Job,
): Float32Array | Float64Array {
  const { reductions } = program;
  if (result.shape === "sample") return outputs[reductions.length + result.source!]!.slice();
  const compute = formulaOf(result, program, {
    reductions: outputs,
    arrays: (name) => data.arrays![name]!,
    params: data.params ?? {},
    width: call.width,
    reduced: result.shape === "frame" ? pixels : call.frames,
  });
  return Float64Array.from({ length: result.shape === "frame" ? call.frames : pixels }, (_, i) => compute(i));
}
