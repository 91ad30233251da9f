/**
 * The options of a run over a cube.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import { callable, each, inner, limit, needed, truth } from "../../options/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/progress.ts";
import type { CubePlanOptions, TilePlan } from "../plan/budget.ts";
import { type Provider, type Sinks, sinksRule, type Sources, sourcesRule } from "../providers/provider.ts";
import { type CubeKernel, KERNEL_NAMES } from "./kernel.ts";
import { type CubeMerge, mergeRule } from "./merge.ts";

/**
 * What a run needs in addition to its plan.
 * @category Hypercubes
 */
export interface CubeRunOptions extends RunSettings<TileProgress> {
  /** The kernel. */
  readonly kernel: CubeKernel;
  /**
   * A source for every input: an object of functions, or a list of such objects and of providers, of which the later ones
   * replace the earlier ones. An input without a source has the default of its schema.
   */
  readonly sources: Sources | readonly (Sources | Provider)[];
  /** Sinks for the wanted outputs: an object of functions, or a list of such objects and of providers; all of them are called. */
  readonly sinks: Sinks | readonly (Sinks | Provider)[];
  /** Whether sinks get the tiles in order. Default true; false: as they finish. Merged outputs have the same bits in both cases. */
  readonly ordered?: boolean;
  /**
   * Outputs of which every tile gives a part, because they do not have all of the tiled dimensions, and how the parts
   * are merged: in the order of the tiles. Their sinks are called when all parts are merged. Outputs that are not named
   * here go to their sinks tile by tile.
   */
  readonly merge?: Readonly<Record<string, CubeMerge>>;
  /** Any value that contexts have as `config`. */
  readonly config?: unknown;
  /**
   * Milliseconds after which a call of a source, a sink or a handler of a provider that has not resolved ends the run
   * with `timeout`. Above 0 or infinite. Default 300 000.
   */
  readonly callTimeout?: number;
  /** How to plan a cube; for runs of a cube, not of a plan. */
  readonly plan?: CubePlanOptions;
  /** Called with the plan before the first tile, for its `explain()`. */
  readonly onPlan?: (plan: TilePlan) => void;
}

/**
 * A plan of a cube.
 * @category Hypercubes
 */
export interface CubePlan extends TilePlan {
  /** Runs it, as {@link run} does. */
  run(options: CubeRunOptions): Promise<CubeReport>;
}

/** Their rules. */
// deno-fmt-ignore: written by `deno task build`
export const CUBE_RUN_OPTIONS: OptionNames<CubeRunOptions> = {
  ...RUN_SETTINGS, kernel: needed(inner(KERNEL_NAMES)), sources: needed(sourcesRule),
  sinks: needed(sinksRule), ordered: truth,
  merge: each("an object of ways to merge by the names of outputs", mergeRule), config: true,
  callTimeout: limit, plan: true, onPlan: callable,
};

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
