/**
 * Fills views: positional reads straight to where the samples belong, then the border, one dimension after the other.
 *
 * ```text
 *   for every box of the product of the `read` runs: read its rows to their places    (contiguous rows at once)
 *   reverse bytes if the source is big endian
 *   for d = last … first dimension: copy and fill the other runs of d, over all of the other dimensions
 * ```
 *
 * When dimension d has its turn, all dimensions behind it are complete wherever those before it are; hence corners
 * come out as the maps of all dimensions together. Samples that the view has are never read twice.
 *
 * @module
 */

import type { Kernels } from "../kernels/wasm.ts";
import { openSpec } from "../io/open.ts";
import type { ByteSource } from "../io/source.ts";
import { copyView } from "../memory/copy_box.ts";
import { denseStrides, type StridedView, stridedView } from "../memory/strided.ts";
import { dtypeInfo, type TypedArray, zeros } from "../space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../space/shape.ts";
import { type AxisRun, axisRuns } from "./axis.ts";
import { type ViewGeometry, viewGeometry } from "./geometry.ts";
import type { ViewPlan } from "./plan.ts";

/** Loads the views of one plan into one memory, one at a time. */
export class ViewLoader implements AsyncDisposable {
  readonly #source: ByteSource;
  readonly #constant: StridedView;

  /** The views of `plan`, from `source`, into the memory of `kernels`. */
  constructor(readonly plan: ViewPlan, source: ByteSource, private readonly kernels: Kernels) {
    this.#source = source;
    this.#constant = constantView(plan);
  }

  /** Opens the source of `plan` on this thread. */
  static async open(plan: ViewPlan, kernels: Kernels, signal?: AbortSignal): Promise<ViewLoader> {
    return new ViewLoader(plan, await openSpec(plan.array.source, signal ? { signal } : {}), kernels);
  }

  /** Fills the `plan.byteLength` bytes at address `pointer` with the view of tile `index`; every byte is written. */
  async load(index: Shape, pointer: number, signal?: AbortSignal): Promise<ViewGeometry> {
    const { array, grid, radius, border } = this.plan;
    const geometry = viewGeometry(grid, radius, index);
    const axes = geometry.shape.map((length, d) =>
      axisRuns(border, geometry.start[d]!, length, array.shape[d]!)
    );
    const reads = axes.map((runs) => runs.filter(({ kind }) => kind === "read"));
    for (const box of product(reads)) await this.#read(box, pointer, signal);
    this.#swap(pointer);
    for (let d = axes.length - 1; d >= 0; d--) {
      for (const run of axes[d]!) if (run.kind !== "read") this.#extend(run, d, pointer);
    }
    return geometry;
  }

  /** Closes the source. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source[Symbol.asyncDispose]();
  }

  /** Reads a box, row by row, to its place; a row is as long as both sides are contiguous. */
  async #read(box: readonly AxisRun[], pointer: number, signal: AbortSignal | undefined): Promise<void> {
    const { array: { shape: whole, offset, dtype }, shape } = this.plan;
    const { itemSize } = dtypeInfo(dtype);
    const { buffer } = this.kernels.memory;
    let depth = box.length - 1; // the dimension whose run is one row, together with all those behind it
    while (depth > 0 && isWhole(box[depth]!, whole[depth]!, shape[depth]!) && box[depth - 1]!.step === 1) {
      depth--;
    }
    const inner = box.slice(depth + 1);
    const row = box[depth]!;
    const backwards = row?.step === -1;
    const bytes = sizeOf([row?.count ?? 1, ...inner.map(({ count }) => count), itemSize]);
    const outer = box.slice(0, Math.max(0, depth)).map(({ count }) => count);
    for (let flat = 0, rows = sizeOf(outer); flat < rows; flat++) {
      const at = unravel(flat, outer);
      const position = (one: (run: AxisRun, i: number) => number) =>
        box.map((run, d) => one(run, d < depth ? at[d]! : 0));
      const first = position((run, i) => run.from + i * run.step);
      if (backwards) first[depth]! -= row.count - 1;
      const to = pointer + ravel(position((run, i) => run.at + i), shape) * itemSize;
      const into = new Uint8Array(buffer, to, bytes);
      const wait = this.#source.readInto(into, offset + ravel(first, whole) * itemSize, signal);
      if (wait) await wait;
      if (backwards) reverseSamples(into, itemSize);
    }
  }

  /** Brings big-endian samples into the order of memory; what is not yet filled is moved along. */
  #swap(pointer: number): void {
    const { array: { byteOrder, dtype }, byteLength } = this.plan;
    const { unitSize } = dtypeInfo(dtype);
    if (byteOrder === "little" || unitSize === 1) return;
    const { swap_u16, swap_u32, swap_u64 } = this.kernels.exports;
    const swap = unitSize === 2 ? swap_u16 : unitSize === 4 ? swap_u32 : swap_u64;
    swap(pointer, pointer, byteLength / unitSize);
  }

  /** Makes the samples of one run of dimension `d` from others, over all of the other dimensions. */
  #extend({ kind, at, from, step, count }: AxisRun, d: number, pointer: number): void {
    const { array: { dtype }, shape } = this.plan;
    const strides = denseStrides(shape, dtype);
    const part = shape.map((n, i) => (i === d ? count : n));
    const { buffer } = this.kernels.memory;
    const to = stridedView(buffer, pointer + at * strides[d]!, dtype, part, strides);
    const source = kind === "fill"
      ? { ...this.#constant, shape: part, strides: part.map(() => 0) }
      : stridedView(
        buffer,
        pointer + from * strides[d]!,
        dtype,
        part,
        strides.map((stride, i) => i === d ? step * stride : stride),
      );
    copyView(source, to);
  }
}

/** Whether a run is all of a dimension, in the array as in the view. */
function isWhole({ count, step }: AxisRun, n: number, length: number): boolean {
  return count === n && count === length && step === 1;
}

/** The fill value as a view of one sample in memory of its own. */
function constantView({ array: { dtype }, fill }: ViewPlan): StridedView {
  const sample: TypedArray = zeros(dtype, 1);
  const wide = sample instanceof BigInt64Array || sample instanceof BigUint64Array;
  if (wide) sample[0] = BigInt(Math.trunc(fill));
  else sample[0] = fill;
  return stridedView(sample.buffer, 0, dtype, [1]);
}

/** Every choice of one run a dimension; the one choice of nothing for no dimensions. */
function* product(lists: readonly (readonly AxisRun[])[]): Generator<AxisRun[]> {
  const counts = lists.map((runs) => runs.length);
  for (let flat = 0, all = sizeOf(counts); flat < all; flat++) {
    yield unravel(flat, counts).map((i, d) => lists[d]![i]!);
  }
}

function reverseSamples(bytes: Uint8Array, itemSize: number): void {
  bytes.reverse();
  for (let at = 0; at < bytes.length; at += itemSize) bytes.subarray(at, at + itemSize).reverse();
}
