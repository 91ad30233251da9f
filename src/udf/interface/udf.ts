/**
 * The interface of a user-defined function (UDF): declare buffers, process tiles, merge partial results.
 *
 * @module
 */

import type { Backend } from "../../dataset/facts.ts";
import type { AxisFacts, ValueRule } from "../../space/axes.ts";
import type { Box } from "../../space/box.ts";
import type { KernelFamily } from "../../kernels/families/families.ts";
import type { DType } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import type { AuxSpec } from "./aux_data.ts";
import type {
  Buffers,
  BufferTypes,
  ConstantsOf,
  DTypeWish,
  SamplesOf,
  TaskDataOf,
  UdfParts,
} from "./buffer_types.ts";
import type { MergeRule } from "./buffer_plan.ts";
import type { Tile } from "./tile.ts";
import type {
  DataMeta,
  MergeContext,
  PartialResult,
  ResultsContext,
  UdfContext,
  UdfMeta,
} from "./udf_meta.ts";
import type { Masked, ResultValue } from "./objects.ts";

export type * from "./udf_meta.ts";

/**
 * One result buffer.
 *
 * - `nav`: one entry per frame. `sig`: one entry per pixel. `single`: one entry in total.
 * - An entry has shape `extraShape`; without one it is a number.
 * @category User-defined functions
 */
export interface BufferSpec<D extends DType | "object" = DType | "object"> {
  /** What one entry belongs to. */
  readonly kind: "nav" | "sig" | "single";
  /**
   * Type of the numbers. Default `float32`, as in LiberTEM. `object`: a JSON value per entry; such buffers are lists,
   * found in `context.objects` instead of among the typed arrays.
   */
  readonly dtype?: D;
  /** Shape of one entry. Default: a number. */
  readonly extraShape?: Shape;
  /** `private`: intermediate, not part of the results. `result`: only {@link Udf.results} fills it. */
  readonly use?: "private" | "result";
  /** Of `nav` buffers: the result has one row per selected frame instead of one per scan position. */
  readonly compressed?: boolean;
  /**
   * The rule by which partial results are merged, see {@link MergeRule}; this buffer then needs no `merge()`. Partial
   * results of `min` and `max` start with the greatest or the least number of their type. In `nav` buffers the rule
   * combines what `preprocess` left on the main side with the rows of a partition; without a rule the rows replace it.
   */
  readonly merge?: MergeRule;
  /** What its numbers mean, see {@link ValueRule}: `sums` have the unit of the samples. Default: what follows from their type. */
  readonly values?: ValueRule;
  /**
   * What the dimensions of an entry are, one for each. `frame`: those of a frame; `spectrum`: those of its Fourier transform, which
   * `sig` buffers may have in place of those of the frame.
   */
  readonly axes?: "frame" | "spectrum" | readonly AxisFacts[];
}

/**
 * An array that one worker writes to while it computes.
 * @category User-defined functions
 */
export interface ScratchSpec<D extends DType = DType> {
  /** Type of its numbers. */
  readonly dtype: D;
  /** Number of its entries. Whole, at least 0. */
  readonly length: number;
}

/**
 * What a synchronous function returns: any value or nothing, but not a promise. Promises are not awaited, so this makes
 * `async` functions a type error.
 * @category User-defined functions
 */
export type Finished =
  | void
  | undefined
  | null
  | boolean
  | number
  | bigint
  | string
  | symbol
  | (object & {
    /** Promises have `then`, so they are excluded. */
    readonly then?: never;
  });

/**
 * How a UDF wants its tiles to be cut; see {@link negotiate} for how wishes are weighed.
 * @category User-defined functions
 */
export interface TilingWishes {
  /** Frames per tile; default 32. */
  readonly depth?: number | "max";
  /** Bytes per tile, as a number or in text such as `1MiB`; default: as many as the data set allows. */
  readonly totalBytes?: number | "bestFit" | "max" | `${number}${string}`;
  /** Depth does not matter, but a tile should be one read: several whole frames or a part of one. */
  readonly contiguous?: boolean;
  /**
   * Tiles may be any boxes, and `sig` buffers are shown from the first pixel of a tile to its last, as they lie in a
   * frame: row `r` of the tile begins `r · sigShape.at(-1)` entries after the first. For data stored in such boxes.
   * Used only if all UDFs of a run declare it and nothing is corrected.
   */
  readonly boxes?: boolean;
  /** Whether tiles of `processTile` have whole frames, however large they are. */
  readonly wholeFrames?: boolean;
}

