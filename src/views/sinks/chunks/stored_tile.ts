/**
 * The tile that a worker has computed, and the samples of its chunks.
 *
 * @module
 */

import type { DType } from "../../../space/dtype.ts";
import { type StridedView, stridedView, viewBox } from "../../../memory/strided.ts";
import { sameShape, type Shape } from "../../../space/shape.ts";
import { type BlockLayout, placeInBlock, tileOfResult } from "../../map/blocks.ts";
import type { MapHandler } from "../../map/job.ts";
import { tileOfChunk } from "./tiles.ts";

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
