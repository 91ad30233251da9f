/**
 * Plain data that workers get for a run and for a partition, and that they return.
 *
 * @module
 */

import type { ChannelUse } from "../../channels/launch/access.ts";
import type { Backend } from "../../dataset/facts.ts";
import type { FrameLayout } from "../../dataset/layout/layout.ts";
import type { WindowPlace } from "../../io/map/windows.ts";
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

/** The parts of a UDF that depend on its parameters, as plain data. */
export interface UdfInstance {
  /** The reference to it, with its parameters. */
  readonly ref: UdfRef;
  /** Its constants. */
  readonly constants: Readonly<Record<string, PlacedArray>>;
  /** Its auxiliary data. */
  readonly aux: Readonly<Record<string, PlacedAux>>;
}

/** One UDF of a run, as plain data. */
export interface UdfJob extends UdfInstance {
  /** The facts of the data that it gets. */
  readonly meta: UdfMeta;
  /** Which of its methods runs. */
  readonly method: Method;
  /** Whether its buffers are merged in a tree within partitions. */
  readonly tree: boolean;
}

/** What all partitions of a run share. */
export interface RunShared {
  /** The layout of the frames. */
  readonly layout: FrameLayout;
  /** The form in which they are read. */
  readonly source: Backend;
  /** Sparse data: largest number of entries in a block of frames. */
  readonly entries: number;
  /** The kernels of the packs that the run needs. */
  readonly code: KernelCode;
  /** The UDFs. */
  readonly udfs: readonly UdfJob[];
  /** Their buffers. */
  readonly set: SetPlan;
  /** The positions that are processed. */
  readonly selection: Selection;
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Frames per tile. */
  readonly depth: number;
  /** Parts of a frame, in order. */
  readonly slices: readonly Box[];
  /** Whether parts are boxes, for which UDFs see their results row by row. */
  readonly boxes: boolean;
  /** Whether a depth block is read as whole frames and then cut, rather than part by part. */
  readonly readWhole: boolean;
  /** Whether no decoded chunk is kept. */
  readonly lean: boolean;
  /** Frames of one leaf of the merge tree. */
  readonly leaf: number;
  /** Largest number of buffer sets that the leaves of a partition need at one time. */
  readonly leafSets: number;
  /** Largest number of frames of a partition. */
  readonly partitionFrames: number;
  /** Dark frame, gain map, dead pixels. */
  readonly corrections?: PlacedCorrections;
  /** The channels of the host that the run was given. */
  readonly channels?: ChannelUse;
  /** Whether to look for UDFs that change data which they have not declared to change. */
  readonly checkWrites: boolean;
  /** Address at which a worker with its own memory puts all results, instead of the address in the task. */
  readonly ownSet?: number;
  /** The memory of each worker. */
  readonly slabs: readonly { readonly offset: number; readonly byteLength: number }[];
  /** Where each worker maps files; absent: files are read. */
  readonly windows?: readonly WindowPlace[];
}

/** Parameters that are newer than those with which the run began. */
export interface TaskUpdate {
  /** Number of this version. */
  readonly version: number;
  /** The UDFs that have other parameters, by their index. */
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

/** The result of a partition; its numbers are in the buffer set. */
export interface PartitionResult {
  /** Frames processed. */
  readonly frames: number;
  /** Per UDF: the values of its object buffers; absent when no UDF has any. */
  readonly objects?: readonly (Readonly<Record<string, JsonValue[]>> | undefined)[];
}
