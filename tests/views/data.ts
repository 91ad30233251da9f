/** Arrays in memory for tests of views, and the slow twin of a view. */

import "../fences/mod.ts";
import { BytesSource } from "../../src/io/source/bytes.ts";
import { type Border, BORDERS } from "../../src/space/border.ts";
import { type ByteOrder, type DType, dtypeInfo, typedArray } from "../../src/space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../src/space/shape.ts";
import type { PlainArray } from "../../src/views/array.ts";

/** Bytes before the first sample. */
const OFFSET = 5;

/** An array of `shape` with the values `sample(flat index)`, after a few other bytes. */
export function memoryArray(
  shape: Shape,
  dtype: DType,
  sample: (flat: number) => number = (flat) => flat + 1,
  byteOrder: ByteOrder = "little",
): PlainArray {
  const { itemSize, unitSize, kind } = dtypeInfo(dtype);
  const wide = itemSize === 8 && "ui".includes(kind);
  const size = sizeOf(shape);
  const samples = typedArray(dtype, new ArrayBuffer(size * itemSize), 0, size);
  for (let i = 0; i < samples.length; i++) {
    const value = sample(i);
    samples[i] = wide ? BigInt(value) : value;
  }
  const bytes = new Uint8Array(new SharedArrayBuffer(OFFSET + samples.byteLength));
  bytes.set(new Uint8Array(samples.buffer), OFFSET);
  for (let at = OFFSET; byteOrder === "big" && at < bytes.length; at += unitSize) {
    bytes.subarray(at, at + unitSize).reverse();
  }
  return { source: new BytesSource(bytes, "memory").describe(), offset: OFFSET, shape, dtype, byteOrder };
}

/** The view by definition: every sample by itself, `pad(array)[box]`. */
export function slowView(
  shape: Shape,
  index: Shape,
  { tile, radius, border, fill }: { tile: Shape; radius: Shape; border: Border; fill: number },
  sample: (flat: number) => number = (flat) => flat + 1,
): number[] {
  const view = tile.map((n, d) => n + 2 * radius[d]!);
  return Array.from({ length: sizeOf(view) }, (_, flat) => {
    const seen = unravel(flat, view).map((p, d) =>
      BORDERS[border](index[d]! * tile[d]! - radius[d]! + p, shape[d]!)
    );
    return seen.includes(-1) ? fill : sample(ravel(seen, shape));
  });
}
