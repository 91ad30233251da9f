/**
 * The worker side of a result that is written in chunks: makes a chunk of a tile, or of pieces of the level before, leaves
 * its piece for the next level, and encodes it.
 *
 * @module
 */

import type { EncoderStep } from "../../codecs/encoders/encoder.ts";
import { type EncodeAll, encoderOf } from "../../codecs/encoders/registry.ts";
import type { JobHandler, WorkerContext } from "../../executor/task.ts";
import { crc32c } from "../../space/crc32c.ts";
import { type WriteAt, writerAt } from "../../io/write/part_file.ts";
import { cutOff, type ReadAt, readerAt } from "../../io/write/scratch.ts";
import { copyBox } from "../../memory/copy_box.ts";
import { viewOf } from "../../memory/strided.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray, zeros } from "../../space/dtype.ts";
import { ravel, sameShape, type Shape, sizeOf, unravel } from "../../space/shape.ts";
import { blockBox, blockNumber } from "../map/blocks.ts";
import { mapJob, type MapShared, type MapTask } from "../map/job.ts";
import { halfOf, type LevelGrid } from "./levels.ts";
import { reduced, type Reduction } from "./reduce.ts";

/** What all chunks of a run share. */
export interface StoreShared {
  /** The operation that gives the samples of level 0. */
  readonly map: MapShared;
  /** Addresses of the tile that each worker computes. */
  readonly places: readonly number[];
  /** Type of the samples. */
  readonly dtype: DType;
  /** Samples of a chunk. */
  readonly chunk: Shape;
  /** The levels. */
  readonly levels: readonly LevelGrid[];
  /** How samples of later levels are made. */
  readonly reduction: Reduction;
  /** What is done to the bytes of a chunk. */
  readonly steps: readonly EncoderStep[];
  /** Whether chunks of zeros are left out. */
  readonly sparse: boolean;
  /** The file with the pieces of the chunks of each level but the last. */
  readonly pieces: readonly string[];
  /** Path of the result, for messages. */
  readonly path: string;
}

/** A chunk to make. */
export interface StoreTask {
  /** Its level. */
  readonly level: number;
  /** Its index in the grid of chunks. */
  readonly index: Shape;
}

/** A chunk that has been made. */
export interface StoredChunk {
  /** Its bytes as they are stored; empty if it is left out. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Their CRC-32C. */
  readonly checksum: number;
  /** CRC-32C of its piece; 0 if it has none. */
  readonly kept: number;
}

/** Makes the handler of one worker. */
export async function storeJob(
  shared: StoreShared,
  worker: WorkerContext,
): Promise<JobHandler<StoreTask, StoredChunk>> {
  const map = await mapJob(shared.map, worker);
  const encode = await encoderOf(shared.steps);
  const pieces = await Pieces.open(shared);
  const { places, map: { blocks } } = shared;
  const tile = async (index: Shape) => {
    const block = places[worker.index]!;
    await map.run({ index, block } satisfies MapTask);
    const { shape } = blockBox(blocks, blockNumber(blocks, index));
    const data = typedArray(shared.dtype, worker.memory.buffer, block, sizeOf(shape));
    return { data: filledUp(data, shared, shape), shape };
  };
  return {
    async run({ level, index }) {
      const { data, shape } = level === 0 ? await tile(index) : pieces.chunk(level, index);
      const kept = pieces.keep(level, index, data, shape);
      worker.advance(sizeOf(shape));
      return await stored(data, encode, shared, kept);
    },
    close: () => map.close?.(),
  };
}

/** A chunk of `chunk` samples with `data` in its corner, outside of shared memory. */
function filledUp(data: TypedArray, { dtype, chunk }: StoreShared, shape: Shape): TypedArray {
  const full = zeros(dtype, sizeOf(chunk));
  if (sameShape(shape, chunk)) bytesOf(full).set(bytesOf(data));
  else copyInto(full, chunk, chunk.map(() => 0), data, shape, shape, dtype);
  return full;
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
  copyBox(viewOf(from, dtype, fromShape), box, viewOf(to, dtype, toShape), origin);
}

async function stored(
  data: TypedArray,
  encode: EncodeAll,
  { sparse }: StoreShared,
  kept: number,
): Promise<StoredChunk> {
  const plain = bytesOf(data) as Uint8Array<ArrayBuffer>;
  if (sparse && isZero(plain)) return { bytes: new Uint8Array(), checksum: 0, kept };
  const encoded = await encode(plain);
  const isAlone = encoded.byteLength === encoded.buffer.byteLength;
  const bytes = isAlone ? encoded : encoded.slice(); // a clone of a part would take the whole along
  return { bytes, checksum: crc32c(bytes), kept };
}

