/**
 * What a planned run is: what is read and computed, how frames are cut, every byte it will hold.
 *
 * @module
 */

import type { Corrections } from "../../dataset/corrections.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import type { Partition } from "../../dataset/tiling/partition.ts";
import type { Roi } from "../../dataset/roi/roi.ts";
import type { TilingScheme } from "../../dataset/tiling/tiling_scheme.ts";
import type { Box } from "../../space/box.ts";
import type { DType } from "../../space/dtype.ts";
import type { SetPlan } from "../interface/buffer_plan.ts";
import type { PlanTypes } from "../interface/buffer_types.ts";
import type { Context } from "../../runner/context.ts";
import type { ExecutionPlan } from "./execution_plan.ts";
import type { PlannedUdf } from "./plan_udf.ts";
import type { Selection } from "../buffers/positions.ts";

/** A run, planned: no frame has been read yet, and what it will need is known. What users see of it is in `face.ts`. */
export interface Plan<R extends PlanTypes = PlanTypes> {
  /** The dtypes of its results, for the compiler alone: it is never set. */
  readonly resultTypes?: R;
  /** What is read. */
  readonly dataset: Dataset;
  /** What is computed. */
  readonly udfs: readonly PlannedUdf[];
  /** In which forms tiles are made, and for whom. */
  readonly execution: ExecutionPlan;
  /** What of each frame is read. */
  readonly culling: Culling;
  /** How frames are cut into tiles. */
  readonly scheme: TilingScheme;
  /** How the scan is cut into partitions; those without a frame are not run. */
  readonly partitions: readonly Partition[];
  /** What the user should know of the partitions and the UDFs. */
  readonly warnings: readonly string[];
  /** The region of interest. */
  readonly roi: Roi;
  /** Which positions have a frame. */
  readonly selection: Selection;
  /** Corrections, if any. */
  readonly corrections?: Corrections;
  /** What the data set supplied, if these corrections are its own. */
  readonly supplied?: readonly string[];
  /** Type of samples after corrections. */
  readonly nativeDType: DType;
  /** Frames of one leaf of the merge tree. */
  readonly leaf: number;
  /** Sets of buffers that the leaves of one partition need at one time, at most. */
  readonly leafSets: number;
  /** The result buffers of one partition. */
  readonly set: SetPlan;
  /** Every byte the run will hold. */
  readonly memory: MemoryForecast;
  /** Bytes that will be read from the source. */
  readonly bytesToRead: number;
  /** Most bytes the run will hold in buffers and results. */
  readonly peakBytes: number;
  /** Where it will run. */
  readonly context: Context;
  /** The plan in words: shapes, bytes, memory, and the reason of each decision. */
  explain(): string;
}

/** A plan before its tiles and its memory have been settled. */
export type Draft = Omit<Plan, "scheme" | "set" | "memory" | "bytesToRead" | "peakBytes" | "explain">;

/**
 * The memory of a run, in bytes.
 * @category Runs
 */
export interface MemoryForecast {
  /** Worker threads that fit; 0 means the calling thread. */
  readonly workers: number;
  /** What each of them holds: raw bytes, converted tiles, scratch. */
  readonly slab: number;
  /** Buffer sets for partial results. */
  readonly sets: number;
  /** Bytes of one set. */
  readonly set: number;
  /** Masks, dark frame, gain: what all workers read. */
  readonly constants: number;
  /** The results themselves. */
  readonly results: number;
  /** A copy for workers of samples that lie in memory of this thread; 0: they need none. */
  readonly samples: number;
  /** Copies of constants, results and samples that workers have which share no memory with this thread. */
  readonly copies: number;
  /** Whether the run stays on the calling thread, as such a copy does not fit. */
  readonly inline: boolean;
  /** Whether depth blocks are read as whole frames. */
  readonly readWhole: boolean;
  /** Sparse data: most entries of a depth block. */
  readonly entries: number;
  /** Everything. */
  readonly total: number;
}

/** What of each frame is read. */
export interface Culling {
  /** The part that is read; absent: all of it. */
  readonly box?: Box;
  /** Stored bytes of a frame that are read. */
  readonly frameBytes: number;
  /** Why not less, although every UDF needs only a part. */
  readonly why?: string;
}
