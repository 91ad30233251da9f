/**
 * Where views get their samples from: a box of an array at a time, put to where it belongs in a view.
 *
 * @module
 */

import type { Kernels } from "../kernels/bind.ts";
import type { Slab } from "../memory/slab.ts";
import type { AxisRun } from "./axis.ts";

/** Reads the samples of views. */
export interface SampleReader extends AsyncDisposable {
  /**
   * Reads a box of the array, one `read` run a dimension, to its place in the view at address `pointer`. Samples have
   * the byte order of `plan.array`.
   */
  read(box: readonly AxisRun[], pointer: number, signal?: AbortSignal): Promise<void>;
  /** Throws `changed` when what was read is not what was opened any more. */
  recheck(): void;
}

/** What a {@link SampleReader} works with. */
export interface SampleReaderOptions {
  /** The views lie in their memory. */
  readonly kernels: Kernels;
  /** Where it takes `plan.readerBytes` from; not needed where those are 0. */
  readonly slab?: Slab;
  /** Ends what opening takes. */
  readonly signal?: AbortSignal;
}
