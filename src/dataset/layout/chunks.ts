/**
 * Arrays stored in chunks: where every chunk lies, which of them a part of some frames needs, and the copy from a
 * chunk into frames.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { Box } from "../../space/box.ts";
import { ravel, type Shape, sizeOf, stridesOf, unravel } from "../../space/shape.ts";
import type { ChunkFilterSpec, KeyedChunks, ShardLevel } from "./keyed.ts";
export type { ChunkFilterSpec } from "./keyed.ts";

/**
 * How an array lies in chunks.
 * @category Data sets
 */
export interface ChunkLayout {
  /** Shape of the array: navigation, then signal dimensions. */
  readonly shape: Shape;
  /** Shape of a chunk. */
  readonly chunk: Shape;
  /** Dimensions of the array in the order in which a chunk stores them, the slowest first. Default: their own order. */
  readonly order?: readonly number[];
  /** Bytes of a sample. */
  readonly itemSize: number;
  /** First byte of each chunk, in row-major order of the grid of chunks; -1: never written. */
  readonly addresses: Float64Array;
  /** Stored bytes of each chunk. */
  readonly sizes: Uint32Array;
  /** Filters that were left out, one bit each, per chunk; empty where none was. */
  readonly masks: Uint32Array;
  /** Number of the file of each chunk; absent: all in the first. */
  readonly files?: Uint32Array;
  /** The filters, in the order in which they were applied. */
  readonly filters: readonly ChunkFilterSpec[];
  /** Chunks that stick out of the array were stored without filters. */
  readonly plainEdges: boolean;
  /** Fill value of chunks that were never written: bytes of a sample, or of a few that belong together; absent: zeros. */
  readonly fill?: Uint8Array;
  /**
   * A chunk at the end of the first dimension along which chunks have several samples holds only those that exist, as the last
   * strip of an image does. Absent: all chunks are whole.
   */
  readonly clipped?: true;
  /** Chunks (or shards) that are found by their keys: `addresses`, `sizes` and `masks` are empty then. */
  readonly keyed?: KeyedChunks;
  /** Chunks lie in shards, the outermost first; `addresses`, `sizes` and keys are those of the outermost; there are no masks. */
  readonly shards?: readonly ShardLevel[];
  /** Most bytes of a chunk, stored or between two filters. Default: the bytes of a chunk, or the largest of `sizes`. */
  readonly most?: number;
}

/** Frames at any addresses, as chunks of one frame each. */
interface FramesAsChunks {
  /** Shape of the array: navigation, then signal dimensions. */
  readonly shape: Shape;
  /** How many of them are signal dimensions. */
  readonly sig: number;
  /** Bytes of a sample. */
  readonly itemSize: number;
  /** First byte of each frame; -1: never written. */
  readonly addresses: Float64Array;
  /** As in {@link ChunkLayout}. */
  readonly fill?: Uint8Array;
}

/**
 * An array whose chunks are plain frames, at `addresses`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const addresses = Float64Array.of(100, 500);
 * const { chunk, sizes } = framesAsChunks({ shape: [2, 3, 4], sig: 2, itemSize: 2, addresses });
 * assertEquals([chunk, [...sizes]], [[1, 3, 4], [24, 24]]);
 * ```
 */
export function framesAsChunks({ shape, sig, itemSize, addresses, fill }: FramesAsChunks): ChunkLayout {
  const nav = shape.length - sig;
  return {
    shape,
    chunk: shape.map((size, d) => d < nav ? 1 : Math.max(1, size)),
    itemSize,
    addresses,
    sizes: new Uint32Array(addresses.length).fill(sizeOf(shape.slice(nav)) * itemSize),
    masks: new Uint32Array(addresses.length),
    filters: [],
    plainEdges: false,
    ...defined({ fill }),
  };
}

/** Chunks along each dimension. */
export function gridOfChunks({ shape, chunk }: Pick<ChunkLayout, "shape" | "chunk">): Shape {
  return shape.map((size, d) => Math.ceil(size / chunk[d]!));
}

/** Bytes of a chunk without filters. */
export function chunkBytes({ chunk, itemSize }: ChunkLayout): number {
  return sizeOf(chunk) * itemSize;
}

/** Bytes of chunk `cell` without filters: fewer than of others where it is clipped. */
export function heldBytes(layout: ChunkLayout, cell: number): number {
  const { shape, chunk, clipped, order = chunk.map((_, d) => d) } = layout;
  if (!clipped) return chunkBytes(layout);
  const along = order.find((d) => chunk[d]! > 1) ?? 0;
  const at = unravel(cell, gridOfChunks(layout))[along]!;
  return chunkBytes(layout) / chunk[along]! * Math.min(chunk[along]!, shape[along]! - at * chunk[along]!);
}

