/**
 * The halves of chunks that make the chunks of the next level, in files: one slot per chunk of a level.
 *
 * Memory is taken once and used for all chunks: garbage of this size would stay for a long time.
 *
 * @module
 */

import { type Checksum, checksumOfRuntime } from "../../../io/checksum.ts";
import { type WriteAt, writerAt } from "../../../io/write/part_file.ts";
import { cutOff, type ReadAt, readerAt } from "../../../io/write/scratch.ts";
import { copyBox, copyView } from "../../../memory/copy_box.ts";
import { type StridedView, viewBox, viewOf } from "../../../memory/strided.ts";
import type { ChunkedArray } from "../../../sinks/chunks/file.ts";
import { halfOf, type LevelGrid } from "../../../sinks/chunks/levels.ts";
import { type LevelReduction, reduced } from "../../../sinks/chunks/reduce.ts";
import { bytesOf } from "../../../space/bytes.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray, zeros } from "../../../space/dtype.ts";
import { ravel, sameShape, type Shape, sizeOf, unravel } from "../../../space/shape.ts";
import type { TileRoom, Tiles } from "../../map/sink.ts";

/** What halves are like. */
export interface HalfFacts {
  /** Type of the samples. */
  readonly dtype: DType;
  /** Samples of a chunk. */
  readonly chunk: Shape;
  /** The levels. */
  readonly levels: readonly LevelGrid[];
  /** How samples of later levels are made. */
  readonly reduction: LevelReduction;
  /** The file with the halves of the chunks of each level but the last; none: halves go with their chunks. */
  readonly halves: readonly string[];
  /** Path of the result, for messages. */
  readonly path: string;
}

/** A half that has been made. */
export interface KeptHalf {
  /** Its checksum; 0 if there is none. */
  readonly checksum: number;
  /** Its bytes, if they are in no file. */
  readonly bytes?: Uint8Array;
}

/** The halves of one run, and memory for one chunk. */
export class Halves {
  /** The chunk that is being made, outside of shared memory. */
  readonly chunk: TypedArray;
  readonly #corner: TypedArray;
  readonly #half: TypedArray;

  private constructor(
    private readonly facts: HalfFacts,
    private readonly writes: readonly WriteAt[],
    private readonly reads: readonly ReadAt[],
    private readonly checksum: Checksum,
  ) {
    const { dtype, chunk, levels } = facts;
    const count = sizeOf(chunk);
    this.chunk = zeros(dtype, count);
    this.#corner = zeros(dtype, levels.length > 1 ? count : 0);
    this.#half = zeros(dtype, levels.length > 1 ? count : 0);
  }

  /** Opens the files. */
  static async open(facts: HalfFacts): Promise<Halves> {
    const { halves, path } = facts;
    return new Halves(
      facts,
      await Promise.all(halves.map((file) => writerAt(file, path))),
      await Promise.all(halves.map((file) => readerAt(file, path))),
      await checksumOfRuntime(),
    );
  }

  /** Fills the chunk with `samples` in its corner, and with zeros. */
  fill(samples: StridedView): void {
    const { dtype, chunk } = this.facts;
    if (!sameShape(samples.shape, chunk)) bytesOf(this.chunk).fill(0);
    const corner = { origin: chunk.map(() => 0), shape: samples.shape };
    copyView(samples, viewBox(viewOf(this.chunk, dtype, chunk), corner));
  }

