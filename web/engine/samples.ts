/**
 * Keeps a scan in memory, so that its source is read once: the bytes that runs read, and later, while nobody computes, all
 * samples, so that later questions decode nothing.
 *
 * @module
 */

import { type Context, type Dataset, isTilewiseError } from "@tilewise/tilewise";
import { inMemory, keepBytes, keepSamples } from "../../src/analyses/mod.ts";
import type { Keeping } from "./session.ts";

/** Milliseconds after a question during which no block is read: it may be one of a drag. */
const PAUSE = 120;

/** Milliseconds for the first question to come: what it reads is kept. */
const FIRST = 400;

/** The samples of one data set. */
export class Samples implements Keeping {
  /** What runs read: the source, or its samples in memory. */
  dataset: Dataset;
  readonly total: number;
  readonly settled: Promise<void>;
  state: Keeping["state"] = "busy";
  bytes = 0;
  #busyUntil = 0;
  /** Runs over the source; what they read need not be read here. */
  #runs = 0;
  readonly #stop = new AbortController();

  /** Begins to keep `dataset` if it has at most `most` bytes. */
  constructor(source: Dataset, context: Context, most: number) {
    this.dataset = canKeep(source, most) ? keepBytes(source, most) : source;
    this.total = source.byteLength;
    if (this.dataset !== source) this.yieldFor(FIRST);
    this.settled = this.#keep(context, most);
  }

  /** Notes that somebody computes now: the next block waits. */
  yieldFor(milliseconds: number = PAUSE): void {
    this.#busyUntil = Math.max(this.#busyUntil, performance.now() + milliseconds);
  }

  /** Waits with the next block until `run` has ended: it reads what would be read here. */
  async during<T>(run: Promise<T>): Promise<T> {
    this.#runs++;
    try {
      return await run;
    } finally {
      this.#runs--;
    }
  }

  /** Ends keeping, and lets go of what is kept. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.settled;
    this.state = "no";
  }

  async #keep(context: Context, most: number): Promise<void> {
    try {
      const source = this.dataset;
      if (!canKeep(source, most)) return void (this.state = "no");
      await this.#pause();
      const { signal } = this.#stop;
      this.dataset = await keepSamples(inMemory(source), {
        context,
        most,
        signal,
        onBlock: async (positions) => {
          this.bytes = this.total * positions / source.frames;
          await this.#pause();
        },
      });
      this.bytes = this.total;
      this.state = "yes";
    } catch (error) {
      this.state = "no"; // runs read the source, and say what is wrong with it
      if (!isTilewiseError(error)) throw error;
    }
  }

  /** Waits while somebody computes. */
  async #pause(): Promise<void> {
    for (let wait = this.#wait(); wait > 0; wait = this.#wait()) {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  #wait(): number {
    if (this.#stop.signal.aborted) return 0;
    return this.#runs > 0 ? 20 : this.#busyUntil - performance.now();
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
