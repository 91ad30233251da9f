/**
 * Sample types and fill values of Zarr arrays.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import { malformed, unsupported } from "./json.ts";

/** A sample type in a file. */
export interface FileType {
  /** The type of decoded samples. */
  readonly dtype: DType;
  /** The byte order of stored samples. */
  readonly byteOrder: ByteOrder;
}

const KINDS: Readonly<Record<string, string>> = { u: "uint", i: "int", f: "float", c: "complex" };

const DTYPES: ReadonlySet<string> = new Set<DType>([
  "bool",
  "uint8",
  "int8",
  "uint16",
  "int16",
  "uint32",
  "int32",
  "uint64",
  "int64",
  "float16",
  "float32",
  "float64",
  "complex64",
  "complex128",
]);

/**
 * The type that version 2 writes as NumPy does.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(numpyType(">c8", "a/.zarray"), { dtype: "complex64", byteOrder: "big" });
 * ```
 */
export function numpyType(text: unknown, file: string): FileType {
  if (typeof text !== "string") throw notNumbers(file, "records of several fields");
  const [letters, encoding] = textType(text);
  if (encoding) throw notNumbers(file, `texts of up to ${letters} letters of ${encoding} ("${text}")`);
  const [, order, kind, size] = /^([<>|=])([a-zA-Z])(\d*)(?:\[\w+\])?$/.exec(text) ?? [];
  if (!kind) throw malformed(file, `"${text}" is no sample type`);
  const bytes = Number(size);
  const name = kind === "b" && bytes === 1 ? "bool" : `${KINDS[kind] ?? kind}${8 * bytes}`;
  if (!DTYPES.has(name)) throw notNumbers(file, `"${text}"`);
  return { dtype: name as DType, byteOrder: order === ">" && bytes > 1 ? "big" : "little" };
}

/** How many letters texts of a fixed size have, and how they are stored. */
function textType(text: string): [letters: number, encoding: string] | [] {
  const [, kind, letters] = /^[<>|=]?([USa])(\d+)$/.exec(text) ?? [];
  return kind === undefined ? [] : [Number(letters), kind === "U" ? "UCS-4" : "one byte"];
}

/** The type that version 3 names. */
export function namedType(text: unknown, file: string): DType {
  if (typeof text === "string" && DTYPES.has(text)) return text as DType;
  const name = typeof text === "string" ? text : (text as { name?: unknown } | null)?.name;
  if (typeof name !== "string") throw malformed(file, "it says no sample type");
  throw notNumbers(file, `"${name}"`);
}

function notNumbers(file: string, found: string) {
  const text = `its samples are ${found}; bool, integers of 8 to 64 bits, floats of 16, 32 and 64 bits and ` +
    "complex numbers of 64 and 128 bits are read";
  return unsupported(file, text, NO_NUMBERS);
}

/** What errors about arrays of texts, records and the like have found. */
export const NO_NUMBERS = "no numbers";

/** The bytes of a sample with the fill value; `undefined`: zeros. */
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
  if (byteOrder === "big") {
    for (let at = 0; at < itemSize; at += unitSize) bytes.subarray(at, at + unitSize).reverse();
  }
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
  return malformed(file, `${found?.slice(0, 80)} is no fill value for its samples`);
}
