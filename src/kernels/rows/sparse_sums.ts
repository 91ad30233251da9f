/**
 * Rows of the kernels that sum sparse tiles, and of products with sparse masks.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Parameter, Sizes } from "../families/describe.ts";
import {
  csrDotF32,
  csrDotF64,
  csrDotI16,
  csrDotSeq,
  csrSumFrames,
  csrSumPixels,
  dotSparse,
} from "../reference/sparse_sums.ts";
import { csr, list, room } from "./common/csr.ts";
import { accumulator, type FamilyRow, frames } from "./common/row.ts";

/** Largest weight of a mask. */
const LARGEST = 1000;

/** Sums of sparse tiles. */
export const SPARSE_SUMS: {
  readonly csr_sum_frames: FamilyRow<"csr_sum_frames">;
  readonly csr_sum_pixels: FamilyRow<"csr_sum_pixels">;
  readonly csr_dot_i16: FamilyRow<"csr_dot_i16">;
  readonly csr_dot_f32: FamilyRow<"csr_dot_f32">;
  readonly csr_dot_f64: FamilyRow<"csr_dot_f64">;
  readonly csr_dot_seq: FamilyRow<"csr_dot_seq">;
  readonly dot_sparse: FamilyRow<"dot_sparse">;
} = {
  csr_sum_frames: {
    reference: csrSumFrames,
    parameters: (dtype) => [accumulator("acc", (sizes) => sizes.pixels), ...csr(dtype)],
  },
  csr_sum_pixels: {
    reference: csrSumPixels,
    parameters: (dtype) => [
      ...out(({ gap }) => 1 + gap, () => 1),
      ...csr(dtype),
      (sizes) => sizes.rowLength,
      room("lanes", "float64", () => 8),
    ],
  },
  csr_dot_i16: {
    reference: csrDotI16,
    parameters: (dtype) => dotParameters(dtype, "int16"),
  },
  csr_dot_f32: {
    reference: csrDotF32,
    parameters: (dtype) => [...dotParameters(dtype, "float32"), (sizes) => sizes.rowLength],
  },
  csr_dot_f64: {
    reference: csrDotF64,
    parameters: (dtype) => [...dotParameters(dtype, "float64"), (sizes) => sizes.rowLength],
  },
  csr_dot_seq: {
    reference: csrDotSeq,
    parameters: (dtype) => dotParameters(dtype, "float64"),
  },
  dot_sparse: {
    reference: dotSparse,
    parameters: (dtype, order) => [
      ...out(({ masks, gap }) => masks + gap, ({ masks }) => masks),
      ...frames(dtype, order),
      () => FIRST,
      list("ranges", (sizes) => sparseMasks(sizes).ranges),
      list("indices", (sizes) => sparseMasks(sizes).indices),
      {
        name: "weights",
        role: "in",
        dtype: "float64",
        bytes: (sizes) => 8 * sparseMasks(sizes).indices.length,
        values: "finite",
      },
      (sizes) => sizes.masks,
    ],
  },
};

/** `out` and its stride in bytes: `step` f64 a frame, of which `used` count. */
function out(step: (sizes: Sizes) => number, used: (sizes: Sizes) => number): Parameter[] {
  const length = (sizes: Sizes) => Math.max(0, (sizes.frames - 1) * step(sizes) + used(sizes));
  const parts = (sizes: Sizes) => ({ bytes: 8 * used(sizes), stride: 8 * step(sizes) });
  return [accumulator("out", length, parts), (sizes) => 8 * step(sizes)];
}

function dotParameters(dtype: DType, weightType: DType): Parameter[] {
  const { itemSize } = dtypeInfo(weightType);
  const stride = (sizes: Sizes) => sizes.pixels + sizes.gap;
  const count = (sizes: Sizes) => Math.max(0, sizes.masks * stride(sizes) - sizes.gap);
  return [
    ...out(({ masks, gap }) => masks + gap, ({ masks }) => masks),
    ...csr(dtype),
    {
      name: "masks",
      role: "in",
      dtype: weightType,
      bytes: (sizes) => count(sizes) * itemSize,
      parts: (sizes) => ({ bytes: sizes.pixels * itemSize, stride: stride(sizes) * itemSize }),
      values: (sizes) =>
        Array.from({ length: count(sizes) }, (_, i) => (i * 7919 + sizes.seed) % (2 * LARGEST + 1) - LARGEST),
    },
    (sizes) => sizes.masks,
    (sizes) => stride(sizes) * itemSize,
  ];
}

/** Pixel number of the first sample of the tiles. */
const FIRST = 5;

/** Masks with every ninth pixel or so, and some that have none. */
function sparseMasks({ masks, pixels, seed }: Sizes): { ranges: number[]; indices: number[] } {
  const ranges: number[] = [];
  const indices: number[] = [];
  for (let m = 0; m < masks; m++) {
    ranges.push(indices.length);
    for (let p = (m + seed) % 9; p < pixels && m % 4 !== 2; p += 1 + (p * 5 + m) % 17) {
      indices.push(p + FIRST);
    }
    ranges.push(indices.length);
  }
  return { ranges, indices };
}
