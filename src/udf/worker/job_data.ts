/**
 * What workers are told of a run and of a partition, and what they give back: plain data.
 *
 * @module
 */

import type { Backend } from "../../dataset/backend.ts";
import type { FrameLayout } from "../../dataset/layout/layout.ts";
import type { KernelCode } from "../../kernels/bind.ts";
import type { Box } from "../../space/box.ts";
import type { Shape } from "../../space/shape.ts";
import type { PlacedAux } from "../buffers/aux_views.ts";
import type { SetPlan } from "../interface/buffer_plan.ts";
import type { PlacedCorrections } from "./corrector.ts";
import type { JsonValue } from "../interface/objects.ts";
import type { Selection } from "../buffers/positions.ts";
import type { Method, UdfMeta } from "../interface/udf.ts";
import type { PlacedArray } from "../../runner/leases.ts";
import type { UdfRef } from "../interface/udf_ref.ts";

/** What changes of a UDF when its parameters do, as plain data. */
export interface UdfInstance {
  /** Where it comes from, with its parameters. */
  readonly ref: UdfRef;
  /** Its constants. */
  readonly constants: Readonly<Record<string, PlacedArray>>;
  /** Its auxiliary data. */
  readonly aux: Readonly<Record<string, PlacedAux>>;
}

/** One UDF of a run, as plain data. */
export interface UdfJob extends UdfInstance {
  /** What it knows of the data. */
  readonly meta: UdfMeta;
  /** Which of its methods runs. */
  readonly method: Method;
  /** Whether its buffers are merged in a tree within partitions. */
  readonly tree: boolean;
}

/** What all partitions of a run share. */
export interface RunShared {
  /** Where the frames lie. */
  readonly layout: FrameLayout;
  /** The form in which they are read. */
  readonly source: Backend;
  /** Sparse data: most entries of a block of frames. */
  readonly entries: number;
  /** The kernels. */
  readonly module: KernelCode;
  /** The UDFs. */
  readonly udfs: readonly UdfJob[];
  /** Their buffers. */
  readonly set: SetPlan;
  /** Which positions are processed. */
  readonly selection: Selection;
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Frames per tile. */
  readonly depth: number;
  /** Parts of a frame, in order. */
  readonly slices: readonly Box[];
  /** Whether parts are boxes of which UDFs see their results row by row. */
  readonly boxes: boolean;
  /** Whether a depth block is read as whole frames and then cut, rather than part by part. */
  readonly readWhole: boolean;
  /** Frames of one leaf of the merge tree. */
  readonly leaf: number;
  /** Sets of buffers that the leaves of a partition need at one time, at most. */
  readonly leafSets: number;
  /** Most frames of a partition. */
  readonly partitionFrames: number;
  /** Dark, gain, dead pixels. */
  readonly corrections?: PlacedCorrections;
  /** Whether what UDFs change without saying so is looked for. */
  readonly checkWrites: boolean;
  /** Where a worker with a memory of its own puts all results, instead of where its tasks say. */
  readonly ownSet?: number;
  /** The memory of each worker. */
  readonly slabs: readonly { readonly offset: number; readonly byteLength: number }[];
}

/** Newer parameters than those the run has begun with. */
export interface TaskUpdate {
  /** Tells it from others. */
  readonly version: number;
  /** The UDFs that have other parameters, by their number. */
  readonly udfs: Readonly<Record<number, UdfInstance>>;
}

/** One partition to compute. */
export interface PartitionTask {
  /** Parameters to compute it with. Default: those of the run. */
  readonly update?: TaskUpdate;
  /** Number of the partition. */
  readonly partition: number;
  /** First scan position. */
  readonly start: number;
  /** One past the last scan position. */
  readonly stop: number;
  /** Address of the buffer set for its results. */
  readonly set: number;
}

/** What comes back from a partition; its numbers are in the buffer set. */
export interface PartitionResult {
  /** Frames processed. */
  readonly frames: number;
  /** Per UDF: the values of its object buffers; absent when no UDF has any. */
  readonly objects?: readonly (Readonly<Record<string, JsonValue[]>> | undefined)[];
}
