/**
 * Records of casacore: named values of keywords, which may be arrays, other records, and references to tables.
 *
 * ```
 * "TableRecord"  description "RecordDesc" · kind₃₂ · values in the order of the description
 * "RecordDesc"   count₃₂ · for each: name, type₃₂, (its own description | shape | kind of table), comment
 * ```
 * A record of which the description says nothing is an object of its own; the others are values only.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { DType } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import type { AipsIo } from "./aips_io.ts";

/** Numbers of types that need code of their own. */
export const TYPE = { bool: 0, text: 11, table: 12, record: 25 } as const;

/** Types of numbers; a `bool` is one bit in storage managers, and one byte in headers. */
const NUMBERS: Readonly<Record<number, DType>> = {
  0: "bool",
  1: "int8",
  2: "uint8",
  3: "int16",
  4: "uint16",
  5: "int32",
  6: "uint32",
  7: "float32",
  8: "float64",
  9: "complex64",
  10: "complex128",
  29: "int64",
};

/** Types of arrays in records, and the types of their values. */
const ARRAYS: Readonly<Record<number, number>> = {
  13: 0,
  14: 1,
  15: 2,
  16: 3,
  17: 4,
  18: 5,
  19: 6,
  20: 7,
  21: 8,
  22: 9,
  23: 10,
  24: TYPE.text,
  30: 29,
};

/** The sample type of numbers; `undefined` for texts, tables and records. */
export function dtypeOfType(type: number): DType | undefined {
  return NUMBERS[type];
}

/** The type of the values of an array in a record; `undefined` if `type` is not that of an array. */
function elementType(type: number): number | undefined {
  return ARRAYS[type];
}

/** A table that a keyword refers to. */
export interface TableReference {
  /** Path of its folder as written; `././NAME` is in the folder of the table itself. */
  readonly table: string;
}

/** Arrays of more than one dimension: values in C order. */
interface RecordArray {
  /** Sizes, the slowest dimension first. */
  readonly shape: readonly number[];
  /** The values. */
  readonly values: readonly (boolean | number | string | readonly [number, number])[];
}

/** A value: arrays of one dimension are lists, complex numbers pairs. */
export type RecordValue =
  | boolean
  | number
  | string
  | readonly [number, number]
  | RecordArray["values"]
  | RecordArray
  | TableReference
  | KeywordRecord;

/** Values by name. */
export interface KeywordRecord {
  readonly [name: string]: RecordValue;
}

interface Field {
  readonly name: string;
  readonly type: number;
  readonly inner?: readonly Field[];
}

/** Reads a record. */
export function readRecord(io: AipsIo, type: "TableRecord" | "Record" = "TableRecord"): KeywordRecord {
  const found = io.nextType();
  if (/KeywordSet$/.test(found)) {
    throw io.error("unsupported", `keywords are stored as ${found}, as before 1996; save the table anew`);
  }
  return io.object(type, 1, () => {
    const fields = readFields(io);
    io.i32();
    return readValues(io, fields, type);
  });
}

function readFields(io: AipsIo): Field[] {
  return io.object("RecordDesc", 2, (version) =>
    Array.from({ length: io.many(8) }, () => {
      const [name, type] = [io.text(), io.i32()];
      const inner = type === TYPE.record ? readFields(io) : undefined;
      if (type === TYPE.table) io.text();
      else if (elementType(type) !== undefined) io.shape();
      if (version > 1) io.text();
      return { name, type, ...defined({ inner }) };
    }));
}

function readValues(io: AipsIo, fields: readonly Field[], type: "TableRecord" | "Record"): KeywordRecord {
  return Object.fromEntries(fields.map((field) => [field.name, readValue(io, field, type)]));
}

function readValue(
  io: AipsIo,
  { name, type, inner }: Field,
  record: "TableRecord" | "Record",
): RecordValue {
  if (inner) return inner.length === 0 ? readRecord(io, record) : readValues(io, inner, record);
  if (type === TYPE.table) return { table: io.text() };
  const element = elementType(type);
  if (element !== undefined) return readArray(io, element);
  return readScalar(io, type, `the keyword ${name}`);
}

/** Reads one value of a type. */
export function readScalar(
  io: AipsIo,
  type: number,
  what: string,
): boolean | number | string | readonly [number, number] {
  if (type === TYPE.bool) return io.bool();
  if (type === TYPE.text) return io.text();
  const dtype = dtypeOfType(type);
  if (!dtype) throw io.error("unsupported", `${what} has the unknown type ${type}`);
  return io.number(dtype);
}

function readArray(io: AipsIo, type: number): RecordValue {
  const name = io.nextType();
  return io.object(/^Array</.test(name) ? name : "Array", 3, (version) => { // old files have the type in the name
    const dims = io.many(4);
    if (version < 3) { for (let d = 0; d < dims; d++) io.i32(); } // the first index of each dimension
    const shape = Array.from({ length: dims }, () => io.u32()).reverse();
    const count = type === TYPE.bool ? io.u32() : io.many(1);
    if (count !== sizeOf(shape) && !(dims === 0 && count === 0)) {
      throw io.error("malformed", `an array has ${count} values, its shape ${shape.join(" × ")}`);
    }
    const values = type === TYPE.bool
      ? readBits(io, count)
      : Array.from({ length: count }, () => readScalar(io, type, "an array"));
    return dims <= 1 ? values : { shape, values };
  });
}

/** Truth values, eight in a byte, the first in the lowest bit. */
function readBits(io: AipsIo, count: number): boolean[] {
  const bytes = io.raw(Math.ceil(count / 8));
  return Array.from({ length: count }, (_, i) => (bytes[i >> 3]! >> (i & 7) & 1) === 1);
}
