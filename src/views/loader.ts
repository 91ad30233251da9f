/**
 * Fills views: first the samples of the array, then the border, one dimension after another.
 *
 * ```text
 *   for every box of the product of the `read` runs: read its samples to their places
 *   reverse bytes if the source is big endian
 *   for d = last … first dimension: copy and fill the other runs of d, over all of the other dimensions
 * ```
 *
 * When dimension d is processed, all later dimensions are complete wherever the samples of the earlier ones exist.
 * Corners are therefore correct in all dimensions. Samples that the view already has are never read again.
 *
 * @module
 */

import { unlessChanged } from "../io/unchanged.ts";
import type { Kernels } from "../kernels/bind.ts";
import { type StridedView, stridedView } from "../memory/strided.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { type Shape, sizeOf, unravel } from "../space/shape.ts";
import { type AxisRun, axisRuns } from "./axis.ts";
import { constantView, extendRun } from "./extend.ts";
import { type ViewGeometry, viewGeometry } from "./geometry.ts";
import { openSamples } from "./open_samples.ts";
import type { ViewLayout } from "./plan.ts";
import type { SampleReader, SampleReaderOptions } from "./samples.ts";

/** Loads the views of one plan into one memory, one at a time. */
export class ViewLoader implements AsyncDisposable {
  readonly #constant: StridedView;

  private constructor(
    readonly plan: ViewLayout,
    private readonly samples: SampleReader,
    private readonly kernels: Kernels,
  ) {
    this.#constant = constantView(plan.array.dtype, plan.fill);
  }

  /** Opens the sources of `plan` on this thread; views are loaded into the memory of the kernels. */
  static async open(plan: ViewLayout, options: SampleReaderOptions): Promise<ViewLoader> {
    return new ViewLoader(plan, await openSamples(plan, options), options.kernels);
  }

  /** Fills the `plan.byteLength` bytes at address `pointer` with the view of tile `index`; every byte is written. */
  async load(index: Shape, pointer: number, signal?: AbortSignal): Promise<ViewGeometry> {
    const { array, grid, radius, border } = this.plan;
    const geometry = viewGeometry(grid, radius, index);
    const axes = geometry.shape.map((length, d) =>
      axisRuns(border, geometry.start[d]!, length, array.shape[d]!)
    );
    await this.#read(axes.map((runs) => runs.filter(({ kind }) => kind === "read")), pointer, signal);
    this.#swap(pointer);
    const view = stridedView(this.kernels.memory.buffer, pointer, array.dtype, geometry.shape);
    for (let d = axes.length - 1; d >= 0; d--) {
      for (const run of axes[d]!) if (run.kind !== "read") extendRun(view, run, d, this.#constant);
    }
    return geometry;
  }

  /** Closes the sources. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.samples[Symbol.asyncDispose]();
  }

  /** Reads every box of the product of `runs`; throws if the sources have changed since they were opened. */
  async #read(
    runs: readonly (readonly AxisRun[])[],
    pointer: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    try {
      for (const box of product(runs)) await this.samples.read(box, pointer, signal);
      this.samples.recheck();
    } catch (error) {
      throw unlessChanged(error, () => this.samples.recheck());
    }
  }

  /** Swaps big-endian samples to the byte order of memory; also swaps bytes that are not filled yet. */
  #swap(pointer: number): void {
    const { array: { byteOrder, dtype }, byteLength } = this.plan;
    const { unitSize } = dtypeInfo(dtype);
    if (byteOrder === "little" || unitSize === 1) return;
    const { swap_u16, swap_u32, swap_u64 } = this.kernels.exports;
    const swap = unitSize === 2 ? swap_u16 : unitSize === 4 ? swap_u32 : swap_u64;
    swap(pointer, pointer, byteLength / unitSize);
  }
}

/** All combinations of one run per dimension; one empty combination for no dimensions. */
function* product(lists: readonly (readonly AxisRun[])[]): Generator<AxisRun[]> {
  const counts = lists.map((runs) => runs.length);
  for (let flat = 0, all = sizeOf(counts); flat < all; flat++) {
    yield unravel(flat, counts).map((i, d) => lists[d]![i]!);
  }
}
