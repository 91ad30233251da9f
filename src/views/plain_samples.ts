/**
 * Samples of views from an array that lies row-major in a byte source, by positional reads directly to the place of the
 * samples.
 *
 * @module
 */

import { defined } from "../options.ts";
import { JOIN_GAP } from "../dataset/layout/frame_part.ts";
import { throwIfAborted } from "../errors.ts";
import { openSpec } from "../io/open.ts";
import type { ByteSource } from "../io/source/source.ts";
import { copierBetween } from "../kernels/copiers.ts";
import type { Kernels } from "../kernels/bind.ts";
import { type CopyRows, copyView } from "../memory/copy_box.ts";
import { denseStrides, stridedView } from "../memory/strided.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import { memoryOfSamples, type PlainArray } from "./array.ts";
import type { AxisRun } from "./geometry.ts";
import type { ViewLayout } from "./plan.ts";
import type { SampleReader, SampleReaderOptions } from "./samples.ts";
import { reverseUnits } from "../space/numbers.ts";

/** Rows of a box: their number, the bytes of each, and where each is in the source and in memory. */
interface Rows {
  readonly count: number;
  readonly bytes: number;
  from(row: number): number;
  to(row: number): number;
}

/** Reads the samples of views from one source. */
export class PlainSamples implements SampleReader {
  private constructor(
    private readonly plan: ViewLayout,
    private readonly array: PlainArray,
    private readonly source: ByteSource,
    private readonly kernels: Kernels,
    /** Copies rows of an array that lies in a memory of WebAssembly. */
    private readonly copyRows: CopyRows | undefined,
    /** Where `plan.readerBytes` are, into which near rows are read together. */
    private readonly span: number,
  ) {}

  /** Opens the source of `array`, the array of `plan`. */
  static async open(
    plan: ViewLayout,
    array: PlainArray,
    { kernels, slab, signal, samples = memoryOfSamples(array) }: SampleReaderOptions,
  ): Promise<PlainSamples> {
    const source = await openSpec(array.source, defined({ signal }));
    const copyRows = samples && copierBetween(samples, kernels.memory);
    const span = plan.readerBytes > 0 ? slab!.take(plan.readerBytes, "near rows") : 0;
    return new PlainSamples(plan, array, source, kernels, copyRows, span);
  }

  /** Reads a box to its place: from memory in one copy, from other sources row by row. */
  read(
    box: readonly AxisRun[],
    pointer: number,
    signal?: AbortSignal,
    shape: Shape = this.plan.shape,
  ): Promise<void> | void {
    throwIfAborted(signal);
    if (!this.#copy(box, pointer, shape)) return this.#readRows(box, pointer, shape, signal);
  }

  /** Copies a box of an array in memory; false if the array is not in memory, or not all of it. */
  #copy(box: readonly AxisRun[], pointer: number, shape: Shape): boolean {
    const bytes = this.source.contents?.();
    const { shape: whole, offset, dtype } = this.array;
    if (!bytes || offset + sizeOf(whole) * dtypeInfo(dtype).itemSize > bytes.byteLength) return false;
    const [strides, into] = [denseStrides(whole, dtype), denseStrides(shape, dtype)];
    const counts = box.map(({ count }) => count);
    const from = box.reduce((at, run, d) => at + run.from * strides[d]!, bytes.byteOffset + offset);
    const to = box.reduce((at, run, d) => at + run.at * into[d]!, pointer);
    const steps = strides.map((stride, d) => box[d]!.step === -1 ? -stride : stride);
    copyView(
      stridedView(bytes.buffer, from, dtype, counts, steps),
      stridedView(this.kernels.memory.buffer, to, dtype, counts, into),
      this.copyRows,
    );
    return true;
  }

  /**
   * Reads a box, row by row, to its place; a row is as long as the samples are contiguous in both the source and the
   * view. Rows that are near to each other in the source, such as the samples of one colour, are one read.
   */
  async #readRows(
    box: readonly AxisRun[],
    pointer: number,
    shape: Shape,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { shape: whole, offset, dtype } = this.array;
    const { itemSize } = dtypeInfo(dtype);
    let depth = box.length - 1; // the dimension whose run, together with all later dimensions, is one row
    while (depth > 0 && isWhole(box[depth]!, whole[depth]!, shape[depth]!) && box[depth - 1]!.step === 1) {
      depth--;
    }
    const inner = box.slice(depth + 1);
    const row = box[depth]!;
    const backwards = row?.step === -1;
    const bytes = sizeOf([row?.count ?? 1, ...inner.map(({ count }) => count), itemSize]);
    const outer = box.slice(0, Math.max(0, depth));
    const counts = outer.map(({ count }) => count);
    const [strides, into] = [denseStrides(whole, dtype), denseStrides(shape, dtype)];
    const start = box.reduce((at, run, d) => at + run.from * strides[d]!, offset) -
      (backwards ? (row.count - 1) * strides[depth]! : 0);
    const place = box.reduce((at, run, d) => at + run.at * into[d]!, pointer);
    const steps = outer.map(({ step }, d) => step * strides[d]!);
    const rows: Rows = {
      count: sizeOf(counts),
      bytes,
      from: (i) => start + distance(i, counts, steps),
      to: (i) => place + distance(i, counts, into),
    };
    for (let first = 0, next = 1; next <= rows.count; next++) {
      if (next < rows.count && isNear(rows, first, next, this.plan.readerBytes)) continue;
      await this.#readNear(rows, first, next, backwards ? itemSize : 0, signal);
      first = next;
    }
  }

  /** Reads rows by one read, with what lies between them; samples of `reversed` bytes are turned round, 0: none. */
  async #readNear(
    { bytes, from, to }: Rows,
    first: number,
    end: number,
    reversed: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const memory = new Uint8Array(this.kernels.memory.buffer);
    const into = (row: number) => memory.subarray(to(row), to(row) + bytes);
    const start = from(first);
    if (end - first === 1) await this.source.readInto(into(first), start, signal);
    else {
      const length = from(end - 1) + bytes - start;
      await this.source.readInto(memory.subarray(this.span, this.span + length), start, signal);
      for (let row = first; row < end; row++) {
        const at = this.span + from(row) - start;
        memory.copyWithin(to(row), at, at + bytes);
      }
    }
    for (let row = first; reversed > 0 && row < end; row++) reverseSamples(into(row), reversed);
  }

  /** Checks that the source has not changed. */
  recheck(): void {
    this.source.recheck?.();
  }

  /** Closes the source. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.source[Symbol.asyncDispose]();
  }
}

/** Whether row `next` is read together with those from `first`, into so many bytes. */
function isNear({ bytes, from }: Rows, first: number, next: number, span: number): boolean {
  const at = from(next);
  const gap = at - from(next - 1) - bytes;
  return gap >= 0 && gap <= JOIN_GAP && at + bytes - from(first) <= span;
}

/** Bytes from row 0 to row `i` of rows that are numbered row-major. */
function distance(i: number, counts: Shape, strides: Shape): number {
  let bytes = 0;
  for (let d = counts.length - 1; d >= 0; d--) {
    bytes += i % counts[d]! * strides[d]!;
    i = Math.floor(i / counts[d]!);
  }
  return bytes;
}

/** Whether a run is the whole dimension, both in the array and in the view. */
function isWhole({ count, step }: AxisRun, n: number, length: number): boolean {
  return count === n && count === length && step === 1;
}

function reverseSamples(bytes: Uint8Array, itemSize: number): void {
  reverseUnits(bytes.reverse(), itemSize);
}
