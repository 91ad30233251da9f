/**
 * Sample types: their names (as in NumPy), sizes, typed arrays, and which type holds two of them.
 *
 * @module
 */

import { Float16 } from "../portable.ts";
import { TilewiseError } from "../errors.ts";
import { inWords } from "../options.ts";

/**
 * The typed arrays that hold samples, by dtype; complex samples lie as pairs of floats, re before im.
 * @category Arrays
 */
export interface ArrayTypes {
  /** One byte per truth value. */
  readonly bool: Uint8Array;
  /** Unsigned integers of one byte. */
  readonly uint8: Uint8Array;
  /** Signed integers of one byte. */
  readonly int8: Int8Array;
  /** Unsigned integers of two bytes. */
  readonly uint16: Uint16Array;
  /** Signed integers of two bytes. */
  readonly int16: Int16Array;
  /** Unsigned integers of four bytes. */
  readonly uint32: Uint32Array;
  /** Signed integers of four bytes. */
  readonly int32: Int32Array;
  /** Unsigned integers of eight bytes, as bigints. */
  readonly uint64: BigUint64Array;
  /** Signed integers of eight bytes, as bigints. */
  readonly int64: BigInt64Array;
  /** Floats of two bytes. */
  readonly float16: Float16Array;
  /** Floats of four bytes. */
  readonly float32: Float32Array;
  /** Floats of eight bytes. */
  readonly float64: Float64Array;
  /** Pairs of floats of four bytes. */
  readonly complex64: Float32Array;
  /** Pairs of floats of eight bytes. */
  readonly complex128: Float64Array;
}

/**
 * The name of a sample type, as NumPy writes it.
 * @category Arrays
 */
export type DType = keyof ArrayTypes;

/**
 * The typed array that holds samples of dtype `D`.
 * @category Arrays
 */
export type ArrayOf<D extends DType = DType> = ArrayTypes[D];

/**
 * The dtype that {@link dtypeOf} gives for a typed array: never `bool` or complex, which share classes with others.
 * @category Arrays
 */
export type DTypeOf<A extends TypedArray> = {
  readonly [D in Exclude<DType, "bool" | "complex64" | "complex128">]: A extends ArrayTypes[D] ? D : never;
}[Exclude<DType, "bool" | "complex64" | "complex128">];

/**
 * Byte order of samples in a file; memory is always little endian.
 * @category Arrays
 */
export type ByteOrder = "little" | "big";

/**
 * The kind of numbers of a dtype: truth values, unsigned or signed integers, floats, complex numbers (NumPy's `kind`).
 * @category Arrays
 */
export type DTypeKind = "b" | "u" | "i" | "f" | "c";

/**
 * Typed arrays that hold samples.
 * @category Arrays
 */
export type TypedArray = ArrayOf;

/**
 * The facts of one dtype.
 * @category Arrays
 */
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

/** The class of typed arrays of one dtype. */
interface ArrayClass<D extends DType> {
  new (length: number): ArrayOf<D>;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): ArrayOf<D>;
}

const TYPES: { readonly [D in DType]: readonly [kind: DTypeKind, itemSize: number, array: ArrayClass<D>] } = {
  bool: ["b", 1, Uint8Array],
  uint8: ["u", 1, Uint8Array],
  int8: ["i", 1, Int8Array],
  uint16: ["u", 2, Uint16Array],
  int16: ["i", 2, Int16Array],
  uint32: ["u", 4, Uint32Array],
  int32: ["i", 4, Int32Array],
  uint64: ["u", 8, BigUint64Array],
  int64: ["i", 8, BigInt64Array],
  float16: ["f", 2, Float16 ?? noFloat16()],
  float32: ["f", 4, Float32Array],
  float64: ["f", 8, Float64Array],
  complex64: ["c", 8, Float32Array],
  complex128: ["c", 16, Float64Array],
};

/**
 * Every dtype, in NumPy's order of promotion.
 * @category Arrays
 */
