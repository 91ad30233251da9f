/**
 * Rows of the kernels that fold frames.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import type { Parameter, Sizes } from "../families/describe.ts";
import { foldF32, foldF64 } from "../reference/fold.ts";
import { type FamilyRow, frames } from "./common/row.ts";

/** Sums and differences of pixels that mirror each other. */
export const FOLD: {
  readonly fold_f32: FamilyRow<"fold_f32">;
  readonly fold_f64: FamilyRow<"fold_f64">;
} = {
  fold_f32: {
    reference: foldF32,
    parameters: (dtype, order) => parameters("float32", frames(dtype, order)),
  },
  fold_f64: {
    reference: foldF64,
    parameters: (dtype, order) => parameters("float64", frames(dtype, order)),
  },
};

function parameters(result: DType, data: readonly Parameter[]): Parameter[] {
  const size = result === "float32" ? 4 : 8;
  const planeStride = (sizes: Sizes) => size * lengthOf(sizes) + sizes.gap;
  const outStride = (sizes: Sizes) => 4 * planeStride(sizes);
  return [
    {
      name: "out",
      role: "inout",
      dtype: result,
      bytes: (sizes) => sizes.frames * outStride(sizes),
      parts: (sizes) => ({ bytes: size * lengthOf(sizes), stride: planeStride(sizes) }),
      values: "whole",
    },
    outStride,
    planeStride,
    planesOf,
    ...data,
    { name: "runs", role: "in", dtype: "int32", bytes: (sizes) => 4 * runsOf(sizes).length, values: runsOf },
    (sizes) => runsOf(sizes).length / 5,
  ];
}

/** Four planes, or one. */
function planesOf({ seed }: Sizes): number {
  return seed % 3 === 0 ? 1 : 4;
}

function lengthOf(sizes: Sizes): number {
  return runsOf(sizes).reduce((sum, value, i) => i % 5 === 4 ? sum + value : sum, 0);
}

/** Runs of several lengths, with and without quarters that are missing. */
function runsOf(sizes: Sizes): number[] {
  const { pixels, seed } = sizes;
  const lengths = [Math.floor(pixels / 2), seed % 5, Math.floor(pixels / 3), pixels].filter((n) =>
    n > 0 && n <= pixels
  );
  return lengths.flatMap((n, r) => {
    const all = [0, n - 1, pixels - n, pixels - 1];
    const missing = planesOf(sizes) === 1 ? 0 : [0, 1, 10, 12][(seed + r) % 4]!; // as bits
    return [...all.map((start, q) => missing >> q & 1 ? -1 : start), n];
  });
}
