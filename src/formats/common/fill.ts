/**
 * The sample that stands for what a file does not hold: chunks and tiles that were never written. One function makes its bytes
 * for all formats; what their texts mean is said here, too.
 *
 * @module
 */

import { cannot } from "../../errors.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import { reverseUnits } from "../../space/numbers.ts";

/** A sample type in a file. */
export interface FileType {
  /** The type of decoded samples. */
  readonly dtype: DType;
  /** The byte order of stored samples. */
  readonly byteOrder: ByteOrder;
}

/**
 * The bytes of a sample with the value `value`, which must have the type: a number, a bigint, a truth value, a pair of them for
 * complex samples, or a text that Zarr has for them. `undefined`: zeros. Errors: `malformed`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(fillBytes(-2, { dtype: "int16", byteOrder: "big" }, "a.zarr"), Uint8Array.of(255, 254));
 * ```
 */
export function fillBytes(
  value: unknown,
  { dtype, byteOrder }: FileType,
  file: string,
): Uint8Array | undefined {
  if (value === null || value === undefined) return undefined;
  const { itemSize, unitSize } = dtypeInfo(dtype);
  const bytes = new Uint8Array(itemSize);
  const view = new DataView(bytes.buffer);
  const parts = unitSize < itemSize ? pairOf(value, file) : [value];
  parts.forEach((part, i) => setPart(view, i * unitSize, part, dtype, file));
  if (byteOrder === "big") reverseUnits(bytes, unitSize);
  return bytes.some((byte) => byte !== 0) ? bytes : undefined;
}

/** Real and imaginary part. */
function pairOf(value: unknown, file: string): unknown[] {
  if (Array.isArray(value) && value.length === 2) return value;
  if (typeof value === "number") return [value, 0];
  if (typeof value === "string") return [value, 0];
  throw noFill(value, file);
}

function setPart(view: DataView, at: number, value: unknown, dtype: DType, file: string): void {
  const { kind, unitSize } = dtypeInfo(dtype);
  if (kind === "f" || kind === "c") return setFloat(view, at, value, unitSize, file);
  if (kind === "b") return view.setUint8(at, truthOf(value, file));
  const whole = wholeOf(value, file);
  const bits = BigInt(8 * unitSize);
  const fits = kind === "u" ? BigInt.asUintN(Number(bits), whole) : BigInt.asIntN(Number(bits), whole);
  if (fits !== whole) throw malformed(file, `its fill value ${whole} does not fit ${dtype}`);
  setBits(view, at, BigInt.asUintN(Number(bits), whole), unitSize);
}

function setBits(view: DataView, at: number, bits: bigint, size: number): void {
  for (let i = 0; i < size; i++) view.setUint8(at + i, Number(bits >> BigInt(8 * i) & 255n));
}

/** A float as a number, a word, its bits in hexadecimal digits, or its bytes in base64. */
function setFloat(view: DataView, at: number, value: unknown, size: number, file: string): void {
  if (typeof value === "string" && /^0x[0-9a-f]+$/i.test(value)) {
    if (value.length > 2 + 2 * size) throw noFill(value, file);
    return setBits(view, at, BigInt(value), size);
  }
  const number = floatOf(value);
  if (number === undefined) {
    const bytes = bytesOf(value, size);
    if (!bytes) throw noFill(value, file);
    return bytes.forEach((byte, i) => view.setUint8(at + i, byte));
  }
  if (size === 2) view.setFloat16(at, number, true);
  else if (size === 4) view.setFloat32(at, number, true);
  else view.setFloat64(at, number, true);
}

const WORDS: Readonly<Record<string, number>> = { NaN, Infinity, "-Infinity": -Infinity };

function floatOf(value: unknown): number | undefined {
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  if (typeof value !== "string") return undefined;
  return WORDS[value] ?? (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value) ? Number(value) : undefined);
}

function bytesOf(value: unknown, size: number): Uint8Array | undefined {
  if (typeof value !== "string" || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
  try {
    const text = atob(value);
    return text.length === size ? Uint8Array.from(text, (letter) => letter.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

function truthOf(value: unknown, file: string): number {
  if (value === true || value === 1 || value === "1") return 1;
  if (value === false || value === 0 || value === "0") return 0;
  throw noFill(value, file);
}

function wholeOf(value: unknown, file: string): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "string" && /^-?\d+$/.test(value)) return BigInt(value);
  throw noFill(value, file);
}

function noFill(value: unknown, file: string) {
  const found = typeof value === "bigint" ? String(value) : JSON.stringify(value);
  return malformed(file, `${found?.slice(0, 80)} is not a fill value for its samples`);
}

function malformed(file: string, problem: string) {
  return cannot("read", file, "malformed", problem);
}

/** What GDAL reads at the start of a text: a number, with a point or a comma, or a word such as nan. */
const NUMBER = /^\s*([-+]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+]?\d+)?)/i;
const NOT_FINITE = /^\s*([-+]?)(?:(inf|1\.#inf)|nan|1\.#(?:q|s)?nan|1\.#ind)/i;

/**
 * The value of GDAL's no-data text for samples of type `dtype`: where the type does not have it, the nearest that it has. Halves
 * are rounded away from zero, NaN of integers is 0, and so is what is not a number.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(["-9999", "1.5", "nan"].map((text) => noDataOf(text, "uint8")), [0n, 2n, 0n]);
 * assertEquals(noDataOf("-inf", "float32"), -Infinity);
 * ```
 */
export function noDataOf(text: string, dtype: DType): number | bigint {
  const { kind, unitSize } = dtypeInfo(dtype);
  const [, sign, isInfinite] = NOT_FINITE.exec(text) ?? [];
  const digits = (NUMBER.exec(text)?.[1] ?? "0").replace(",", ".");
  const value = sign === undefined ? Number(digits) : isInfinite ? Number(`${sign}Infinity`) : NaN;
  if (kind === "f" || kind === "c") return value;
  const bits = 8 * unitSize;
  const [least, most] = kind === "i"
    ? [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n]
    : [0n, (1n << BigInt(bits)) - 1n];
  if (Number.isNaN(value)) return 0n;
  if (!Number.isFinite(value)) return value < 0 ? least : most;
  const whole = /^[-+]?\d+$/.test(digits) ? BigInt(digits.replace("+", "")) : rounded(value);
  return whole < least ? least : whole > most ? most : whole;
}

function rounded(value: number): bigint {
  return BigInt(Math.sign(value) * Math.round(Math.abs(value)));
}
