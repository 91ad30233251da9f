/**
 * Rows of the kernels of mask products.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { Sizes } from "./common/describe.ts";
import { dotF32, dotF64, dotI16 } from "../twins/dot.ts";
import { accumulator, frames, rowLength, type RowParameters, type Rows, rows } from "./common/row.ts";

/** Largest weight in the tests of exact products. */
const LARGEST = 1000;

/** Products of frames with masks. */
export const DOT: Rows<"dot_i16" | "dot_f32" | "dot_f64"> = {
  dot_i16: {
    reference: dotI16,
    parameters: (dtype) => ({
      ...dotParameters(dtype, "int16"),
      flush: () => Math.floor((2 ** 31 - 1) / (2 * 32768 * LARGEST)),
    }),
  },
  dot_f32: {
    reference: dotF32,
    parameters: (dtype) => dotParameters(dtype, "float32"),
  },
  dot_f64: {
    reference: dotF64,
    parameters: (dtype) => dotParameters(dtype, "float64"),
  },
};

function dotParameters(dtype: DType, weightType: DType): RowParameters<"dot_f32"> {
  const { itemSize } = dtypeInfo(weightType);
  const outStride = (sizes: Sizes) => 8 * (sizes.masks + sizes.gap);
  const maskStride = (sizes: Sizes) => itemSize * (sizes.pixels + sizes.gap);
  const weights = (sizes: Sizes) => {
    const count = Math.max(0, sizes.masks * maskStride(sizes) / itemSize - sizes.gap);
    return Array.from({ length: count }, (_, i) => (i * 7919 + sizes.seed) % (2 * LARGEST + 1) - LARGEST);
  };
  return {
    out: accumulator(
      (sizes) => Math.max(0, sizes.frames * outStride(sizes) / 8 - sizes.gap),
      (sizes) => ({ bytes: 8 * sizes.masks, stride: outStride(sizes) }),
    ),
    outStride,
    ...frames(dtype),
    masks: {
      bytes: (sizes) => weights(sizes).length * itemSize,
      parts: (sizes) => ({ bytes: itemSize * sizes.pixels, stride: maskStride(sizes) }),
      values: weights,
    },
    maskCount: (sizes) => sizes.masks,
    maskStride,
    rows,
    rowLength,
  };
}
