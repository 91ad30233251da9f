// median_5: medians of 5 × 5 samples.
//
//   out[y][x] = median of data[y … y + 4][x … x + 4]
//
// Two rows of results at a time, in blocks of columns that stay in the first cache:
//
//   columns   E[i] = sorted column 2 i, O[i] = sorted column 2 i + 1, of both rows of results     even and odd lanes apart
//   pairs     P[i] = O[i] and E[i + 1], merged
//   medians   window 2 i:     E[i],     P[i], P[i + 1]
//             window 2 i + 1: O[i + 2], P[i], P[i + 1]
//
// `assembly/networks.ts` says how these are made. The last of an odd number of rows is made together with the row before.
// Where whole vectors do not fit, samples are copied to where they do.

import { evens, odds } from "./interleave";
import { columns5, middle5, pair5 } from "./networks";

/** Bytes of a row of a block: results. */
const BLOCK: usize = 1024;
/** Bytes from row to row: of even or odd columns, with two more of them, rounded up to vectors; of whole rows. */
const HALF: usize = BLOCK / 2 + 32, WHOLE: usize = 2 * HALF;
/** Scratch: five rows of even and of odd columns for two rows of results, ten rows of pairs, six rows of samples, results. */
const PAIRS: usize = 20 * HALF, COPY: usize = PAIRS + 10 * HALF, RESULT: usize = COPY + 6 * WHOLE;

// @ts-ignore: decorator
@inline export function medianOf5<T>(
  out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, n: i32, scratch: usize,
): void {
  const step = <i32>(BLOCK / sizeof<T>());
  const single = rows == 1;
  for (let y = 0; y < rows; y += 2) {
    const at = <usize>(single ? 0 : min(y, rows - 2));
    for (let x = 0; x < n; x += step) {
      const from = data + at * rowStride + <usize>x * sizeof<T>(), to = out + at * outStride + <usize>x * sizeof<T>();
      // A single row has no sixth row of samples: its second row of results is overwritten by the first.
      const last = from + (single ? 4 : 5) * rowStride;
      block<T>(to, single ? 0 : outStride, from, rowStride, last, min(n - x, step), n + 4 - x, scratch);
    }
  }
}

/** Two rows of `n` results; `given` samples can be loaded from each row. */
// @ts-ignore: decorator
@inline function block<T>(
  out: usize, outStride: usize, data: usize, rowStride: usize, last: usize, n: i32, given: i32, scratch: usize,
): void {
  const twice = <i32>(32 / sizeof<T>()), columns = (n + 3 + twice) / twice * twice;
  let from = data, stride = rowStride, sixth = last;
  if (columns > given) {
    from = scratch + COPY, stride = WHOLE, sixth = from + 5 * WHOLE;
    for (let r: usize = 0; r < 5; r++) memory.copy(from + r * WHOLE, data + r * rowStride, <usize>given * sizeof<T>());
    memory.copy(sixth, last, <usize>given * sizeof<T>());
  }
  sortColumns<T>(scratch, from, stride, sixth, <usize>columns * sizeof<T>() / 2);
  const bytes = <usize>n * sizeof<T>(), pairs = scratch + PAIRS, isWhole = bytes % 32 == 0;
  for (let r = 1; r >= 0; r--) {
    const even = scratch + <usize>r * 10 * HALF, odd = even + 5 * HALF;
    const row = out + <usize>r * outStride, to = isWhole ? row : scratch + RESULT;
    for (let at: usize = 0; at * 2 < bytes + 2 * sizeof<T>(); at += 16) {
      pair5<T>(pairs + at, HALF, odd + at, even + at + sizeof<T>());
    }
    for (let at: usize = 0; at * 2 < bytes; at += 16) {
      middle5<T>(to + at * 2, HALF, pairs + at, pairs + at + sizeof<T>(), even + at, odd + at + 2 * sizeof<T>());
    }
    if (!isWhole) memory.copy(row, to, bytes);
  }
}

/** The columns of both rows of results: even ones, then odd ones. */
// @ts-ignore: decorator
@inline function sortColumns<T>(to: usize, data: usize, stride: usize, sixth: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 16, data += 32) {
    const p1 = data + stride, p2 = p1 + stride, p3 = p2 + stride, p4 = p3 + stride, p5 = sixth + at * 2;
    const a0 = v128.load(data), a1 = v128.load(p1), a2 = v128.load(p2), a3 = v128.load(p3), a4 = v128.load(p4);
    const b0 = v128.load(data, 16), b1 = v128.load(p1, 16), b2 = v128.load(p2, 16), b3 = v128.load(p3, 16);
    const b4 = v128.load(p4, 16), a5 = v128.load(p5), b5 = v128.load(p5, 16), even = to + at, odd = even + 5 * HALF;
    columns5<T>(
      even, even + 10 * HALF, HALF,
      evens<T>(a0, b0), evens<T>(a1, b1), evens<T>(a2, b2), evens<T>(a3, b3), evens<T>(a4, b4), evens<T>(a5, b5),
    );
    columns5<T>(
      odd, odd + 10 * HALF, HALF,
      odds<T>(a0, b0), odds<T>(a1, b1), odds<T>(a2, b2), odds<T>(a3, b3), odds<T>(a4, b4), odds<T>(a5, b5),
    );
  }
}