export const DTYPES: readonly DType[] = Object.keys(TYPES) as DType[];

const INFO = Object.fromEntries(DTYPES.map((dtype): [DType, DTypeInfo] => {
  const [kind, itemSize] = TYPES[dtype];
  const short = kind === "b" ? "u8" : `${kind}${8 * itemSize}`;
  return [dtype, { kind, itemSize, unitSize: kind === "c" ? itemSize / 2 : itemSize, short }];
})) as Readonly<Record<DType, DTypeInfo>>;

/**
 * The facts of a dtype.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(dtypeInfo("complex64").itemSize, 8);
 * ```
 * @category Arrays
 */
export function dtypeInfo(dtype: DType): DTypeInfo {
  return INFO[dtype] ?? unknownDType(dtype);
}

function unknownDType(dtype: unknown): never {
  const text = `There is no dtype ${inWords(dtype)}; known are ${DTYPES.join(", ")}`;
  throw new TilewiseError("invalid", text, { option: "dtype", found: inWords(dtype) });
}

/**
 * Whether samples are integers or truth values, which sums count exactly.
 * @category Arrays
 */
export function isExact(dtype: DType): boolean {
  return "bui".includes(dtypeInfo(dtype).kind);
}

/**
 * The dtype for a name as users and NumPy write it: `uint16`, `u2`, `<u2`, `u16`, `f4`. A byte-order mark is ignored, except
 * that it shows a NumPy name. `u8` and `i8` without a mark are refused: in NumPy they have 8 bytes, elsewhere 8 bits.
 *
 * @param name the name of a type
 * @returns the name that Tilewise uses
 * @throws {TilewiseError} `invalid` for names that no type has, with the nearest one
 *
 * @example
 * ```ts
 * import { parseDType } from "@tilewise/tilewise/arrays";
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals(["UInt16", ">u2", "u16", "<u8"].map(parseDType), ["uint16", "uint16", "uint16", "uint64"]);
 * assertThrows(() => parseDType("u8"), Error, "write uint8 or uint64");
 * ```
 * @category Arrays
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
 * @category Arrays
 */
export function typedArray<D extends DType>(
  dtype: D,
  buffer: ArrayBufferLike,
  byteOffset: number,
  length: number,
): ArrayOf<D> {
  return new (arrayClass(dtype))(buffer, byteOffset, length * unitsOf(dtype));
}

/**
 * A new typed array of `length` zero samples.
 *
 * @param dtype type of the samples
 * @param length number of samples; complex samples count once
 * @returns the array
 *
 * @example
 * ```ts
 * import { zeros } from "@tilewise/tilewise/arrays";
 * import { assertEquals } from "@std/assert";
 * assertEquals(zeros("complex64", 2), new Float32Array(4));
 * ```
 * @category Arrays
 */
export function zeros<D extends DType>(dtype: D, length: number): ArrayOf<D> {
  return new (arrayClass(dtype))(length * unitsOf(dtype));
}

/** The dtypes that do not share their class with one before them. */
const PLAIN = DTYPES.filter((dtype): dtype is DTypeOf<TypedArray> => !"bc".includes(INFO[dtype].kind));

/**
 * The dtype of a typed array by its class: never `bool` or complex, which share classes with others.
 *
 * @param array any typed array
 * @returns the name of its type
 *
 * @example
 * ```ts
 * import { dtypeOf } from "@tilewise/tilewise/arrays";
 * import { assertEquals } from "@std/assert";
 * assertEquals(dtypeOf(new Uint16Array(2)), "uint16");
 * ```
 * @category Arrays
 */
export function dtypeOf(array: TypedArray): DTypeOf<TypedArray> {
  const found = PLAIN.find((dtype) => isArrayOf(array, dtype));
  if (found) return found;
  throw new TilewiseError("invalid", `${inWords(array)} is not a typed array of samples`, {
    found: inWords(array),
  });
}