  /** Keeps the half of the chunk, of which the first `shape` samples are real, for the next level. */
  keep(level: number, index: Shape, shape: Shape): KeptHalf {
    const { dtype, chunk, levels, reduction } = this.facts;
    if (level + 1 >= levels.length) return { checksum: 0 };
    const { factors } = levels[level]!;
    const whole = sameShape(shape, chunk) ? this.chunk : this.#cut(shape);
    const half = first(this.#half, dtype, sizeOf(halfOf(shape, factors)));
    reduced(whole, dtype, shape, factors, reduction, half);
    const stored = bytesOf(half);
    const checksum = this.checksum(stored);
    const write = this.writes[level];
    if (!write) return { checksum, bytes: stored.slice() };
    write(stored, halfAt(this.facts, level, index).position);
    return { checksum };
  }

  /** Fills the chunk with the halves that make a chunk of a later level; returns how many of its samples are real. */
  gather(level: number, index: Shape): Shape {
    const { dtype, chunk, levels, path, halves } = this.facts;
    const { factors, counts } = levels[level - 1]!;
    bytesOf(this.chunk).fill(0);
    const full = halfOf(chunk, factors);
    for (let n = 0, all = sizeOf(factors); n < all; n++) {
      const offset = unravel(n, factors);
      const child = index.map((i, d) => i * factors[d]! + offset[d]!);
      if (child.some((i, d) => i >= counts[d]!)) continue;
      const shape = halfOf(realOf(this.facts, level - 1, child), factors);
      const half = first(this.#half, dtype, sizeOf(shape));
      const { position, bytes } = halfAt(this.facts, level - 1, child);
      if (this.reads[level - 1]!(bytesOf(half), position) < bytes) throw cutOff(halves[level - 1]!, path);
      copyInto(this.chunk, chunk, offset.map((o, d) => o * full[d]!), half, shape, shape, dtype);
    }
    return realOf(this.facts, level, index);
  }

  /** The first `shape` samples of the chunk. */
  #cut(shape: Shape): TypedArray {
    const { dtype, chunk } = this.facts;
    const part = first(this.#corner, dtype, sizeOf(shape));
    copyInto(part, shape, shape.map(() => 0), this.chunk, chunk, shape, dtype);
    return part;
  }
}

/** Where the half of a chunk lies in the file of its level, and how many bytes it has. */
export function halfAt(
  facts: Pick<HalfFacts, "chunk" | "levels" | "dtype">,
  level: number,
  index: Shape,
): { readonly position: number; readonly bytes: number } {
  const { chunk, levels, dtype } = facts;
  const { factors, counts } = levels[level]!;
  const { itemSize } = dtypeInfo(dtype);
  return {
    position: ravel(index, counts) * sizeOf([...halfOf(chunk, factors), itemSize]),
    bytes: sizeOf([...halfOf(realOf(facts, level, index), factors), itemSize]),
  };
}

/** How many samples of a chunk lie in the array. */
function realOf({ chunk, levels }: Pick<HalfFacts, "chunk" | "levels">, level: number, index: Shape): Shape {
  const { shape } = levels[level]!;
  return index.map((i, d) => Math.min(chunk[d]!, shape[d]! - i * chunk[d]!));
}

/** The first `count` samples of an array. */
function first({ buffer, byteOffset }: TypedArray, dtype: DType, count: number): TypedArray {
  return typedArray(dtype, buffer, byteOffset, count);
}

/** Copies the first `part` samples of `from` to `origin` in `to`. */
function copyInto(
  to: TypedArray,
  toShape: Shape,
  origin: Shape,
  from: TypedArray,
  fromShape: Shape,
  part: Shape,
  dtype: DType,
): void {
  const box = { origin: part.map(() => 0), shape: part };
  const whole = first(to, dtype, sizeOf(toShape));
  copyBox(viewOf(from, dtype, fromShape), box, viewOf(whole, dtype, toShape), origin);
}

// Tiles of several chunks: what is computed at once, and then stored in parts.
//
// A tile of one small chunk has much halo for its size, and a task, a view and a write of its own. Chunks are written in the
// order of the target; so a tile is a box of chunks that follow each other in that order:
//
// ```
// | 0 1 2 3 | 4 5 6 7 |        tiles of 1 × 4 chunks, in rows of 8
// | 8 …                        tiles of 2 × 8 chunks would follow each other as well, 2 × 4 would not
// ```

/** Most bytes of the result of a tile, if a chunk has fewer. */
const TILE_BYTES = 2 ** 20;
/** Parts of the budget: a worker has a view, what works on it, a result, and encoded chunks. */
const PARTS = 64;
/** Tiles per worker, at least. */
const TILES = 8;

/** Chunks that follow each other in the order of a target. */
interface ChunkOrder extends Pick<ChunkedArray, "chunk" | "perFile"> {
  /** Chunks of the array, per dimension. */
  readonly counts: Shape;
}

/** The tiles that a plan over a result may have: of several chunks, or, where there is no room for these, of one. */
export function tilesOfChunks(facts: ChunkedArray, room: TileRoom): Tiles {
  const { shape, dtype, chunk } = facts;
  if (chunk.length !== shape.length || !shape.every((n) => n > 0)) return [chunk];
  const counts = shape.map((n, d) => Math.ceil(n / chunk[d]!));
  const per = chunksPerTile({ ...facts, counts }, dtypeInfo(dtype).itemSize, room);
  return sizeOf(per) > 1 ? [chunk.map((n, d) => n * per[d]!), chunk] : [chunk];
}

/** How many chunks make a tile, per dimension, if a sample of the result has `itemSize` bytes. */
export function chunksPerTile(
  { chunk, counts, perFile = counts }: ChunkOrder,
  itemSize: number,
  { memory, workers }: TileRoom,
): Shape {
  const bytes = sizeOf(chunk) * itemSize;
  const each = Math.floor(sizeOf(counts) / (TILES * Math.max(1, workers)));
  let most = Math.max(1, Math.min(Math.floor(Math.min(TILE_BYTES, memory / PARTS) / bytes), each));
  const per = counts.map(() => 1);
  for (let d = counts.length - 1; d >= 0; d--) {
    per[d] = partOf(perFile[d]!, counts[d]!, most);
    if (per[d]! < Math.min(perFile[d]!, counts[d]!)) break;
    most = Math.floor(most / per[d]!);
  }
  return per;
}

/** The largest part of `inside` chunks, up to `most`; one that divides them if other files follow. */
function partOf(inside: number, count: number, most: number): number {
  if (inside >= count) return Math.min(count, most);
  let part = Math.min(inside, most);
  while (inside % part !== 0) part--;
  return part;
}

/** Whether tiles of `per` chunks are boxes of chunks that follow each other. */
export function followEachOther(
  { counts, perFile = counts }: Omit<ChunkOrder, "chunk">,
  per: Shape,
): boolean {
  const first = per.findIndex((n) => n > 1);
  return per.every((n, d) => {
    const [inside, count] = [perFile[d]!, counts[d]!];
    if (first < 0 || d <= first) return inside >= count || inside % n === 0;
    return inside >= count ? n >= count : n === inside;
  });
}

/** The index of the tile that contains a chunk, for tiles of `per` chunks. */
export function tileOfChunk(index: Shape, per: Shape): Shape {
  return index.map((i, d) => Math.floor(i / per[d]!));
}
