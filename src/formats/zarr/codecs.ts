/**
 * The sample types and codecs of Zarr by their names; codecs as filters of chunks.
 *
 * @module
 */

import { FILTER_NAMES } from "../../codecs/filters/registry.ts";
import type { ChunkFilterSpec } from "../../dataset/layout/chunks.ts";
import { type DType, dtypeInfo, DTYPES } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import type { FileType } from "../common/fill.ts";
import { type Json, malformed, unsupported } from "./json.ts";

const KINDS: Readonly<Record<string, string>> = { u: "uint", i: "int", f: "float", c: "complex" };

const KNOWN: ReadonlySet<string> = new Set(DTYPES);

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
  if (KNOWN.has(text)) return { dtype: text as DType, byteOrder: "little" };
  if (text === "?") return { dtype: "bool", byteOrder: "little" };
  const [, order, kind, size] = /^([<>|=]?)([a-zA-Z])(\d*)(?:\[\w+\])?$/.exec(text) ?? [];
  if (!kind) throw malformed(file, `"${text}" is not a sample type`);
  const bytes = Number(size);
  const name = kind === "b" && bytes === 1 ? "bool" : `${KINDS[kind] ?? kind}${8 * bytes}`;
  if (!KNOWN.has(name)) throw notNumbers(file, `"${text}"`);
  return { dtype: name as DType, byteOrder: order === ">" && bytes > 1 ? "big" : "little" };
}

/** The type of samples, and the dimension inside of an element: records of red, green, blue (and opacity) have one. */
export function elementType(
  dtype: unknown,
  file: string,
): { readonly type: FileType; readonly inner: Shape } {
  const fields: unknown[][] = Array.isArray(dtype) ? dtype.filter(Array.isArray) : [];
  const isColour = /^RGBA?$/.test(fields.map(([name]) => name).join("")) &&
    fields.every(([, type]) => type === fields[0]![1]);
  return isColour
    ? { type: numpyType(fields[0]![1], file), inner: [fields.length] }
    : { type: numpyType(dtype, file), inner: [] };
}

/** How many letters texts of a fixed size have, and how they are stored. */
function textType(text: string): [letters: number, encoding: string] | [] {
  const [, kind, letters] = /^[<>|=]?([USa])(\d+)$/.exec(text) ?? [];
  return kind === undefined ? [] : [Number(letters), kind === "U" ? "UCS-4" : "one byte"];
}

