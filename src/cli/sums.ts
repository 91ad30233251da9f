/**
 * Count, sum, least and greatest of samples that come block by block: integers exactly, floats with compensation.
 *
 * @module
 */

import { type DType, dtypeInfo, type TypedArray } from "../space/dtype.ts";
import { EXACT, type Measured } from "./inputs/measured.ts";
import { asNumbers, isBig, type NumberArray } from "../space/numbers.ts";

/** A number of an array: 64-bit integers and sums of integers are big integers. */
type Value = number | bigint;

/** The result after the last block. */
export interface Summary {
  /** Samples seen. */
  readonly count: number;
  /** Their sum: exact for integers and truth values. */
  readonly sum: Value | { readonly re: number; readonly im: number };
  /** The least that is not NaN; `null` without one, and for complex samples. */
  readonly min: Value | null;
  /** The greatest that is not NaN. */
  readonly max: Value | null;
  /** Sum by count; `null` without samples. */
  readonly mean: number | { readonly re: number; readonly im: number } | null;
}

/** Collects blocks of samples of one dtype. */
interface Summing {
  /** Adds a block; complex samples are pairs. `measured`: what is known of it in parts, for integers of up to 32 bits. */
  add(block: TypedArray, measured?: readonly Measured[]): void;
  /** The result so far. */
  summary(): Summary;
}

/**
 * A collector for samples of `dtype`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const sums = summing("uint8");
 * sums.add(Uint8Array.of(250, 10));
 * assertEquals(sums.summary(), { count: 2, sum: 260n, min: 10, max: 250, mean: 130 });
 * ```
 */
export function summing(dtype: DType): Summing {
  const { kind, itemSize } = dtypeInfo(dtype);
  if (kind === "c") return new ComplexSums();
  if (kind === "f") return new FloatSums();
  return itemSize === 8 ? new WideSums(kind === "i") : new IntegerSums();
}

/** Integers of up to 32 bits: exact doubles for a while, then into a big integer. */
class IntegerSums implements Summing {
  #count = 0;
  #sum = 0n;
  #min = Infinity;
  #max = -Infinity;

  add(block: TypedArray, measured?: readonly Measured[]): void {
    if (measured) return this.#addMeasured(block.length, measured);
    const samples = asNumbers(block);
    for (let at = 0; at < samples.length; at += EXACT) this.#addExact(samples.subarray(at, at + EXACT));
  }

  #addMeasured(count: number, measured: readonly Measured[]): void {
    this.#count += count;
    for (const { sum, min, max } of measured) {
      this.#sum += BigInt(sum);
      this.#min = Math.min(this.#min, min);
      this.#max = Math.max(this.#max, max);
    }
  }

  #addExact(block: NumberArray): void {
    let sum = 0;
    let [min, max] = [this.#min, this.#max];
    for (let i = 0; i < block.length; i++) {
      const value = block[i]!;
      sum += value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    [this.#min, this.#max] = [min, max];
    this.#sum += BigInt(sum);
    this.#count += block.length;
  }

  summary(): Summary {
    const some = this.#count > 0;
    return {
      count: this.#count,
      sum: this.#sum,
      min: some ? this.#min : null,
      max: some ? this.#max : null,
      mean: some ? Number(this.#sum) / this.#count : null,
    };
  }
}

/** 64-bit integers as pairs of 32-bit halves: the low one unsigned, the high one with the sign. */
class WideSums implements Summing {
  #count = 0;
  #sum = 0n;
  #min: bigint | null = null;
  #max: bigint | null = null;

  constructor(readonly signed: boolean) {}

  add(block: TypedArray): void {
    for (let at = 0; at < block.length; at += EXACT) {
      if (isBig(block)) this.#addExact(block.subarray(at, at + EXACT));
    }
  }

  #addExact(block: BigInt64Array | BigUint64Array): void {
    if (block.length === 0) return;
    const low = new Uint32Array(block.buffer as ArrayBuffer, block.byteOffset, 2 * block.length);
    const high = new (this.signed ? Int32Array : Uint32Array)(
      block.buffer as ArrayBuffer,
      block.byteOffset,
      2 * block.length,
    );
    let [lows, highs, least, greatest] = [0, 0, 0, 0];
    const above = (i: number, j: number) =>
      high[2 * i + 1] === high[2 * j + 1] ? low[2 * i]! > low[2 * j]! : high[2 * i + 1]! > high[2 * j + 1]!;
    for (let i = 0; i < block.length; i++) {
      lows += low[2 * i]!;
      highs += high[2 * i + 1]!;
      if (above(i, greatest)) greatest = i;
      else if (above(least, i)) least = i;
    }
    this.#sum += (BigInt(highs) << 32n) + BigInt(lows);
    this.#count += block.length;
    if (this.#min === null || block[least]! < this.#min) this.#min = block[least]!;
    if (this.#max === null || block[greatest]! > this.#max) this.#max = block[greatest]!;
  }

  summary(): Summary {
    const mean = this.#count > 0 ? Number(this.#sum) / this.#count : null;
    return { count: this.#count, sum: this.#sum, min: this.#min, max: this.#max, mean };
  }
}

/**
 * A float64 sum that carries what rounding cut off (Neumaier). Infinities and NaN come out as in a plain sum.
 */
class Compensated {
  plain = 0;
  cut = 0;

  /** The sum of all values given. */
  get value(): number {
    return Number.isFinite(this.plain) ? this.plain + this.cut : this.plain;
  }

  /** Adds every `step`-th number of `block`, from `start` on. */
  add(block: NumberArray, start: number, step: number): void {
    let { plain, cut } = this;
    for (let i = start; i < block.length; i += step) {
      const value = block[i]!;
      const sum = plain + value;
      cut += Math.abs(plain) >= Math.abs(value) ? (plain - sum) + value : (value - sum) + plain;
      plain = sum;
    }
    this.plain = plain;
    this.cut = cut;
  }
}

class FloatSums implements Summing {
  readonly #sum = new Compensated();
  #count = 0;
  #min = Infinity;
  #max = -Infinity;
  #hasNumber = false;

  add(block: TypedArray): void {
    const values = asNumbers(block);
    this.#sum.add(values, 0, 1);
    let [min, max] = [this.#min, this.#max];
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (value <= min) min = value;
      if (value >= max) max = value;
    }
    this.#hasNumber ||= values.some((value) => value === value);
    [this.#min, this.#max] = [min, max];
    this.#count += values.length;
  }

  summary(): Summary {
    const sum = this.#sum.value;
    return {
      count: this.#count,
      sum,
      min: this.#hasNumber ? this.#min : null,
      max: this.#hasNumber ? this.#max : null,
      mean: this.#count > 0 ? sum / this.#count : null,
    };
  }
}

class ComplexSums implements Summing {
  readonly #re = new Compensated();
  readonly #im = new Compensated();
  #count = 0;

  add(block: TypedArray): void {
    const values = asNumbers(block);
    this.#re.add(values, 0, 2);
    this.#im.add(values, 1, 2);
    this.#count += block.length / 2;
  }

  summary(): Summary {
    const sum = { re: this.#re.value, im: this.#im.value };
    const mean = this.#count > 0 ? { re: sum.re / this.#count, im: sum.im / this.#count } : null;
    return { count: this.#count, sum, min: null, max: null, mean };
  }
}
