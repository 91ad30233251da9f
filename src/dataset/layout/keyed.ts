/**
 * Chunks that are found by their keys in a store (a folder, a prefix of URLs), and chunks that lie in shards: plain data,
 * and the arithmetic of keys and shards.
 *
 * ```
 * cell of the array ──shardOf──▶ outermost shard (key, or address)
 *                   └─placesIn─▶ its place in the index of each shard on the way in
 * ```
 *
 * @module
 */

import type { StoreSpec } from "../../io/store/store.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../space/shape.ts";

/**
 * Chunks (or the outermost shards) as entries of a store. An entry that is missing was never written.
 * @category Data sets
 */
export interface KeyedChunks {
  /** The store. */
  readonly store: StoreSpec;
  /** What precedes the coordinates of a chunk in its key. */
  readonly prefix: string;
  /** What separates its coordinates. */
  readonly separator: string;
  /** The whole key of an array without dimensions. */
  readonly scalar: string;
  /** Dimensions of the array in the order of the coordinates in keys. Default: their own order. */
  readonly order?: readonly number[];
}

/**
 * One level of shards: entries with several chunks (or smaller shards), and an index of them.
 * @category Data sets
 */
export interface ShardLevel {
  /** Shape of a shard in samples. */
  readonly shape: Shape;
  /** Where the index is. */
  readonly index: "start" | "end";
  /** Whether its numbers are big-endian. */
  readonly big: boolean;
  /** Whether a CRC-32C follows it. */
  readonly checked: boolean;
  /** Dimensions of the array in the order of the index, the slowest first. Default: their own order. */
  readonly order?: readonly number[];
  /** Filters of the whole shard, in the order in which they were applied. */
  readonly filters: readonly ChunkFilterSpec[];
}

/** The key of a chunk with these coordinates. */
export function keyOf(
  { prefix, separator, scalar, order }: Omit<KeyedChunks, "store">,
  at: readonly number[],
): string {
  const coordinates = order ? order.map((d) => at[d]) : at;
  return coordinates.length === 0 ? scalar : `${prefix}${coordinates.join(separator)}`;
}

/** What the arithmetic of shards needs to know of a layout. */
interface Sharded {
  readonly shape: Shape;
  readonly chunk: Shape;
  readonly shards?: readonly ShardLevel[];
}

/** Entries of the store along each dimension: chunks, or the outermost shards. */
export function gridOfEntries({ shape, chunk, shards }: Sharded): Shape {
  const size = shards?.[0]?.shape ?? chunk;
  return shape.map((n, d) => Math.ceil(n / size[d]!));
}

/** Entries in the index of a shard of level `level`. */
export function entriesOf({ chunk, shards }: Sharded, level: number): number {
  const inner = shards![level + 1]?.shape ?? chunk;
  return sizeOf(shards![level]!.shape.map((n, d) => n / inner[d]!));
}

/** Bytes of the index of a shard. */
export function indexBytes(layout: Sharded, level: number): number {
  return 16 * entriesOf(layout, level) + (layout.shards![level]!.checked ? 4 : 0);
}

/** Number of the outermost shard that chunk `cell` is in. */
export function shardOf(layout: Sharded, cell: number): number {
  const size = layout.shards![0]!.shape;
  return ravel(firstOf(layout, cell).map((first, d) => Math.floor(first / size[d]!)), gridOfEntries(layout));
}

/**
 * The place of chunk `cell` in the index of each shard that it is in, the outermost first.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const level = { index: "end", big: false, checked: true, filters: [] } as const;
 * const layout = { shape: [8, 8], chunk: [1, 2], shards: [{ ...level, shape: [4, 4] }, { ...level, shape: [2, 4] }] };
 * assertEquals(placesIn(layout, 4 * 5 + 3), [0, 3]); // samples (5, 6) and (5, 7)
 * ```
 */
export function placesIn(layout: Sharded, cell: number): number[] {
  const { chunk, shards = [] } = layout;
  const first = firstOf(layout, cell);
  return shards.map(({ shape, order = shape.map((_, d) => d) }, level) => {
    const inner = shards[level + 1]?.shape ?? chunk;
    const at = order.map((d) => Math.floor(first[d]! % shape[d]! / inner[d]!));
    return ravel(at, order.map((d) => shape[d]! / inner[d]!));
  });
}

/** The first sample of chunk `cell`. */
function firstOf({ shape, chunk }: Sharded, cell: number): number[] {
  return unravel(cell, shape.map((n, d) => Math.ceil(n / chunk[d]!))).map((c, d) => c * chunk[d]!);
}

/**
 * One filter that chunks have gone through.
 * @category Data sets
 */
export interface ChunkFilterSpec {
  /** Its name in the registry of filters. */
  readonly name: string;
  /** Its parameters. */
  readonly values: readonly number[];
}