/** The type that version 3 names: by a text, or by an object with its name. */
export function namedType(type: unknown, file: string): DType {
  const name = typeof type === "string" ? type : (type as { name?: unknown } | null)?.name;
  if (typeof name === "string" && KNOWN.has(name)) return name as DType;
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

/** A codec as both versions write it. */
export interface Codec {
  /** Its name, without `numcodecs.` in front. */
  readonly name: string;
  /** Its name as it is written. */
  readonly written: string;
  /** Its parameters. */
  readonly json: Json;
}

/** Codecs whose filter needs only the name. */
const PLAIN: Readonly<Record<string, string>> = {
  blosc: "Blosc",
  zstd: "Zstandard",
  gzip: "gzip",
  zlib: "deflate",
  lz4: "LZ4",
  bz2: "bzip2",
  lzma: "lzma",
  fletcher32: "Fletcher32",
};

/** Checksums, and where they are unless the codec says so: 1 at the end, 0 at the start. */
const SUMS: Readonly<Record<string, 0 | 1>> = { crc32c: 1, crc32: 0, adler32: 0 };

/** A codec from bytes to bytes as a filter. */
export function bytesFilter({ name, written, json }: Codec, file: string): ChunkFilterSpec {
  if (name in SUMS) {
    const location = json["location"];
    const atEnd = location === "end" ? 1 : location === "start" ? 0 : SUMS[name]!;
    return known({ name, values: [atEnd] }, written, file);
  }
  if (name === "shuffle") {
    const size = json["elementsize"];
    return { name, values: [typeof size === "number" && size > 0 ? size : 4] };
  }
  const filter = PLAIN[name];
  if (filter === undefined) throw unknownCodec(written, file);
  const values = name === "lzma" ? lzmaValues(json, file) : [];
  return known({ name: filter, values }, written, file);
}

/** Raw LZMA has its parameters outside: those are not read. */
function lzmaValues(json: Json, file: string): number[] {
  const { format = 1 } = json;
  if (format === 1 || format === 2 || format === 0) return [];
  throw unsupported(file, `its codec lzma has the format ${JSON.stringify(format)}; xz and lzma are read`);
}

function known(filter: ChunkFilterSpec, codec: string, file: string): ChunkFilterSpec {
  if (FILTER_NAMES.includes(filter.name)) return filter;
  throw unknownCodec(codec, file);
}

/** The error for a codec that is not read. */
export function unknownCodec(name: string, file: string) {
  const text = `its codec ${name} is unsupported; ${Object.keys(PLAIN).join(", ")} and others are read`;
  return unsupported(file, text, name);
}

/** Codecs that change numbers, and stay arrays. */
const NUMBERS = new Set(["delta", "fixedscaleoffset", "quantize", "astype", "packbits", "bitround"]);

/** Whether a codec changes numbers. */
export function isOfNumbers(name: string): boolean {
  return NUMBERS.has(name);
}

/** A codec that changes numbers: its filters, and the type of the numbers that it stores. */
interface NumberFilter {
  /** In the order in which they were applied. */
  readonly filters: readonly ChunkFilterSpec[];
  /** Type of the stored numbers. */
  readonly stored: FileType;
  /** Type of the numbers that come out, as the codec says it; absent: as it was given. */
  readonly own?: FileType;
}

/** The filter of a codec of numbers, of which `decoded` come out. Its numbers are little-endian. */
export function numberFilter({ name, json }: Codec, decoded: FileType, file: string): NumberFilter {
  const typeIn = (key: string, otherwise: FileType) =>
    json[key] === undefined || json[key] === null ? otherwise : numpyType(json[key], file);
  switch (name) {
    case "bitround": // rounded floats stay as they are
      return { filters: [], stored: decoded };
    case "packbits":
      return {
        filters: [{ name: "packbits-bool", values: [] }],
        stored: { dtype: "uint8", byteOrder: "little" },
      };
    case "delta": {
      const own = typeIn("dtype", decoded), stored = typeIn("astype", own);
      const values = typeValues(own.dtype, file);
      const widened = own.dtype === stored.dtype ? [] : [cast(stored.dtype, own.dtype, file)];
      return { filters: [{ name: "delta", values }, ...widened], stored, own };
    }
    case "astype": {
      const own = typeIn("decode_dtype", decoded), stored = typeIn("encode_dtype", own);
      return { filters: [cast(stored.dtype, own.dtype, file)], stored, own };
    }
    case "quantize": {
      const own = typeIn("dtype", decoded), stored = typeIn("astype", own);
      const values = [...typeValues(stored.dtype, file), ...typeValues(own.dtype, file)];
      return { filters: [{ name, values }], stored, own };
    }
    default: {
      const own = typeIn("dtype", decoded), stored = typeIn("astype", own);
      const [offset, scale] = [json["offset"] ?? 0, json["scale"] ?? 1];
      if (typeof offset !== "number" || typeof scale !== "number") throw unknownCodec(name, file);
      const values = [offset, scale, ...typeValues(stored.dtype, file), ...typeValues(own.dtype, file)];
      return { filters: [{ name: "fixed-scale-offset", values }], stored, own };
    }
  }
}

function cast(from: DType, to: DType, file: string): ChunkFilterSpec {
  return { name: "astype", values: [...typeValues(from, file), ...typeValues(to, file)] };
}

/** A type as two values of a filter: bytes and kind. */
function typeValues(dtype: DType, file: string): [number, number] {
  const { kind, itemSize } = dtypeInfo(dtype);
  const place = ["u", "i", "f", "b"].indexOf(kind);
  if (place < 0) throw unsupported(file, `it has filters for ${dtype}`, dtype);
  return [itemSize, place];
}

/** Reverses the bytes of numbers that are stored big-endian. */
export function swapOf(dtype: DType): ChunkFilterSpec {
  return { name: "swap", values: [dtypeInfo(dtype).unitSize] };
}

/** The filter for an order of dimensions: stored dimension `i` is dimension `order[i]` of a chunk of `shape`. */
export function transposeOf(
  shape: readonly number[],
  order: readonly number[],
  itemSize: number,
): ChunkFilterSpec | undefined {
  if (order.every((d, i) => d === i)) return undefined;
  const stored = order.map((d) => shape[d]!);
  return { name: "transpose", values: [itemSize, shape.length, ...stored, ...order] };
}
