/** Arrays in memory for tests of views, and the slow twin of a view. */

import "../fences/mod.ts";
import { deflateSync } from "node:zlib";
import { frameLayout } from "../../src/dataset/layout/layout.ts";
import { BytesSource, sharedCopy } from "../../src/io/source/bytes.ts";
import { type Border, BORDERS } from "../../src/space/border.ts";
import { type ByteOrder, type DType, dtypeInfo, typedArray } from "../../src/space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../src/space/shape.ts";
import type { FrameArray, PlainArray } from "../../src/views/array.ts";

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
  const length = OFFSET + samples.byteLength;
  const bytes = size % 2 === 0
    ? sharedCopy(new Uint8Array(Math.max(length, 2 ** 16))).subarray(0, length) // where kernels can read them
    : new Uint8Array(new SharedArrayBuffer(length));
  bytes.set(new Uint8Array(samples.buffer), OFFSET);
  for (let at = OFFSET; byteOrder === "big" && at < bytes.length; at += unitSize) {
    bytes.subarray(at, at + unitSize).reverse();
  }
  return { source: new BytesSource(bytes, "memory").describe(), offset: OFFSET, shape, dtype, byteOrder };
}

/** The array of {@link memoryArray} in chunks: every second one with a filter, and one in five never written (zeros). */
export function chunkedArray(
  shape: Shape,
  dtype: DType,
  chunk: Shape,
  sample: (flat: number) => number = (flat) => flat + 1,
): { readonly array: FrameArray; readonly seen: (flat: number) => number } {
  const { itemSize } = dtypeInfo(dtype);
  const grid = shape.map((n, d) => Math.ceil(n / chunk[d]!));
  const cells = sizeOf(grid);
  const isMissing = (cell: number) => cell % 5 === 3;
  const stored = Array.from({ length: cells }, (_, cell) => {
    const bytes = new Uint8Array(sizeOf(chunk) * itemSize);
    const samples = typedArray(dtype, bytes.buffer, 0, sizeOf(chunk));
    for (let i = 0; i < samples.length; i++) {
      const at = unravel(i, chunk).map((p, d) => unravel(cell, grid)[d]! * chunk[d]! + p);
      if (at.every((p, d) => p < shape[d]!)) samples[i] = sample(ravel(at, shape));
    }
    return isMissing(cell) ? new Uint8Array() : cell % 2 === 0 ? deflateSync(bytes) : bytes;
  });
  let end = OFFSET;
  const addresses = Float64Array.from(
    stored,
    (bytes, cell) => isMissing(cell) ? -1 : (end += bytes.length) - bytes.length,
  );
  const bytes = new Uint8Array(new SharedArrayBuffer(end));
  stored.forEach((one, cell) => !isMissing(cell) && bytes.set(one, addresses[cell]));
  const chunks = {
    shape,
    chunk,
    itemSize,
    addresses,
    sizes: Uint32Array.from(stored, ({ length }) => length),
    masks: Uint32Array.from(stored, (_, cell) => cell % 2),
    filters: [{ name: "deflate", values: [] }],
    plainEdges: false,
  };
  const files = [{ source: new BytesSource(bytes, "memory").describe(), start: 0, end: 1, headerBytes: 0 }];
  const layout = frameLayout({ files, sigShape: shape, dtype, storage: { kind: "chunks", chunks } });
  const cellOf = (flat: number) => ravel(unravel(flat, shape).map((p, d) => Math.floor(p / chunk[d]!)), grid);
  return {
    array: { shape, dtype, layout, syncOffset: 0, byteOrder: "little" },
    seen: (flat) => isMissing(cellOf(flat)) ? 0 : sample(flat),
  };
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
