/**
 * Opens the tiles of an image with filters; the latest question wins.
 *
 * @module
 */

import { type Context, createContext, type Dataset } from "@tilewise/tilewise";
import { type TileSource, tileSource } from "@tilewise/tilewise/web";
import { chain } from "@tilewise/tilewise/views";
import { filterOf } from "../../../src/analyses/mod.ts";
import { workersOf } from "../../engine/budget.ts";

/** Memory for tiles that are read and filtered, and for objects that are found. */
const MEMORY = "256MiB";

/** Decoded tiles that are kept of what lies over or beside the image. */
const LITTLE = "16MiB";

/** The tiles of an image, and of what lies over or beside it. */
export class Tiles {
  /** Where all of it runs. */
  readonly context: Context = createContext({ memory: MEMORY, workers: workersOf() });
  #turn: Promise<unknown> = Promise.resolve();
  #source: TileSource | undefined;
  readonly #others = new Set<TileSource>();
  #latest = 0;

  /**
   * Opens the tiles of a data set with these filters, as words of `tilewise map`, and closes those before, which are seen until
   * then. Nothing, if something else was asked for meanwhile. Errors: those of the words, of the filters, and of reading.
   */
  async open(dataset: Dataset, words: readonly string[]): Promise<TileSource | undefined> {
    const asked = ++this.#latest;
    const filters = words.map((word) => filterOf(word));
    const opened = this.#turn.then(async () => {
      if (asked !== this.#latest) return undefined;
      const source = await tileSource(dataset, {
        context: this.context,
        ...(filters.length > 0 ? { filters: chain(filters) } : {}),
      });
      await this.#close();
      this.#source = source;
      return asked === this.#latest ? source : undefined;
    });
    this.#turn = opened.catch(() => {});
    return await opened;
  }

  /** Opens something else, such as labels over the image. */
  async openOther(dataset: Dataset): Promise<TileSource> {
    const source = await tileSource(dataset, { context: this.context, cache: LITTLE });
    this.#others.add(source);
    return source;
  }

  /** Closes what {@link openOther} has opened. */
  async closeOther(source: TileSource | undefined): Promise<void> {
    if (source && this.#others.delete(source)) await source[Symbol.asyncDispose]();
  }

  /** Ends all reading and returns all memory. */
  async close(): Promise<void> {
    this.#latest++;
    await this.#turn;
    await this.#close();
    for (const other of this.#others) await this.closeOther(other);
    await this.context[Symbol.asyncDispose]();
  }

  async #close(): Promise<void> {
    const source = this.#source;
    this.#source = undefined;
    await source?.[Symbol.asyncDispose]();
  }
}