/**
 * The sample types that a UDF may ask for.
 * @category User-defined functions
 */
export type WishOf<P extends UdfParts> = P extends { readonly input: infer I extends DTypeWish } ? I
  : DTypeWish;

/**
 * The buffers that a UDF declares.
 * @category User-defined functions
 */
export type BufferSpecs<B extends BufferTypes = BufferTypes> = {
  readonly [K in keyof B]: BufferSpec<Extract<B[K], DType | "object">>;
};

/**
 * The scratch arrays that a UDF declares.
 * @category User-defined functions
 */
export type ScratchSpecs<P extends UdfParts = UdfParts> = P extends
  { readonly scratch: infer T extends Readonly<Record<string, DType>> }
  ? { readonly [K in keyof T]: ScratchSpec<Extract<T[K], DType>> }
  : Readonly<Record<string, ScratchSpec>>;

/**
 * The auxiliary data that a UDF declares.
 * @category User-defined functions
 */
export type AuxSpecs<P extends UdfParts = UdfParts> = P extends
  { readonly aux: infer T extends Readonly<Record<string, DType>> }
  ? { readonly [K in keyof T]: AuxSpec<Extract<T[K], DType>> }
  : Readonly<Record<string, AuxSpec>>;

/**
 * A user-defined function. It has at least one of `processTile`, `processFrame`, `processPartition`. If it has several,
 * the first in this order is used, unless `method` says otherwise.
 *
 * Buffers start at zero in each partition. `nav` buffers need no merge, as a frame belongs to one partition. `sig` and
 * `single` buffers declare a rule ({@link BufferSpec.merge}) or are merged by `merge` or `mergeAll`.
 *
 * None of its functions may be async: promises are not awaited. Await before the run instead: the exported function
 * that makes the UDF may be async.
 *
 * @example The virtual bright field of a scan
 * ```ts
 * import { defineUdf } from "@tilewise/tilewise";
 * const sumSig = defineUdf({
 *   name: "sum-sig",
 *   buffers: { intensity: { kind: "nav", dtype: "float64" } },
 *   processTile({ data, pixels }, { intensity }) {
 *     intensity.forEach((before, f) => { // a tile may hold a part of each frame: `before` is the sum of the earlier parts
 *       intensity[f] = data.subarray(f * pixels, (f + 1) * pixels).reduce((sum, value) => sum + value, before);
 *     });
 *   },
 * });
 * ```
 * @category User-defined functions
 */
