/**
 * Chunks that store the dimensions of their array in another order: each is decoded to a place of its own, and transposed
 * from there.
 *
 * @module
 */

import { chunkBytes, type ChunkLayout } from "../../layout/chunks.ts";
import type { UndoFilter } from "../common/block_reader.ts";
import type { ChunkTools } from "./tools.ts";

/** Fills a place with a chunk as it is stored, without its filters. */
export type FillChunk = (place: Uint8Array) => void | Promise<void>;

/** Bytes of the place that chunks of `layout` are transposed from. */
export function turnedBytes(layout: ChunkLayout): number {
  return layout.order ? chunkBytes(layout) : 0;
}

/** Puts the dimensions of chunks into the order of their array. */
export class TurnedChunks {
  readonly #place: Uint8Array;
  readonly #values: readonly number[];
  #transpose: UndoFilter | undefined;

  /** Takes its memory from the slab of `tools`. */
  constructor(layout: ChunkLayout, order: readonly number[], private readonly tools: ChunkTools) {
    const { slab } = tools;
    const bytes = turnedBytes(layout);
    this.#place = new Uint8Array(slab.memory.buffer, slab.take(bytes, "chunks"), bytes);
    this.#values = [layout.itemSize, order.length, ...order.map((d) => layout.chunk[d]!), ...order];
  }

  /** Puts the chunk that `fill` gives into `target`. */
  async fill(target: Uint8Array, fill: FillChunk): Promise<void> {
    this.#transpose ??= await this.tools.filterOf("transpose");
    await fill(this.#place);
    const { kernels } = this.tools;
    const [input, values] = [this.#place, this.#values];
    await this.#transpose({ kernels, input, output: target, values, scratch: 0, spare: input });
  }
}
