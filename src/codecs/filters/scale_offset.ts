/**
 * Scale-offset, filter 6 of HDF5: integers as differences from the smallest, in as few bits as they need.
 *
 * ```
 * chunk   bits₃₂  bytes₈  smallest …  (21 bytes in all)  values of `bits` bits each, highest bit first
 * ```
 * Source: the HDF5 library's description of the filter.
 *
 * @module
 */

import { typedArray } from "../../space/dtype.ts";
import { type ChunkFilter, filterError, type FilterStep } from "./common/filter.ts";
import { reverseUnits } from "../../space/numbers.ts";

const NAME = "scale-offset";
const HEADER = 21;

/** Undoes scale-offset for integers, and for floats with decimal digits. */
export const scaleOffset: ChunkFilter = (job) => {
  const { input, output, values } = job;
  const [method = 0, digits = 0, count = 0, kind = 0, size = 0, , order = 0, hasFill = 0] = values;
  if (![1, 2, 4, 8].includes(size) || kind > 1 || (kind === 1 && (method !== 0 || size < 4))) {
    throw filterError(NAME, `class ${kind}, ${size} bytes, method ${method} is unknown`);
  }
  const bytes = count * size;
  if (bytes > output.length || input.length < HEADER) throw filterError(NAME, `${bytes} bytes do not fit`);
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const bits = view.getUint32(0, true);
  const out = new DataView(output.buffer, output.byteOffset, bytes);
  if (bits === 8 * size) return plain(input, output, bytes, order === 1 ? size : 1);
  if (bits > 8 * size || HEADER + Math.ceil(bits * count / 8) > input.length) {
    throw filterError(NAME, `${count} values of ${bits} bits do not fit the chunk`);
  }
  const fill = hasFill === 1 ? fillBits(values, size) : undefined;
  const least = view.getBigUint64(5, true);
  if (kind === 0 && size <= 4 && bits > 0) {
    unpackSmall(job, { count, size, bits, least, fill, isBig: order === 1 });
    return bytes;
  }
  const missing = (1n << BigInt(bits)) - 1n;
  const toFloat = kind === 1 ? decimal(least, digits | 0, size) : undefined;
  const write = writer(out, size, order !== 1);
  let bit = 0;
  for (let i = 0; i < count; i++, bit += bits) {
    const value = bitsAt(input, 8 * HEADER + bit, bits);
    if (fill !== undefined && bits > 0 && value === missing) write(i, fill);
    else write(i, toFloat ? toFloat(value) : BigInt.asUintN(8 * size, value + least));
  }
  return bytes;
};

/** Integers of at most 32 bits, by kernels: unpacked, then added to, then brought into their byte order. */
function unpackSmall({ kernels: { exports, memory }, input, output }: FilterStep, job: {
  readonly count: number;
  readonly size: number;
  readonly bits: number;
  readonly least: bigint;
  readonly fill: bigint | undefined;
  readonly isBig: boolean;
}): void {
  const { count, size, bits, least, fill, isBig } = job;
  const at = output.byteOffset;
  const unpack = size === 1 ? exports.bits_msb_u8 : size === 2 ? exports.bits_msb_u16 : exports.bits_msb_u32;
  unpack(at, input.byteOffset + HEADER, 0, count, bits);
  const dtype = size === 1 ? "uint8" : size === 2 ? "uint16" : "uint32";
  const numbers = typedArray(dtype, memory.buffer, at, count);
  const first = Number(BigInt.asUintN(32, least)), missing = 2 ** bits - 1;
  const filled = fill === undefined ? undefined : Number(fill);
  for (let i = 0; i < count; i++) {
    const value = numbers[i]!;
    numbers[i] = filled !== undefined && value === missing ? filled : value + first; // modulo 2^bits of the type
  }
  if (isBig && size === 2) exports.swap_u16(at, at, count);
  if (isBig && size === 4) exports.swap_u32(at, at, count);
}

/** Values that were stored unpacked, in the byte order of the writing machine; little endian is assumed. */
function plain(input: Uint8Array, output: Uint8Array, bytes: number, unit: number): number {
  if (HEADER + bytes > input.length) throw filterError(NAME, "the chunk is cut off");
  output.set(input.subarray(HEADER, HEADER + bytes));
  reverseUnits(output.subarray(0, bytes), unit);
  return bytes;
}

/** The fill value as bits: in the parameters, 32 bits each, lowest first. */
function fillBits(values: readonly number[], size: number): bigint {
  const low = BigInt(values[8] ?? 0);
  const high = BigInt(values[9] ?? 0);
  return BigInt.asUintN(8 * size, low | high << 32n);
}

/** Makes a float of `value · 10^−digits + least`, and gives its bits. */
function decimal(least: bigint, digits: number, size: number): (value: bigint) => bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, least, true);
  const start = size === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  const scale = 10 ** digits;
  return (value) => {
    const step = Number(value) / scale;
    if (size === 4) view.setFloat32(0, Math.fround(Math.fround(step) + start), true);
    else view.setFloat64(0, step + start, true);
    return size === 4 ? BigInt(view.getUint32(0, true)) : view.getBigUint64(0, true);
  };
}

function bitsAt(input: Uint8Array, first: number, bits: number): bigint {
  let value = 0n;
  for (let bit = first; bit < first + bits;) {
    const take = Math.min(8 - bit % 8, first + bits - bit);
    const byte = input[bit >> 3]! >> (8 - bit % 8 - take) & (1 << take) - 1;
    value = value << BigInt(take) | BigInt(byte);
    bit += take;
  }
  return value;
}

function writer(out: DataView, size: number, little: boolean): (i: number, value: bigint) => void {
  switch (size) {
    case 1:
      return (i, value) => out.setUint8(i, Number(value));
    case 2:
      return (i, value) => out.setUint16(2 * i, Number(value), little);
    case 4:
      return (i, value) => out.setUint32(4 * i, Number(value), little);
    default:
      return (i, value) => out.setBigUint64(8 * i, value, little);
  }
}
