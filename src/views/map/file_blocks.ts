/**
 * The bands of a run whose result goes to one file: workers compute their tiles and write them when they are complete, in
 * any order.
 *
 * @module
 */

import type { Lease } from "../../memory/arena.ts";
import { InOrder } from "../../runner/in_order.ts";
import type { TileCount } from "../../runner/tiles.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { ravel, sizeOf } from "../../space/shape.ts";
import { blockBox, blockNumber } from "./blocks.ts";
import type { MapPlan } from "./map_plan.ts";
import type { WriteTask } from "./file_job.ts";
import type { MapTask } from "./job.ts";
import { shown } from "./shown.ts";
import type { SeeSamples } from "./sink.ts";

/** A band in memory. */
interface OpenBand {
  readonly number: number;
  readonly place: Lease;
  /** Number of tiles that have not been computed. */
  left: number;
  /** Who still needs it when it is complete: its write, and the one who sees all bands. */
  holds: number;
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
  readonly #ordered = new InOrder<OpenBand>();
  #seen: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  /** Starts without tiles; `places` are for bands, samples begin behind `head` bytes of the file. */
  constructor(
    places: readonly Lease[],
    private readonly plan: MapPlan,
    private readonly head: number,
    private readonly see?: SeeSamples,
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
        if (this.#failure) throw this.#failure.error;
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
      this.#release(band);
    } else if (--band.left === 0) {
      this.#open.delete(band.number);
      this.#complete.push(band);
      if (this.see) {
        for (const [, next] of this.#ordered.put(band.number, band)) this.#show(next, this.see);
      }
    }
    this.#wake?.();
  }

  /** Resolves when all bands have been seen; throws what seeing them has thrown. */
  async allSeen(): Promise<void> {
    await this.#seen;
    if (this.#failure) throw this.#failure.error;
  }

  /** No more tasks; resolves when nobody uses the places any more. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#wake?.();
    await this.#seen;
  }

  #release(band: OpenBand): void {
    if (--band.holds > 0) return;
    this.#free.push(band.place);
    this.#wake?.();
  }

  /** Shows a band after those before it. */
  #show(band: OpenBand, see: SeeSamples): void {
    this.#seen = this.#seen.then(async () => {
      const bytes = band.place.bytes().subarray(0, this.#write(band).bytes);
      await shown(bytes, see, () => this.#ended);
      this.#release(band);
    }).catch((error) => {
      this.#failure ??= { error };
      this.#wake?.();
    });
  }

  /** The band with this number, if there is a place for it. */
  #bandOf(number: number): OpenBand | undefined {
    const open = this.#open.get(number);
    if (open) return open;
    const place = this.#free.shift();
    if (!place) return undefined;
    const band = { number, place, left: this.plan.blocks.tiles, holds: this.see ? 2 : 1 };
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
