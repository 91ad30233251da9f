/**
 * What a document says about one array, alike for both versions of Zarr.
 *
 * @module
 */

import type { ChunkFilterSpec } from "../../dataset/layout/chunks.ts";
import type { ShardLevel } from "../../dataset/layout/keyed.ts";
import type { SourceSpec } from "../../io/source/source.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { type Json, malformed, unsupported } from "./json.ts";

/** A group or an array of a store. */
export interface ZarrNode {
  /** Its path from the store, without slashes at its ends; empty: the store itself. */
  readonly path: string;
  /** Name of its document, for messages. */
  readonly file: string;
  /** Where the document lies. */
  readonly source: SourceSpec;
  /** Which version of Zarr. */
  readonly version: 2 | 3;
  /** The document of an array; absent for groups. */
  readonly array?: Json;
  /** Attributes. */
  readonly attributes: Json;
}

/** How the keys of chunks are made. */
export interface Keys {
  /** What precedes coordinates, after the path of the array. */
  readonly prefix: string;
  /** What separates coordinates. */
  readonly separator: "." | "/";
  /** The key of an array without dimensions. */
  readonly scalar: string;
  /** The dimensions that keys have coordinates of; absent: all. */
  readonly order?: readonly number[];
}

/** An array, understood. */
export interface ZarrArray extends Pipeline {
  /** The group or array that it was made of. */
  readonly node: ZarrNode;
  /** Its shape. */
  readonly shape: Shape;
  /** Its last dimensions that are inside of an element, such as colours. */
  readonly inner?: Shape;
  /** Type of its samples. */
  readonly dtype: DType;
  /** Bytes of a sample that was never written; absent: zeros. */
  readonly fill?: Uint8Array;
  /** How its chunks are found. */
  readonly keys: Keys;
  /** Names of its dimensions. */
  readonly names?: readonly (string | undefined)[];
  /** Names of its codecs. */
  readonly codecs: readonly string[];
}

/** How chunks are stored. */
export interface Pipeline {
  /** Byte order of decoded samples. */
  readonly byteOrder: ByteOrder;
  /** Shape of a chunk, the innermost where there are shards. */
  readonly chunk: Shape;
  /** Filters of a chunk, in the order in which they were applied. */
  readonly filters: readonly ChunkFilterSpec[];
  /** Shards, the outermost first. */
  readonly shards: readonly ShardLevel[];
  /** Most bytes of a stored chunk, or of one between two filters. */
  readonly most: number;
}

/** Bytes of a chunk that is decoded: several of them are in memory at the same time. */
const MOST_CHUNK_BYTES = 512 * 2 ** 20;
/** Most dimensions of an array. */
const MOST_RANK = 32;

/** A list of sizes; refused unless they are whole numbers from `least`. */
export function sizesIn(value: unknown, what: string, least: number, file: string): number[] {
  const isSizes = Array.isArray(value) && value.length <= MOST_RANK &&
    value.every((n) => Number.isSafeInteger(n) && n >= least);
  if (isSizes) return value as number[];
  throw malformed(file, `its ${what} is ${JSON.stringify(value)?.slice(0, 80)}`);
}

/** Refuses arrays and chunks whose sizes do not go together or are too large. */
export function checkSizes(shape: Shape, chunk: Shape, dtype: DType, file: string): void {
  if (shape.length !== chunk.length) {
    throw malformed(file, `it has ${shape.length} dimensions, its chunks have ${chunk.length}`);
  }
  const samples = shape.reduce((product, n) => product * n, dtypeInfo(dtype).itemSize);
  if (!Number.isSafeInteger(samples)) {
    throw malformed(file, `its shape ${showShape(shape)} is beyond any file`);
  }
}

/** Refuses chunks that are too large to be decoded. */
export function checkChunk(chunk: Shape, dtype: DType, file: string): void {
  const bytes = chunk.reduce((product, n) => product * n, dtypeInfo(dtype).itemSize);
  if (bytes <= MOST_CHUNK_BYTES) return;
  const size = Number.isSafeInteger(bytes) ? formatBytes(bytes) : "more bytes than any file";
  const text = `its chunks of ${showShape(chunk)} have ${size}; those of up to ` +
    `${formatBytes(MOST_CHUNK_BYTES)} are decoded`;
  throw unsupported(file, text);
}

/** Most bytes of a chunk that its codecs could not pack, for chunks of `bytes`. */
export function mostStored(bytes: number): number {
  return bytes + Math.ceil(bytes / 8) + 4096;
}
