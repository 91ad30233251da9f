/** Data sets in memory for tests of UDFs. */

import "../fences/mod.ts";
import { type DatasetInit, StoredDataset } from "../../src/dataset/dataset.ts";
import { frameBytes } from "../../src/dataset/layout/layout.ts";
import { contiguous, type Storage } from "../../src/dataset/layout/storage.ts";
import { type ByteOrder, type DType, dtypeInfo, type TypedArray, typedArray } from "../../src/space/dtype.ts";
import { type Shape, sizeOf } from "../../src/space/shape.ts";

/** What {@link memoryScan} may vary. */
export interface ScanOptions {
  readonly order?: ByteOrder;
  readonly frameHeaderBytes?: number;
  readonly syncOffset?: number;
  readonly images?: number;
  readonly storage?: Storage;
}

/** Turns the bytes of every unit around. */
function swap(bytes: Uint8Array, unit: number): void {
  for (let at = 0; at < bytes.length; at += unit) {
    for (let first = at, last = at + unit - 1; first < last; first++, last--) {
      const byte = bytes[first]!;
      bytes[first] = bytes[last]!;
      bytes[last] = byte;
    }
  }
}

/** A data set over `values` (all frames, one after another). */
export function memoryScan(
  values: ArrayLike<number>,
  nav: Shape,
  sig: Shape,
  dtype: DType,
  { order = "little", frameHeaderBytes = 0, syncOffset = 0, images, storage = contiguous() }: ScanOptions =
    {},
): StoredDataset {
  const count = images ?? values.length / sizeOf(sig);
  const stored = frameBytes(sig, dtype);
  const size = count * (stored + frameHeaderBytes);
  const file = new Uint8Array(
    "SharedArrayBuffer" in globalThis ? new SharedArrayBuffer(size) : new ArrayBuffer(size),
  );
  file.fill(0x7b); // headers are huge numbers for whoever takes them for samples
  const { itemSize, unitSize } = dtypeInfo(dtype);
  for (let f = 0; f < count; f++) {
    const samples = typedArray(dtype, new ArrayBuffer(stored), 0, stored / itemSize);
    const part = partOf(values, f * samples.length, (f + 1) * samples.length);
    if (samples instanceof BigInt64Array || samples instanceof BigUint64Array) {
      samples.set(Array.from(part, BigInt));
    } else samples.set(part);
    const bytes = new Uint8Array(samples.buffer);
    if (order === "big") swap(bytes, unitSize);
    file.set(bytes, f * (stored + frameHeaderBytes) + frameHeaderBytes);
  }
  const init: DatasetInit = {
    source: "memory",
    detection: { format: "memory", why: [] },
    navShape: nav,
    syncOffset,
    layout: {
      files: [{
        source: { kind: "bytes", name: "memory", bytes: file },
        start: 0,
        end: count,
        headerBytes: 0,
      }],
      sigShape: sig,
      dtype,
      byteOrder: order,
      frameHeaderBytes,
      frameFooterBytes: 0,
      storedBytes: stored,
      storage,
    },
  };
  return new StoredDataset(init);
}

/** Values from `start` to `stop`, without a copy where they lie in memory. */
function partOf(values: ArrayLike<number>, start: number, stop: number): ArrayLike<number> {
  if (ArrayBuffer.isView(values)) return (values as Float64Array).subarray(start, stop);
  return Array.prototype.slice.call(values, start, stop) as number[];
}

/** The golden scan: 3 × 4 frames of 4 × 5, value at flat index k: (7k² + 3k) mod 31. */
export function goldenScan(dtype: DType = "uint16", options?: ScanOptions): StoredDataset {
  const values = Array.from({ length: 240 }, (_, k) => (7 * k * k + 3 * k) % 31);
  return memoryScan(values, [3, 4], [4, 5], dtype, options);
}

/** Seeded counts like those of a detector: mostly small. */
export function counts(length: number, seed: number, most = 4096): Float64Array {
  let state = seed >>> 0;
  return Float64Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const u = state / 2 ** 32;
    return Math.floor(most * u ** 6);
  });
}

/** Numbers of a typed array, for comparisons. */
export function numbers(data: TypedArray | undefined): number[] {
  return Array.from(data as ArrayLike<number>, Number);
}
