/**
 * The samples of an array as numbers, in parts, so that no copy of the whole array is needed.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { dtypeInfo, type TypedArray, zeros } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { sameShape, showShape, sizeOf, stridesOf, unravel } from "../../space/shape.ts";

/** Fills `into` with numbers, starting at sample `start` in row-major order. */
type ReadNumbers = (start: number, into: Float64Array) => void;

/** Numbers per block. */
const BLOCK = 1 << 16;

/**
 * Reads the values of an array in row-major order: magnitudes of complex numbers, NaN where an entry is not valid.
 *
 * @example
 * ```ts
 * import { ndarray } from "../../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * const into = new Float64Array(2);
 * numberReader(ndarray(Uint8Array.of(1, 2, 3), [3], "uint8"))(1, into);
 * assertEquals(into, Float64Array.of(2, 3));
 * ```
 */
export function numberReader(array: NDArray): ReadNumbers {
  const read = storedReader(array);
  const { valid } = array;
  if (!valid) return read;
  const isValid = validity(array);
  return (start, into) => {
    read(start, into);
    for (let i = 0; i < into.length; i++) if (!isValid(start + i)) into[i] = NaN;
  };
}

function storedReader({ data, dtype, shape, stride }: NDArray): ReadNumbers {
  const isComplex = dtypeInfo(dtype).kind === "c";
  const isDense = sameShape(stride, stridesOf(shape)) && data.length >= sizeOf(shape);
  const isBig = data instanceof BigInt64Array || data instanceof BigUint64Array;
  if (isDense && !isComplex && !isBig) {
    return (start, into) => into.set(data.subarray(start, start + into.length));
  }
  const value = isComplex
    ? (at: number) => Math.hypot(Number(data[2 * at]), Number(data[2 * at + 1]))
    : (at: number) => Number(data[at]);
  const [outer, columns, step] = [shape.slice(0, -1), shape.at(-1) ?? 1, stride.at(-1) ?? 0];
  return (start, into) => {
    for (let done = 0; done < into.length;) {
      const [row, column] = [Math.floor((start + done) / columns), (start + done) % columns];
      const first = unravel(row, outer).reduce((at, i, d) => at + i * stride[d]!, 0);
      const end = Math.min(columns, column + into.length - done);
      for (let x = column; x < end; x++) into[done++] = value(first + x * step);
    }
  };
}

/** All values of {@link numberReader} block by block; the memory of a block is reused for the next one. */
export function* numberBlocks(array: NDArray): Generator<Float64Array> {
  const [read, size] = [numberReader(array), sizeOf(array.shape)];
  const block = new Float64Array(Math.min(BLOCK, size));
  for (let at = 0; at < size; at += BLOCK) {
    const part = block.subarray(0, Math.min(BLOCK, size - at));
    read(at, part);
    yield part;
  }
}

/**
 * Whether sample `n`, counted in row-major order, is valid. A mask may have one entry for several samples: one per scan
 * position, if every position has a vector.
 */
export function validity({ valid, shape }: Pick<NDArray, "valid" | "shape">): (n: number) => boolean {
  if (!valid) return () => true;
  const each = sizeOf(shape) / valid.length;
  return (n) => valid[Math.floor(n / each)] !== 0;
}

/** The indices into `data` of all entries, in row-major order, for any strides. */
export function* positions({ shape, stride }: Pick<NDArray, "shape" | "stride">): Generator<number> {
  if (sizeOf(shape) === 0) return;
  const index = shape.map(() => 0);
  for (let at = 0;;) {
    yield at;
    let d = shape.length - 1;
    for (; d >= 0; d--) {
      at += stride[d]!;
      if (++index[d]! < shape[d]!) break;
      at -= stride[d]! * shape[d]!;
      index[d] = 0;
    }
    if (d < 0) return;
  }
}

/** The samples in row-major order; not copied if they are already in that order. `invalid` if there are too few samples. */
export function denseData({ data, shape, stride, dtype }: NDArray): TypedArray {
  const units = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  const size = sizeOf(shape);
  const ends = shape.map((n, d) => stride[d]! * (n - 1));
  const sum = (spans: number[]) => spans.reduce((total, span) => total + span, 0);
  const [first, last] = [sum(ends.filter((end) => end < 0)), sum(ends.filter((end) => end > 0))];
  if (size > 0 && !(stride.length === shape.length && first >= 0 && (last + 1) * units <= data.length)) {
    const text =
      `An array of ${showShape(shape)} ${dtype} with strides ${stride.join(", ")} reaches beyond its ` +
      `${data.length} numbers`;
    throw new TilewiseError("invalid", text, { expected: (last + 1) * units, found: data.length });
  }
  if (sameShape(stride, stridesOf(shape)) && data.length === size * units) return data;
  const dense = zeros(dtype, size);
  let n = 0;
  for (const at of positions({ shape, stride })) {
    for (let u = 0; u < units; u++) dense[n++] = data[at * units + u]!;
  }
  return dense;
}
