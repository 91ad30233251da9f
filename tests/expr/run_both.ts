/**
 * Runs a compiled expression and its plain twin on the same samples, and gives the bytes of all outputs. The kernel looks
 * before every access: whatever is not its own ends the run.
 */

import "../fences/mod.ts";
import { analyse, type InputNames } from "../../src/expr/language/analysis.ts";
import { compileAnalysis, type KernelSource, type SampleOptions } from "../../src/expr/compile.ts";
import { lanesBytes } from "../../src/expr/program/call.ts";
import { RESERVED } from "../../src/memory/arena.ts";
import { fence } from "../fences/fences.ts";
import { expressionTwin } from "../oracles/expression.ts";
import { FLOATS } from "../../src/expr/program/precision.ts";
import { type ByteOrder, type DType, dtypeInfo, type TypedArray, typedArray } from "../../src/space/dtype.ts";

/** Compiles in one go. */
export function compile(
  source: string | Record<string, string>,
  options: SampleOptions & InputNames,
): KernelSource {
  return compileAnalysis(analyse(source, options), options);
}

/** One stack of frames with the inputs of an expression. */
export interface Stack {
  /** Samples of all frames. */
  readonly samples: TypedArray;
  readonly dtype: DType;
  readonly byteOrder?: ByteOrder;
  readonly frames: number;
  readonly rows: number;
  readonly width: number;
  readonly arrays?: readonly ArrayLike<number>[];
  readonly params?: readonly number[];
  /** Bytes by which all addresses are moved away from even ones. */
  readonly skew?: number;
  readonly frame?: number;
  /** Pixels where a frame is cut into two calls. */
  readonly cut?: number;
}

/** Outputs: one array for every reduction and map, in the order of the program. */
export type Outputs = (Float32Array | Float64Array)[];

const memory = new WebAssembly.Memory({ initial: 128, maximum: 128 });
const fences = fence(memory);

/** One past the last byte that an earlier run has used. */
let used = RESERVED;

/** The outputs of the kernel and of its twin. */
export function runBoth(compiled: KernelSource, stack: Stack): { kernel: Outputs; twin: Outputs } {
  return { kernel: runOne(compiled, stack, "bind"), twin: runOne(compiled, stack, "twin") };
}

/** The outputs of the kernel (`bind`) or the twin. */
export function runOne(compiled: KernelSource, stack: Stack, which: "bind" | "twin"): Outputs {
  const { program } = compiled;
  const { samples, dtype, byteOrder = "little", frames, rows, width, skew = 0 } = stack;
  const { arrays = [], params = [], frame = 0, cut } = stack;
  const pixels = rows * width;
  const { itemSize, unitSize } = dtypeInfo(dtype);
  const facts = FLOATS[program.precision];
  const bytes = new Uint8Array(memory.buffer);
  let at = RESERVED + skew;
  fences.forbid(RESERVED, used);
  const take = (size: number) => {
    const [place, next] = [at, at + size + 8];
    bytes.fill(0, place, place + size);
    fences.allow(place, size);
    fences.raise(place + size, next);
    at = next;
    used = Math.max(used, next);
    return place;
  };
  const data = take(samples.byteLength);
  bytes.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), data);
  if (byteOrder === "big") {
    for (let p = data; p < data + samples.byteLength; p += unitSize) {
      bytes.subarray(p, p + unitSize).reverse();
    }
  }
  const places = arrays.map((values) => {
    const place = take(pixels * facts.bytes);
    const copy = facts.bytes === 4 ? Float32Array.from(values) : Float64Array.from(values);
    bytes.set(new Uint8Array(copy.buffer), place);
    return place;
  });
  const lanes = take(lanesBytes(program));
  const outputs = [
    ...program.reductions.map(({ axis, how }) => {
      const count = axis === "frame" ? frames : pixels;
      const pointer = take(8 * count);
      const start = how === "min" ? Infinity : how === "max" ? -Infinity : 0;
      new Uint8Array(memory.buffer, pointer, 8 * count).set(
        new Uint8Array(Float64Array.from({ length: count }, () => start).buffer),
      );
      return { pointer, stride: 8, count, dtype: "float64" as const };
    }),
    ...program.maps.map(() => {
      const pointer = take(facts.bytes * pixels * frames);
      return { pointer, stride: facts.bytes * pixels, count: frames * pixels, dtype: program.precision };
    }),
  ];
  fences.raise(at, at + 64);
  const kernel = which === "bind" ? compiled.bind(memory) : expressionTwin(compiled, memory);
  const call = (from: number, to: number, firstFrame: number, count: number) =>
    kernel({
      data: data + firstFrame * pixels * itemSize + from * itemSize,
      frames: count,
      frameStride: pixels * itemSize,
      start: from,
      count: to - from,
      width,
      frame,
      lanes,
      arrays: places,
      params,
      outputs: outputs.map(({ pointer, stride, count: entries }, r) => {
        const axis = program.reductions[r]?.axis;
        const size = axis === undefined ? facts.bytes : 8;
        const overFrames = axis === "frames" && entries >= 0;
        return {
          pointer: pointer +
            (overFrames ? 8 * from : firstFrame * stride + (axis === undefined ? from * size : 0)),
          stride,
        };
      }),
    });
  if (cut === undefined) call(0, pixels, 0, frames);
  else for (let f = 0; f < frames; f++) for (const [a, b] of [[0, cut], [cut, pixels]]) call(a!, b!, f, 1);
  fences.check(data, at + 64);
  return outputs.map(({ pointer, count, dtype: type }) => {
    const size = dtypeInfo(type).itemSize;
    const values = typedArray(
      type,
      bytes.slice(pointer, pointer + count * size).buffer,
      0,
      count,
    ) as Float64Array;
    return values.map((value) => Number.isNaN(value) ? NaN : value); // WebAssembly leaves the bits of a NaN open
  });
}
