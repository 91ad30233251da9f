/**
 * Copies boxes between strided views.
 *
 * Dimensions that both sides hold without gaps are merged first, so that what remains is a few nested loops over
 * rows of bytes: a whole tile is one row, a box of an image is one row per line.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { Box } from "../space/box.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { sameShape, showShape } from "../space/shape.ts";
import { type StridedView, viewBox } from "./strided.ts";

/**
 * Copies `rows` rows of `bytes` bytes; addresses and distances in bytes, arguments as in kernels: result first.
 * A kernel with this signature may be used instead when both sides lie in its memory.
 */
export type CopyRows = (
  to: number,
  from: number,
  bytes: number,
  rows: number,
  toStride: number,
  fromStride: number,
) => void;

/**
 * Copies all samples of `from` to `to`, which has the same shape and dtype. They may share memory, but not samples:
 * if samples overlap, the result is undefined.
 */
export function copyView(from: StridedView, to: StridedView, copyRows?: CopyRows): void {
  if (from.dtype !== to.dtype || !sameShape(from.shape, to.shape)) {
    const [asked, found] = [from, to].map(({ shape, dtype }) => `${showShape(shape)} ${dtype}`);
    throw new TilewiseError("invalid", `Cannot copy ${asked} to ${found}: shape and dtype must be the same`);
  }
  if (from.shape.includes(0)) return;
  const { loops, bytes } = planCopy(from, to);
  const { count: rows, from: fromStride, to: toStride } = loops.pop() ?? { count: 1, from: 0, to: 0 };
  const row = copyRows ?? bestCopy(from, to, bytes, [...loops, { from: fromStride, to: toStride }]);
  const walk = (depth: number, at: number, out: number): void => {
    const loop = loops[depth];
    if (!loop) return row(out, at, bytes, rows, toStride, fromStride);
    for (let i = 0; i < loop.count; i++) walk(depth + 1, at + i * loop.from, out + i * loop.to);
  };
  walk(0, from.pointer, to.pointer);
}

/**
 * Copies the samples of `from` in `part` to where `to` has `origin`.
 *
 * @example A box of an image, into the middle of another
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { box } from "../space/box.ts";
 * import { viewOf } from "./strided.ts";
 * const image = Uint8Array.from({ length: 12 }, (_, i) => i);
 * const into = new Uint8Array(16);
 * copyBox(viewOf(image, "uint8", [3, 4]), box([1, 1], [2, 2]), viewOf(into, "uint8", [4, 4]), [1, 1]);
 * assertEquals([...into], [0, 0, 0, 0, 0, 5, 6, 0, 0, 9, 10, 0, 0, 0, 0, 0]);
 * ```
 */
export function copyBox(
  from: StridedView,
  part: Box,
  to: StridedView,
  origin: readonly number[],
): void {
  copyView(viewBox(from, part), viewBox(to, { origin, shape: part.shape }));
}

/** One of the nested loops of a copy: the number of steps, and the bytes per step. */
interface Loop {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** The loops of a copy, outermost first, and the bytes of the row inside them. */
function planCopy(from: StridedView, to: StridedView): { loops: Loop[]; bytes: number } {
  const { itemSize } = dtypeInfo(from.dtype);
  const loops: Loop[] = [];
  for (let d = 0; d < from.shape.length; d++) {
    const count = from.shape[d]!;
    if (count === 1) continue;
    const loop = { count, from: from.strides[d]!, to: to.strides[d]! };
    const outer = loops.at(-1);
    if (outer && outer.from === count * loop.from && outer.to === count * loop.to) {
      loops[loops.length - 1] = { ...loop, count: outer.count * count };
    } else loops.push(loop);
  }
  const inner = loops.at(-1);
  if (inner?.from !== itemSize || inner.to !== itemSize) return { loops, bytes: itemSize };
  loops.pop();
  return { loops, bytes: inner.count * itemSize };
}

/**
 * Rows of up to this many units are copied unit by unit: a call of the platform's copy costs as much as about 32
 * loads and stores (measured on shared memory; more on rows of 8-byte units, 4.6 against 0.7 GB/s at 16 bytes).
 */
const SHORT_ROW = 32;

function bestCopy(
  from: StridedView,
  to: StridedView,
  bytes: number,
  loops: readonly { readonly from: number; readonly to: number }[],
): CopyRows {
  const distances = [bytes, from.pointer, to.pointer, ...loops.flatMap((loop) => [loop.from, loop.to])];
  const unit = [8, 4, 2].find((size) => distances.every((distance) => distance % size === 0)) ?? 1;
  if (bytes > SHORT_ROW * unit) return longRows(from.buffer, to.buffer);
  if (unit === 8) {
    return wideUnits(wholeArray(BigInt64Array, from.buffer), wholeArray(BigInt64Array, to.buffer));
  }
  const kind = unit === 4 ? Int32Array : unit === 2 ? Int16Array : Int8Array;
  return narrowUnits(
    wholeArray<NarrowArray>(kind, from.buffer),
    wholeArray<NarrowArray>(kind, to.buffer),
    unit,
  );
}

function longRows(source: ArrayBufferLike, target: ArrayBufferLike): CopyRows {
  const [from, to] = [new Uint8Array(source), new Uint8Array(target)];
  const copy = source === target
    ? (out: number, at: number, bytes: number) => void to.copyWithin(out, at, at + bytes)
    : (out: number, at: number, bytes: number) => to.set(from.subarray(at, at + bytes), out);
  return (out, at, bytes, rows, toStride, fromStride) => {
    for (let row = 0; row < rows; row++) copy(out + row * toStride, at + row * fromStride, bytes);
  };
}

/** Integers of 8 bytes: a float could hold them, but not every machine keeps the bits of a NaN. */
function wideUnits(source: BigInt64Array, target: BigInt64Array): CopyRows {
  return (out, at, bytes, rows, toStride, fromStride) => {
    const count = bytes / 8;
    for (let row = 0; row < rows; row++) {
      const [to, from] = [(out + row * toStride) / 8, (at + row * fromStride) / 8];
      for (let i = 0; i < count; i++) target[to + i] = source[from + i]!;
    }
  };
}

type NarrowArray = Int32Array | Int16Array | Int8Array;

function narrowUnits(source: NarrowArray, target: NarrowArray, unit: number): CopyRows {
  return (out, at, bytes, rows, toStride, fromStride) => {
    const count = bytes / unit;
    for (let row = 0; row < rows; row++) {
      const [to, from] = [(out + row * toStride) / unit, (at + row * fromStride) / unit];
      for (let i = 0; i < count; i++) target[to + i] = source[from + i]!;
    }
  };
}

interface ArrayKind<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

/** All whole elements of a buffer. */
function wholeArray<T>(kind: ArrayKind<T>, buffer: ArrayBufferLike): T {
  return new kind(buffer, 0, Math.floor(buffer.byteLength / kind.BYTES_PER_ELEMENT));
}
