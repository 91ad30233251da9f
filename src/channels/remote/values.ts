/**
 * Values as numbers of a call and bytes of its buffer.
 *
 * A number of 64 bits becomes two of 32 bits, the upper one first: a double cannot hold all of them. Of bytes the length is a
 * number of the call; the bytes of all arguments lie one after another in the buffer.
 *
 * @module
 */

import type { RemoteResult, RemoteType, RemoteValues } from "./function.ts";

/** Any value. */
export type RemoteValue = RemoteValues[RemoteType];

/** A value of 64 bits from two numbers. */
export function joined(high: number, low: number): bigint {
  return BigInt.asIntN(64, BigInt(high | 0) << 32n | BigInt(low >>> 0));
}

/** The two numbers of a value of 64 bits. */
export function halves(value: bigint): readonly [high: number, low: number] {
  return [Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asUintN(32, value))];
}

/** Values in the form of a call. */
export interface Packed {
  /** The numbers of the call. */
  readonly numbers: readonly number[];
  /** The bytes, which follow each other. */
  readonly bytes: readonly Uint8Array[];
  /** How many they are. */
  readonly length: number;
}

/** Packs values whose types have been checked. */
export function pack(types: readonly RemoteType[], values: readonly RemoteValue[]): Packed {
  const numbers: number[] = [], bytes: Uint8Array[] = [];
  types.forEach((type, i) => {
    const value = values[i]!;
    if (type === "f64") numbers.push(value as number);
    else if (type === "i64") numbers.push(...halves(value as bigint));
    else {
      const part = bytesOfValue(value as string | Uint8Array);
      bytes.push(part);
      numbers.push(part.length);
    }
  });
  return { numbers, bytes, length: bytes.reduce((sum, part) => sum + part.length, 0) };
}

/** The bytes of a value that travels as bytes. */
export function bytesOfValue(value: string | Uint8Array): Uint8Array {
  return typeof value === "string" ? new TextEncoder().encode(value) : value;
}

/**
 * The values of a call. `number` gives its numbers, `bytes` copies `length` bytes from place `at` of the buffer; `undefined` if
 * the lengths do not fit `most` bytes, or a text is not UTF-8.
 */
export function unpack(
  types: readonly RemoteType[],
  number: (index: number) => number,
  bytes: (at: number, length: number) => Uint8Array,
  most: number,
): RemoteValue[] | undefined {
  const values: RemoteValue[] = [];
  let next = 0, at = 0;
  for (const type of types) {
    const first = number(next++);
    if (type === "f64") values.push(first);
    else if (type === "i64") values.push(joined(first, number(next++)));
    else {
      if (!Number.isSafeInteger(first) || first < 0 || at + first > most) return undefined;
      const part = bytes(at, first);
      const value = type === "text" ? textOf(part) : part;
      if (value === undefined) return undefined;
      values.push(value);
      at += first;
    }
  }
  return values;
}

/** The text of bytes in UTF-8; `undefined` for other bytes. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether a value is of a type. */
export function isOf(type: RemoteResult, value: unknown): boolean {
  if (type === "void") return true;
  if (type === "f64") return typeof value === "number";
  if (type === "i64") return typeof value === "bigint" && BigInt.asIntN(64, value) === value;
  return type === "text" ? typeof value === "string" : value instanceof Uint8Array;
}
