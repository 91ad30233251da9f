/**
 * Sample types of Zarr arrays.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import type { FileType } from "../common/fill.ts";
import { malformed, unsupported } from "./json.ts";

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
 * The type that version 2 and filters write as NumPy does: by letters, or by its name. Without an order, numbers are those of
 * the machine, which is little-endian.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(numpyType(">c8", "a/.zarray"), { dtype: "complex64", byteOrder: "big" });
 * assertEquals(numpyType("int32", "a/.zarray"), numpyType("i4", "a/.zarray"));
 * ```
 */
export function numpyType(text: unknown, file: string): FileType {
  if (typeof text !== "string") throw notNumbers(file, "records of several fields");
  const [letters, encoding] = textType(text);
  if (encoding) throw notNumbers(file, `texts of up to ${letters} letters of ${encoding} ("${text}")`);
  if (DTYPES.has(text)) return { dtype: text as DType, byteOrder: "little" };
  if (text === "?") return { dtype: "bool", byteOrder: "little" };
  const [, order, kind, size] = /^([<>|=]?)([a-zA-Z])(\d*)(?:\[\w+\])?$/.exec(text) ?? [];
  if (!kind) throw malformed(file, `"${text}" is not a sample type`);
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

/** The type that version 3 names: by a text, or by an object with its name. */
export function namedType(type: unknown, file: string): DType {
  const name = typeof type === "string" ? type : (type as { name?: unknown } | null)?.name;
  if (typeof name === "string" && DTYPES.has(name)) return name as DType;
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
