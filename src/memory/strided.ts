/**
 * Strided views: samples of an n-dimensional array that lie at regular distances in some memory.
 *
 * A box of a larger array, a transposed or mirrored array, frames with headers between them: each is a pointer, a
 * shape and strides, and none needs a copy. `copy_box.ts` copies samples between views.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { Box } from "../space/box.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray } from "../space/dtype.ts";
import { type Shape, showShape, sizeOf, stridesOf } from "../space/shape.ts";

/** Samples at regular distances. {@link stridedView} makes and checks it. */
export interface StridedView {
  /** The memory. */
  readonly buffer: ArrayBufferLike;
  /** Address of the first sample, in bytes. */
  readonly pointer: number;
  /** Samples per dimension, slowest first. */
  readonly shape: Shape;
  /** Bytes from a sample to the next one, per dimension; 0 repeats a sample, negative ones run backwards. */
  readonly strides: readonly number[];
  /** Type of the samples. */
  readonly dtype: DType;
}

/**
 * A view of samples in `buffer`, dense and row-major unless `strides` (in bytes) are given; refused when a sample
 * would lie outside the buffer.
 *
 * @example Every second sample
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { buffer } = new Uint16Array([10, 11, 12, 13, 14, 15]);
 * const even = stridedView(buffer, 0, "uint16", [3], [4]);
 * assertEquals(samplesOf(even), new Uint16Array([10, 12, 14]));
 * ```
 */
export function stridedView(
  buffer: ArrayBufferLike,
  pointer: number,
  dtype: DType,
  shape: Shape,
  strides: readonly number[] = denseStrides(shape, dtype),
): StridedView {
  const view = { buffer, pointer, shape, strides, dtype };
  if (strides.length !== shape.length) throw refused(view, `it has ${strides.length} strides`);
  if (!Number.isSafeInteger(pointer) || !strides.every(Number.isSafeInteger)) {
    throw refused(view, "addresses are whole bytes");
  }
  if (sizeOf(shape) === 0) return view;
  let [first, end] = [pointer, pointer + dtypeInfo(dtype).itemSize];
  for (let d = 0; d < shape.length; d++) {
    const span = strides[d]! * (shape[d]! - 1);
    if (span < 0) first += span;
    else end += span;
  }
  if (first >= 0 && end <= buffer.byteLength) return view;
  throw refused(view, `it would reach from ${first} to ${end} of ${buffer.byteLength} bytes`);
}

/** A dense view of samples that are in a typed array. */
export function viewOf(data: TypedArray, dtype: DType, shape: Shape): StridedView {
  const view = stridedView(data.buffer, data.byteOffset, dtype, shape);
  const bytes = sizeOf(shape) * dtypeInfo(dtype).itemSize;
  if (bytes === data.byteLength) return view;
  throw refused(view, `it has ${bytes} bytes, the array ${data.byteLength}`);
}

/** The part of a view that lies in `box`. */
export function viewBox(view: StridedView, { origin, shape }: Box): StridedView {
  const inside = shape.length === view.shape.length &&
    shape.every((n, d) => n >= 0 && origin[d]! >= 0 && origin[d]! + n <= view.shape[d]!);
  if (!inside) throw refused(view, `the box of ${showShape(shape)} at ${origin.join(", ")} is not inside it`);
  return { ...view, pointer: view.pointer + sum(origin.map((o, d) => o * view.strides[d]!)), shape };
}

/** Whether the samples follow each other in row-major order without gaps. */
export function isDense({ shape, strides, dtype }: StridedView): boolean {
  const dense = denseStrides(shape, dtype);
  return sizeOf(shape) === 0 || strides.every((stride, d) => shape[d] === 1 || stride === dense[d]);
}

/** The samples as a typed array in row-major order: the memory itself when it is dense, else a copy. */
export function samplesOf(view: StridedView): TypedArray {
  const { buffer, pointer, dtype, shape } = view;
  const { itemSize, unitSize } = dtypeInfo(dtype);
  const count = sizeOf(shape);
  if (count > 0 && isDense(view) && pointer % unitSize === 0) {
    return typedArray(dtype, buffer, pointer, count);
  }
  const copy = new Uint8Array(count * itemSize);
  const source = new Uint8Array(buffer);
  for (let flat = 0; flat < count; flat++) {
    const from = addressOf(view, flat);
    copy.set(source.subarray(from, from + itemSize), flat * itemSize);
  }
  return typedArray(dtype, copy.buffer, 0, count);
}

/** Address of the sample with flat index `flat` in row-major order. */
export function addressOf({ pointer, shape, strides }: StridedView, flat: number): number {
  for (let d = shape.length - 1; d >= 0; d--) {
    pointer += flat % shape[d]! * strides[d]!;
    flat = Math.floor(flat / shape[d]!);
  }
  return pointer;
}

/** Strides in bytes of a dense row-major array. */
export function denseStrides(shape: Shape, dtype: DType): number[] {
  return stridesOf(shape).map((stride) => stride * dtypeInfo(dtype).itemSize);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

function refused({ shape, dtype, pointer }: StridedView, why: string): TilewiseError {
  const text = `Cannot make a view of ${showShape(shape)} ${dtype} at ${pointer}: ${why}`;
  return new TilewiseError("invalid", text, { expected: showShape(shape) });
}