function isZero(bytes: Uint8Array): boolean {
  if (bytes.byteOffset % 8 !== 0 || bytes.length % 8 !== 0) return bytes.every((byte) => byte === 0);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) return false;
  return true;
}

function bytesOf({ buffer, byteOffset, byteLength }: TypedArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The pieces of chunks, in files: one slot per chunk of a level. */
class Pieces {
  private constructor(
    private readonly shared: StoreShared,
    private readonly writes: readonly WriteAt[],
    private readonly reads: readonly ReadAt[],
  ) {}

  static async open(shared: StoreShared): Promise<Pieces> {
    const { pieces, path } = shared;
    return new Pieces(
      shared,
      await Promise.all(pieces.map((file) => writerAt(file, path))),
      await Promise.all(pieces.map((file) => readerAt(file, path))),
    );
  }

  /** Keeps the piece of a chunk, of which the first `shape` samples are real, for the next level; returns its checksum. */
  keep(level: number, index: Shape, data: TypedArray, shape: Shape): number {
    const write = this.writes[level];
    if (!write) return 0;
    const { dtype, chunk, levels, reduction } = this.shared;
    const { factors, counts } = levels[level]!;
    const whole = sameShape(shape, chunk) ? data : this.#corner(data, shape);
    const half = reduced(whole, dtype, shape, factors, reduction);
    const piece = bytesOf(half);
    write(piece, ravel(index, counts) * this.#slot(level));
    return crc32c(piece);
  }

  /** A chunk of a later level, and how many of its samples are real. */
  chunk(level: number, index: Shape): { readonly data: TypedArray; readonly shape: Shape } {
    const { dtype, chunk, levels, path, pieces } = this.shared;
    const { shape: whole } = levels[level]!;
    const { factors, counts, shape: before } = levels[level - 1]!;
    const data = zeros(dtype, sizeOf(chunk));
    const full = halfOf(chunk, factors);
    for (let n = 0, all = sizeOf(factors); n < all; n++) {
      const offset = unravel(n, factors);
      const child = index.map((i, d) => i * factors[d]! + offset[d]!);
      if (child.some((i, d) => i >= counts[d]!)) continue;
      const real = child.map((i, d) => Math.min(chunk[d]!, before[d]! - i * chunk[d]!));
      const shape = halfOf(real, factors);
      const piece = zeros(dtype, sizeOf(shape));
      const read = this.reads[level - 1]!(bytesOf(piece), ravel(child, counts) * this.#slot(level - 1));
      if (read < piece.byteLength) throw cutOff(pieces[level - 1]!, path);
      const origin = offset.map((o, d) => o * full[d]!);
      copyInto(data, chunk, origin, piece, shape, shape, dtype);
    }
    const shape = index.map((i, d) => Math.min(chunk[d]!, whole[d]! - i * chunk[d]!));
    return { data, shape };
  }

  /** Bytes of the place for a piece. */
  #slot(level: number): number {
    const { dtype, chunk, levels } = this.shared;
    return sizeOf([...halfOf(chunk, levels[level]!.factors), dtypeInfo(dtype).itemSize]);
  }

  /** The first `shape` samples of a chunk. */
  #corner(data: TypedArray, shape: Shape): TypedArray {
    const { dtype, chunk } = this.shared;
    const part = zeros(dtype, sizeOf(shape));
    copyInto(part, shape, shape.map(() => 0), data, chunk, shape, dtype);
    return part;
  }
}

/** Where the piece of a chunk lies in the file of its level, and how many bytes it has. */
export function pieceAt(
  { chunk, levels }: Pick<StoreShared, "chunk" | "levels">,
  dtype: DType,
  level: number,
  index: Shape,
): { readonly position: number; readonly bytes: number } {
  const { factors, counts, shape } = levels[level]!;
  const { itemSize } = dtypeInfo(dtype);
  const real = index.map((i, d) => Math.min(chunk[d]!, shape[d]! - i * chunk[d]!));
  return {
    position: ravel(index, counts) * sizeOf([...halfOf(chunk, factors), itemSize]),
    bytes: sizeOf([...halfOf(real, factors), itemSize]),
  };
}
