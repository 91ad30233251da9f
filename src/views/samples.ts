/**
 * The interface of readers of samples: they read one box of an array at a time to its place in a view.
 *
 * @module
 */

import type { Kernels } from "../kernels/bind.ts";
import type { Slab } from "../memory/slab.ts";
import type { Shape } from "../space/shape.ts";
import type { AxisRun } from "./geometry.ts";
import type { StorePlace } from "./chunks/store.ts";

/** Reads the samples of views. */
export interface SampleReader extends AsyncDisposable {
  /**
   * Reads a box of the array, given by one `read` run per dimension, to its place in the view at address `pointer`.
   * Samples have the byte order of `plan.array`. `shape` is that of the view; default: `plan.shape`. Nothing is returned
   * where all is there already.
   */
  read(box: readonly AxisRun[], pointer: number, signal?: AbortSignal, shape?: Shape): Promise<void> | void;
  /** Throws `changed` if a source has changed since it was opened. */
  recheck(): void;
}

/** What a {@link SampleReader} needs. */
export interface SampleReaderOptions {
  /** The kernels, over the memory that contains the views. */
  readonly kernels: Kernels;
  /** The slab for `plan.readerBytes`; not needed if these are 0. */
  readonly slab?: Slab;
  /** Where decoded chunks are shared by the workers of a run, for arrays that are read chunk by chunk. */
  readonly chunks?: StorePlace;
  /** The memory of WebAssembly with the samples of the array, if they lie in one; by default that which this thread made. */
  readonly samples?: WebAssembly.Memory;
  /** Cancels the opening of sources. */
  readonly signal?: AbortSignal;
}
