/**
 * What a user-defined function may know and use: facts of the data, of the run, of the partition it is in.
 *
 * @module
 */

import type { Backend } from "../dataset/backend.ts";
import type { Roi } from "../dataset/roi.ts";
import type { Kernels } from "../kernels/wasm.ts";
import type { Box } from "../space/box.ts";
import type { DType, TypedArray } from "../space/dtype.ts";
import type { Shape } from "../space/shape.ts";

/** What is known of the data before any UDF is asked. */
export interface DataMeta {
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Shape of a frame. */
  readonly sigShape: Shape;
  /** Scan positions. */
  readonly frames: number;
  /** Samples of a frame. */
  readonly pixels: number;
  /** Frames that are selected and exist. */
  readonly selected: number;
  /** The region of interest. */
  readonly roi: Roi;
  /** Whether dark frame, gain or dead pixels are corrected before a UDF sees a tile. */
  readonly corrected: boolean;
  /** Type of the samples in the file. */
  readonly datasetDType: DType;
  /** Type of the samples before a UDF's preference: as in the file, or a float after corrections. */
  readonly nativeDType: DType;
}

/** What a UDF knows of the data before and while it runs. */
export interface UdfMeta extends DataMeta {
  /** Type of `tile.data` for this UDF. */
  readonly inputDType: DType;
  /** In which form this UDF gets its tiles. */
  readonly backend: Backend;
}

/** How the frames of a run are cut; the same for all partitions. */
export interface TilingFacts {
  /** Most frames of a tile. */
  readonly depth: number;
  /** Parts of a frame, in order; `tile.index` counts them. */
  readonly slices: readonly Box[];
}

/** The partition that is being processed. */
export interface PartitionFacts {
  /** Its number. */
  readonly index: number;
  /** First scan position. */
  readonly start: number;
  /** One past the last scan position. */
  readonly stop: number;
  /** Its frames among the selected ones (first dimension), and all pixels. */
  readonly slice: Box;
}

/** What a UDF may use while it processes one partition. */
export interface UdfContext {
  /** Facts of the data. */
  readonly meta: UdfMeta;
  /** The kernels, bound to the memory that tiles and buffers lie in. */
  readonly kernels: Kernels;
  /** What {@link Udf.constants} returned, in shared memory: read only. */
  readonly constants: Readonly<Record<string, TypedArray>>;
  /** The arrays of {@link Udf.scratch}, in the memory of the kernels; they keep what was written to them. */
  readonly scratch: Readonly<Record<string, TypedArray>>;
  /** What {@link Udf.taskData} returned for this partition. */
  readonly taskData: unknown;
  /** The partition. */
  readonly partition: PartitionFacts;
  /** How frames are cut into tiles. */
  readonly tiling: TilingFacts;
  /** What computes: always the processor. */
  readonly device: "cpu";
}

/** What a merge may use. */
export interface MergeContext {
  /** Facts of the data. */
  readonly meta: UdfMeta;
  /** The kernels, bound to the memory that the buffers lie in. */
  readonly kernels: Kernels;
}
