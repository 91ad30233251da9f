/**
 * The parameters of a kernel, its moving addresses, and the loop over the pixels of a frame.
 *
 * @module
 */

import { dtypeInfo } from "../../space/dtype.ts";
import { isShort, type SampleType } from "../program/call.ts";
import type { Value } from "../program/graph.ts";
import type { Program, Reduction } from "../program/program.ts";
import { type Assembler, OP, SIMD, type TypeName } from "./assembler.ts";
import type { Emitter, Unit } from "./emitter.ts";

/** Pixels after which counters of 32 bits are emptied: a counter can hold 2^16 samples below 2^16. */
const EMPTY = 1 << 16;

/** The parameters, in the order of `argumentsOf`, and locals that move along the pixels. */
export interface KernelLocals {
  /** Parameter: address of the first sample of the frame; advances with the frames. */
  readonly data: number;
  /** Parameter: number of frames. */
  readonly frames: number;
  /** Parameter: bytes from one frame to the next. */
  readonly frameStride: number;
  /** Parameter: number of the first pixel. */
  readonly start: number;
  /** Parameter: number of pixels. */
  readonly count: number;
  /** Parameter: pixels per row. */
  readonly width: number;
  /** Parameter: address of the lanes of sums. */
  readonly lanes: number;
  /** Parameters: addresses of the arrays. */
  readonly arrays: readonly number[];
  /** Parameters: addresses of the outputs of the frame, and bytes from one frame to the next. */
  readonly outputs: readonly { readonly pointer: number; readonly stride: number }[];
  /** Parameter: the value of `frame`. */
  readonly frame: number;
  /** Parameters: the numbers. */
  readonly params: readonly number[];
  /** Address of the sample. */
  readonly sample: number;
  /** Addresses of the entries of the arrays. */
  readonly entries: readonly number[];
  /** Addresses of the outputs of the pixel. */
  readonly places: readonly number[];
  /** Number of the pixel in the frame. */
  readonly pixel: number;
  /** Row of the pixel. */
  readonly row: number;
  /** Column of the pixel. */
  readonly col: number;
  /** One past the last pixel of the range. */
  readonly stop: number;
}

/** The types of the parameters of a program's kernel. */
export function parameterTypes({ arrays, params, reductions, maps }: Program): TypeName[] {
  const outputs = reductions.length + maps.length;
  const integers = Array.from({ length: 7 + arrays.length + 2 * outputs }, (): TypeName => "i32");
  return [...integers, "f64", ...params.map((): TypeName => "f64")];
}

/** Names the parameters and makes the locals. */
export function kernelLocals(code: Assembler, { arrays, params, reductions, maps }: Program): KernelLocals {
  const outputs = reductions.length + maps.length;
  const firstOutput = 7 + arrays.length;
  const frame = firstOutput + 2 * outputs;
  const integer = () => code.local("i32");
  return {
    data: 0,
    frames: 1,
    frameStride: 2,
    start: 3,
    count: 4,
    width: 5,
    lanes: 6,
    arrays: arrays.map((_, i) => 7 + i),
    outputs: Array.from({ length: outputs }, (_, i) => ({
      pointer: firstOutput + 2 * i,
      stride: firstOutput + 2 * i + 1,
    })),
    frame,
    params: params.map((_, i) => frame + 1 + i),
    sample: integer(),
    entries: arrays.map(integer),
    places: Array.from({ length: outputs }, integer),
    pixel: integer(),
    row: integer(),
    col: integer(),
    stop: integer(),
  };
}

/** The parts of a loop over pixels. */
interface PixelWork {
  /** Pixels per {@link PixelWork.step}. */
  readonly stride: number;
  /** Whether ranges end at the end of a row. */
  readonly rows: boolean;
  /** Whether ranges have at most {@link EMPTY} pixels. */
  readonly counted: boolean;
  /** Whether steps begin at multiples of 8 pixels of a row. */
  readonly aligned: boolean;
  /** Emits code before a range. */
  begin(): void;
  /** Emits code before its steps. */
  ready(): void;
  /** Emits code for `stride` pixels. */
  step(): void;
  /** Emits code for one pixel. */
  single(): void;
  /** Emits code after its steps; `tail` processes the remaining pixels. */
  finish(tail: () => void): void;
}

/** Emits the loop over the pixels from `start`, in ranges, steps and single pixels. */
export function pixelLoop(emitter: Emitter, locals: KernelLocals, work: PixelWork): void {
  const { code } = emitter;
  const { pixel, stop, col } = locals;
  const end = code.local("i32");
  reset(emitter, locals);
  code.get(locals.start).get(locals.count).op(OP.add).set(end);
  const one = () => {
    work.single();
    advance(emitter, locals, 1);
  };
  const left = () => code.get(pixel).get(stop).op(OP.ltU);
  code.loop(() => code.get(pixel).get(end).op(OP.ltU), () => {
    code.get(end).set(stop);
    if (work.rows) beginRow(code, locals);
    if (work.counted) atMost(code, stop, () => code.get(pixel).i32(EMPTY).op(OP.add));
    work.begin();
    if (work.aligned) {
      code.loop(() => left().get(col).i32(7).op(OP.and).i32(0).op(OP.gtU, OP.and), one);
    }
    work.ready();
    code.loop(() => code.get(pixel).i32(work.stride).op(OP.add).get(stop).op(OP.leU), () => {
      work.step();
      advance(emitter, locals, work.stride);
    });
    work.finish(() => code.loop(left, one));
  });
}

