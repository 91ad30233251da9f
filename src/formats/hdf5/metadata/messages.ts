/**
 * The messages that describe a data set: its space, fill value, filters and layout.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import type { Cursor } from "./cursor.ts";
import type { Hdf5File } from "./file.ts";

/** Dimensions of a data set or attribute. */
export interface Dataspace {
  /** Sizes; empty for a single value. */
  readonly shape: readonly number[];
  /** Largest sizes; `Infinity` where there is no limit. */
  readonly most: readonly number[];
  /** Whether it has no elements at all, not even one. */
  readonly empty: boolean;
}

/** The dataspace at the cursor. */
export function readDataspace(file: Hdf5File, body: Cursor): Dataspace {
  const version = body.version("a dataspace", 1, 2);
  const rank = body.u8();
  const flags = body.u8();
  const isNull = version === 2 && body.u8() === 2;
  if (version === 1) body.skip(5);
  if (rank > 32) throw body.error("malformed", `a dataspace has ${rank} dimensions`);
  const shape = Array.from({ length: rank }, () => file.length(body));
  const most = flags & 1
    ? Array.from({ length: rank }, () => body.optional(file.lengthSize) ?? Infinity)
    : shape;
  return { shape, most, empty: isNull };
}

/** One filter that every chunk has gone through. */
export interface Filter {
  /** Its registered number. */
  readonly id: number;
  /** Its name in the file; may be empty. */
  readonly name: string;
  /** Its parameters. */
  readonly values: readonly number[];
}

/** The filters at the cursor, in the order in which they were applied. */
export function readFilters(body: Cursor): Filter[] {
  const version = body.version("a filter pipeline", 1, 2);
  const count = body.u8();
  if (version === 1) body.skip(6);
  return Array.from({ length: count }, () => {
    const id = body.u16();
    const nameBytes = version === 1 || id >= 256 ? body.u16() : 0;
    body.skip(2); // whether it may be left out, which the chunk says itself
    const parameters = body.u16();
    const name = body.text(version === 1 ? nameBytes + (8 - nameBytes % 8) % 8 : nameBytes);
    const values = Array.from({ length: parameters }, () => body.u32());
    if (version === 1 && parameters % 2 === 1) body.skip(4);
    return { id, name, values };
  });
}

/** The bytes of the fill value; `undefined` if it is zero or undefined. */
export function readFill(body: Cursor): Uint8Array | undefined {
  const version = body.version("a fill value", 1, 2, 3);
  if (version === 3) {
    const flags = body.u8();
    return flags & 0x20 ? sized(body) : undefined;
  }
  body.skip(2);
  const isDefined = body.u8() !== 0;
  return version === 1 || isDefined ? sized(body) : undefined;
}

/** The bytes of a fill value in the message of the first version of the format. */
export function readOldFill(body: Cursor): Uint8Array | undefined {
  return sized(body);
}

function sized(body: Cursor): Uint8Array | undefined {
  const size = body.u32();
  return size === 0 || size > body.left ? undefined : body.take(size).slice();
}

/** How chunks are found. */
export type ChunkIndex =
  | { readonly kind: "tree-1" | "tree-2" | "implicit"; readonly address: number | undefined }
  | {
    readonly kind: "single";
    readonly address: number | undefined;
    readonly size?: number;
    readonly mask: number;
  }
  | { readonly kind: "fixed"; readonly address: number | undefined }
  | { readonly kind: "extensible"; readonly address: number | undefined };

/** Where the samples of a data set lie. */
export type Layout =
  | { readonly kind: "compact"; readonly bytes: Uint8Array; readonly at: number }
  | { readonly kind: "contiguous"; readonly address: number | undefined; readonly size: number | undefined }
  | {
    readonly kind: "chunked";
    readonly chunk: readonly number[];
    readonly elementBytes: number;
    readonly index: ChunkIndex;
    /** Chunks that stick out of the data set have not gone through the filters. */
    readonly plainEdges: boolean;
  }
  | { readonly kind: "virtual"; readonly address: number | undefined; readonly index: number };

/** The layout at the cursor. */
export function readLayout(file: Hdf5File, body: Cursor): Layout {
  const version = body.version("a data layout", 1, 2, 3, 4, 5);
  return version < 3 ? oldLayout(file, body) : newLayout(file, body, version);
}

function oldLayout(file: Hdf5File, body: Cursor): Layout {
  const rank = body.u8();
  const kind = body.u8();
  body.skip(5);
  const address = kind === 0 ? undefined : file.address(body);
  const sizes = Array.from({ length: rank }, () => body.u32());
  if (kind === 0) return compact(body, body.u32());
  if (kind === 1) return { kind: "contiguous", address, size: undefined };
  return chunked(sizes, { kind: "tree-1", address }, false, body);
}

function compact(body: Cursor, size: number): Layout {
  const at = body.offset + body.position;
  return { kind: "compact", bytes: body.take(size).slice(), at };
}

function chunked(sizes: readonly number[], index: ChunkIndex, plainEdges: boolean, body: Cursor): Layout {
  const chunk = sizes.slice(0, -1);
  if (sizes.length < 2 || sizes.some((size) => size === 0)) {
    throw body.error("malformed", `chunks are ${sizes.join(" × ")}`);
  }
  return { kind: "chunked", chunk, elementBytes: sizes.at(-1)!, index, plainEdges };
}

function newLayout(file: Hdf5File, body: Cursor, version: number): Layout {
  const kind = body.u8();
  if (kind === 0) return compact(body, body.u16());
  if (kind === 1) return { kind: "contiguous", address: file.address(body), size: file.length(body) };
  if (kind === 3) {
    return { kind: "virtual", address: file.address(body), index: body.u32() };
  }
  if (kind !== 2) throw body.error("unsupported", `a data layout of class ${kind} is unknown`);
  if (version === 3) {
    const rank = body.u8();
    const address = file.address(body);
    return chunked(Array.from({ length: rank }, () => body.u32()), { kind: "tree-1", address }, false, body);
  }
  const flags = body.u8();
  const rank = body.u8();
  const bytes = body.u8();
  const sizes = Array.from({ length: rank }, () => body.uint(bytes));
  return chunked(sizes, chunkIndex(file, body, (flags & 2) !== 0), (flags & 1) !== 0, body);
}

/** Bytes of parameters that each kind of index has in the layout, in front of its address. */
const INDEX_BYTES = { fixed: 1, extensible: 5, "tree-2": 6, implicit: 0 } as const;

function chunkIndex(file: Hdf5File, body: Cursor, isFiltered: boolean): ChunkIndex {
  const number = body.u8();
  if (number === 1) {
    const size = isFiltered ? file.length(body) : undefined;
    const mask = isFiltered ? body.u32() : 0;
    return { kind: "single", address: file.address(body), mask, ...defined({ size }) };
  }
  const kind = ([undefined, undefined, "implicit", "fixed", "extensible", "tree-2"] as const)[number];
  if (!kind) throw body.error("unsupported", `the chunk index ${number} is unknown`);
  body.skip(INDEX_BYTES[kind]);
  return { kind, address: file.address(body) };
}
