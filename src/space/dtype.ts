/**
 * Sample types: their names (as in NumPy), sizes, typed arrays, and which type holds two of them.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { inWords } from "../options.ts";

/** The name of a sample type, as NumPy writes it. */
export type DType =
  | "bool"
  | "uint8"
  | "int8"
  | "uint16"
  | "int16"
  | "uint32"
  | "int32"
  | "uint64"
  | "int64"
  | "float16"
  | "float32"
  | "float64"
  | "complex64"
  | "complex128";

/** Byte order of samples in a file; memory is always little endian. */
export type ByteOrder = "little" | "big";

/** What a dtype counts in: truth values, unsigned or signed integers, floats, complex numbers (NumPy's `kind`). */
export type DTypeKind = "b" | "u" | "i" | "f" | "c";

/** Typed arrays that hold samples; complex samples lie as pairs of floats, re before im. */
export type TypedArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigUint64Array
  | BigInt64Array
  | Float16Array
  | Float32Array
  | Float64Array;

/** The facts of one dtype. */
export interface DTypeInfo {
  /** NumPy's kind letter. */
  readonly kind: DTypeKind;
  /** Bytes of one sample. */
  readonly itemSize: number;
  /** Bytes that byte order acts on: `itemSize`, or half of it for complex samples. */
  readonly unitSize: number;
  /** The letter that kernel names use, where kernels exist for this dtype. */
  readonly short: string;
}

const INFO: Readonly<Record<DType, DTypeInfo>> = {
  bool: { kind: "b", itemSize: 1, unitSize: 1, short: "u8" },
  uint8: { kind: "u", itemSize: 1, unitSize: 1, short: "u8" },
  int8: { kind: "i", itemSize: 1, unitSize: 1, short: "i8" },
  uint16: { kind: "u", itemSize: 2, unitSize: 2, short: "u16" },
  int16: { kind: "i", itemSize: 2, unitSize: 2, short: "i16" },
  uint32: { kind: "u", itemSize: 4, unitSize: 4, short: "u32" },
  int32: { kind: "i", itemSize: 4, unitSize: 4, short: "i32" },
  uint64: { kind: "u", itemSize: 8, unitSize: 8, short: "u64" },
  int64: { kind: "i", itemSize: 8, unitSize: 8, short: "i64" },
  float16: { kind: "f", itemSize: 2, unitSize: 2, short: "f16" },
  float32: { kind: "f", itemSize: 4, unitSize: 4, short: "f32" },
  float64: { kind: "f", itemSize: 8, unitSize: 8, short: "f64" },
  complex64: { kind: "c", itemSize: 8, unitSize: 4, short: "c64" },
  complex128: { kind: "c", itemSize: 16, unitSize: 8, short: "c128" },
};

/** Every dtype, in NumPy's order of promotion. */
export const DTYPES: readonly DType[] = Object.keys(INFO) as DType[];

/**
 * The facts of a dtype.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(dtypeInfo("complex64").itemSize, 8);
 * ```
 */
export function dtypeInfo(dtype: DType): DTypeInfo {
  return INFO[dtype] ?? unknownDType(dtype);
}

function unknownDType(dtype: unknown): never {
  const text = `There is no dtype ${inWords(dtype)}; known are ${DTYPES.join(", ")}`;
  throw new TilewiseError("invalid", text, { option: "dtype", found: inWords(dtype) });
}

/** Whether samples are integers or truth values, which sums count exactly. */
export function isExact(dtype: DType): boolean {
  return "bui".includes(dtypeInfo(dtype).kind);
}

/**
 * The dtype of a name as people and NumPy write it: `uint16`, `u2`, `<u2`, `u16`, `f4`. A byte-order mark is ignored,
 * but says that NumPy wrote the name. `u8` and `i8` without one are refused: to NumPy they have 8 bytes, to others 8 bits.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals(["UInt16", ">u2", "u16", "<u8"].map(parseDType), ["uint16", "uint16", "uint16", "uint64"]);
 * assertThrows(() => parseDType("u8"), Error, "write uint8 or uint64");
 * ```
 */
export function parseDType(name: string): DType {
  const [, mark, plain] = /^([<>|=]?)(.*)$/s.exec(name.trim())!;
  const numpy = DTYPES.find((dtype) => typeString(dtype) === plain) ?? (plain === "?" ? "bool" : undefined);
  const named = DTYPES.find((dtype) => dtype === plain!.toLowerCase());
  const short = DTYPES.find((dtype) => dtype !== "bool" && INFO[dtype].short === plain!.toLowerCase());
  const found = mark ? numpy : named ?? numpy ?? short;
  const ambiguous = !mark && !named && numpy && short && numpy !== short;
  if (found && !ambiguous) return found;
  const hint = ambiguous ? `write ${short} or ${numpy}` : `known are ${DTYPES.join(", ")}`;
  throw new TilewiseError("invalid", `Unknown dtype "${name}"; ${hint}`, { found: name });
}

