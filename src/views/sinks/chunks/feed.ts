/**
 * Hands out the chunks to make: no more than can be held, and those of a level when the level before is complete.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import type { Lease } from "../../../memory/arena.ts";
import { Slots } from "../../../memory/slots.ts";
import type { DType } from "../../../space/dtype.ts";
import { sameShape, type Shape, sizeOf } from "../../../space/shape.ts";
import type { BlocksUnderWay } from "../../map/blocks_under_way.ts";
import type { StoreTask } from "./job.ts";
import type { ChunkTarget } from "../../../sinks/chunks/target.ts";
import { tileOfChunk } from "./halves.ts";

/** What the tasks of a run are like. */
interface FeedFacts {
  /** The first chunk to make. */
  readonly first: number;
  /** One past the last. Default: all. */
  readonly stop?: number;
  /** Most chunks per task. */
  readonly perTask: number;
  /** Chunks per tile, per dimension. */
  readonly perTile: Shape;
  /** Bytes of a chunk, if workers write it. */
  readonly plain: number | undefined;
}

/** Chunks of one level, by the number of the first; those of the first level are those of tiles. */
interface Group {
  readonly number: number;
  readonly level: number;
  readonly indices: number[];
  /** The first tile. */
  readonly tile: Shape;
  count: number;
  tiles: number;
}

/** The tasks of a run, and the places for encoded chunks. */
export class Feed {
  readonly #free: Slots<Lease>;
  /** The places of tasks whose chunks are not written yet, in order. */
  readonly #given: Lease[] = [];
  #left = 0;
  #levelDone: (() => void) | undefined;

  /**
   * Begins with the first chunk that is missing; `places` are for the encoded chunks of a task, `blocks` for tiles, those of a task in
   * one; without them each worker has a place.
   */
  constructor(
    private readonly target: ChunkTarget,
    private readonly facts: FeedFacts,
    places: readonly Lease[],
    private readonly blocks?: Pick<BlocksUnderWay<DType>, "place" | "areTogether" | "end">,
  ) {
    this.#free = new Slots(places);
  }

  /** The tasks; waits for a place for the chunks of each. */
  async *tasks(): AsyncGenerator<StoreTask, void> {
    const { target: { head }, facts: { plain } } = this;
    let last = 0, task = 0;
    for (const { number, level, indices, tile, tiles } of this.#groups()) {
      if (level !== last) await this.#complete();
      last = level;
      const place = await this.#free.take();
      const blocks = level === 0 ? this.blocks : undefined;
      const block = await blocks?.place(tile, task++, tiles);
      if (!place || (blocks && block === undefined)) return;
      this.#given.push(place);
      this.#left++;
      const position = plain === undefined ? {} : { position: head + number * plain };
      const own = defined({ block });
      yield { level, indices: Float64Array.from(indices), place: place.offset, ...position, ...own };
    }
  }

  /** The chunks that are missing, level by level; all that are missing of a tile are in one group. */
  *#groups(): Generator<Group> {
    const { first, stop = Infinity, perTile } = this.facts;
    const ofTile = sizeOf(perTile);
    let number = -1;
    let group: Group | undefined;
    let tile: Shape | undefined;
    for (const { level, index } of this.target.places()) {
      if (++number < first) continue;
      if (number >= stop) break;
      const unit = level === 0 ? ofTile : 1;
      const next = unit > 1 ? tileOfChunk(index, perTile) : index;
      const begins = !tile || !sameShape(next, tile);
      if (group && (group.level !== level || begins && !this.#takes(group, next, unit))) {
        yield group;
        group = undefined;
      }
      tile = next;
      group ??= { number, level, indices: [], tile, count: 0, tiles: 0 };
      group.indices.push(...index);
      group.count++;
      if (begins || group.tiles === 0) group.tiles++;
    }
    if (group) yield group;
  }

  /** Whether a group takes another tile of so many chunks. */
  #takes({ level, count, tile }: Group, next: Shape, chunks: number): boolean {
    if (count + chunks > this.facts.perTask) return false;
    return level > 0 || !this.blocks || this.blocks.areTogether(tile, next);
  }

  /** The chunks of one more task are made. */
  made(): void {
    if (--this.#left === 0) this.#levelDone?.();
  }

  /** The place of the next chunks to write. */
  next(): Lease {
    return this.#given[0]!;
  }

  /** They are written. */
  written(): void {
    this.#free.give(this.#given.shift()!);
  }

  /** No more chunks. */
  end(): void {
    this.#free.end();
    this.blocks?.end();
    this.#levelDone?.();
  }

  /** Resolves when all chunks that were given out are made. */
  async #complete(): Promise<void> {
    if (this.#left === 0 || this.#free.ended) return;
    await new Promise<void>((resolve) => this.#levelDone = resolve);
    this.#levelDone = undefined;
  }
}
