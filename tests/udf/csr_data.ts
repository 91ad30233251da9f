/** Sparse data sets in memory for tests: the rows of a CSR matrix, as files would hold them. */

import { StoredDataset } from "../../src/dataset/dataset.ts";
import { type ByteOrder, type DType, dtypeInfo, typedArray, zeros } from "../../src/space/dtype.ts";
import { type Shape, sizeOf } from "../../src/space/shape.ts";

/** What {@link csrFiles} may vary. */
export interface CsrOptions {
  readonly indexDType?: DType;
  readonly indptrDType?: DType;
  readonly order?: ByteOrder;
  /** Entries of a frame in another order, and some of them as two halves. */
  readonly untidy?: boolean;
}

/** The three arrays of a CSR matrix as bytes. */
export interface CsrFiles {
  readonly rows: Float64Array<ArrayBuffer>;
  readonly indptr: Uint8Array<ArrayBuffer>;
  readonly indices: Uint8Array<ArrayBuffer>;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** `values` (all frames of `pixels`, one after another) as CSR. */
export function csrFiles(
  values: ArrayLike<number>,
  pixels: number,
  dtype: DType,
  { indexDType = "int32", indptrDType = "int64", order = "little", untidy = false }: CsrOptions = {},
): CsrFiles {
  const rows = [0], indices: number[] = [], data: number[] = [];
  for (let f = 0; f < values.length / pixels; f++) {
    const row: [number, number][] = [];
    for (let p = 0; p < pixels; p++) {
      const value = values[f * pixels + p]!;
      if (value === 0) continue;
      if (untidy && p % 5 === 0 && value % 2 === 0) row.push([p, value / 2], [p, value / 2]);
      else row.push([p, value]);
    }
    if (untidy) row.sort(([a], [b]) => (a * 37) % 101 - (b * 37) % 101);
    indices.push(...row.map(([p]) => p));
    data.push(...row.map(([, value]) => value));
    rows.push(indices.length);
  }
  return {
    rows: Float64Array.from(rows),
    indptr: stored(rows, indptrDType, order),
    indices: stored(indices, indexDType, order),
    data: stored(data, dtype, order),
  };
}

/** Numbers as a file holds them. */
export function stored(
  numbers: readonly number[],
  dtype: DType,
  order: ByteOrder = "little",
): Uint8Array<ArrayBuffer> {
  const array = zeros(dtype, numbers.length);
  const big = array instanceof BigInt64Array || array instanceof BigUint64Array;
  numbers.forEach((n, i) => array[i] = big ? BigInt(n) : n);
  const bytes = new Uint8Array(array.buffer as ArrayBuffer);
  const { unitSize } = dtypeInfo(dtype);
  if (order === "big") {
    for (let at = 0; at < bytes.length; at += unitSize) bytes.subarray(at, at + unitSize).reverse();
  }
  return bytes;
}

/** A sparse data set in memory over `values`. */
export function csrScan(
  values: ArrayLike<number>,
  nav: Shape,
  sig: Shape,
  dtype: DType,
  { syncOffset = 0, ...options }: CsrOptions & { readonly syncOffset?: number } = {},
): StoredDataset {
  const { indexDType = "int32", order = "little" } = options;
  const { rows, indices, data } = csrFiles(values, sizeOf(sig), dtype, options);
  const images = rows.length - 1;
  const spec = (name: string, bytes: Uint8Array) => ({ kind: "bytes", name, bytes } as const);
  return new StoredDataset({
    source: "memory.toml",
    detection: { format: "raw_csr", why: [] },
    navShape: nav,
    syncOffset,
    layout: {
      files: [{ source: spec("data", data), start: 0, end: images, headerBytes: 0 }],
      sigShape: sig,
      dtype,
      byteOrder: order,
      frameHeaderBytes: 0,
      frameFooterBytes: 0,
      storedBytes: Math.ceil((data.length + indices.length) / Math.max(1, images)),
      storage: {
        kind: "sparse",
        rows,
        indices: spec("indices", indices),
        indexDType,
        indexByteOrder: order,
      },
    },
  });
}

/** Samples of which about one in ten is not zero; some frames are empty. */
export function sparseCounts(frames: number, pixels: number, most = 200): Float64Array {
  const values = new Float64Array(frames * pixels);
  let state = 12345;
  for (let i = 0; i < values.length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const frame = Math.floor(i / pixels);
    if (frame % 11 !== 7 && (state >>> 16) % 10 === 0) values[i] = 1 + (state >>> 8) % most;
  }
  return values;
}

/** The numbers of a typed array. */
export function dense(dtype: DType, bytes: Uint8Array<ArrayBuffer>): number[] {
  const copy = bytes.slice();
  const array = typedArray(dtype, copy.buffer, 0, copy.length / dtypeInfo(dtype).itemSize);
  return Array.from(array as ArrayLike<number>, Number);
}
