/**
 * What a plan of `map` will read: bytes, and chunks that are decoded.
 *
 * @module
 */

import { gridOfChunks } from "../../dataset/layout/chunks.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { chunkPlan, isChunked } from "../../views/chunk_plan.ts";
import type { MapPlan } from "../../views/map/map_plan.ts";

/** What is read. */
interface Loads {
  /** Bytes of samples in the views of all tiles: halos are in several of them. */
  readonly bytes: number;
  /** Chunks of the source, and how often they are decoded at most; absent: it has none. */
  readonly chunks?: { readonly count: number; readonly decoded: number };
}

/** What a plan will read. */
export function loadsOf(plan: MapPlan): Loads {
  const { views, memory, traversal } = plan;
  const { array, grid, halo } = views;
  const sides = grid.shape.map((n, d) => sidesOf(n, grid.tile[d]!, halo.front[d]!, halo.back[d]!));
  const sum = (value: (side: Side, d: number) => number) =>
    sides.reduce((product, all, d) => product * all.reduce((total, side) => total + value(side, d), 0), 1);
  const bytes = sum(({ start, stop }) => stop - start) * dtypeInfo(array.dtype).itemSize;
  const needs = chunkPlan(array, views);
  if (!needs || !isChunked(array)) return { bytes };
  const { chunks } = array.layout.storage;
  const count = sizeOf(gridOfChunks(chunks));
  const touched = sum(({ start, stop }, d) =>
    Math.ceil(stop / chunks.chunk[d]!) - Math.floor(start / chunks.chunk[d]!)
  );
  const isOnce = memory.chunks >= needs.most && traversal.name === "row-major";
  return { bytes, chunks: { count, decoded: isOnce ? count : Math.max(count, touched) } };
}

/** The samples of a view along one dimension, without those outside of the array. */
interface Side {
  readonly start: number;
  readonly stop: number;
}

function sidesOf(size: number, tile: number, front: number, back: number): Side[] {
  return Array.from({ length: Math.ceil(size / tile) }, (_, i) => {
    return { start: Math.max(0, i * tile - front), stop: Math.min(size, (i + 1) * tile + back) };
  });
}

/** The same in words. */
export function showLoads({ bytes, chunks }: Loads, stored: number): string {
  const read = `reads ${formatBytes(bytes)} of samples, halos included, from ${formatBytes(stored)}`;
  if (!chunks) return read;
  const { count, decoded } = chunks;
  const often = decoded === count
    ? "each decoded once"
    : `decoded ${decoded} times at most, as they are not all kept; more memory would help`;
  return `${read}; ${count} chunks, ${often}`;
}