/** Stands for the class where there is none: making an array of it is an error. */
function noFloat16(): ArrayClass<"float16"> {
  return class {
    static readonly BYTES_PER_ELEMENT = 2;
    constructor() {
      const text =
        "Cannot make an array of float16: this platform has no Float16Array; it takes Node 24, Deno, " +
        "Chrome 135, Firefox 129 or Safari 18.2";
      throw new TilewiseError("unsupported", text, { expected: "Float16Array", found: "float16" });
    }
  } as unknown as ArrayClass<"float16">;
}

function arrayClass<D extends DType>(dtype: D): ArrayClass<D> {
  return TYPES[dtype]?.[2] ?? unknownDType(dtype);
}

/**
 * The smallest dtype that holds all, by NumPy's `result_type` rules for arrays. Of three and more, floats come first: int8 and uint16
 * alone are int32, which float32 does not hold, but float32 holds both.
 *
 * @example
 * ```ts
 * import { resultType } from "@tilewise/tilewise/unstable/arrays";
 * import { assertEquals } from "@std/assert";
 * assertEquals(resultType("float32", "uint16"), "float32");
 * assertEquals(resultType("float32", "uint32"), "float64");
 * assertEquals(resultType("bool", "int8"), "int8");
 * assertEquals(resultType("int8", "uint16", "float32"), "float32");
 * ```
 * @category Arrays
 */
export function resultType(first: DType, ...others: readonly DType[]): DType {
  const rank = (dtype: DType) => "cf".indexOf(dtypeInfo(dtype).kind) + 1 || 3;
  const [highest, ...rest] = [first, ...others].toSorted((a, b) => rank(a) - rank(b));
  return rest.reduce((found, dtype) => resultOfTwo(found, dtype), highest!);
}

function resultOfTwo(a: DType, b: DType): DType {
  if (a === b) return a;
  const [ia, ib] = [dtypeInfo(a), dtypeInfo(b)];
  const kinds = [ia.kind, ib.kind];
  if (kinds.includes("b")) return ia.kind === "b" ? b : a;
  if (kinds.includes("c")) return floatBytes(a, b) > 4 ? "complex128" : "complex64";
  if (kinds.includes("f")) return floatOfBytes(floatBytes(a, b));
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

function floatOfBytes(bytes: number): DType {
  return bytes <= 2 ? "float16" : bytes <= 4 ? "float32" : "float64";
}

/** The type for unsigned samples of `unsigned` bytes together with signed ones of `signed` bytes. */
function signedAbove(unsigned: number, signed: number): DType {
  const bytes = Math.max(2 * unsigned, signed);
  if (bytes > 8) return "float64";
  return bytes === 2 ? "int16" : bytes === 4 ? "int32" : "int64";
}

/**
 * Numbers that one value of `dtype` takes in a typed array.
 * @category Arrays
 */
export function unitsOf(dtype: DType): number {
  return isComplex(dtype) ? 2 : 1;
}

/** The type of the numbers that samples consist of: complex ones of two floats. */
export function unitType(dtype: DType): DType {
  return dtype === "complex64" ? "float32" : dtype === "complex128" ? "float64" : dtype;
}

/** Whether samples are pairs of floats: a real and an imaginary part. */
export function isComplex(dtype: DType): boolean {
  return dtypeInfo(dtype).kind === "c";
}

/** The type in which results are computed from samples: float32 where it holds all of them, else float64. */
export function floatOf(dtype: DType): "float32" | "float64" {
  return resultType(dtype, "float32") === "float32" ? "float32" : "float64";
}

/** The type of the numbers of which samples consist. */
export function partType(dtype: DType): DType {
  if (!isComplex(dtype)) return dtype;
  return dtype === "complex64" ? "float32" : "float64";
}

/**
 * Whether an array is of the class that holds samples of `dtype`.
 * @category Arrays
 */
export function isArrayOf<D extends DType>(array: unknown, dtype: D): array is ArrayOf<D> {
  return array instanceof arrayClass(dtype);
}
