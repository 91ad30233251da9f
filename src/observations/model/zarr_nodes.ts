/**
 * Groups and small arrays of Zarr, version 3, as documents and bytes.
 *
 * @module
 */

import { type DType, dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";

/** Attributes of a group or array. */
export type Attributes = Readonly<Record<string, unknown>>;

/** A group, or an array with all of its samples in one chunk. */
export interface ZarrNode {
  /** Its path in the store; empty for the root. */
  readonly path: string;
  /** Its document. */
  readonly document: object;
  /** The samples, little-endian; absent for groups, and for arrays that are written in chunks of their own. */
  readonly chunk?: readonly [key: string, bytes: Uint8Array<ArrayBuffer>];
}

/** What an array is, besides its samples. */
export interface ArrayFacts {
  /** Names of its dimensions. */
  readonly dimensions: readonly string[];
  /** Its sizes. */
  readonly shape: Shape;
  /** Samples of a chunk. Default: all. */
  readonly chunk?: Shape;
  /** What is seen where no chunk is stored. Default 0. */
  readonly fill?: unknown;
  /** Its attributes. */
  readonly attributes?: Attributes;
}

/** A group. */
export function group(path: string, attributes: Attributes): ZarrNode {
  return { path, document: { zarr_format: 3, node_type: "group", attributes } };
}

/** An array of numbers without its samples. */
export function emptyArray(path: string, dtype: DType, facts: ArrayFacts): ZarrNode {
  const { kind, itemSize } = dtypeInfo(dtype);
  const fill = facts.fill ?? (kind === "b" ? false : kind === "c" ? [0, 0] : 0);
  return { path, document: arrayDocument(dtype, itemSize > 1, { ...facts, fill }) };
}

/** An array of numbers with its samples. */
export function numbers(path: string, dtype: DType, data: TypedArray, facts: ArrayFacts): ZarrNode {
  const bytes = Uint8Array.from(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  const chunk = [keyOf(facts.shape), bytes] as const;
  return { ...emptyArray(path, dtype, facts), ...(sizeOf(facts.shape) > 0 ? { chunk } : {}) };
}

/** Texts, each in as many letters (UTF-32) as the longest has. Default shape: a list. */
export function texts(
  path: string,
  values: readonly string[],
  dimensions: readonly string[],
  attributes: Attributes = {},
  shape: Shape = [values.length],
): ZarrNode {
  const letters = values.map((value) => [...value].map((letter) => letter.codePointAt(0)!));
  const most = Math.max(1, ...letters.map(({ length }) => length));
  const codes = new Uint32Array(values.length * most);
  letters.forEach((text, i) => codes.set(text, i * most));
  const type = { name: "fixed_length_utf32", configuration: { length_bytes: 4 * most } };
  const chunk = [keyOf(shape), new Uint8Array(codes.buffer)] as const;
  return {
    path,
    document: arrayDocument(type, true, { dimensions, shape, fill: "", attributes }),
    ...(values.length > 0 ? { chunk } : {}),
  };
}

/** The key of the first chunk. */
function keyOf(shape: Shape): string {
  return ["c", ...shape.map(() => 0)].join("/");
}

/** The documents of nodes as files; that of the root has all others in it, so that a store is opened by one read. */
export function documentFiles(nodes: readonly ZarrNode[]): (readonly [path: string, text: string])[] {
  const below = nodes.filter(({ path }) => path !== "");
  const metadata = Object.fromEntries(below.map(({ path, document }) => [path, document]));
  const consolidated_metadata = { kind: "inline", must_understand: false, metadata };
  return nodes.map(({ path, document }) => {
    if (path !== "") return [`${path}/zarr.json`, textOf(document)];
    return ["zarr.json", textOf({ ...document, consolidated_metadata })];
  });
}

/** Numbers with units are floats: readers tell these from integers by the point. */
function textOf(document: object): string {
  return JSON.stringify(document, undefined, 2).replace(/("data": -?\d+)(?=,?\n)/g, "$1.0") + "\n";
}

function arrayDocument(
  type: unknown,
  hasOrder: boolean,
  { shape, chunk = shape, dimensions, fill, attributes = {} }: ArrayFacts,
): object {
  return {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: type,
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunk.map((n) => Math.max(1, n)) } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: fill,
    codecs: [hasOrder ? { name: "bytes", configuration: { endian: "little" } } : { name: "bytes" }],
    attributes,
    dimension_names: dimensions,
  };
}
