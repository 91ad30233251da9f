/**
 * Opcodes of the vector instructions that are emitted.
 *
 * @module
 */

import type { OperationName } from "../program/operations.ts";
import type { Precision } from "../program/precision.ts";

/** Instructions that do not depend on the type of the computation. */
export const SIMD = {
  load: 0,
  load16x4S: 3,
  load16x4U: 4,
  load8Splat: 7,
  load16Splat: 8,
  load32Splat: 9,
  load64Splat: 10,
  store: 11,
  constant: 12,
  shuffle: 13,
  swizzle: 14,
  i32Splat: 17,
  f32Splat: 19,
  f64Splat: 20,
  i32Lane: 27,
  i64Lane: 29,
  f32Lane: 31,
  f32SetLane: 32,
  f64Lane: 33,
  f64SetLane: 34,
  i32Ge: 63,
  and: 78,
  or: 80,
  bitselect: 82,
  anyTrue: 83,
  store32Lane: 90,
  store64Lane: 91,
  load32Zero: 92,
  load64Zero: 93,
  f32Demote: 94,
  f64Promote: 95,
  pairs8S: 124,
  pairs8U: 125,
  pairs16S: 126,
  pairs16U: 127,
  widen8S: 135,
  widen8U: 137,
  widen16S: 167,
  widen16U: 169,
  i32Shl: 171,
  i32Add: 174,
  i32Sub: 177,
  f32Mul: 230,
  f64Add: 240,
  f64Min: 244,
  f64Max: 245,
  f32FromI32S: 250,
  f32FromI32U: 251,
  f64FromI32S: 254,
  f64FromI32U: 255,
} as const;

const FLOAT32: Partial<Record<OperationName, number>> = {
  eq: 65,
  ne: 66,
  lt: 67,
  gt: 68,
  le: 69,
  ge: 70,
  ceil: 103,
  floor: 104,
  trunc: 105,
  nearest: 106,
  shl: 171,
  shr: 173,
  iadd: 174,
  isub: 177,
  abs: 224,
  neg: 225,
  sqrt: 227,
  add: 228,
  sub: 229,
  mul: 230,
  div: 231,
  min: 232,
  max: 233,
  lesser: 234,
  greater: 235,
};

const FLOAT64: Partial<Record<OperationName, number>> = {
  eq: 71,
  ne: 72,
  lt: 73,
  gt: 74,
  le: 75,
  ge: 76,
  ceil: 116,
  floor: 117,
  trunc: 122,
  nearest: 148,
  shl: 203,
  shr: 205,
  iadd: 206,
  isub: 209,
  abs: 236,
  neg: 237,
  sqrt: 239,
  add: 240,
  sub: 241,
  mul: 242,
  div: 243,
  min: 244,
  max: 245,
  lesser: 246,
  greater: 247,
};

const BITS: Partial<Record<OperationName, number>> = {
  not: 77,
  both: 78,
  iand: 78,
  one: 78,
  either: 80,
  ior: 80,
  select: 82,
};

/** The instruction of an operation; undefined if it needs none (`bits`, `unbits`) or is a call. */
export function instruction(name: OperationName, precision: Precision): number | undefined {
  return (precision === "float32" ? FLOAT32 : FLOAT64)[name] ?? BITS[name];
}
