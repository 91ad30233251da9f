/**
 * Datatypes of HDF5, and the sample types they stand for.
 *
 * @module
 */

import type { ByteOrder, DType } from "../../../space/dtype.ts";
import type { Cursor } from "./cursor.ts";

/** A datatype, as far as samples and attributes need it. */
export interface Hdf5Type {
  /** What it is. */
  readonly kind:
    | "integer"
    | "float"
    | "string"
    | "opaque"
    | "bitfield"
    | "compound"
    | "reference"
    | "enum"
    | "sequence"
    | "text"
    | "array"
    | "complex"
    | "time";
  /** Bytes of one element. */
  readonly size: number;
  /** Byte order of numbers. */
  readonly byteOrder: ByteOrder;
  /** Whether an integer has a sign. */
  readonly signed: boolean;
  /** Whether all bits of a number are used and floats are those of IEEE 754. */
  readonly plain: boolean;
  /** Of compounds: the members. */
  readonly members: readonly { readonly name: string; readonly offset: number; readonly type: Hdf5Type }[];
  /** Of enums: the names. */
  readonly names: readonly string[];
  /** Of arrays, enums, sequences and complex numbers: what they are made of. */
  readonly base?: Hdf5Type;
  /** Of arrays: their shape. */
  readonly shape: readonly number[];
}

/** How samples of a type are read: as this dtype, with more dimensions behind those of the data set. */
export interface SampleType {
  /** Type of a sample. */
  readonly dtype: DType;
  /** Byte order in the file. */
  readonly byteOrder: ByteOrder;
  /** Dimensions inside one element: of an array type, or the members of a compound that are all alike. */
  readonly inner: readonly number[];
}

const CLASSES = [
  "integer",
  "float",
  "time",
  "string",
  "bitfield",
  "opaque",
  "compound",
  "reference",
  "enum",
  "sequence",
  "array",
  "complex",
] as const;

/** Types inside types: deeper is not a type but noise. */
const MOST_LEVELS = 16;

/** The datatype at the cursor. */
export function readType(cursor: Cursor, level = 0): Hdf5Type {
  if (level > MOST_LEVELS) throw cursor.error("malformed", "datatypes are nested too deeply");
  const at = cursor.position;
  const first = cursor.u8();
  const [version, kind] = [first >> 4, CLASSES[first & 15]];
  const flags = cursor.uint(3);
  const size = cursor.u32();
  if (!kind || version < 1 || version > 5) {
    throw cursor.error(
      "unsupported",
      `the datatype of class ${first & 15}, version ${version} is unknown`,
      at,
    );
  }
  const type: Hdf5Type = {
    kind,
    size,
    byteOrder: flags & 1 ? "big" : "little",
    signed: false,
    plain: true,
    members: [],
    names: [],
    shape: [],
  };
  switch (kind) {
    case "integer":
      return { ...type, signed: (flags & 8) !== 0, plain: isWhole(cursor, flags, size) };
    case "bitfield":
      return { ...type, plain: isWhole(cursor, flags, size) };
    case "float":
      return { ...type, plain: isIeee(cursor, flags, size) };
    case "time":
      cursor.skip(2);
      return type;
    case "opaque":
      cursor.skip(flags & 255);
      return type;
    case "compound":
      return { ...type, members: members(cursor, version, flags & 0xffff, size, level) };
    case "enum":
      return { ...type, ...enumeration(cursor, version, flags & 0xffff, level) };
    case "sequence":
      return { ...type, kind: (flags & 15) === 1 ? "text" : "sequence", base: readType(cursor, level + 1) };
    case "array":
      return { ...type, ...arrayOf(cursor, version, level) };
    case "complex":
      return { ...type, base: readType(cursor, level + 1) };
    default:
      return type;
  }
}

/** Whether its bits are all there is; unsigned numbers may have zeros above them. */
function isWhole(cursor: Cursor, flags: number, size: number): boolean {
  const [offset, precision] = [cursor.u16(), cursor.u16()];
  const isPadded = (flags & (4 | 8)) === 0 && precision >= 1;
  return offset === 0 && (precision === 8 * size || (isPadded && precision < 8 * size));
}

/** Where exponent and mantissa lie in the floats of 2, 4 and 8 bytes. */
const IEEE: Readonly<Record<number, string>> = {
  2: "0 16 10 5 0 10 15",
  4: "0 32 23 8 0 23 127",
  8: "0 64 52 11 0 52 1023",
};

function isIeee(cursor: Cursor, flags: number, size: number): boolean {
  const fields = [
    cursor.u16(),
    cursor.u16(),
    cursor.u8(),
    cursor.u8(),
    cursor.u8(),
    cursor.u8(),
    cursor.u32(),
  ];
  const isVax = (flags & 0x40) !== 0;
  return !isVax && fields.join(" ") === IEEE[size];
}

