/**
 * What a user-defined function may know and use: facts of the data, of the run, of the current partition.
 *
 * @module
 */

import type { KernelFiles } from "../../channels/files/kernel_files.ts";
import type { Backend } from "../../dataset/facts.ts";
import type { Roi } from "../../dataset/roi/roi.ts";
import type { Kernels } from "../../kernels/bind.ts";
import type { AxisFacts, ValueFacts } from "../../space/axes.ts";
import type { Box } from "../../space/box.ts";
import type { DType } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import type {
  AuxOf,
  Buffers,
  BufferTypes,
  ConstantsOf,
  ObjectBuffers,
  ScratchOf,
  TaskDataOf,
  UdfParts,
} from "./buffer_types.ts";

/**
 * What is known of the data before any UDF is asked.
 * @category User-defined functions
 */
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
  /** Type of the samples before the wish of a UDF is applied: as in the file, or a float after corrections. */
  readonly nativeDType: DType;
  /** What the dimensions are, as far as it is known: those of the scan, then those of a frame. */
  readonly axes: readonly AxisFacts[];
  /** What the samples mean. */
  readonly values: ValueFacts;
}

/**
 * What a UDF knows of the data before and while it runs.
 * @category User-defined functions
 */
export interface UdfMeta extends DataMeta {
  /** Type of `tile.data` for this UDF. */
  readonly inputDType: DType;
  /** The form in which this UDF gets its tiles. */
  readonly backend: Backend;
}

/**
 * How the frames of a run are cut; the same for all partitions.
 * @category User-defined functions
 */
export interface TilingFacts {
  /** Largest number of frames per tile. */
  readonly depth: number;
  /** The parts of a frame, in order; `tile.index` is an index into this list. */
  readonly slices: readonly Box[];
}

/**
 * The partition that is being processed.
 * @category User-defined functions
 */
export interface PartitionFacts {
  /** Its number. */
  readonly index: number;
  /** First scan position. */
  readonly start: number;
  /** One past the last scan position. */
  readonly stop: number;
  /** A box: its range among the selected frames (first dimension), and all pixels. */
  readonly slice: Box;
}

/**
 * What a UDF may use while it processes one partition.
 * @category User-defined functions
 */
export interface UdfContext<B extends BufferTypes = BufferTypes, P extends UdfParts = UdfParts> {
  /** Facts of the data. */
  readonly meta: UdfMeta;
  /** The kernels, bound to the memory that tiles and buffers lie in. */
  readonly kernels: Kernels;
  /** What {@link Udf.constants} returned, in shared memory: read only. */
  readonly constants: ConstantsOf<P>;
  /** The arrays of {@link Udf.scratch}, in the memory of the kernels; they are not cleared between calls. */
  readonly scratch: ScratchOf<P>;
  /**
   * The arrays of {@link Udf.aux}, cut like buffers of their kind: the rows of the frames and the pixels that this
   * call sees; read only.
   */
  readonly aux: AuxOf<P>;
  /** The buffers of dtype `object`, cut in the same way. */
  readonly objects: ObjectBuffers<B>;
  /** What {@link Udf.taskData} returned for this partition. */
  readonly taskData: TaskDataOf<P>;
  /** The partition. */
  readonly partition: PartitionFacts;
  /** How frames are cut into tiles. */
  readonly tiling: TilingFacts;
  /**
   * The files of the host that the run was given, see the option `channels` of {@link run}; without it, calls fail with `invalid`.
   * A partition may be computed again if its worker dies, so what is written should not depend on how often.
   */
  readonly files: KernelFiles;
  /** The device that computes: always the processor. */
  readonly device: "cpu";
  /** `worker`: buffers of one partition. `main`, in `preprocess` only: whole buffers, not in the memory of kernels. */
  readonly side: "main" | "worker";
}

/**
 * What is known of a run on the side that collects results.
 * @category User-defined functions
 */
export interface RunFacts {
  /** Facts of the data. */
  readonly meta: UdfMeta;
  /**
   * Which frames have been merged, one byte each: of the selected positions, or, with `full`, of all positions of the
   * scan. Only the side that collects results knows it: an error in a merge on a worker, as happens with `order:
   * "tree"`.
   */
  validNav(full?: boolean): Uint8Array;
}

/**
 * What a merge may use.
 * @category User-defined functions
 */
export interface MergeContext<B extends BufferTypes = BufferTypes> extends RunFacts {
  /** The kernels, bound to the memory that the buffers lie in. */
  readonly kernels: Kernels;
  /** The `sig` and `single` buffers of dtype `object`. */
  readonly objects: {
    /** The buffers that `from` is merged into. */
    readonly into: ObjectBuffers<B>;
    /** The buffers that are merged. */
    readonly from: ObjectBuffers<B>;
  };
}

/**
 * What `results` and `mergeAll` may use.
 * @category User-defined functions
 */
export interface ResultsContext<B extends BufferTypes = BufferTypes> extends RunFacts {
  /** The buffers of dtype `object`. */
  readonly objects: ObjectBuffers<B>;
}

/**
 * The result of one partition, for `mergeAll`.
 * @category User-defined functions
 */
export interface PartialResult<B extends BufferTypes = BufferTypes> {
  /** Number of the partition. */
  readonly partition: number;
  /** Flat scan positions of its frames, ascending: one per row of its nav buffers. */
  readonly positions: Uint32Array;
  /** Its buffers; nav buffers have one row per frame. */
  readonly buffers: Buffers<B>;
  /** Its buffers of dtype `object`. */
  readonly objects: ObjectBuffers<B>;
}
