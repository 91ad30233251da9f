/**
 * Compiles checked expressions for one sample type: to WebAssembly, emitted in well under a millisecond, and to the
 * plain twin.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { compileKernels, isShared, kernelImports } from "../kernels/code.ts";
import { beforeSingle } from "../space/cast.ts";
import { type ByteOrder, type DType, dtypeInfo, floatOf } from "../space/dtype.ts";
import { cosine, sine } from "../space/functions/functions.ts";
import { Assembler } from "./assembly/assembler.ts";
import { Emitter } from "./assembly/emitter.ts";
import { frameOrder } from "./assembly/frame_order.ts";
import { pixelOrder } from "./assembly/pixel_order.ts";
import { kernelLocals, parameterTypes } from "./assembly/segments.ts";
import { Evaluator, type LeafReader } from "./evaluate.ts";
import type { Analysis } from "./language/analysis.ts";
import {
  argumentsOf,
  type ExpressionCall,
  type ExpressionKernel,
  isLaned,
  type SampleType,
} from "./program/call.ts";
import { FLOATS, type Precision } from "./program/precision.ts";
import { lower, type Program, type Reduction } from "./program/program.ts";

// The plain twin of a compiled expression: the specification of its results, bit for bit.
//
// ```
// over pixels    sums: sample i of a row is added to lane i mod 8; when the row is complete,
//                ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)) is added to the result, in float64
// over frames    out[pixel] += value, frame after frame, in float64
// maps           out[frame][pixel] = value
// ```

/** The plain twin of `program` over a memory. */
function twin(program: Program, sample: SampleType, memory: WebAssembly.Memory): ExpressionKernel {
  const roots = [...program.reductions.map(({ value }) => value), ...program.maps];
  const evaluator = new Evaluator(program.graph, roots);
  return (call) => new TwinCall(program, sample, memory, evaluator, call).run();
}

class TwinCall {
  readonly #view: DataView;
  readonly #facts;
  readonly #itemSize: number;

  constructor(
    private readonly program: Program,
    private readonly sample: SampleType,
    memory: WebAssembly.Memory,
    private readonly evaluator: Evaluator,
    private readonly call: ExpressionCall,
  ) {
    this.#view = new DataView(memory.buffer);
    this.#facts = FLOATS[program.precision];
    this.#itemSize = dtypeInfo(sample.dtype).itemSize;
  }

  run(): void {
    const { frames, start, count, width } = this.call;
    for (let f = 0; f < frames; f++) {
      for (let i = 0; i < count; i++) {
        const pixel = start + i;
        this.evaluator.run(this.#reader(f, i));
        this.program.reductions.forEach((reduction, r) => this.#reduce(reduction, r, f, i));
        this.program.maps.forEach((map, m) => this.#store(m, f, i, this.evaluator.lane(map)));
        if ((pixel + 1) % width === 0) this.#endRow(f);
      }
    }
  }

  #reader(f: number, i: number): LeafReader {
    const { data, frameStride, start, width, frame, arrays, params } = this.call;
    const pixel = start + i;
    return (name, index) => {
      if (name === "sample") return this.#sample(data + f * frameStride + i * this.#itemSize);
      if (name === "array") return this.#number(arrays[index]! + pixel * this.#facts.bytes);
      if (name === "parameter") return params[index]!;
      if (name === "row") return Math.floor(pixel / width);
      return name === "col" ? pixel % width : frame;
    };
  }

  #sample(at: number): number {
    const little = this.sample.byteOrder === "little";
    const sample = readSample(this.#view, at, this.sample.dtype, little);
    return this.#facts.bytes === 4 ? beforeSingle(sample) : Number(sample);
  }

  #number(at: number): number {
    return this.#facts.bytes === 4 ? this.#view.getFloat32(at, true) : this.#view.getFloat64(at, true);
  }

  #reduce(reduction: Reduction, r: number, f: number, i: number): void {
    const { lanes, outputs, start, width } = this.call;
    const { pointer, stride } = outputs[r]!;
    const value = this.evaluator.lane(reduction.value);
    const column = (start + i) % width;
    const at = isLaned(reduction, this.sample)
      ? lanes + 64 * r + 8 * (column % 8)
      : reduction.axis === "frame"
      ? pointer + f * stride
      : pointer + 8 * i;
    const before = this.#view.getFloat64(at, true);
    this.#view.setFloat64(at, combine(reduction.how, before, value), true);
  }

  /** Folds the lanes of a complete row. */
  #endRow(f: number): void {
    const { lanes, outputs } = this.call;
    this.program.reductions.forEach((reduction, r) => {
      if (!isLaned(reduction, this.sample)) return;
      const base = lanes + 64 * r;
      const lane = (k: number) => this.#view.getFloat64(base + 8 * k, true);
      const row = ((lane(0) + lane(4)) + (lane(2) + lane(6))) + ((lane(1) + lane(5)) + (lane(3) + lane(7)));
      const at = outputs[r]!.pointer + f * outputs[r]!.stride;
      this.#view.setFloat64(at, this.#view.getFloat64(at, true) + row, true);
      for (let k = 0; k < 8; k++) this.#view.setFloat64(base + 8 * k, 0, true);
    });
  }

  #store(m: number, f: number, i: number, value: number): void {
    const { pointer, stride } = this.call.outputs[this.program.reductions.length + m]!;
    const at = pointer + f * stride + i * this.#facts.bytes;
    if (this.#facts.bytes === 4) this.#view.setFloat32(at, value, true);
    else this.#view.setFloat64(at, value, true);
  }
}

