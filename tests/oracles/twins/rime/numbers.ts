/**
 * What the reference kernels of the measurement equation share: samples of f64 or f32, and arithmetic rounded to them.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import { type Read, reader } from "../../../../src/memory/sample_reader.ts";
import { type Write, writer } from "../samples.ts";

/** Samples of a kernel: of one size, rounded to their type. */
export interface Numbers {
  /** Reads a sample. */
  readonly get: Read;
  /** Writes a sample. */
  readonly set: Write;
  /** Rounds to the type of the samples. */
  readonly round: (x: number) => number;
  /** Bytes of a sample. */
  readonly size: number;
  /** Channels of a vector. */
  readonly lanes: number;
}

/** Samples of `dtype`. */
export function numbersOf(memory: WebAssembly.Memory, dtype: DType): Numbers {
  const size = dtype === "float64" ? 8 : 4;
  const round = dtype === "float64" ? (x: number) => x : Math.fround;
  return { get: reader(memory, dtype), set: writer(memory, dtype), round, size, lanes: 16 / size };
}

/** A complex number. */
export type Complex = readonly [re: number, im: number];

/** A weight times a complex number. */
export function scaled({ round }: Numbers, weight: number, [re, im]: Complex): Complex {
  return [round(weight * re), round(weight * im)];
}

/** Adds a complex number. */
export function added({ round }: Numbers, [a, b]: Complex, [re, im]: Complex): Complex {
  return [round(a + re), round(b + im)];
}

/** Reads lane `lane` of the pair of vectors at `at`. */
export function laneOf({ get, size }: Numbers, at: number, lane: number): Complex {
  return [get(at + lane * size), get(at + 16 + lane * size)];
}

/** Adds to the pair at `at`. */
export function addTo(numbers: Numbers, at: number, value: Complex): void {
  const { get, set, size } = numbers;
  const [re, im] = added(numbers, [get(at), get(at + size)], value);
  set(at, re);
  set(at + size, im);
}
