// Forms of sparse tiles. A CSR tile of frames x pixels: the entries of frame f are indptr[f] to indptr[f + 1] - 1 of
// indices (pixel numbers, ascending within a frame, none twice) and data; all three i32, i32, samples. indptr need not
// begin with 0, so that frame f alone is the same arrays with indptr + f.
//
//   csr_rows   stored indices to i32; counts what must not be
//   csr_dense  some pixels of each frame with their zeros
//   csr_cut    some pixels of each frame, as CSR again
//   dense_csr  what is not zero
//   csr_csc    the same entries pixel by pixel, frames ascending
//   csr_coo    the frame of each entry
//
// Samples are moved, not computed with: their type is that of their size.

import { sample } from "../vectors";

// @ts-ignore: decorator
@inline function int(p: usize, i: i32): i32 {
  return load<i32>(p + (<usize>i << 2));
}

// @ts-ignore: decorator
@inline function put(p: usize, i: i32, value: i32): void {
  store<i32>(p + (<usize>i << 2), value);
}

/** The first entry of [from, to) whose pixel is `pixel` or more. */
// @ts-ignore: decorator
@inline function lowerBound(indices: usize, from: i32, to: i32, pixel: i32): i32 {
  while (from < to) {
    const middle = from + ((to - from) >> 1);
    if (int(indices, middle) < pixel) from = middle + 1;
    else to = middle;
  }
  return from;
}

// @ts-ignore: decorator
@inline export function csrRows<T>(dst: usize, src: usize, indptr: usize, frames: i32, pixels: i32, faults: usize, be: bool): void {
  let outside = int(faults, 0), unordered = int(faults, 1);
  for (let f = 0; f < frames; f++) {
    let before: i64 = -1, disorder = 0;
    for (let e = int(indptr, f), to = int(indptr, f + 1); e < to; e++) {
      const index = <i64>sample<T>(src + <usize>e * sizeof<T>(), be);
      if ((index < 0 || index >= <i64>pixels) && outside == 0) outside = e + 1;
      disorder |= i32(index <= before);
      before = index;
      put(dst, e, <i32>index);
    }
    unordered += disorder;
  }
  put(faults, 0, outside);
  put(faults, 1, unordered);
}

// @ts-ignore: decorator
@inline export function csrDense<T>(dst: usize, dstStride: usize, indptr: usize, indices: usize, data: usize, frames: i32, first: i32, pixels: i32): void {
  for (let f = 0; f < frames; f++, dst += dstStride) {
    memory.fill(dst, 0, <usize>pixels * sizeof<T>());
    const to = int(indptr, f + 1);
    let e = int(indptr, f);
    if (first > 0) e = lowerBound(indices, e, to, first);
    for (; e < to; e++) {
      const p = int(indices, e) - first;
      if (p >= pixels) break;
      store<T>(dst + <usize>p * sizeof<T>(), load<T>(data + <usize>e * sizeof<T>()));
    }
  }
}

// @ts-ignore: decorator
@inline export function csrCut<T>(outIndptr: usize, outIndices: usize, outData: usize, indptr: usize, indices: usize, data: usize, frames: i32, first: i32, pixels: i32): void {
  let n = 0;
  put(outIndptr, 0, 0);
  for (let f = 0; f < frames; f++) {
    const to = int(indptr, f + 1);
    for (let e = lowerBound(indices, int(indptr, f), to, first); e < to; e++, n++) {
      const p = int(indices, e) - first;
      if (p >= pixels) break;
      put(outIndices, n, p);
      store<T>(outData + <usize>n * sizeof<T>(), load<T>(data + <usize>e * sizeof<T>()));
    }
    put(outIndptr, f + 1, n);
  }
}

// @ts-ignore: decorator
@inline export function denseCsr<T>(outIndptr: usize, outIndices: usize, outData: usize, data: usize, frames: i32, frameStride: usize, pixels: i32): void {
  const lanes: i32 = 16 / sizeof<T>(), body = pixels & ~(lanes - 1);
  let n = 0;
  put(outIndptr, 0, 0);
  for (let f = 0; f < frames; f++, data += frameStride) {
    let p = 0;
    for (; p < body; p += lanes) {
      if (!v128.any_true(v128.load(data + <usize>p * sizeof<T>()))) continue;
      for (let i = p; i < p + lanes; i++) n = keep<T>(outIndices, outData, data, i, n);
    }
    for (; p < pixels; p++) n = keep<T>(outIndices, outData, data, p, n);
    put(outIndptr, f + 1, n);
  }
}

/** Writes sample `p` as entry `n`, and says where the next one goes. */
// @ts-ignore: decorator
@inline function keep<T>(outIndices: usize, outData: usize, data: usize, p: i32, n: i32): i32 {
  const v = load<T>(data + <usize>p * sizeof<T>());
  if (v == 0) return n;
  put(outIndices, n, p);
  store<T>(outData + <usize>n * sizeof<T>(), v);
  return n + 1;
}

// @ts-ignore: decorator
@inline export function csrCsc<T>(outIndptr: usize, outIndices: usize, outData: usize, indptr: usize, indices: usize, data: usize, frames: i32, pixels: i32): void {
  const from = int(indptr, 0), to = int(indptr, frames);
  memory.fill(outIndptr, 0, (<usize>pixels + 1) << 2);
  for (let e = from; e < to; e++) put(outIndptr, int(indices, e) + 1, int(outIndptr, int(indices, e) + 1) + 1);
  for (let p = 0; p < pixels; p++) put(outIndptr, p + 1, int(outIndptr, p + 1) + int(outIndptr, p));
  for (let f = 0; f < frames; f++) {
    for (let e = int(indptr, f), end = int(indptr, f + 1); e < end; e++) {
      const p = int(indices, e), at = int(outIndptr, p);
      put(outIndices, at, f);
      store<T>(outData + <usize>at * sizeof<T>(), load<T>(data + <usize>e * sizeof<T>()));
      put(outIndptr, p, at + 1); // the next entry of this pixel; put back below
    }
  }
  for (let p = pixels; p > 0; p--) put(outIndptr, p, int(outIndptr, p - 1));
  put(outIndptr, 0, 0);
}

// @ts-ignore: decorator
@inline export function csrCoo<T>(rows: usize, indptr: usize, frames: i32): void {
  const from = int(indptr, 0);
  for (let f = 0; f < frames; f++) {
    for (let e = int(indptr, f), to = int(indptr, f + 1); e < to; e++) store<T>(rows + (<usize>(e - from) << 2), <T>f);
  }
}