function members(
  cursor: Cursor,
  version: number,
  count: number,
  size: number,
  level: number,
): Hdf5Type["members"] {
  return Array.from({ length: count }, () => {
    const start = cursor.position;
    const name = cursor.textToZero();
    if (version < 3) cursor.align8(start);
    const offset = version < 3 ? cursor.u32() : cursor.uint(bytesFor(size));
    if (version > 1) return { name, offset, type: readType(cursor, level + 1) };
    const rank = cursor.u8();
    cursor.skip(3 + 4 + 4);
    const shape = Array.from({ length: 4 }, () => cursor.u32()).slice(0, rank);
    const type = readType(cursor, level + 1);
    return { name, offset, type: rank === 0 ? type : { ...type, kind: "array" as const, base: type, shape } };
  });
}

/** Bytes that a number up to `most` takes. */
function bytesFor(most: number): number {
  return most < 2 ** 8 ? 1 : most < 2 ** 16 ? 2 : most < 2 ** 24 ? 3 : 4;
}

function enumeration(
  cursor: Cursor,
  version: number,
  count: number,
  level: number,
): Pick<Hdf5Type, "base" | "names" | "byteOrder" | "signed" | "plain"> {
  const base = readType(cursor, level + 1);
  const names = Array.from({ length: count }, () => {
    const start = cursor.position;
    const name = cursor.textToZero();
    if (version < 3) cursor.align8(start);
    return name;
  });
  cursor.skip(count * base.size);
  return { base, names, byteOrder: base.byteOrder, signed: base.signed, plain: base.plain };
}

function arrayOf(cursor: Cursor, version: number, level: number): Pick<Hdf5Type, "base" | "shape"> {
  const rank = cursor.u8();
  if (version < 3) cursor.skip(3);
  const shape = Array.from({ length: rank }, () => cursor.u32());
  if (version < 3) cursor.skip(4 * rank); // permutations, which are never used
  return { shape, base: readType(cursor, level + 1) };
}

/** What elements of `type` are, in words. */
export function typeWords({ kind, size, plain, base, shape }: Hdf5Type): string {
  switch (kind) {
    case "integer":
    case "bitfield":
    case "enum":
      return plain
        ? `whole numbers of ${size} bytes`
        : `whole numbers with fewer bits than their ${size} bytes have`;
    case "float":
      return `floats of ${size} bytes${plain && size <= 8 ? "" : " in a form that is not IEEE 754"}`;
    case "complex":
      return `complex numbers of ${base ? typeWords(base) : "something"}`;
    case "array":
      return `arrays of ${shape.join(" × ")} ${base ? typeWords(base) : "somethings"}`;
    case "compound":
      return "records with members of different types";
    case "string":
    case "text":
      return "texts";
    case "sequence":
      return "lists of any length";
    default:
      return kind === "opaque" ? "opaque bytes" : `${kind}s`;
  }
}

/** How samples of `type` are read; `undefined` for what is not a number. */
export function sampleType(type: Hdf5Type): SampleType | undefined {
  if (type.kind === "array" && type.base) {
    const base = sampleType(type.base);
    return base && { ...base, inner: [...type.shape, ...base.inner] };
  }
  if (type.kind === "compound") return compoundSample(type);
  if (type.kind === "complex" && type.base) return complexSample(sampleType(type.base));
  const dtype = numberType(type);
  return dtype && { dtype, byteOrder: type.byteOrder, inner: [] };
}

function numberType(type: Hdf5Type): DType | undefined {
  const { kind, size, signed, plain, names } = type;
  if (!plain) return undefined;
  if (kind === "float" && [2, 4, 8].includes(size)) return `float${8 * size}` as DType;
  if (!["integer", "bitfield", "enum"].includes(kind) || ![1, 2, 4, 8].includes(size)) return undefined;
  if (kind === "enum" && size === 1 && names.join() === "FALSE,TRUE") return "bool";
  return `${signed ? "" : "u"}int${8 * size}` as DType;
}

function complexSample(part: SampleType | undefined): SampleType | undefined {
  if (part?.inner.length !== 0) return undefined;
  if (part.dtype === "float32") return { ...part, dtype: "complex64" };
  return part.dtype === "float64" ? { ...part, dtype: "complex128" } : undefined;
}

/** Two floats are a complex number; members that are all alike, such as red, green, blue, are one dimension more. */
function compoundSample({ members, size }: Hdf5Type): SampleType | undefined {
  const first = members[0] && sampleType(members[0].type);
  if (!first || first.inner.length > 0) return undefined;
  const step = members[0]!.type.size;
  const isDense = members.every(({ type, offset }, i) => {
    const { dtype, byteOrder, inner } = sampleType(type) ?? {};
    return offset === i * step && dtype === first.dtype && byteOrder === first.byteOrder &&
      inner!.length === 0;
  });
  if (!isDense || size !== step * members.length) return undefined;
  const names = members.map(({ name }) => name.toLowerCase()[0]).join("");
  const complex = names === "ri" ? complexSample(first) : undefined;
  return complex ?? { ...first, inner: [members.length] };
}
