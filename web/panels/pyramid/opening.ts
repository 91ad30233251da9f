/**
 * Opens the tiles of an image with filters; the latest question wins.
 *
 * @module
 */

import { createContext, type Dataset } from "@tilewise/tilewise";
import { type TileSource, tileSource } from "@tilewise/tilewise/web";
import { chain } from "@tilewise/tilewise/views";
import { filterOf } from "../../../src/analyses/mod.ts";
import { workersOf } from "../../engine/budget.ts";

/** Memory for tiles that are read and filtered. */
const MEMORY = "192MiB";

/** The source of tiles that is open, one at a time. */
export class Tiles {
  readonly #context = createContext({ memory: MEMORY, workers: workersOf() });
  #turn: Promise<unknown> = Promise.resolve();
  #source: TileSource | undefined;
  readonly #labels: TileSource[] = [];
  #latest = 0;

  /**
   * Opens the tiles of a data set with these filters, as words of `tilewise map`, and closes those before. Nothing, if
   * something else was asked for meanwhile. Errors: those of the words, of the filters, and of reading.
   */
  async open(dataset: Dataset, words: readonly string[]): Promise<TileSource | undefined> {
    const asked = ++this.#latest;
    const filters = words.map((word) => filterOf(word));
    const opened = this.#turn.then(async () => {
      if (asked !== this.#latest) return undefined;
      await this.#close();
      const source = await tileSource(dataset, {
        context: this.#context,
        ...(filters.length > 0 ? { filters: chain(filters) } : {}),
      });
      this.#source = source;
      return asked === this.#latest ? source : undefined;
    });
    this.#turn = opened.catch(() => {});
    return await opened;
  }

  /** Opens labels over the image; they are closed with it. */
  async openLabels(dataset: Dataset): Promise<TileSource> {
    const source = await tileSource(dataset, { context: this.#context });
    this.#labels.push(source);
    return source;
  }

  /** Ends all reading and returns all memory. */
  async close(): Promise<void> {
    this.#latest++;
    await this.#turn;
    await this.#close();
    await this.#context[Symbol.asyncDispose]();
  }

  async #close(): Promise<void> {
    const source = this.#source;
    this.#source = undefined;
    await source?.[Symbol.asyncDispose]();
    for (const labels of this.#labels.splice(0)) await labels[Symbol.asyncDispose]();
  }
}