/** Whether chunk `cell` sticks out of the array. */
export function isEdge(layout: ChunkLayout, cell: number): boolean {
  const at = unravel(cell, gridOfChunks(layout));
  return at.some((c, d) => (c + 1) * layout.chunk[d]! > layout.shape[d]!);
}

/** Frames that share chunks when they are read in the order of the scan. */
interface ChunkBand {
  /** Frames of a band; 1 where no chunk has more than one frame. Bands follow each other and share no chunk. */
  readonly frames: number;
  /** Number of chunks that are needed repeatedly while a band is read. */
  readonly chunks: number;
}

/**
 * The bands of an array whose last `sig` dimensions are frames. A chunk of 4 × 4 positions is needed in four rows of the
 * scan: the band has four rows and all chunks along them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(bandOf({ shape: [64, 100, 128, 128], chunk: [4, 4, 64, 64] }, 2), { frames: 400, chunks: 100 });
 * assertEquals(bandOf({ shape: [64, 100, 128, 128], chunk: [1, 8, 128, 128] }, 2), { frames: 8, chunks: 1 });
 * ```
 */
export function bandOf({ shape, chunk }: Pick<ChunkLayout, "shape" | "chunk">, sig: number): ChunkBand {
  const nav = shape.length - sig;
  const grid = shape.map((size, d) => Math.ceil(size / chunk[d]!));
  const parts = sizeOf(grid.slice(nav));
  const first = chunk.findIndex((size, d) => d < nav && size > 1 && shape[d]! > 1);
  if (first < 0) return { frames: 1, chunks: parts };
  return {
    frames: Math.min(chunk[first]!, shape[first]!) * sizeOf(shape.slice(first + 1, nav)),
    chunks: sizeOf(grid.slice(first + 1, nav)) * parts,
  };
}

/** Frames of one block that lie in the same chunks. */
export interface ChunkGroup {
  /** Number of the chunk. */
  readonly cell: number;
  /** Where these frames lie in the block and in the chunk; shared by all chunks that hold parts of the same frames. */
  readonly runs: readonly FrameRun[];
}

/** Frames at equal distances, in a block and in a chunk. */
interface FrameRun {
  /** Place of the first in the block. */
  readonly slot: number;
  /** Samples from the start of the chunk to the first. */
  readonly offset: number;
  /** How many they are. */
  readonly count: number;
  /** From the place of one to the place of the next. */
  readonly slotStep: number;
  /** Samples from one to the next in the chunk. */
  readonly offsetStep: number;
}

/** The chunks that the part `box` of `images` needs, in the order in which the images need them. */
export function groupsOf(layout: ChunkLayout, images: ArrayLike<number>, box: Box): ChunkGroup[] {
  const nav = layout.shape.length - box.shape.length;
  const grid = gridOfChunks(layout);
  const parts = partsOf(layout, box, nav).map((part) => ravel(part, grid.slice(nav)));
  const perFrame = sizeOf(grid.slice(nav));
  return runsOf(layout, images, nav).flatMap(([at, runs]) =>
    parts.map((part) => ({ cell: at * perFrame + part, runs }))
  );
}

/** The images in each chunk of the scan, by its number among those. */
function runsOf(layout: ChunkLayout, images: ArrayLike<number>, nav: number): [number, FrameRun[]][] {
  const grid = gridOfChunks(layout).slice(0, nav);
  const navShape = layout.shape.slice(0, nav);
  const strides = stridesOf(layout.chunk).slice(0, nav);
  const found = new Map<number, FrameRun[]>();
  for (let slot = 0; slot < images.length; slot++) {
    const at = unravel(images[slot]!, navShape);
    const cell = ravel(at.map((c, d) => Math.floor(c / layout.chunk[d]!)), grid);
    const offset = at.reduce((sum, c, d) => sum + (c % layout.chunk[d]!) * strides[d]!, 0);
    const runs = found.get(cell);
    if (runs) addFrame(runs, slot, offset);
    else found.set(cell, [single(slot, offset)]);
  }
  return [...found];
}

const single = (slot: number, offset: number): FrameRun => ({
  slot,
  offset,
  count: 1,
  slotStep: 0,
  offsetStep: 0,
});

