/**
 * The blocks of a run that are in progress: a tile starts only when there is a place for its block, and the place of a
 * block becomes free when the next block is requested.
 *
 * @module
 */

import type { Lease } from "../../memory/arena.ts";
import { Slots } from "../../memory/slots.ts";
import { InOrder } from "../../runner/in_order.ts";
import { type DType, typedArray } from "../../space/dtype.ts";
import { ndarray } from "../../space/ndarray.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { blockBox, blockNumber, type MapBlock } from "./blocks.ts";
import type { MapPlan } from "./map_plan.ts";
import type { MapTask } from "./job.ts";

/** A block that is not complete. */
interface OpenBlock {
  readonly number: number;
  readonly place: Lease;
  /** Number of tiles that have not been computed. */
  left: number;
}

/** Tiles of one task. */
interface TilesOfTask {
  readonly block: OpenBlock;
  readonly tiles: number;
}

/** The blocks that are in progress. */
export class BlocksUnderWay<D extends DType> {
  readonly #free: Slots<Lease>;
  /** Open blocks by the number of the block. */
  readonly #open = new Map<number, OpenBlock>();
  /** The tiles that are being computed, by the number of the task. */
  readonly #tiles = new Map<number, TilesOfTask>();
  readonly #ordered = new InOrder<OpenBlock>();

  /** Starts without tiles; `places` are for blocks. */
  constructor(places: readonly Lease[], private readonly plan: MapPlan<D>) {
    this.#free = new Slots(places);
  }

  /** The tiles in the order of the traversal; waits for a place for the next block. */
  async *tasks(): AsyncGenerator<MapTask, void> {
    const { traversal, views } = this.plan;
    let task = 0;
    for (const index of traversal.tiles(views.grid.counts)) {
      const block = await this.place(index, task++);
      if (block === undefined) return;
      yield { index, block };
    }
  }

  /**
   * The address of the block of a tile that task `task` computes, together with others of that block: `tiles` of them. Waits for a
   * place; `undefined` after the end.
   */
  async place(index: Shape, task: number, tiles = 1): Promise<number | undefined> {
    const number = blockNumber(this.plan.blocks, index);
    const block = this.#open.get(number) ?? await this.#begin(number);
    if (block) this.#tiles.set(task, { block, tiles });
    return block?.place.offset;
  }

  /** Whether two tiles are in one block. */
  areTogether(a: Shape, b: Shape): boolean {
    const { blocks } = this.plan;
    return blockNumber(blocks, a) === blockNumber(blocks, b);
  }

  /** Task `task` is done: yields the complete blocks that can be delivered now. */
  *finish(task: number): Generator<MapBlock<D>, void> {
    const given = this.#tiles.get(task);
    if (!given) return; // it had no tiles
    const { block: done, tiles } = given;
    this.#tiles.delete(task);
    done.left -= tiles;
    if (done.left > 0) return;
    this.#open.delete(done.number);
    for (const block of this.#leaving(done)) {
      yield this.#contents(block);
      this.#free.give(block.place);
    }
  }

  /** No more tiles. */
  end(): void {
    this.#free.end();
  }

  async #begin(number: number): Promise<OpenBlock | undefined> {
    const place = await this.#free.take();
    if (!place) return undefined;
    const block = { number, place, left: this.plan.blocks.tiles };
    this.#open.set(number, block);
    return block;
  }

  /** The blocks that can be delivered, now that one more is complete. */
  *#leaving(done: OpenBlock): Generator<OpenBlock, void> {
    if (this.plan.blocks.kind === "tiles") yield done;
    else for (const [, block] of this.#ordered.put(done.number, done)) yield block;
  }

  #contents({ number, place }: OpenBlock): MapBlock<D> {
    const { blocks, dtype } = this.plan;
    const { origin, shape } = blockBox(blocks, number);
    const { buffer, byteOffset } = place.bytes();
    return { ...ndarray(typedArray(dtype, buffer, byteOffset, sizeOf(shape)), shape, dtype), origin };
  }
}
