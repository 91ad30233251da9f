/**
 * The tile that a worker has computed, and the samples of its chunks.
 *
 * @module
 */

import type { Box } from "../../../space/box.ts";
import type { DType } from "../../../space/dtype.ts";
import { denseStrides, type StridedView, stridedView, viewBox } from "../../../memory/strided.ts";
import { sameShape, type Shape } from "../../../space/shape.ts";
import { blockBox, type BlockLayout, blockNumber } from "../../map/blocks.ts";
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
  #box: Box | undefined;

  /** Tiles that `map` computes, at `place` of `memory`. */
  constructor(
    private readonly facts: TileFacts,
    private readonly map: Pick<MapHandler, "run">,
    private readonly memory: WebAssembly.Memory,
    private readonly place: number,
  ) {}

  /** The samples of a chunk that lie in the array, after the tile that contains it has been computed. */
  async samplesOf(index: Shape): Promise<StridedView> {
    const { chunk, perTile, dtype } = this.facts;
    const tile = tileOfChunk(index, perTile);
    const { shape } = await this.#computed(tile);
    const origin = index.map((i, d) => (i - tile[d]! * perTile[d]!) * chunk[d]!);
    const whole = stridedView(this.memory.buffer, this.place, dtype, shape, denseStrides(shape, dtype));
    return viewBox(whole, { origin, shape: chunk.map((n, d) => Math.min(n, shape[d]! - origin[d]!)) });
  }

  async #computed(tile: Shape): Promise<Box> {
    if (this.#box && sameShape(tile, this.#index!)) return this.#box;
    this.#box = undefined;
    await this.map.run({ index: tile, block: this.place });
    this.#index = tile;
    const { blocks } = this.facts;
    return this.#box = blockBox(blocks, blockNumber(blocks, tile));
  }
}