/** Makes the last run longer where the next frame follows it at the same distance. */
function addFrame(runs: FrameRun[], slot: number, offset: number): void {
  const last = runs.at(-1)!;
  const slotStep = (slot - last.slot) / last.count, offsetStep = (offset - last.offset) / last.count;
  const goesOn = last.count === 1 || slotStep === last.slotStep && offsetStep === last.offsetStep;
  if (goesOn) runs[runs.length - 1] = { ...last, count: last.count + 1, slotStep, offsetStep };
  else runs.push(single(slot, offset));
}

/** Coordinates of the chunks of one frame that `box` touches. */
function partsOf({ chunk }: ChunkLayout, { origin, shape }: Box, nav: number): number[][] {
  let parts: number[][] = [[]];
  shape.forEach((size, d) => {
    const step = chunk[nav + d]!;
    const first = Math.floor(origin[d]! / step);
    const last = size === 0 ? first - 1 : Math.floor((origin[d]! + size - 1) / step);
    const along = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    parts = parts.flatMap((part) => along.map((c) => [...part, c]));
  });
  return parts;
}

/** Runs of samples that a chunk and a box of a frame share: groups of runs at equal distances. */
export interface Overlap {
  /** Samples of a run. */
  readonly length: number;
  /** Runs of a group. */
  readonly runs: number;
  /** Samples from one run of a group to the next in the chunk and in the box. */
  readonly steps: readonly [from: number, to: number];
  /** Start of each group from the first sample of the frame's part of the chunk. */
  readonly from: readonly number[];
  /** Start of each group from the first sample of the box. */
  readonly to: readonly number[];
}

/** The samples of a frame that chunk `cell` and `box` share. */
export function overlapOf(layout: ChunkLayout, cell: number, box: Box): Overlap {
  const nav = layout.shape.length - box.shape.length;
  const at = unravel(cell, gridOfChunks(layout)).slice(nav);
  const chunk = layout.chunk.slice(nav);
  const low = at.map((c, d) => Math.max(c * chunk[d]!, box.origin[d]!));
  const high = at.map((c, d) =>
    Math.min((c + 1) * chunk[d]!, layout.shape[nav + d]!, box.origin[d]! + box.shape[d]!)
  );
  const shape = low.map((l, d) => high[d]! - l);
  const inChunk = stridesOf(chunk);
  const inBox = stridesOf(box.shape);
  const outer = outerDims(shape, chunk, box.shape), groups = joined(shape.slice(0, outer), inChunk, inBox);
  const start = (strides: Shape, origin: (d: number) => number) =>
    low.reduce((sum, l, d) => sum + (l - origin(d)) * strides[d]!, 0);
  const first = [start(inChunk, (d) => at[d]! * chunk[d]!), start(inBox, (d) => box.origin[d]!)] as const;
  const { count: runs, steps } = groups.pop() ?? { count: 1, steps: [0, 0] as const };
  const starts = (which: 0 | 1) =>
    groups.reduce((starts, { count, steps }) => repeated(starts, count, steps[which]), [first[which]]);
  return { length: sizeOf(shape.slice(outer)), runs, steps, from: starts(0), to: starts(1) };
}

/** Things at equal distances. */
interface Evenly {
  readonly count: number;
  /** Samples from one to the next in the chunk and in the box. */
  readonly steps: readonly [from: number, to: number];
}

/** Dimensions of so many samples; those that go on evenly in the chunk and in the box are one. */
function joined(shape: Shape, inChunk: Shape, inBox: Shape): Evenly[] {
  const found: Evenly[] = [];
  for (let d = shape.length - 1; d >= 0; d--) {
    const [one] = found, count = shape[d]!;
    const goesOn = one && one.count * one.steps[0] === inChunk[d] && one.count * one.steps[1] === inBox[d];
    if (goesOn) found[0] = { ...one, count: count * one.count };
    else if (count > 1) found.unshift({ count, steps: [inChunk[d]!, inBox[d]!] });
  }
  return found;
}

/** The starts, and as many again for each step after the first one; those of one start follow each other. */
function repeated(starts: readonly number[], count: number, step: number): number[] {
  const found: number[] = [];
  for (const at of starts) for (let i = 0; i < count; i++) found.push(at + i * step);
  return found;
}

/** Dimensions that a run does not cover: those behind are whole in the chunk and in the box, but for the first of them. */
function outerDims(shape: Shape, chunk: Shape, box: Shape): number {
  let outer = Math.max(0, shape.length - 1);
  while (outer > 0 && shape[outer] === chunk[outer] && shape[outer] === box[outer]) outer--;
  return outer;
}
