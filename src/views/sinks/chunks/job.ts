/**
 * The worker side of a result that is written in chunks: makes a chunk of a part of a tile, or of halves of the level before,
 * leaves its half for the next level, and encodes it. Chunks that are stored as they are it writes as well.
 *
 * @module
 */

import type { EncoderStep } from "../../../codecs/encoders/encoder.ts";
import { type EncodeAll, encoderOf } from "../../../codecs/encoders/registry.ts";
import type { JobHandler, WorkerContext } from "../../../executor/task.ts";
import { type Checksum, checksumOfRuntime } from "../../../io/checksum.ts";
import { type WriteAt, writerAt } from "../../../io/write/part_file.ts";
import { copierWithin } from "../../../kernels/copiers.ts";
import { type CopyRows, copyView } from "../../../memory/copy_box.ts";
import { type StridedView, stridedView, viewBox } from "../../../memory/strided.ts";
import { FACTS, isZero, type MadeChunks } from "../../../sinks/chunks/made.ts";
import { discard } from "../../../portable.ts";
import { bytesOf } from "../../../space/bytes.ts";
import type { DType } from "../../../space/dtype.ts";
import { sameShape, type Shape, sizeOf } from "../../../space/shape.ts";
import { type BlockLayout, placeInBlock, tileOfResult } from "../../map/blocks.ts";
import { type MapHandler, mapJob, type MapShared } from "../../map/job.ts";
import { type HalfFacts, Halves, type KeptHalf, tileOfChunk } from "./halves.ts";

// The tile that a worker has computed, and the samples of its chunks.

/** What tiles are like. */
export interface TileFacts {
  /** The tiles of the result. */
  readonly blocks: BlockLayout;
  /** Type of the samples. */
  readonly dtype: DType;
  /** Samples of a chunk. */
  readonly chunk: Shape;
  /** Chunks per tile, per dimension. */
  readonly perTile: Shape;
}

/** One tile at a time. */
export class StoredTile {
  #index: Shape | undefined;
  #origin: Shape = [];
  #samples: StridedView | undefined;

  /** Tiles that `map` computes in `memory`. */
  constructor(
    private readonly facts: TileFacts,
    private readonly map: Pick<MapHandler, "run">,
    private readonly memory: WebAssembly.Memory,
  ) {}

