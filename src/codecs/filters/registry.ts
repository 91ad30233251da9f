/**
 * The registry of chunk filters, by their numbers in HDF5.
 *
 * @module
 */

import { SCRATCH_BYTES } from "../../kernels/families/filters.ts";
import { bzip2, bzip2Scratch } from "./bzip2.ts";
import type { ChunkFilter } from "./filter.ts";

/** What a filter is called, and where it is. */
interface Entry {
  readonly name: string;
  readonly load: () => Promise<ChunkFilter>;
  /** How many times as many bytes come out as go in, at most; absent where the format has no bound that helps. */
  readonly most?: number;
  /** Bytes that it needs at `scratch` for chunks of so many bytes, where `SCRATCH_BYTES` are too few. */
  readonly scratch?: (room: number) => number;
}

const FILTERS: Readonly<Record<number, Entry>> = {
  1: { name: "deflate", load: async () => (await import("./simple.ts")).deflate, most: 1032 },
  2: { name: "shuffle", load: async () => (await import("./simple.ts")).shuffle, most: 1 },
  3: { name: "Fletcher32", load: async () => (await import("./simple.ts")).fletcher32, most: 1 },
  6: { name: "scale-offset", load: async () => (await import("./scale_offset.ts")).scaleOffset },
  307: { name: "bzip2", load: () => Promise.resolve(bzip2), scratch: bzip2Scratch },
  32000: { name: "LZF", load: async () => (await import("./simple.ts")).lzf, most: 88 },
  32001: { name: "Blosc", load: async () => (await import("./packed.ts")).blosc },
  32004: { name: "LZ4", load: async () => (await import("./lz4.ts")).lz4, most: 255 },
  32008: { name: "bitshuffle", load: async () => (await import("./bitshuffle.ts")).bitshuffle },
  32015: { name: "Zstandard", load: async () => (await import("./packed.ts")).zstd },
};

/** The name of the filter `id`; `undefined` for one that cannot be undone. */
export function filterName(id: number): string | undefined {
  return FILTERS[id]?.name;
}

/** The most bytes that a chunk can have of which `bytes` are stored, after the filters `ids`. */
export function mostBytes(bytes: number, ids: readonly number[]): number {
  return ids.reduce((most, id) => most * (FILTERS[id]?.most ?? Infinity), bytes);
}

/** Bytes that the filters `ids` need at `scratch` for chunks of which none has more than `room` bytes in between. */
export function scratchBytes(ids: readonly number[], room: number): number {
  return ids.reduce((most, id) => Math.max(most, FILTERS[id]?.scratch?.(room) ?? 0), SCRATCH_BYTES);
}

/** The filter `id`, which must be known. */
export function chunkFilter(id: number): Promise<ChunkFilter> {
  return FILTERS[id]!.load();
}
