/**
 * Instructions that load samples of any type as a vector of the type of the computation.
 *
 * A load gives either as many consecutive samples as a vector has lanes, or one sample in all lanes. With one sample,
 * the rest of a row is computed with the same instructions as the whole vectors, and gives the same bits. No memory
 * after the samples is read.
 *
 * @module
 */

import { dtypeInfo } from "../../space/dtype.ts";
import { type Assembler, OP, SIMD } from "./assembler.ts";
import type { SampleType } from "../program/call.ts";
import type { Precision } from "../program/precision.ts";

/** Where samples are loaded from, and how. */
export interface SampleLoad {
  /** Their type. */
  readonly sample: SampleType;
  /** The type of the computation. */
  readonly precision: Precision;
  /** The local with the address of sample 0. */
  readonly pointer: number;
  /** The local with {@link byteOrderVector}, for big-endian samples. */
  readonly order: number | undefined;
  /** Number of the first sample. */
  readonly first: number;
  /** Whether to load one sample into all lanes. */
  readonly single: boolean;
}

/** Loads by the number of bytes: into the low end of a vector, or the same bytes repeated. */
const LOADS: Readonly<Record<number, number>> = {
  4: SIMD.load32Zero,
  8: SIMD.load64Zero,
  16: SIMD.load,
};
const SPLATS: Readonly<Record<number, number>> = {
  1: SIMD.load8Splat,
  2: SIMD.load16Splat,
  4: SIMD.load32Splat,
  8: SIMD.load64Splat,
};

/** The indices that reverse the bytes of every sample; undefined if no bytes have to be reversed. */
export function byteOrderVector({ dtype, byteOrder }: SampleType): number[] | undefined {
  const { itemSize } = dtypeInfo(dtype);
  if (byteOrder === "little" || itemSize === 1) return undefined;
  return Array.from({ length: 16 }, (_, i) => i - i % itemSize + itemSize - 1 - i % itemSize);
}

/** Pushes samples as numbers. */
export function loadSamples(code: Assembler, load: SampleLoad): void {
  const { sample, precision } = load;
  const { kind, itemSize } = dtypeInfo(sample.dtype);
  if (itemSize === 8) return precision === "float64" ? loadWide(code, load, 0) : loadNarrowed(code, load);
  if (kind === "f" && itemSize === 4) {
    bytes(code, load, precision === "float64" ? 8 : 16);
    if (precision === "float64") code.simd(SIMD.f64Promote);
    return;
  }
  if (kind === "f") return loadHalves(code, load);
  if (itemSize === 4) bytes(code, load, precision === "float64" ? 8 : 16);
  else loadShort(code, load);
  const isSigned = kind === "i" || itemSize < 4; // types of 8 or 16 bits are positive in 32 bits
  if (precision === "float32") code.simd(isSigned ? SIMD.f32FromI32S : SIMD.f32FromI32U);
  else code.simd(isSigned ? SIMD.f64FromI32S : SIMD.f64FromI32U);
}

/** Pushes samples of 8 or 16 bits as integers of 32 bits. */
export function loadShort(code: Assembler, load: SampleLoad): void {
  const { sample, precision, single, pointer, first, order } = load;
  const { kind, itemSize } = dtypeInfo(sample.dtype);
  const isSigned = kind === "i";
  if (itemSize === 2 && order === undefined && !single && precision === "float32") {
    code.get(pointer).memory(isSigned ? SIMD.load16x4S : SIMD.load16x4U, 2 * first);
    return;
  }
  if (itemSize === 1 && !single && precision === "float64") {
    code.get(pointer).memory(SIMD.load16Splat, first); // two samples, repeated
  } else bytes(code, load, itemSize * (precision === "float32" ? 4 : 2));
  if (itemSize === 1) code.simd(isSigned ? SIMD.widen8S : SIMD.widen8U);
  code.simd(isSigned ? SIMD.widen16S : SIMD.widen16U);
}

/** Pushes `count` bytes, or one sample in all lanes, in the byte order of this machine. */
function bytes(code: Assembler, { sample, pointer, first, single, order }: SampleLoad, count: number): void {
  const { itemSize } = dtypeInfo(sample.dtype);
  code.get(pointer).memory(single ? SPLATS[itemSize]! : LOADS[count]!, first * itemSize);
  if (order !== undefined) code.get(order).simd(SIMD.swizzle);
}

/**
 * Half precision: sign, 5 bits of exponent, 10 of mantissa. Moved to their places in a float32, the exponent is too
 * small by 112; multiplying by 2^112 corrects this. Infinity and NaN get the largest exponent.
 */
function loadHalves(code: Assembler, load: SampleLoad): void {
  const { precision } = load;
  bytes(code, load, precision === "float64" ? 4 : 8);
  code.simd(SIMD.widen16U);
  const half = code.local("v128"), moved = code.local("v128");
  const all = (value: number) => code.i32(value).simd(SIMD.i32Splat);
  code.tee(half);
  all(0x7fff).simd(SIMD.and).i32(13).simd(SIMD.i32Shl).tee(moved);
  all(0x7f800000).simd(SIMD.or).get(moved);
  all(0x77800000).simd(SIMD.f32Mul).get(moved);
  all(0x0f800000).simd(SIMD.i32Ge).simd(SIMD.bitselect).get(half);
  all(0x8000).simd(SIMD.and).i32(16).simd(SIMD.i32Shl).simd(SIMD.or);
  if (precision === "float64") code.simd(SIMD.f64Promote);
}

/** Two samples of 8 bytes as float64, `skip` samples after the first. */
function loadWide(code: Assembler, load: SampleLoad, skip: number): void {
  const { sample, single } = load;
  const { kind } = dtypeInfo(sample.dtype);
  const first = load.first + skip;
  if (kind === "f") return bytes(code, { ...load, first }, 16);
  const convert = kind === "i" ? OP.f64FromI64 : OP.f64FromU64;
  loadInteger(code, load, first);
  code.op(convert).simd(SIMD.f64Splat);
  if (single) return;
  loadInteger(code, load, first + 1);
  code.op(convert).simd(SIMD.f64SetLane, 1);
}

/** Sample `at` as an integer of 64 bits. */
function loadInteger(code: Assembler, { order, pointer }: SampleLoad, at: number): void {
  if (order === undefined) code.get(pointer).scalar(OP.i64Load, 8 * at);
  else {
    code.get(pointer).memory(SIMD.load64Splat, 8 * at).get(order).simd(SIMD.swizzle).simd(SIMD.i64Lane, 0);
  }
}

/** Four samples of 8 bytes as float32: integers by themselves, as by way of float64 they would be rounded twice. */
function loadNarrowed(code: Assembler, load: SampleLoad): void {
  const { sample, single, first } = load;
  const { kind } = dtypeInfo(sample.dtype);
  if (kind !== "f") {
    for (let lane = 0; lane < (single ? 1 : 4); lane++) {
      loadInteger(code, load, first + lane);
      code.op(kind === "i" ? OP.f32FromI64 : OP.f32FromU64);
      if (lane === 0) code.simd(SIMD.f32Splat);
      else code.simd(SIMD.f32SetLane, lane);
    }
    return;
  }
  loadWide(code, load, 0);
  code.simd(SIMD.f32Demote);
  if (single) {
    code.simd(SIMD.f32Lane, 0).simd(SIMD.f32Splat);
    return;
  }
  loadWide(code, load, 2);
  code.simd(SIMD.f32Demote).simd(SIMD.shuffle, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
}
