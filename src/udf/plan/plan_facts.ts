/**
 * What a planned run is: what users see of it, and all facts, such as how frames are cut; options, partial results and progress
 * of its run.
 *
 * @module
 */

import type { Decodes } from "../../dataset/storage/common/kind.ts";
import type { Corrections } from "../../dataset/corrections.ts";
import type { Dataset, StoredDataset } from "../../dataset/dataset.ts";
import type { Pages } from "../../dataset/storage/contiguous/pages.ts";
import type { Partition } from "../../dataset/tiling/partition.ts";
import type { Roi } from "../../dataset/roi/roi.ts";
import type { TilingScheme } from "../../dataset/tiling/tiling_scheme.ts";
import type { Pack } from "../../kernels/families/packs.ts";
import type { MemoryAccount } from "../../memory/account.ts";
import type { Box } from "../../space/box.ts";
import type { DType } from "../../space/dtype.ts";
import type { SetPlan } from "../interface/buffer_plan.ts";
import type { PlanTypes, Results } from "../interface/buffer_types.ts";
import type { RunContext } from "../../runner/context.ts";
import type { AnyPlan } from "../../runner/plan.ts";
import type { ExecutionPlan } from "./execution_plan.ts";
import type { PlannedUdf, PreparedUdf } from "./plan_udf.ts";
import type { Selection } from "../buffers/positions.ts";
import type { ChannelHost } from "../../channels/host/host.ts";
import type { Route } from "../../channels/host/route.ts";
import type { RunSettings } from "../../runner/runner.ts";
import type { NDArray } from "../../space/ndarray.ts";
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

/**
 * A planned run: no frame has been read yet, and the memory it will need is known.
 * @category Runs
 */
export interface Plan<R extends PlanTypes = PlanTypes> extends AnyPlan {
  /** The dtypes of its results, used by the compiler only: it is never set. */
  readonly resultTypes?: R;
  /** The data set that is read. */
  readonly dataset: Dataset;
  /** The UDFs that are computed. */
  readonly udfs: readonly PlannedUdf[];
  /** The region of interest. */
  readonly roi: Roi;
  /** Warnings about partitions and UDFs. */
  readonly warnings: readonly string[];
  /** Type of samples after corrections. */
  readonly nativeDType: DType;
  /** All memory that the run will hold. */
  readonly memory: MemoryForecast;
  /** Bytes that will be read from the source. */
  readonly bytesToRead: number;
  /** Runs it, as {@link run} does. */
  run(options?: RunOptions): Run<R>;
}

/** All facts of a plan; calls that are given a {@link Plan} check it and then use this type. */
export interface UdfPlan<R extends PlanTypes = PlanTypes> extends Plan<R> {
  /** The data set that is read. */
  readonly dataset: StoredDataset;
  /** The UDFs that are computed. */
  readonly udfs: readonly PreparedUdf[];
  /** The forms in which tiles are made, and the UDFs that get them. */
  readonly execution: ExecutionPlan;
  /** The packs of kernels that it needs; they are loaded. */
  readonly packs: readonly Pack[];
  /** The part of each frame that is read. */
  readonly culling: Culling;
  /** How frames are cut into tiles. */
  readonly scheme: TilingScheme;
  /** How often chunks are decoded; absent where no chunk has several frames. */
  readonly decodes?: Decodes;
  /** How the scan is cut into partitions; partitions without a frame are not run. */
  readonly partitions: readonly Partition[];
  /** Which positions have a frame. */
  readonly selection: Selection;
  /** Corrections, if any. */
  readonly corrections?: Corrections;
  /** What the data set supplied, if its own corrections are used. */
  readonly supplied?: readonly string[];
  /** Frames of one leaf of the merge tree. */
  readonly leaf: number;
  /** Largest number of buffer sets that the leaves of one partition need at one time. */
  readonly leafSets: number;
  /** The result buffers of one partition. */
  readonly set: SetPlan;
  /** Whether files are mapped, if the context asks for it. */
  readonly pages?: Pages;
  /** The context in which it will run. */
  readonly context: RunContext;
}

/** A plan whose tiles and memory have not been decided yet. */
export type Draft = Omit<UdfPlan, "scheme" | "set" | "memory" | "bytesToRead" | "parts" | "explain">;

/**
 * The memory of a run, in bytes.
 * @category Runs
 */
export interface MemoryForecast extends MemoryAccount {
  /** Worker threads that fit; 0 means the calling thread. */
  readonly workers: number;
  /** Bytes that each worker holds: raw bytes, converted tiles, scratch. */
  readonly slab: number;
  /** Buffer sets for partial results. */
  readonly sets: number;
  /** Bytes of one set. */
  readonly set: number;
  /** Masks, dark frame, gain map: arrays that all workers read. */
  readonly constants: number;
  /** The results. */
  readonly results: number;
  /** A copy for workers of samples that lie in memory of this thread; 0 if they need no copy. */
  readonly samples: number;
  /** Copies of constants, results and samples in workers that share no memory with this thread. */
  readonly copies: number;
  /** Whether the run stays on the calling thread because such a copy does not fit. */
  readonly inline: boolean;
  /** Bytes that each worker has for a window over files that are mapped; 0: files are read. */
  readonly window: number;
  /** Whether depth blocks are read as whole frames. */
  readonly readWhole: boolean;
  /** Whether no decoded chunk is kept, as those that are needed again do not fit. */
  readonly lean: boolean;
  /** Sparse data: largest number of entries in a depth block. */
  readonly entries: number;
}

/** The part of each frame that is read. */
export interface Culling {
  /** The part that is read; absent: all of it. */
  readonly box?: Box;
  /** Stored bytes of a frame that are read. */
  readonly frameBytes: number;
  /** Why all of each frame is read, although every UDF needs only a part. */
  readonly why?: string;
}