/** Row and column of the pixel; the range ends with the row. */
function beginRow(code: Assembler, { pixel, width, row, col, stop }: KernelLocals): void {
  code.get(pixel).get(width).op(OP.divU).set(row);
  code.get(pixel).get(row).get(width).op(OP.mul, OP.sub).set(col);
  atMost(code, stop, () => code.get(pixel).get(col).op(OP.sub).get(width).op(OP.add));
}

/** `local = min(local, other)`. */
export function atMost(code: Assembler, local: number, other: () => void): void {
  const found = code.local("i32");
  other();
  code.tee(found).get(local).get(found).get(local).op(OP.ltU, OP.select).set(local);
}

/** Moves all addresses to the first pixel. */
function reset({ code, facts, program }: Emitter, locals: KernelLocals): void {
  code.get(locals.data).set(locals.sample).get(locals.start).set(locals.pixel);
  program.arrays.forEach((_, a) => {
    code.get(locals.start).i32(facts.bytes).op(OP.mul).get(locals.arrays[a]!).op(OP.add).set(
      locals.entries[a]!,
    );
  });
  locals.places.forEach((place, r) => code.get(locals.outputs[r]!.pointer).set(place));
}

/** Moves all addresses by some pixels. */
function advance({ code, facts, program, sample }: Emitter, locals: KernelLocals, pixels: number): void {
  const { itemSize } = dtypeInfo(sample.dtype);
  code.advance(locals.sample, pixels * itemSize).advance(locals.pixel, pixels).advance(locals.col, pixels);
  for (const entry of locals.entries) code.advance(entry, pixels * facts.bytes);
  locals.places.forEach((place, r) => {
    const reduction = program.reductions[r];
    code.advance(place, reduction?.axis === "frame" ? 0 : pixels * (reduction ? 8 : facts.bytes));
  });
}

/** Advances the samples and the outputs by one frame, or by the number in a local. */
export function nextFrames({ code, program }: Emitter, locals: KernelLocals, frames?: number): void {
  const move = (pointer: number, stride: number) => {
    code.get(pointer).get(stride);
    if (frames !== undefined) code.get(frames).op(OP.mul);
    code.op(OP.add).set(pointer);
  };
  move(locals.data, locals.frameStride);
  locals.outputs.forEach(({ pointer, stride }, r) => {
    if (program.reductions[r]?.axis !== "frames") move(pointer, stride);
  });
}

/** Pixels per step: 8, or more if the kernel does nothing but count sums over pixels in integers. */
export function pixelStride(program: Program, sample: SampleType, counted: (r: number) => boolean): number {
  const integersOnly = program.maps.length === 0 &&
    program.reductions.every(({ axis, how }, r) => axis === "frame" && how === "sum" && counted(r));
  return integersOnly ? 32 / dtypeInfo(sample.dtype).itemSize * 2 : 8;
}

// Instructions of reductions: how one unit of samples is added to the accumulators.

/** Whether a reduction counts in integers: those of truth values, and of samples of at most 16 bits. */
export function isCounted({ how, value }: Reduction, sample: SampleType): boolean {
  return how === "count" || (how === "sum" && value.name === "sample" && isShort(sample));
}

/** Float64 vectors that the values of a unit fill. */
export function widths({ facts }: Emitter, { single }: Unit): number {
  return single || facts.bytes === 8 ? 1 : 2;
}

/** Replaces the numbers of a unit, on the stack, by one half of them (0: low, 1: high) as float64. */
export function widen(code: Assembler, { facts }: Emitter, half: 0 | 1): void {
  if (facts.bytes === 8) return;
  if (half === 1) {
    const both = code.local("v128");
    code.set(both);
    upper(code, both);
  }
  code.simd(SIMD.f64Promote);
}

/** Pushes the upper half of a local, twice. */
export function upper(code: Assembler, local: number): void {
  code.get(local).get(local).simd(SIMD.shuffle, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
}

/** Pushes the number that a reduction takes; for truth values 1 or 0. */
export function pushNumber(emitter: Emitter, value: Value, unit: Unit): void {
  emitter.push(value, unit);
  if (value.kind !== "truth") return;
  emitter.constant(1);
  emitter.code.simd(SIMD.and);
}

/** `acc += ` the counts, in lanes of 32 bits; each half of a truth value of 64 bits counts. */
export function count(
  emitter: Emitter,
  { value, how }: Reduction,
  unit: Unit,
  acc: number,
  mask?: number,
): void {
  const { code } = emitter;
  code.get(acc);
  if (how === "count") emitter.push(value, unit);
  else emitter.pushShort(unit);
  if (mask !== undefined) code.get(mask).simd(SIMD.and);
  code.simd(how === "count" ? SIMD.i32Sub : SIMD.i32Add).set(acc);
}

/** The instruction that combines two float64 vectors. */
export function joining(how: Reduction["how"]): number {
  return how === "min" ? SIMD.f64Min : how === "max" ? SIMD.f64Max : SIMD.f64Add;
}

/** The instruction that combines two vectors of the type of the computation: the least or the greatest. */
export function extreme(emitter: Emitter, how: "min" | "max"): number {
  return (emitter.facts.bytes === 4 ? 232 : 244) + (how === "max" ? 1 : 0);
}
