/**
 * Stores of version 3 with several arrays: groups, arrays whose chunks are written elsewhere, and small arrays of one chunk.
 *
 * @module
 */

import { bytesOf } from "../../space/bytes.ts";
import { type DType, dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import type { ChosenCodec } from "../chunks/chunk_options.ts";
import { arrayJson, groupJson, jsonText, type ZarrArray, type ZarrAttributes } from "./metadata.ts";

/** A group, or an array. */
export interface ZarrNode {
  /** Its path in the store; empty for the root. */
  readonly path: string;
  /** Its document. */
  readonly document: object;
  /** All samples of a small array, little-endian. */
  readonly bytes?: Uint8Array;
}

/** Chunks that are stored as they are. */
export const NOT_PACKED: ChosenCodec = { name: "none", level: 0 };

/** A group. */
export function group(path: string, attributes: ZarrAttributes): ZarrNode {
  return { path, document: groupJson(attributes) };
}

/** An array whose chunks are not in its node. */
export function chunkedArray(path: string, array: ZarrArray): ZarrNode {
  return { path, document: arrayJson(array) };
}

/** An array of numbers, by default a list of them. */
export function numbers(
  path: string,
  dtype: DType,
  data: TypedArray,
  names: readonly string[],
  attributes: ZarrAttributes = {},
  shape: Shape = [data.byteLength / dtypeInfo(dtype).itemSize],
): ZarrNode {
  const document = arrayJson({ shape, dtype, chunk: shape, codec: NOT_PACKED, names, attributes });
  return { path, document, bytes: bytesOf(data) };
}

/** Texts, each in as many letters (UTF-32) as the longest has; by default a list of them. */
export function texts(
  path: string,
  values: readonly string[],
  names: readonly string[],
  attributes: ZarrAttributes = {},
  shape: Shape = [values.length],
): ZarrNode {
  const letters = new Map<string, number[]>(); // many are the same
  let most = 1;
  for (const value of values) {
    if (letters.has(value)) continue;
    const own = Array.from(value, (letter) => letter.codePointAt(0)!);
    letters.set(value, own);
    most = Math.max(most, own.length);
  }
  const codes = new Uint32Array(values.length * most);
  values.forEach((value, i) => codes.set(letters.get(value)!, i * most));
  const { document } = numbers(path, "uint32", codes, names, attributes, shape);
  const data_type = { name: "fixed_length_utf32", configuration: { length_bytes: 4 * most } };
  return { path, document: { ...document, data_type, fill_value: "" }, bytes: new Uint8Array(codes.buffer) };
}

/** A file of a store. */
export type StoreFile = readonly [path: string, content: string | Uint8Array];

/**
 * The files of nodes, but the chunks of chunked arrays: path and content. The document of the root has all others in it, so that
 * a store is opened by one read.
 */
export function storeFiles(nodes: readonly ZarrNode[]): StoreFile[] {
  const below = nodes.filter(({ path }) => path !== "");
  const metadata = Object.fromEntries(below.map(({ path, document }) => [path, document]));
  const consolidated_metadata = { kind: "inline", must_understand: false, metadata };
  return nodes.flatMap(({ path, document, bytes }): StoreFile[] => {
    if (path === "") return [["zarr.json", jsonText({ ...document, consolidated_metadata })]];
    const { shape = [] } = document as { readonly shape?: Shape };
    const chunk = [path, "c", ...shape.map(() => 0)].join("/");
    return [
      [`${path}/zarr.json`, jsonText(document)],
      ...(bytes && sizeOf(shape) > 0 ? [[chunk, bytes] as const] : []),
    ];
  });
}
