/**
 * Rows of the kernels that correct samples.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { NumberParameter, Sizes } from "./common/describe.ts";
import { correctF32, correctF64, correctPairs, patch } from "../twins/correct.ts";
import { list, numbers, pixels, type RowParameters, type Rows } from "./common/row.ts";

type Float = "float32" | "float64";

/** Dark frame, gain, dead pixels. */
export const CORRECT: Rows<"correct_f32" | "correct_f64" | "correct_pairs" | "patch"> = {
  correct_f32: { reference: correctF32, parameters: correctParameters("float32") },
  correct_f64: { reference: correctF64, parameters: correctParameters("float64") },
  correct_pairs: {
    reference: correctPairs,
    parameters: (dtype) => correctParameters(dtype as Float, 2)(dtype),
  },
  patch: { reference: patch, parameters: patchParameters },
};

/** `units`: floats per sample. */
function correctParameters(to: Float, units: 1 | 2 = 1) {
  const size = units * dtypeInfo(to).itemSize;
  const dstGap = (sizes: Sizes) => sizes.gap * size;
  const dstStride = (sizes: Sizes) => sizes.pixels * size + dstGap(sizes);
  const map = numbers(to, (sizes) => units * sizes.pixels);
  return (dtype: DType): RowParameters<"correct_f32"> => {
    const srcStride = (sizes: Sizes) => units * sizes.pixels * dtypeInfo(dtype).itemSize + sizes.gap;
    const span = (stride: NumberParameter, gap: NumberParameter) => ({
      bytes: (sizes: Sizes) => Math.max(0, sizes.frames * stride(sizes) - gap(sizes)),
      parts: (sizes: Sizes) => ({ bytes: stride(sizes) - gap(sizes), stride: stride(sizes) }),
    });
    return {
      dst: { ...span(dstStride, dstGap), values: "finite" },
      dstStride,
      src: { ...span(srcStride, ({ gap }) => gap), values: "any" },
      srcStride,
      frames: (sizes) => sizes.frames,
      dark: map,
      gain: map,
      pixels,
    };
  };
}

function patchParameters(dtype: DType): RowParameters<"patch"> {
  const { itemSize } = dtypeInfo(dtype);
  const stride = (sizes: Sizes) => (sizes.pixels + sizes.gap) * itemSize;
  return {
    data: {
      bytes: (sizes) => Math.max(0, sizes.frames * stride(sizes) - sizes.gap * itemSize),
      parts: (sizes) => ({ bytes: sizes.pixels * itemSize, stride: stride(sizes) }),
      values: "any",
    },
    frameStride: stride,
    frames: (sizes) => sizes.frames,
    plan: list(({ pixels }) => planOf(pixels)),
    count: (sizes) => Math.floor(sizes.pixels / 3),
  };
}

/** Every third pixel, from its neighbours on both sides; the first one has no neighbours and is not changed. */
function planOf(pixels: number): number[] {
  const entry = (i: number) =>
    i === 0 ? [0, 0] : 3 * i + 1 < pixels ? [3 * i, 2, 3 * i - 1, 3 * i + 1] : [3 * i, 1, 3 * i - 1];
  return Array.from({ length: Math.floor(pixels / 3) }, (_, i) => entry(i)).flat();
}
