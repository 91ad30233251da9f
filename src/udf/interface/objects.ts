/**
 * Object buffers: results of any structure, one JSON value per entry, such as the peaks found in a frame.
 *
 * Object buffers are plain lists outside of the memory of the kernels. They travel with the result of a partition.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { TypedArray } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { MaskInput } from "../../space/valid.ts";

/**
 * A value that can be written as JSON.
 * @category User-defined functions
 */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | {
    /** A value by its name. */
    readonly [key: string]: JsonValue;
  };

/**
 * The entries of an object buffer that one call may see; `null` where nothing was set.
 * @category User-defined functions
 */
export class ObjectRows implements Iterable<JsonValue> {
  readonly #first: number;

  /** `length` entries of `values`, of `entry` values each, starting at entry `first`. */
  constructor(
    /** The values of the whole buffer. */
    readonly values: JsonValue[],
    first: number,
    /** Number of entries. */
    readonly length: number,
    /** Values per entry. */
    readonly entry: number = 1,
  ) {
    this.#first = first;
  }

  /** Value `i` of entry `row`. */
  get(row: number, i: number = 0): JsonValue {
    return this.values[this.#at(row, i)] ?? null;
  }

  /** Sets value `i` of entry `row`: `value` must be a JSON value, which is checked when the partition ends. */
  set(row: number, value: JsonValue, i: number = 0): void {
    this.values[this.#at(row, i)] = value;
  }

  /** Sets all values. */
  fill(value: JsonValue): void {
    this.values.fill(value, this.#first * this.entry, (this.#first + this.length) * this.entry);
  }

  /** The values of all entries. */
  [Symbol.iterator](): Iterator<JsonValue> {
    return this.values.slice(this.#first * this.entry, (this.#first + this.length) * this.entry).values();
  }

  /** `length` entries, starting at entry `first`. */
  view(first: number, length: number): ObjectRows {
    return new ObjectRows(this.values, this.#first + first, length, this.entry);
  }

  #at(row: number, i: number): number {
    if (row >= 0 && row < this.length && i >= 0 && i < this.entry) {
      return (this.#first + row) * this.entry + i;
    }
    const text = `No entry ${row}, ${i}: the call sees ${this.length} entries of ${this.entry} values`;
    throw new TilewiseError("udf", text, { expected: this.length, found: row });
  }
}

// Results with a valid mask of their own.

/**
 * A result, and which of its samples are valid.
 * @category User-defined functions
 */
export interface Masked<V extends ResultValue | NDArray = ResultValue> {
  /** The result. */
  readonly data: V;
  /** Where it is valid; broadcast to the shape of the result by NumPy's rules. */
  readonly mask: MaskInput;
}

/**
 * A result of `results()` (or of `derive`) with its own valid mask. Without it, a result is valid where frames have
 * been merged.
 *
 * @param data the result
 * @param mask true where it is valid
 * @returns both
 *
 * @example
 * ```ts
 * import { withMask } from "@tilewise/tilewise/udf";
 * import { assertEquals } from "@std/assert";
 * const { mask } = withMask(Float32Array.of(1, 2), [true, false]);
 * assertEquals(mask, [true, false]);
 * ```
 * @category User-defined functions
 */
export function withMask<V extends ResultValue | NDArray>(data: V, mask: MaskInput): Masked<V> {
  return { data, mask };
}

/** Whether a value was made by {@link withMask}. */
export function isMasked(value: ResultValue | Masked): value is Masked {
  return typeof value === "object" && "mask" in value && "data" in value;
}

/**
 * What a UDF gives as a result: numbers, or the values of an object buffer.
 * @category User-defined functions
 */
export type ResultValue = TypedArray | readonly JsonValue[];
