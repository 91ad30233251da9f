/**
 * What a run says in the end: tiles, bytes, and the seconds of its stages.
 *
 * @module
 */

import type { TilePlan } from "../plan/budget.ts";

/**
 * The report of a run. Stages run at the same time, on several threads: their seconds may be more than those of the run.
 * @category Hypercubes
 */
export interface CubeReport {
  /** The plan that was run. */
  readonly plan: TilePlan;
  /** Number of tiles. */
  readonly tiles: number;
  /** Seconds from the first source to the last sink. */
  readonly seconds: number;
  /** Seconds in which sources were at work for a tile, added up. */
  readonly read: number;
  /** Seconds of the kernel, added up over the workers. */
  readonly compute: number;
  /** Seconds of merges and sinks, added up. */
  readonly write: number;
  /** Bytes that sources have provided. */
  readonly bytesRead: number;
  /** Bytes of outputs that were passed to sinks. */
  readonly bytesWritten: number;
}

/** Adds up. */
export class CubeMeter {
  /** Seconds of stages. */
  readonly seconds: Record<"read" | "compute" | "write", number> = { read: 0, compute: 0, write: 0 };
  /** Bytes from sources. */
  bytesRead = 0;
  /** Bytes to sinks. */
  bytesWritten = 0;
  readonly #started = performance.now();

  /** The result of `work`, whose time counts for a stage. */
  async time<T>(stage: "read" | "write", work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.seconds[stage] += (performance.now() - start) / 1000;
    }
  }

  /** The report. */
  report(plan: TilePlan): CubeReport {
    const { bytesRead, bytesWritten, seconds } = this;
    const all = (performance.now() - this.#started) / 1000;
    return { plan, tiles: plan.tiles, seconds: all, ...seconds, bytesRead, bytesWritten };
  }
}
