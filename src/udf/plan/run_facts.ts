/**
 * What a run of UDFs is, as its plan declares it: options, partial results, progress.
 *
 * @module
 */

import type { ChannelHost } from "../../channels/host/host.ts";
import type { Route } from "../../channels/host/route.ts";
import type { RunSettings } from "../../runner/runner.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { PlanTypes, Results } from "../interface/buffer_types.ts";
import type { Params } from "../interface/udf_ref.ts";

/**
 * Options of {@link run}.
 * @category Runs
 */
export interface RunOptions extends RunSettings<Progress> {
  /**
   * Looks for UDFs that change shared data (samples, constants, auxiliary data) without declaring `writesTile`. These
   * are `udf` errors. It takes as long as a plain pass over the samples, so it is meant for tests. Default false.
   */
  readonly checkWrites?: boolean;
  /**
   * The host whose files UDFs open, read and write while they run: `context.files` in TypeScript, `tilewise/channels` in
   * AssemblyScript. It was started in the context of the plan. A run uses no more workers than the host has channels.
   */
  readonly channels?: ChannelHost;
  /** Who answers file calls of UDFs: the host (`rpc`, the default), or the worker of the UDF itself (`direct`). */
  readonly route?: Route;
}

/**
 * The progress of a run.
 * @category Runs
 */
export interface Progress {
  /** Frames that have been merged, or computed by workers and not merged yet. */
  readonly frames: number;
  /** Frames in total. */
  readonly framesTotal: number;
  /** Partitions merged. */
  readonly partitions: number;
  /** Partitions that have been given to workers and are not merged yet. */
  readonly partitionsInProgress: number;
  /** Partitions in total. */
  readonly partitionsTotal: number;
  /** Stored bytes of these `frames`. */
  readonly bytes: number;
  /** Stored bytes of all frames. */
  readonly bytesTotal: number;
  /** Seconds since the start. */
  readonly seconds: number;
  /** Bytes per second so far. */
  readonly bytesPerSecond: number;
  /** Remaining seconds at this rate. */
  readonly etaSeconds: number;
}

/**
 * The state of a run after some partitions have been merged.
 * @category Runs
 */
export interface PartialResults<R extends PlanTypes = PlanTypes> {
  /**
   * The results so far; computed when they are first read. Those of the newest part can be read at any time, also after
   * the run. Those of an older part can be read only if they were read while it was the newest; otherwise `invalid`.
   */
  readonly results: Results<R>;
  /** Which scan positions the results cover: `bool`, shape of the scan. */
  readonly damage: NDArray<"bool">;
  /** The progress of the run. */
  readonly progress: Progress;
  /** The version of the parameters (see `run.update`) with which the results were merged and made. */
  readonly version: number;
  /** The versions with which partitions were computed, the oldest first, and the number of partitions of each. */
  readonly versions: readonly {
    /** Number of the version. */
    readonly version: number;
    /** Partitions that were computed with it. */
    readonly partitions: number;
  }[];
}

/**
 * New parameters by the keys of the plan; parameters that are not named keep their values.
 * @category Runs
 */
export type ParamPatches = Readonly<Record<string, Params>>;

/**
 * A run: await it for the results, or iterate over its partial results. It starts when it is awaited or iterated.
 *
 * Leaving the iteration early (`break`, `return`, `throw`) stops the run and gives its memory back.
 * @category Runs
 */
export interface Run<R extends PlanTypes = PlanTypes>
  extends AsyncIterable<PartialResults<R>>, PromiseLike<Results<R>> {
  /** The partial results as they are merged; each iteration is a separate pass over the data. */
  [Symbol.asyncIterator](): AsyncIterableIterator<PartialResults<R>, undefined>;
  /** Stops the run; code that awaits it gets the `aborted` error with the number of merged partitions. */
  cancel(reason?: unknown): void;
  /** The current progress of the newest pass. */
  readonly progress: Progress;
  /** Warnings of the newest pass, in addition to those of its plan: lost workers, messages of UDFs. */
  readonly warnings: readonly string[];
  /**
   * Gives UDFs new parameters, by the keys of the plan; parameters that are not named keep their values. Partitions
   * that start afterwards are computed with the new parameters, and merges and results use them from then on. Parts say
   * which version they show. Resolves with the number of the version.
   *
   * Errors, after which nothing has changed: `invalid` for a key that the run does not have, `udf` for parameters that
   * cannot travel or would change buffers, `over-budget` if new constants do not fit.
   */
  update(patches: ParamPatches): Promise<number>;
}