/** Kind and bytes, as NumPy writes a dtype into files; unlike names, these know upper case (`U2` is text). */
function typeString(dtype: DType): string {
  const { kind, itemSize } = INFO[dtype];
  return `${kind}${itemSize}`;
}

/**
 * A typed array over `length` samples of `buffer` (for complex samples: twice as many floats).
 * A `bool` is a byte.
 */
export function typedArray(
  dtype: DType,
  buffer: ArrayBufferLike,
  byteOffset: number,
  length: number,
): TypedArray {
  const units = dtypeInfo(dtype).kind === "c" ? 2 * length : length;
  return new (arrayClass(dtype))(buffer as ArrayBuffer, byteOffset, units);
}

/** A new typed array of `length` zero samples. */
export function zeros(dtype: DType, length: number): TypedArray {
  const units = dtypeInfo(dtype).kind === "c" ? 2 * length : length;
  return new (arrayClass(dtype))(units);
}

/** The dtype of a typed array by its class: never `bool` or complex, which share classes with others. */
export function dtypeOf(array: TypedArray): DType {
  if (array instanceof Uint8Array) return "uint8";
  if (array instanceof Int8Array) return "int8";
  if (array instanceof Uint16Array) return "uint16";
  if (array instanceof Int16Array) return "int16";
  if (array instanceof Uint32Array) return "uint32";
  if (array instanceof Int32Array) return "int32";
  if (array instanceof Float32Array) return "float32";
  if (array instanceof Float64Array) return "float64";
  if (array instanceof BigInt64Array) return "int64";
  if (array instanceof BigUint64Array) return "uint64";
  if (array instanceof Float16Array) return "float16";
  throw new TilewiseError("invalid", `${inWords(array)} is no typed array of samples`, {
    found: inWords(array),
  });
}

function arrayClass(dtype: DType) {
  switch (dtype) {
    case "bool":
    case "uint8":
      return Uint8Array;
    case "int8":
      return Int8Array;
    case "uint16":
      return Uint16Array;
    case "int16":
      return Int16Array;
    case "uint32":
      return Uint32Array;
    case "int32":
      return Int32Array;
    case "uint64":
      return BigUint64Array;
    case "int64":
      return BigInt64Array;
    case "float16":
      return Float16Array;
    case "float32":
    case "complex64":
      return Float32Array;
    case "float64":
    case "complex128":
      return Float64Array;
  }
}

/**
 * The smallest dtype that holds both, by NumPy's `result_type` rules for arrays.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(resultType("float32", "uint16"), "float32");
 * assertEquals(resultType("float32", "uint32"), "float64");
 * assertEquals(resultType("bool", "int8"), "int8");
 * ```
 */
export function resultType(a: DType, b: DType): DType {
  if (a === b) return a;
  const [ia, ib] = [dtypeInfo(a), dtypeInfo(b)];
  const kinds = [ia.kind, ib.kind];
  if (kinds.includes("b")) return ia.kind === "b" ? b : a;
  if (kinds.includes("c")) return floatBytes(a, b) > 4 ? "complex128" : "complex64";
  if (kinds.includes("f")) return floatOf(floatBytes(a, b));
  if (ia.kind === ib.kind) return ia.itemSize >= ib.itemSize ? a : b;
  return signedAbove(
    ia.kind === "u" ? ia.itemSize : ib.itemSize,
    ia.kind === "u" ? ib.itemSize : ia.itemSize,
  );
}

/** Bytes of the float that holds every value (or nearly: 64-bit integers) of both dtypes. */
function floatBytes(a: DType, b: DType): number {
  return Math.max(...[a, b].map((dtype) => {
    const { kind, itemSize } = INFO[dtype];
    if (kind === "f") return itemSize;
    if (kind === "c") return itemSize / 2;
    return Math.min(8, 2 * itemSize);
  }));
}

function floatOf(bytes: number): DType {
  return bytes <= 2 ? "float16" : bytes <= 4 ? "float32" : "float64";
}

/** The type for unsigned samples of `unsigned` bytes together with signed ones of `signed` bytes. */
function signedAbove(unsigned: number, signed: number): DType {
  const bytes = Math.max(2 * unsigned, signed);
  if (bytes > 8) return "float64";
  return bytes === 2 ? "int16" : bytes === 4 ? "int32" : "int64";
}

/** Numbers that one value of `dtype` takes in a typed array. */
export function unitsOf(dtype: DType): number {
  return dtypeInfo(dtype).kind === "c" ? 2 : 1;
}