function combine(how: Reduction["how"], before: number, value: number): number {
  if (how === "min") return Math.min(before, value);
  return how === "max" ? Math.max(before, value) : before + value;
}

/** One sample. */
export function readSample(
  view: DataView,
  at: number,
  dtype: SampleType["dtype"],
  little: boolean,
): number | bigint {
  switch (dtype) {
    case "int8":
      return view.getInt8(at);
    case "uint16":
      return view.getUint16(at, little);
    case "int16":
      return view.getInt16(at, little);
    case "uint32":
      return view.getUint32(at, little);
    case "int32":
      return view.getInt32(at, little);
    case "uint64":
      return view.getBigUint64(at, little);
    case "int64":
      return view.getBigInt64(at, little);
    case "float16":
      return view.getFloat16(at, little);
    case "float32":
      return view.getFloat32(at, little);
    case "float64":
      return view.getFloat64(at, little);
    default:
      return view.getUint8(at); // uint8, bool
  }
}

/** What an expression is compiled for. */
export interface SampleOptions {
  /** Type of the samples, `x`. */
  readonly dtype: DType;
  /** Their byte order. Default: little. */
  readonly byteOrder?: ByteOrder;
  /** Type of the values of samples. Default: float32 for integers of 8 and 16 bits and floats up to 32, else float64. */
  readonly precision?: Precision;
}

/** Kernels of one program for one sample type. */
export interface KernelSource {
  /** The program that is computed. */
  readonly program: Program;
  /** The sample type for which it is compiled. */
  readonly sample: SampleType;
  /** The bytes of the WebAssembly module, for a shared or a private memory. */
  wasm(shared: boolean): Uint8Array<ArrayBuffer>;
  /** The kernel over a memory. */
  bind(memory: WebAssembly.Memory): ExpressionKernel;
  /** The plain twin over a memory: the same results, bit for bit, without WebAssembly. */
  twin(memory: WebAssembly.Memory): ExpressionKernel;
}

/** Refuses complex samples. */
export function checkReal(dtype: DType): void {
  if (dtypeInfo(dtype).kind !== "c") return;
  const text = `Cannot compute an expression of ${dtype} samples: they must be real`;
  throw new TilewiseError("unsupported", text, { found: dtype });
}

/** Compiles expressions that have been checked. */
export function compileAnalysis(
  analysis: Analysis,
  { dtype, byteOrder = "little", precision = floatOf(dtype) }: SampleOptions,
): KernelSource {
  checkReal(dtype);
  const sample = { dtype, byteOrder };
  const program = lower(analysis, precision);
  return {
    program,
    sample,
    wasm: (shared) => kernelBytes(program, sample, shared),
    bind: (memory) => bind(program, sample, cacheKey(analysis, precision, sample), memory),
    twin: (memory) => twin(program, sample, memory),
  };
}

/** A key of everything on which the compiled module depends. */
function cacheKey({ results, arrays, params }: Analysis, precision: Precision, sample: SampleType): string {
  return JSON.stringify([results.map(({ text }) => text), arrays, params, precision, sample]);
}

/** Number of modules that are kept; the least recently used is removed first. */
const KEPT = 64;
const modules = new Map<string, WebAssembly.Module>();

function bind(
  program: Program,
  sample: SampleType,
  key: string,
  memory: WebAssembly.Memory,
): ExpressionKernel {
  const shared = isShared(memory);
  const name = `${shared} ${key}`;
  const module = modules.get(name) ?? compileKernels(kernelBytes(program, sample, shared));
  modules.delete(name);
  modules.set(name, module);
  if (modules.size > KEPT) modules.delete(modules.keys().next().value!);
  const { env } = kernelImports(memory);
  const { run } = new WebAssembly.Instance(module, { env: { ...env, sine, cosine } }).exports as {
    run: (...all: number[]) => void;
  };
  return (call) => run(...argumentsOf(call));
}

/** The bytes of a module that exports the kernel as `run` and imports a shared or private `env.memory`. */
function kernelBytes(program: Program, sample: SampleType, shared: boolean): Uint8Array<ArrayBuffer> {
  const code = new Assembler(parameterTypes(program));
  const locals = kernelLocals(code, program);
  const emitter = new Emitter(code, program, sample, {
    data: locals.sample,
    arrays: locals.entries,
    params: locals.params,
    frame: locals.frame,
    row: locals.row,
    col: locals.col,
    never: locals.count,
  });
  emitter.prologue();
  const overPixels = program.reductions.some(({ axis }) => axis === "frame");
  const overFrames = program.reductions.some(({ axis }) => axis === "frames");
  if (!overPixels && (overFrames || emitter.hoists())) pixelOrder(emitter, locals);
  else frameOrder(emitter, locals);
  return code.module(shared);
}
