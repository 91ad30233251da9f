/**
 * The worker side of a result that is written in chunks: makes a chunk of a tile, or of pieces of the level before, leaves
 * its piece for the next level, and encodes it.
 *
 * @module
 */

import type { EncoderStep } from "../../../codecs/encoders/encoder.ts";
import { type EncodeAll, encoderOf } from "../../../codecs/encoders/registry.ts";
import type { JobHandler, WorkerContext } from "../../../executor/task.ts";
import { crc32c } from "../../../space/crc32.ts";
import { typedArray } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { blockBox, blockNumber } from "../../map/blocks.ts";
import { mapJob, type MapShared } from "../../map/job.ts";
import { bytesOf, type PieceFacts, Pieces } from "./pieces.ts";

/** What all chunks of a run share. */
export interface StoreShared extends PieceFacts {
  /** The operation that gives the samples of level 0. */
  readonly map: MapShared;
  /** Addresses of the tile that each worker computes. */
  readonly places: readonly number[];
  /** What is done to the bytes of a chunk. */
  readonly steps: readonly EncoderStep[];
  /** Whether chunks of zeros are left out. */
  readonly sparse: boolean;
  /** Bytes of the place for an encoded chunk. */
  readonly room: number;
}

/** Chunks to make: one, or several small ones. */
export interface StoreTask {
  /** Their level. */
  readonly level: number;
  /** Their indices in the grid of chunks. */
  readonly indices: readonly Shape[];
  /** Address of the place for their encoded bytes: `room` bytes for each. */
  readonly place: number;
}

/** A chunk that has been made. */
export interface MadeChunk {
  /** Encoded bytes at its place; 0 if it is left out, or has the bytes with it. */
  readonly size: number;
  /** The encoded bytes, if there are more than fit into the place. */
  readonly bytes?: Uint8Array;
  /** CRC-32C of the encoded bytes. */
  readonly checksum: number;
  /** CRC-32C of its piece; 0 if it has none. */
  readonly kept: number;
}

/** Makes the handler of one worker. */
export async function storeJob(
  shared: StoreShared,
  worker: WorkerContext,
): Promise<JobHandler<StoreTask, readonly MadeChunk[]>> {
  const { places, dtype, map: { blocks } } = shared;
  const map = await mapJob(shared.map, worker);
  const encode = await encoderOf(shared.steps);
  const pieces = await Pieces.open(shared);
  const tile = async (index: Shape) => {
    const block = places[worker.index]!;
    await map.run({ index, block });
    const { shape } = blockBox(blocks, blockNumber(blocks, index));
    pieces.fill(typedArray(dtype, worker.memory.buffer, block, sizeOf(shape)), shape);
    return shape;
  };
  const chunk = async (level: number, index: Shape, place: number): Promise<MadeChunk> => {
    const shape = level === 0 ? await tile(index) : pieces.gather(level, index);
    const kept = pieces.keep(level, index, shape);
    worker.advance(sizeOf(shape));
    const room = new Uint8Array(worker.memory.buffer, place, shared.room);
    return { ...await made(bytesOf(pieces.chunk) as Uint8Array<ArrayBuffer>, encode, shared, room), kept };
  };
  return {
    async run({ level, indices, place }) {
      const all: MadeChunk[] = [];
      for (const [i, index] of indices.entries()) {
        all.push(await chunk(level, index, place + i * shared.room));
      }
      return all;
    },
    close: () => map.close?.(),
  };
}

/** Encodes a chunk and puts it into `room`. */
async function made(
  plain: Uint8Array<ArrayBuffer>,
  encode: EncodeAll,
  { sparse }: StoreShared,
  room: Uint8Array,
): Promise<Omit<MadeChunk, "kept">> {
  if (sparse && isZero(plain)) return { size: 0, checksum: 0 };
  const bytes = await encode(plain);
  const checksum = crc32c(bytes);
  if (bytes.length > room.length) return { size: 0, bytes: bytes.slice(), checksum };
  room.set(bytes);
  return { size: bytes.length, checksum };
}

function isZero(bytes: Uint8Array): boolean {
  const whole = bytes.length & ~3;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, whole / 4);
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) return false;
  return bytes.subarray(whole).every((byte) => byte === 0);
}
