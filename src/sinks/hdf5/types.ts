/**
 * Types of values as HDF5 describes them, and attributes of these types. Source: the HDF5 file format specification, version
 * 3.0, sections IV.A.2.d and IV.A.2.m.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../space/dtype.ts";

/** A value of an attribute: a text, a number (float64), a whole number (int64), a truth value, or a list of texts or numbers. */
export type AttributeValue = string | number | bigint | boolean | readonly string[] | readonly number[];

/** Floats by their bytes: bits of the exponent, of the mantissa, and the bias. */
const FLOATS: Readonly<Record<number, readonly [exponent: number, mantissa: number, bias: number]>> = {
  2: [5, 10, 15],
  4: [8, 23, 127],
  8: [11, 52, 1023],
};

function wholeNumber(size: number, isSigned: boolean): Uint8Array {
  return new Bytes().put(0x10, 1).put(isSigned ? 8 : 0, 1).put(0, 2).put(size, 4).put(0, 2).put(8 * size, 2)
    .done();
}

function float(size: number): Uint8Array {
  const [exponent, mantissa, bias] = FLOATS[size]!;
  const head = new Bytes().put(0x11, 1).put(0x20, 1).put(8 * size - 1, 1).put(0, 1).put(size, 4);
  const bits = head.put(0, 2).put(8 * size, 2).put(mantissa, 1).put(exponent, 1).put(0, 1).put(mantissa, 1);
  return bits.put(bias, 4).done();
}

/** Complex numbers are pairs `r`, `i`, as h5py has them. */
function pair(size: number): Uint8Array {
  const part = float(size / 2);
  const head = new Bytes().put(0x36, 1).put(2, 1).put(0, 2).put(size, 4);
  return head.text("r").put(0, 1).add(part).text("i").put(size / 2, 1).add(part).done();
}

/** Truth values are an enumeration of bytes, as h5py has them. */
function truth(): Uint8Array {
  const head = new Bytes().put(0x38, 1).put(2, 1).put(0, 2).put(1, 4).add(wholeNumber(1, true));
  return head.text("FALSE").text("TRUE").put(0, 1).put(1, 1).done();
}

/** Texts of any length lie in a heap. */
function heapText(): Uint8Array {
  return new Bytes().put(0x19, 1).put(1, 1).put(1, 1).put(0, 1).put(16, 4).add(wholeNumber(1, false)).done();
}

/** The type of samples. */
export function typeOf(dtype: DType): Uint8Array {
  const { kind, itemSize } = dtypeInfo(dtype);
  if (kind === "b") return truth();
  if (kind === "f") return float(itemSize);
  return kind === "c" ? pair(itemSize) : wholeNumber(itemSize, kind === "i");
}

/** A shape: no dimensions for a single value. */
export function space(shape: readonly number[]): Uint8Array {
  const bytes = new Bytes().put(2, 1).put(shape.length, 1).put(0, 1).put(shape.length > 0 ? 1 : 0, 1);
  for (const n of shape) bytes.put(n, 8);
  return bytes.done();
}

/** Texts that lie in one heap: each once. */
export class Heap {
  readonly #numbers = new Map<string, number>();

  /** A heap at byte `at` of the file. */
  constructor(readonly at: number) {}

  /** How an attribute refers to a text. */
  reference(text: string): Uint8Array {
    const number = this.#numbers.get(text) ?? this.#numbers.size + 1;
    this.#numbers.set(text, number);
    return new Bytes().put(new TextEncoder().encode(text).length, 4).put(this.at, 8).put(number, 4).done();
  }

  /** The bytes of the heap. */
  done(): Uint8Array {
    const objects = new Bytes();
    for (const [text, number] of this.#numbers) {
      const bytes = new TextEncoder().encode(text);
      objects.put(number, 2).put(1, 2).put(0, 4).put(bytes.length, 8).add(bytes).pad(8);
    }
    const size = Math.max(4096, 16 + objects.length + 16); // the least that the library takes
    const free = size - 16 - objects.length;
    const bytes = new Bytes().add(new TextEncoder().encode("GCOL")).put(1, 4).put(size, 8).add(
      objects.done(),
    );
    return bytes.put(0, 8).put(free, 8).add(new Uint8Array(free - 16)).done();
  }
}

/** The message of an attribute. */
export function attribute(name: string, value: AttributeValue, heap: Heap): Uint8Array {
  const list = Array.isArray(value) ? value as readonly (string | number)[] : [value as AttributeValue];
  const [type, data] = [typeOfValue(list[0] ?? ""), new Bytes()];
  for (const one of list) putValue(data, one as string | number | bigint | boolean, heap);
  const shape = space(Array.isArray(value) ? [list.length] : []);
  const sizes = new Bytes().put(3, 1).put(0, 1).put(new TextEncoder().encode(name).length + 1, 2);
  sizes.put(type.length, 2).put(shape.length, 2).put(1, 1);
  return sizes.text(name).add(type).add(shape).add(data.done()).done();
}

function typeOfValue(value: unknown): Uint8Array {
  if (typeof value === "string") return heapText();
  if (typeof value === "boolean") return truth();
  return typeof value === "bigint" ? wholeNumber(8, true) : float(8);
}

function putValue(into: Bytes, value: string | number | bigint | boolean, heap: Heap): void {
  if (typeof value === "string") into.add(heap.reference(value));
  else if (typeof value === "boolean") into.put(value ? 1 : 0, 1);
  else if (typeof value === "bigint") into.put(value, 8);
  else into.add(new Uint8Array(Float64Array.of(value).buffer));
}

/** Bytes that grow. */
export class Bytes {
  #all = new Uint8Array(256);
  #view = new DataView(this.#all.buffer);
  /** How many there are. */
  length = 0;

  /** An unsigned number of `size` bytes. */
  put(value: number | bigint, size: 1 | 2 | 4 | 8): this {
    const at = this.#grow(size);
    this.#view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true); // what is beyond `size` is written over
    return this;
  }

  /** Bytes as they are. */
  add(bytes: Uint8Array): this {
    const at = this.#grow(bytes.length); // may make new memory
    this.#all.set(bytes, at);
    return this;
  }

  /** Text as UTF-8, with a zero behind it. */
  text(text: string): this {
    return this.add(new TextEncoder().encode(`${text}\0`));
  }

  /** Zeros up to a multiple of `unit`. */
  pad(unit: number): this {
    return this.add(new Uint8Array((unit - this.length % unit) % unit));
  }

  /** All of them. */
  done(): Uint8Array<ArrayBuffer> {
    return this.#all.slice(0, this.length);
  }

  /** Room for `size` bytes more, and 8 behind them; returns where it begins. */
  #grow(size: number): number {
    const at = this.length;
    this.length += size;
    if (this.length + 8 <= this.#all.length) return at;
    const next = new Uint8Array(2 * this.length + 8);
    next.set(this.#all);
    this.#all = next;
    this.#view = new DataView(next.buffer);
    return at;
  }
}
