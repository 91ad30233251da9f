/**
 * The bands of a run whose result goes to one file: workers compute their tiles and write them when they are complete, in
 * any order.
 *
 * @module
 */

import type { Lease } from "../../memory/arena.ts";
import type { TileCount } from "../../runner/tiles.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { ravel, sizeOf } from "../../space/shape.ts";
import { blockBox, blockNumber } from "./blocks.ts";
import type { MapPlan } from "./facts.ts";
import type { WriteTask } from "./file_job.ts";
import type { MapTask } from "./job.ts";

/** A band in memory. */
interface OpenBand {
  readonly number: number;
  readonly place: Lease;
  /** Number of tiles that have not been computed. */
  left: number;
}

/** Hands out the tiles to compute and the bands to write; a tile starts only when there is a place for its band. */
export class FileBlocks {
  readonly #free: Lease[];
  /** Bands with tiles to begin, by number. */
  readonly #open = new Map<number, OpenBand>();
  /** The bands of tiles and writes in progress, by the number of the task. */
  readonly #given = new Map<number, OpenBand>();
  /** Complete bands that nobody writes yet. */
  readonly #complete: OpenBand[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  /** Starts without tiles; `places` are for bands, samples begin behind `head` bytes of the file. */
  constructor(
    places: readonly Lease[],
    private readonly plan: MapPlan,
    private readonly head: number,
  ) {
    this.#free = [...places];
  }

  /** Tiles in the order of the traversal; bands as soon as they are complete. */
  async *tasks(): AsyncGenerator<MapTask | WriteTask, void> {
    const { traversal, blocks, views } = this.plan;
    const tiles = traversal.tiles(views.grid.counts)[Symbol.iterator]();
    let [task, left, next] = [0, sizeOf(blocks.counts), tiles.next()];
    while (left > 0) {
      const complete = this.#complete.shift();
      const band = complete ?? (next.done ? undefined : this.#bandOf(blockNumber(blocks, next.value)));
      if (!band) {
        await this.#change();
        if (this.#ended) return;
        continue;
      }
      this.#given.set(task++, band);
      if (complete) {
        left--;
        yield this.#write(complete);
      } else {
        yield { index: next.value!, block: band.place.offset };
        next = tiles.next();
      }
    }
  }

  /** Task number `task` is done. */
  done(task: number, count: TileCount): void {
    const band = this.#given.get(task)!;
    this.#given.delete(task);
    if (band.left === 0) {
      count.done += this.plan.blocks.tiles;
      this.#free.push(band.place);
    } else if (--band.left === 0) {
      this.#open.delete(band.number);
      this.#complete.push(band);
    }
    this.#wake?.();
  }

  /** No more tasks. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** The band with this number, if there is a place for it. */
  #bandOf(number: number): OpenBand | undefined {
    const open = this.#open.get(number);
    if (open) return open;
    const place = this.#free.shift();
    if (!place) return undefined;
    const band = { number, place, left: this.plan.blocks.tiles };
    this.#open.set(number, band);
    return band;
  }

  #write({ number, place }: OpenBand): WriteTask {
    const { blocks, dtype } = this.plan;
    const { itemSize } = dtypeInfo(dtype);
    const { origin, shape } = blockBox(blocks, number);
    const position = this.head + itemSize * ravel(origin, blocks.grid.shape);
    return { from: place.offset, bytes: itemSize * sizeOf(shape), position };
  }

  async #change(): Promise<void> {
    if (this.#ended) return;
    await new Promise<void>((resolve) => this.#wake = resolve);
  }
}
