/**
 * The options of a kernel that is used as a UDF.
 *
 * @module
 */

import type { DType, TypedArray } from "../../space/dtype.ts";
import type { Buffers, BufferTypes, DTypeWish, TypesOf } from "../interface/buffer_types.ts";
import type { NumberRule } from "../../space/numbers.ts";
import type { BufferSpec, Finished } from "../interface/udf.ts";
import type { UdfRef } from "../interface/udf_ref.ts";

/**
 * How two partial results of a buffer of a kernel are merged, see {@link MergeRule}.
 * @category Kernels of your own
 */
export type MergeName = NumberRule;

/**
 * How a kernel is called: once per frame, or once per tile of (parts of) frames.
 * @category Kernels of your own
 */
export type KernelCall = "frame" | "tile";

/**
 * A result buffer of a kernel: a {@link BufferSpec} of numbers.
 * @category Kernels of your own
 */
export interface KernelBuffer extends Omit<BufferSpec, "dtype" | "use" | "merge"> {
  /** Type of the numbers. Default `float32`. */
  readonly dtype?: DType;
  /** `private`: intermediate, not part of the results. */
  readonly use?: "private";
  /** How partial results are merged. Default: as {@link SourceKernel.merge} says. */
  readonly merge?: MergeName;
}

/**
 * An array for intermediate values. It is not cleared between calls, so a kernel must fill it before it reads it.
 * @category Kernels of your own
 */
export interface KernelScratch {
  /** Type of its numbers. */
  readonly dtype: DType;
  /** Its length, independent of the frames. Any number. Default 0. */
  readonly length?: number;
  /** Additional length per pixel of a frame. Any number. Default 0. */
  readonly perPixel?: number;
}

/**
 * The buffers that a kernel declares, by name.
 * @category Kernels of your own
 */
export type KernelBuffers = Readonly<Record<string, KernelBuffer>>;

/**
 * Parameters of a kernel, by name.
 * @category Kernels of your own
 */
export type KernelParams = Readonly<Record<string, number>>;

/**
 * The arguments of a plain twin: the same samples and arrays as the kernel gets, as typed arrays.
 * @category Kernels of your own
 */
export interface TwinCall<
  S extends KernelBuffers = KernelBuffers,
  A extends Readonly<Record<string, TypedArray>> = Readonly<Record<string, TypedArray>>,
  N extends KernelParams = KernelParams,
> {
  /** The samples: `frames × rows × cols` numbers in row-major order. */
  readonly data: TypedArray;
  /** Number of frames; 1 for a `frame` kernel. */
  readonly frames: number;
  /** Rows per frame. */
  readonly rows: number;
  /** Samples per row. */
  readonly cols: number;
  /** The buffers to write, with the values that the kernel finds in them. */
  readonly buffers: Buffers<TypesOf<S>>;
  /** The constant arrays. */
  readonly arrays: A;
  /** The parameters. */
  readonly params: { readonly [K in keyof N]: number };
}

/**
 * The plain twin of a kernel: simple enough to be obviously correct; speed does not matter.
 * @category Kernels of your own
 */
export type KernelTwin<
  S extends KernelBuffers = KernelBuffers,
  A extends Readonly<Record<string, TypedArray>> = Readonly<Record<string, TypedArray>>,
  N extends KernelParams = KernelParams,
> = (call: TwinCall<S, A, N>) => Finished;

/**
 * A kernel in AssemblyScript. It exports one of these functions, with an address (`usize`) for each buffer, array and
 * scratch array, and an `f64` for each parameter, in the order in which they are declared:
 *
 * ```
 * frame(data: usize, rows: i32, cols: i32, …buffers, …arrays, …scratch, …params): void
 * tile(data: usize, frames: i32, frameStride: usize, rows: i32, cols: i32, …buffers, …arrays, …scratch, …params): void
 * ```
 * @category Kernels of your own
 */
export interface SourceKernel<
  S extends KernelBuffers = KernelBuffers,
  A extends Readonly<Record<string, TypedArray>> = Readonly<Record<string, TypedArray>>,
  N extends KernelParams = KernelParams,
> {
  /** Its name in messages and results. Default: the name of the file. */
  readonly name?: string;
  /** The source. */
  readonly source?: string;
  /** A path or URL of the source. Give either `source` or `file`. */
  readonly file?: string | URL;
  /** The function to call. Default: the one that the source exports. */
  readonly export?: KernelCall;
  /** Type of the samples. Default `native` if the source imports `Sample`, else `float32`. */
  readonly input?: DTypeWish;
  /** The result buffers. */
  readonly buffers: S;
  /** Arrays that the kernel reads, such as weights. */
  readonly arrays?: A;
  /** Arrays for intermediate values, one set per worker. */
  readonly scratch?: Readonly<Record<string, KernelScratch>>;
  /** Numbers that are the last arguments of the kernel. */
  readonly params?: N;
  /** How partial results of `sig` and `single` buffers are merged: one rule for all, or rules by name. */
  readonly merge?: MergeName | Readonly<Record<string, MergeName>>;
  /**
   * What {@link checkKernel} compares the kernel with: a function, or another export of the source. Default: the plain
   * build.
   */
  readonly twin?: KernelTwin<S, A, N> | string;
}

/**
 * A kernel that comes with Tilewise.
 * @category Kernels of your own
 */
export interface BuiltinKernel {
  /** Its family. */
  readonly kernel: "sum_pixels" | "sum_frames" | "min_max";
  /** Its name in messages and results. Default: its family. */
  readonly name?: string;
}

/**
 * The dtypes of the results of the families.
 * @category Kernels of your own
 */
export interface FamilyTypes {
  /** The results of {@link sumPixels}. */
  readonly sum_pixels: {
    /** The sum of each frame. */
    readonly intensity: "float64" | "complex128";
  };
  /** The results of {@link sumFrames}. */
  readonly sum_frames: {
    /** The sum over all frames, per pixel. */
    readonly intensity: "float64" | "complex128";
  };
  /** The results of `min_max`. */
  readonly min_max: {
    /** The least and the greatest sample, per frame. */
    readonly extremes: "float64";
  };
}

/**
 * A UDF from a kernel; the kernel is compiled when a run with it is planned.
 * @category Kernels of your own
 */
export interface KernelRef<R extends BufferTypes = BufferTypes> extends UdfRef<R> {
  /** The options from which it was made. */
  readonly kernel: SourceKernel;
}
