/**
 * Compiles checked expressions for one sample type to WebAssembly, emitted in well under a millisecond.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { compileKernels, isShared, kernelImports } from "../kernels/code.ts";
import { type ByteOrder, type DType, dtypeInfo, floatOf } from "../space/dtype.ts";
import { cosine, sine } from "../space/functions/functions.ts";
import { Assembler } from "./assembly/assembler.ts";
import { Emitter } from "./assembly/emitter.ts";
import { frameOrder } from "./assembly/frame_order.ts";
import { pixelOrder } from "./assembly/pixel_order.ts";
import { kernelLocals, parameterTypes } from "./assembly/segments.ts";
import type { Analysis } from "./language/analysis.ts";
import { argumentsOf, type ExpressionKernel, type SampleType } from "./program/call.ts";
import type { Precision } from "./program/precision.ts";
import { lower, type Program } from "./program/program.ts";

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
