/**
 * Instructions of reductions: how one unit of samples is added to the accumulators.
 *
 * @module
 */

import type { Assembler } from "./assembler.ts";
import { isShort, type SampleType } from "../program/call.ts";
import type { Emitter, Unit } from "./emitter.ts";
import type { Value } from "../program/graph.ts";
import type { Reduction } from "../program/program.ts";
import { SIMD } from "./simd.ts";

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
