/**
 * Predicted visibilities of a tile as they are stored: in the correlations that are wanted, NaN where nothing was observed.
 *
 * @module
 */

import { type NDArray, ndarray } from "../../space/ndarray.ts";

/** Complex samples of a tile, and what is stored of them. */
interface TileSamples {
  /** Rows, channels, correlations that were predicted. */
  readonly data: NDArray;
  /** Which of the predicted correlations are stored, in this order. */
  readonly select: readonly number[];
  /** u, v and w of the rows; not finite where nothing was observed. */
  readonly uvw: ArrayLike<number>;
}

/** The stored samples: rows, channels, correlations. They are the caller's, who discards them when they are written. */
export function stored({ data, select, uvw }: TileSamples): NDArray<"complex64" | "complex128"> {
  const [count = 0, channels = 0, predicted = 0] = data.shape;
  const each = 2 * channels * select.length;
  const from = data.data as Float32Array | Float64Array;
  const dtype = data.dtype === "complex64" ? "complex64" : "complex128";
  const out = new (dtype === "complex64" ? Float32Array : Float64Array)(count * each);
  select.forEach((k, place) => { // an iterator per sample would be more garbage than there are samples
    for (let at = 2 * k, to = 2 * place; to < out.length; at += 2 * predicted, to += 2 * select.length) {
      out[to] = from[at]!;
      out[to + 1] = from[at + 1]!;
    }
  });
  for (let row = 0; row < count; row++) {
    if (!isObserved(uvw, row)) out.fill(NaN, row * each, (row + 1) * each);
  }
  return ndarray(out, [count, channels, select.length], dtype);
}

/** Whether a row has a baseline. */
export function isObserved(uvw: ArrayLike<number>, row: number): boolean {
  return Number.isFinite(uvw[3 * row]! + uvw[3 * row + 1]! + uvw[3 * row + 2]!);
}
