/**
 * Rows of the kernels that sum sparse tiles, and of products with sparse masks.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Sizes } from "./common/describe.ts";
import {
  csrDotF32,
  csrDotF64,
  csrDotI16,
  csrDotSeq,
  csrSumFrames,
  csrSumPixels,
  dotSparse,
} from "../twins/sparse_sums.ts";
import { csr } from "./common/csr.ts";
import {
  accumulator,
  frames,
  list,
  numbers,
  pixels,
  rowLength,
  type RowParameters,
  type Rows,
} from "./common/row.ts";

/** Largest weight of a mask. */
const LARGEST = 1000;

/** Sums of sparse tiles. */
export const SPARSE_SUMS: Rows<
  | "csr_sum_frames"
  | "csr_sum_pixels"
  | "csr_dot_i16"
  | "csr_dot_f32"
  | "csr_dot_f64"
  | "csr_dot_seq"
  | "dot_sparse"
> = {
  csr_sum_frames: {
    reference: csrSumFrames,
    parameters: (dtype) => ({ acc: accumulator(pixels), ...csr(dtype) }),
  },
  csr_sum_pixels: {
    reference: csrSumPixels,
    parameters: (dtype) => ({
      ...sums(({ gap }) => 1 + gap, () => 1),
      ...csr(dtype),
      rowLength,
      lanes: numbers("float64", () => 8, "whole"),
    }),
  },
  csr_dot_i16: { reference: csrDotI16, parameters: (dtype) => dotParameters(dtype, "int16") },
  csr_dot_f32: {
    reference: csrDotF32,
    parameters: (dtype) => ({ ...dotParameters(dtype, "float32"), rowLength }),
  },
  csr_dot_f64: {
    reference: csrDotF64,
    parameters: (dtype) => ({ ...dotParameters(dtype, "float64"), rowLength }),
  },
  csr_dot_seq: { reference: csrDotSeq, parameters: (dtype) => dotParameters(dtype, "float64") },
  dot_sparse: {
    reference: dotSparse,
    parameters: (dtype) => ({
      ...sums(({ masks, gap }) => masks + gap, ({ masks }) => masks),
      ...frames(dtype),
      first: () => FIRST,
      ranges: list((sizes) => sparseMasks(sizes).ranges),
      indices: list((sizes) => sparseMasks(sizes).indices),
      weights: numbers("float64", (sizes) => sparseMasks(sizes).indices.length, "finite"),
      maskCount: (sizes) => sizes.masks,
    }),
  },
};

/** `out` and its stride in bytes: `step` f64 per frame, of which `used` are written. */
function sums(
  step: NumberParameter,
  used: NumberParameter,
): { readonly out: BufferContents; readonly outStride: NumberParameter } {
  const length = (sizes: Sizes) => Math.max(0, (sizes.frames - 1) * step(sizes) + used(sizes));
  const parts = (sizes: Sizes) => ({ bytes: 8 * used(sizes), stride: 8 * step(sizes) });
  return { out: accumulator(length, parts), outStride: (sizes) => 8 * step(sizes) };
}

function dotParameters(dtype: DType, weightType: DType): RowParameters<"csr_dot_seq"> {
  const { itemSize } = dtypeInfo(weightType);
  const stride = (sizes: Sizes) => sizes.pixels + sizes.gap;
  const count = (sizes: Sizes) => Math.max(0, sizes.masks * stride(sizes) - sizes.gap);
  const weights = (sizes: Sizes) =>
    Array.from({ length: count(sizes) }, (_, i) => (i * 7919 + sizes.seed) % (2 * LARGEST + 1) - LARGEST);
  return {
    ...sums(({ masks, gap }) => masks + gap, ({ masks }) => masks),
    ...csr(dtype),
    masks: {
      ...numbers(weightType, count, weights),
      parts: (sizes) => ({ bytes: sizes.pixels * itemSize, stride: stride(sizes) * itemSize }),
    },
    maskCount: (sizes) => sizes.masks,
    maskStride: (sizes) => stride(sizes) * itemSize,
  };
}

/** Index of the first pixel of the tiles. */
const FIRST = 5;

/** Masks with about every ninth pixel, and some masks without pixels. */
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
