/**
 * Keeps the samples of a scan in memory while nobody computes, so that later questions read and decode nothing.
 *
 * @module
 */

import { type Context, type Dataset, isTilewiseError } from "@tilewise/tilewise";
import { keepSamples } from "../../src/analyses/mod.ts";
import type { Keeping } from "./session.ts";

/** Milliseconds after a question during which no block is read: it may be one of a drag. */
const PAUSE = 120;

/** The samples of one data set. */
export class Samples implements Keeping {
  /** What runs read: the source, or its samples in memory. */
  dataset: Dataset;
  readonly total: number;
  readonly settled: Promise<void>;
  state: Keeping["state"] = "busy";
  bytes = 0;
  #busyUntil = 0;
  readonly #stop = new AbortController();

  /** Begins to keep `dataset` if it has at most `most` bytes. */
  constructor(source: Dataset, context: Context, most: number) {
    this.dataset = source;
    this.total = source.byteLength;
    this.settled = this.#keep(source, context, most);
  }

  /** Notes that somebody computes now: the next block waits. */
  yieldFor(milliseconds: number = PAUSE): void {
    this.#busyUntil = performance.now() + milliseconds;
  }

  /** Ends keeping, and lets go of what is kept. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.settled;
    this.state = "no";
  }

  async #keep(source: Dataset, context: Context, most: number): Promise<void> {
    try {
      if (!canKeep(source, most)) return void (this.state = "no");
      const { signal } = this.#stop;
      this.dataset = await keepSamples(source, {
        context,
        most,
        signal,
        onBlock: (positions) => this.#counted(positions, source),
      });
      this.bytes = this.total;
      this.state = "yes";
    } catch (error) {
      this.state = "no"; // runs read the source, and say what is wrong with it
      if (!isTilewiseError(error)) throw error;
    }
  }

  async #counted(positions: number, { frames }: Dataset): Promise<void> {
    this.bytes = this.total * positions / frames;
    for (let wait = this.#wait(); wait > 0; wait = this.#wait()) {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  #wait(): number {
    return this.#stop.signal.aborted ? 0 : this.#busyUntil - performance.now();
  }
}

/**
 * Threads must see the same memory; sparse frames stay as they are, as they are smaller that way. Of pyramids and of single
 * images only what is seen is read.
 */
function canKeep({ byteLength, backends, images, levels, frames }: Dataset, most: number): boolean {
  const isShared = typeof SharedArrayBuffer !== "undefined";
  const isScan = levels.length <= 1 && frames > 1;
  return isShared && isScan && images > 0 && byteLength > 0 && byteLength <= most && backends[0] === "dense";
}