  /** The samples of a chunk that lie in the array, after the tile that contains it has been computed in the block at `block`. */
  async samplesOf(index: Shape, block: number): Promise<StridedView> {
    const { chunk, perTile } = this.facts;
    const whole = await this.#computed(tileOfChunk(index, perTile), block);
    const origin = index.map((i, d) => i * chunk[d]! - this.#origin[d]!);
    return viewBox(whole, {
      origin,
      shape: chunk.map((n, d) => Math.min(n, whole.shape[d]! - origin[d]!)),
    });
  }

  async #computed(index: Shape, block: number): Promise<StridedView> {
    if (this.#samples && sameShape(index, this.#index!)) return this.#samples;
    this.#samples = undefined;
    await this.map.run({ index, block });
    const { blocks, dtype } = this.facts, tile = tileOfResult(blocks, index);
    const { offset, strides } = placeInBlock(blocks, index, tile, dtype);
    [this.#index, this.#origin] = [index, tile.origin];
    return this.#samples = stridedView(this.memory.buffer, block + offset, dtype, tile.shape, strides);
  }
}

/** What all chunks of a run share. */
export interface StoreShared extends HalfFacts {
  /** The operation that gives the samples of level 0. */
  readonly map: MapShared;
  /** Addresses of the block of each worker, if tasks have none. */
  readonly places: readonly number[];
  /** Chunks per tile, per dimension. */
  readonly perTile: Shape;
  /** What is done to the bytes of a chunk. */
  readonly steps: readonly EncoderStep[];
  /** Whether chunks of zeros are left out. */
  readonly sparse: boolean;
  /** Bytes of the place for an encoded chunk. */
  readonly room: number;
  /** The file to which workers write chunks; absent: the calling thread writes them. */
  readonly file?: string;
}

/** Chunks to make: one, or several. */
export interface StoreTask {
  /** Their level. */
  readonly level: number;
  /** Their indices in the grid of chunks, one after another. */
  readonly indices: Float64Array;
  /** Address of the block of their tiles; absent: that of the worker. */
  readonly block?: number;
  /** Address of the place for their encoded bytes: `room` bytes for each. */
  readonly place: number;
  /** Where the first of them goes in the file to which workers write; the others follow it. */
  readonly position?: number;
}

/** A chunk that has been made. */
interface MadeChunk {
  readonly size: number;
  readonly checksum: number;
  readonly kept: KeptHalf;
  /** The encoded bytes, if there are more than fit into the place. */
  readonly bytes?: Uint8Array;
}

/** Makes a chunk at an address, of a tile in a block. */
type Make = (level: number, index: Shape, place: number, block: number) => Promise<MadeChunk>;

/** Makes the handler of one worker. */
export async function storeJob(
  shared: StoreShared,
  worker: WorkerContext,
): Promise<JobHandler<StoreTask, MadeChunks>> {
  const { chunk: { length: rank }, steps, sparse, levels, room, file, path } = shared;
  const map = await mapJob(shared.map, worker);
  const write: WriteAt | undefined = file === undefined ? undefined : await writerAt(file, path);
  const isCopied = steps.length === 0 && !sparse && levels.length === 1;
  const tile = new StoredTile({ ...shared, blocks: shared.map.blocks }, map, worker.memory);
  const checksum = await checksumOfRuntime();
  const tools = { tile, worker, checksum };
  const make = isCopied
    ? copied(shared, tools, copierWithin(map.kernels))
    : encoded(shared, tools, await Halves.open(shared), await encoderOf(steps));
  return {
    async run({ level, indices, block = shared.places[worker.index]!, place, position }) {
      const count = indices.length / rank;
      const facts = new Float64Array(FACTS * count);
      const large: [number, Uint8Array][] = [];
      const halves: Uint8Array[] = [];
      for (let i = 0; i < count; i++) {
        const index = Array.from(indices.subarray(i * rank, (i + 1) * rank));
        const { size, checksum, kept, bytes } = await make(level, index, place + i * room, block);
        facts.set([size, checksum, kept.checksum], FACTS * i);
        if (kept.bytes) halves.push(kept.bytes);
        if (bytes) large.push([i, bytes]);
      }
      if (write && position !== undefined) {
        write(new Uint8Array(worker.memory.buffer, place, room * count), position);
      }
      return { facts, large, ...(halves.length > 0 ? { halves } : {}) };
    },
    close: () => map.close?.(),
  };
}

/** What makes chunks. */
interface Tools {
  readonly tile: StoredTile;
  readonly worker: WorkerContext;
  readonly checksum: Checksum;
}

/** Makes chunks that are parts of tiles and nothing else: samples stay in the memory of the run. */
function copied(
  { dtype, chunk, room }: StoreShared,
  { tile, worker, checksum }: Tools,
  copy: CopyRows,
): Make {
  const { memory } = worker;
  return async (_level, index, place, block) => {
    const samples = await tile.samplesOf(index, block);
    const { shape } = samples;
    const bytes = new Uint8Array(memory.buffer, place, room);
    if (!sameShape(shape, chunk)) bytes.fill(0);
    const corner = { origin: chunk.map(() => 0), shape };
    copyView(samples, viewBox(stridedView(memory.buffer, place, dtype, chunk), corner), copy);
    worker.advance(sizeOf(shape));
    return { size: room, checksum: checksum(bytes), kept: { checksum: 0 } };
  };
}

/** Makes chunks of parts of tiles or of halves, and encodes them. */
function encoded(
  shared: StoreShared,
  { tile, worker, checksum }: Tools,
  halves: Halves,
  encode: EncodeAll,
): Make {
  const { sparse, room } = shared;
  const first = async (index: Shape, block: number) => {
    const samples = await tile.samplesOf(index, block);
    halves.fill(samples);
    return samples.shape;
  };
  return async (level, index, place, block) => {
    const shape = level === 0 ? await first(index, block) : halves.gather(level, index);
    const kept = halves.keep(level, index, shape);
    worker.advance(sizeOf(shape));
    const plain = bytesOf(halves.chunk) as Uint8Array<ArrayBuffer>;
    if (sparse && isZero(plain)) return { size: 0, checksum: 0, kept };
    const bytes = await encode(plain);
    const made = { checksum: checksum(bytes), kept };
    if (bytes.length > room) return { size: 0, bytes: bytes.slice(), ...made };
    const size = bytes.length;
    new Uint8Array(worker.memory.buffer, place, room).set(bytes);
    if (isAlone(bytes) && bytes.buffer !== plain.buffer) discard(bytes); // or many would wait to be collected
    return { size, ...made };
  };
}

/** Most bytes of memory that runtimes share among small arrays. */
const SHARED = 2 ** 16;

/** Whether nothing else lies in the memory of an array. */
function isAlone({ buffer, byteOffset }: Uint8Array): boolean {
  return byteOffset === 0 && buffer.byteLength > SHARED;
}