export interface Udf<B extends BufferTypes = BufferTypes, P extends UdfParts = UdfParts> {
  /** What it is called in messages and results. */
  readonly name: string;
  /** The result buffers; a function if they depend on the data. */
  readonly buffers: BufferSpecs<B> | ((meta: UdfMeta) => BufferSpecs<B>);
  /** Type of `tile.data`, combined with that of the file by NumPy's rules; `native`: as in the file. Default `float32`. */
  readonly inputDType?: WishOf<P> | ((meta: DataMeta) => WishOf<P>);
  /** How it wants its tiles to be cut. */
  readonly tiling?: TilingWishes | ((meta: UdfMeta) => TilingWishes);
  /** Which of its process methods runs on this data. Default: the first it has, in the order tile, frame, partition. */
  method?(meta: UdfMeta): Method;
  /**
   * The part of a frame that it needs. If all UDFs of a run say so, rows outside are not read, and tiles (also those of
   * `processFrame` and `processPartition`) show only the rows that at least one UDF needs. Results must therefore not
   * depend on what else a tile shows. Default: all pixels.
   */
  pixels?(meta: UdfMeta): Box | undefined;
  /**
   * `true`: it reads only `tile.raw`, so that no converted copy of the tile is made. `kernels`: the same, but sample
   * types without kernels are converted: 64-bit integers to float64, float16 to float32; `tile.raw` and
   * `meta.nativeDType` then have the converted type. Default false.
   */
  readonly raw?: boolean | "kernels";
  /**
   * Families of kernels that it calls, as `kernel(context.kernels, "fft2", …)` does, so that they are loaded when a run
   * is planned. Those that sum, convert and add samples (the pack `core`) are always there. It must not depend on what
   * `run.update` changes. Default: no others.
   */
  readonly kernels?: readonly KernelFamily[] | ((data: DataMeta) => readonly KernelFamily[]);
  /**
   * Whether it changes the samples of `tile.data`. If so, it gets its own copy, which is counted in the plan. Otherwise
   * it must not change them, as other UDFs see the same tile; see `checkWrites` of {@link run}. Not with `raw`. Default
   * false.
   */
  readonly writesTile?: boolean;
  /**
   * The forms of tiles that it takes, the preferred one first. A `dense` tile has `tile.data` and `tile.raw`; `csr`,
   * `csc` and `coo` tiles have the property of that name. `meta.backend` says which form it gets. Default `["dense"]`.
   */
  readonly backends?: readonly Backend[] | ((meta: DataMeta) => readonly Backend[]);
  /**
   * `tree`: partial results of `sig` and `single` buffers are merged in a binary tree over aligned groups of frames, so
   * that rounding does not depend on the partitioning. `any`: one buffer per partition, merged in the order of
   * partitions, for exact additions. Default: `tree` if a buffer declares a sum of floats, else `any`.
   */
  order?(meta: UdfMeta): "any" | "tree";
  /** How it computes on this data: half a sentence for `plan.explain()`. */
  explain?(meta: UdfMeta): string;
  /**
   * Lower bound of the bytes that constants, scratch and intermediate arrays for them need, as far as it is known
   * before they are made. It is called first, and once more after `buffers`, so that a plan with less memory is refused
   * early. Default 0.
   */
  leastBytes?(meta: UdfMeta): number;
  /** Arrays that all workers read, such as masks; computed once, placed in shared memory. */
  constants?(meta: UdfMeta): ConstantsOf<P>;
  /**
   * Arrays for intermediate values, one set per worker, in the memory of the kernels; their bytes are counted in the
   * plan.
   */
  scratch?(meta: UdfMeta): ScratchSpecs<P>;
  /** Arrays that are cut like buffers of their kind, see {@link UdfContext.aux}; placed once in shared memory. */
  aux?(meta: UdfMeta): AuxSpecs<P>;
  /** Warnings for the user before a run over this data. */
  warnings?(meta: UdfMeta): readonly string[];
  /** Any value that is needed for one partition. */
  taskData?(context: UdfContext<B, P>): TaskDataOf<P> & Finished;
  /**
   * Sets start values other than zero. Called before the first tile of a partition, and once for the whole buffers on
   * the side that collects results (`context.side`), where its values remain if nothing was merged.
   */
  preprocess?(buffers: Buffers<B>, context: UdfContext<B, P>): Finished;
  /** Processes a stack of (parts of) frames. `nav` buffers show the rows of its frames, `sig` buffers its pixels. */
  processTile?(tile: Tile<SamplesOf<P>>, buffers: Buffers<B>, context: UdfContext<B, P>): Finished;
  /** Processes one whole frame. `nav` buffers show its entry. */
  processFrame?(frame: Tile<SamplesOf<P>>, buffers: Buffers<B>, context: UdfContext<B, P>): Finished;
  /** Processes all selected frames of a partition at once. */
  processPartition?(partition: Tile<SamplesOf<P>>, buffers: Buffers<B>, context: UdfContext<B, P>): Finished;
  /** Called after the last tile of a partition. */
  postprocess?(buffers: Buffers<B>, context: UdfContext<B, P>): Finished;
  /** Called last for a partition, to free what `taskData` holds. */
  cleanup?(context: UdfContext<B, P>): Finished;
  /**
   * Adds the partial result `from`, of later frames, to `into`. Needed for `sig` and `single` buffers that declare no
   * rule. Buffers with a rule are shown unmerged here, and merged by their rule afterwards.
   */
  merge?(into: Buffers<B>, from: Buffers<B>, context: MergeContext<B>): Finished;
  /**
   * Instead of `merge`: makes whole `sig` and `single` buffers from the partial results of all partitions, in order. It
   * may also make `nav` buffers, with one row per frame of all parts. All partial results are kept until the end.
   */
  mergeAll?(
    parts: readonly PartialResult<B>[],
    context: ResultsContext<B>,
  ): Readonly<{ [K in keyof B]?: ResultValue }>;
  /**
   * Makes the results from the merged buffers, {@link withMask} if they have their own mask. Results that it does not
   * return, or all without this function, are the buffers that are not private.
   */
  results?(
    buffers: Buffers<B>,
    meta: UdfMeta,
    context: ResultsContext<B>,
  ): Readonly<{ [K in keyof B]?: ResultValue | Masked }>;
}

/**
 * The method of a UDF that will run.
 * @category User-defined functions
 */
export type Method = "tile" | "frame" | "partition";
