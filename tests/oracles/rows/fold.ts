/**
 * Rows of the kernels that fold frames.
 *
 * @module
 */

import type { DType } from "../../../src/space/dtype.ts";
import type { Sizes } from "./common/describe.ts";
import { foldF32, foldF64 } from "../twins/fold.ts";
import { frames, list, type RowParameters, type Rows } from "./common/row.ts";

/** Sums and differences of pixels that mirror each other. */
export const FOLD: Rows<"fold_f32" | "fold_f64"> = {
  fold_f32: { reference: foldF32, parameters: (dtype) => parameters("float32", dtype) },
  fold_f64: { reference: foldF64, parameters: (dtype) => parameters("float64", dtype) },
};

function parameters(result: DType, dtype: DType): RowParameters<"fold_f32"> {
  const size = result === "float32" ? 4 : 8;
  const planeStride = (sizes: Sizes) => size * lengthOf(sizes) + sizes.gap;
  const outStride = (sizes: Sizes) => 4 * planeStride(sizes);
  return {
    out: {
      bytes: (sizes) => sizes.frames * outStride(sizes),
      parts: (sizes) => ({ bytes: size * lengthOf(sizes), stride: planeStride(sizes) }),
      values: "whole",
    },
    outStride,
    planeStride,
    planes: planesOf,
    ...frames(dtype),
    runs: list(runsOf),
    count: (sizes) => runsOf(sizes).length / 5,
  };
}

/** Four planes, or one. */
function planesOf({ seed }: Sizes): number {
  return seed % 3 === 0 ? 1 : 4;
}

function lengthOf(sizes: Sizes): number {
  return runsOf(sizes).reduce((sum, value, i) => i % 5 === 4 ? sum + value : sum, 0);
}

/** Runs of several lengths, with and without missing quarters. */
function runsOf(sizes: Sizes): number[] {
  const { pixels, seed } = sizes;
  const lengths = [Math.floor(pixels / 2), seed % 5, Math.floor(pixels / 3), pixels].filter((n) =>
    n > 0 && n <= pixels
  );
  return lengths.flatMap((n, r) => {
    const all = [0, n - 1, pixels - n, pixels - 1];
    const missing = planesOf(sizes) === 1 ? 0 : [0, 1, 10, 12][(seed + r) % 4]!; // the bits of the numbers
    return [...all.map((start, q) => missing >> q & 1 ? -1 : start), n];
  });
}
