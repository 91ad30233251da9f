/**
 * How the chunks of a Zarr array or pyramid lie in files: a file per chunk, or shards with an index at their end.
 *
 * ```
 * shard    chunk, chunk, …  offset₈ size₈ of every chunk (−1 −1: not stored)  CRC-32C₄ of the index
 * ```
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { crc32c } from "../../space/crc32.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { byteCount } from "../../space/rules.ts";
import { type Shape, showShape, sizeOf, unravel } from "../../space/shape.ts";
import type { ChunkPlace, ChunkTarget, FilledFile, PlacedBytes } from "../chunks/target.ts";

/** How keys of chunks are written. */
export interface ZarrKeys {
  /** Version of Zarr. */
  readonly format: 2 | 3;
  /** Whether levels are arrays of the names 0, 1, … in a group. */
  readonly isGroup: boolean;
  /** Chunks per shard, per dimension; absent: chunks are files. */
  readonly perShard?: Shape;
  /** Whether it is an array without dimensions, whose one chunk has a key without an index. */
  readonly isScalar?: true;
}

/** The chunks of all levels, shard after shard. */
export function* zarrPlaces(
  { levels }: Pick<ChunkTarget, "levels">,
  { format, isGroup, perShard, isScalar }: ZarrKeys,
): Generator<ChunkPlace> {
  for (const [level, { counts }] of levels.entries()) {
    const folder = `${isGroup ? `${level}/` : ""}${format === 3 ? "c/" : ""}`;
    if (isScalar) {
      yield { level, index: [0], file: format === 3 ? "c" : "0", slot: 0, last: true };
      return;
    }
    const inside = perShard ?? counts.map(() => 1);
    const shards = counts.map((n, d) => Math.ceil(n / inside[d]!));
    for (let s = 0, all = sizeOf(shards); s < all; s++) {
      const shard = unravel(s, shards);
      const first = shard.map((i, d) => i * inside[d]!);
      yield* placesOf(`${folder}${shard.join("/")}`, level, first, inside, counts);
    }
  }
}

/** The chunks of one shard that lie in the array. */
function* placesOf(
  file: string,
  level: number,
  first: Shape,
  inside: Shape,
  counts: Shape,
): Generator<ChunkPlace> {
  const real = inside.map((n, d) => Math.min(n, counts[d]! - first[d]!));
  const all = sizeOf(real);
  for (let n = 0; n < all; n++) {
    const at = unravel(n, real);
    const slot = at.reduce((flat, i, d) => flat * inside[d]! + i, 0);
    yield { level, index: at.map((i, d) => first[d]! + i), file, slot, last: n === all - 1 };
  }
}

/** The index of a shard of `count` chunks; nothing if no chunk is stored. */
export function* shardIndex(count: number, { offsets, sizes, end }: FilledFile): Generator<PlacedBytes> {
  if (!sizes.some((size) => size > 0)) return;
  const bytes = new Uint8Array(16 * count + 4);
  const view = new DataView(bytes.buffer);
  for (let slot = 0; slot < count; slot++) {
    const isThere = (sizes[slot] ?? 0) > 0;
    view.setBigUint64(16 * slot, isThere ? BigInt(offsets[slot]!) : 2n ** 64n - 1n, true);
    view.setBigUint64(16 * slot + 8, isThere ? BigInt(sizes[slot]!) : 2n ** 64n - 1n, true);
  }
  view.setUint32(16 * count, crc32c(bytes.subarray(0, 16 * count)), true);
  yield { position: end, bytes };
}

/** What shards are made of. */
interface ShardFacts {
  /** Samples of a chunk. */
  readonly chunk: Shape;
  /** Chunks of the array, per dimension. */
  readonly counts: Shape;
  /** Type of the samples. */
  readonly dtype: DType;
}

/**
 * Chunks per shard and dimension, for shards of so many samples, or of so many bytes before they are packed: these become
 * about square in the last two dimensions, and grow along the others only when they have all of these.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const facts = { chunk: [1, 256, 256], counts: [8, 4, 3], dtype: "uint16" } as const; // 128 KiB
 * assertEquals(chunksPerShard("1MiB", facts), [1, 2, 4]);
 * assertEquals(chunksPerShard("4MiB", facts), [2, 4, 4]);
 * assertEquals(chunksPerShard([2, 512, 512], facts), [2, 2, 2]);
 * ```
 */
export function chunksPerShard(asked: Shape | number | string, facts: ShardFacts): Shape {
  const { chunk, counts, dtype } = facts;
  if (typeof asked === "number" || typeof asked === "string") {
    const bytes = sizeOf([...chunk, dtypeInfo(dtype).itemSize]);
    return grown(byteCount("fileSink()", "shard", asked) / bytes, counts);
  }
  const per = asked.map((n, d) => n / (chunk[d] ?? NaN));
  if (asked.length === chunk.length && per.every(Number.isInteger)) return per;
  const text =
    `fileSink(): shards of ${showShape(asked)} do not consist of whole chunks of ${
      showShape(chunk)
    }; give a ` +
    "multiple of the chunk for each dimension";
  throw new TilewiseError("invalid", text, {
    option: "shard",
    expected: showShape(chunk),
    found: showShape(asked),
  });
}

/** Doubles dimensions while there are at most `most` chunks. */
function grown(most: number, counts: Shape): number[] {
  const per = counts.map(() => 1);
  while (2 * sizeOf(per) <= most) {
    const free = [...counts.keys()].filter((d) => per[d]! < counts[d]!);
    const last = free.filter((d) => d >= counts.length - 2).sort((a, b) => per[a]! - per[b]! || b - a);
    const next = last[0] ?? free.at(-1);
    if (next === undefined) break;
    per[next]! *= 2;
  }
  return per;
}
