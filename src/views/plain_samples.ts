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
import { ravel, type Shape, sizeOf, unravel } from "../space/shape.ts";
import { memoryOfSamples, type PlainArray } from "./array.ts";
import type { AxisRun } from "./geometry.ts";
import type { ViewLayout } from "./plan.ts";
import type { SampleReader, SampleReaderOptions } from "./samples.ts";
import { reverseUnits } from "../space/numbers.ts";

/** Most bytes of rows that are read together. */
const SPAN = 256 * 1024;

/** A row: where it is in the source, and where its samples go. */
interface Row {
  readonly at: number;
  readonly into: Uint8Array;
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
  ) {}

  /** Opens the source of `array`, the array of `plan`. */
  static async open(
    plan: ViewLayout,
    array: PlainArray,
    { kernels, signal, samples = memoryOfSamples(array) }: SampleReaderOptions,
  ): Promise<PlainSamples> {
    const source = await openSpec(array.source, defined({ signal }));
    const copyRows = samples && copierBetween(samples, kernels.memory);
    return new PlainSamples(plan, array, source, kernels, copyRows);
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
    const { buffer } = this.kernels.memory;
    let depth = box.length - 1; // the dimension whose run, together with all later dimensions, is one row
    while (depth > 0 && isWhole(box[depth]!, whole[depth]!, shape[depth]!) && box[depth - 1]!.step === 1) {
      depth--;
    }
    const inner = box.slice(depth + 1);
    const row = box[depth]!;
    const backwards = row?.step === -1;
    const bytes = sizeOf([row?.count ?? 1, ...inner.map(({ count }) => count), itemSize]);
    const outer = box.slice(0, Math.max(0, depth)).map(({ count }) => count);
    let near: Row[] = [];
    for (let flat = 0, rows = sizeOf(outer); flat < rows; flat++) {
      const at = unravel(flat, outer);
      const position = (one: (run: AxisRun, i: number) => number) =>
        box.map((run, d) => one(run, d < depth ? at[d]! : 0));
      const first = position((run, i) => run.from + i * run.step);
      if (backwards) first[depth]! -= row.count - 1;
      const to = pointer + ravel(position((run, i) => run.at + i), shape) * itemSize;
      const next = { at: offset + ravel(first, whole) * itemSize, into: new Uint8Array(buffer, to, bytes) };
      if (near.length > 0 && !isNear(near, next)) {
        await this.#readNear(near, backwards ? itemSize : 0, signal);
        near = [];
      }
      near.push(next);
    }
    if (near.length > 0) await this.#readNear(near, backwards ? itemSize : 0, signal);
  }

  /** Reads rows by one read, with what lies between them; samples of `reversed` bytes are turned round, 0: none. */
  async #readNear(rows: readonly Row[], reversed: number, signal: AbortSignal | undefined): Promise<void> {
    const [first, last] = [rows[0]!, rows.at(-1)!];
    const bytes = first === last ? first.into : new Uint8Array(last.at + last.into.length - first.at);
    await this.source.readInto(bytes, first.at, signal);
    for (const { at, into } of rows) {
      if (bytes !== into) into.set(bytes.subarray(at - first.at, at - first.at + into.length));
      if (reversed > 0) reverseSamples(into, reversed);
    }
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

/** Whether a row is read together with those before it. */
function isNear(rows: readonly Row[], { at, into }: Row): boolean {
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const gap = at - last.at - last.into.length;
  return gap >= 0 && gap <= JOIN_GAP && at + into.length - first.at <= SPAN;
}

/** Whether a run is the whole dimension, both in the array and in the view. */
function isWhole({ count, step }: AxisRun, n: number, length: number): boolean {
  return count === n && count === length && step === 1;
}

function reverseSamples(bytes: Uint8Array, itemSize: number): void {
  reverseUnits(bytes.reverse(), itemSize);
}
