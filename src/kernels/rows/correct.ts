/**
 * Rows of the kernels that correct samples.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Parameter, Sizes } from "../families/describe.ts";
import { correctF32, correctF64, correctPairs, patch } from "../reference/correct.ts";
import { type FamilyRow, pixels } from "./common/row.ts";

type Float = "float32" | "float64";

/** Dark frame, gain, dead pixels. */
export const CORRECT: {
  readonly correct_f32: FamilyRow<"correct_f32">;
  readonly correct_f64: FamilyRow<"correct_f64">;
  readonly correct_pairs: FamilyRow<"correct_pairs">;
  readonly patch: FamilyRow<"patch">;
} = {
  correct_f32: { reference: correctF32, parameters: correctParameters("float32") },
  correct_f64: { reference: correctF64, parameters: correctParameters("float64") },
  correct_pairs: {
    reference: correctPairs,
    parameters: (dtype, order) => correctParameters(dtype as Float, 2)(dtype, order),
  },
  patch: { reference: patch, parameters: patchParameters },
};

/** `units`: floats of one sample. */
function correctParameters(to: Float, units: 1 | 2 = 1) {
  const size = units * dtypeInfo(to).itemSize;
  const dstGap = (sizes: Sizes) => sizes.gap * size;
  const dstStride = (sizes: Sizes) => sizes.pixels * size + dstGap(sizes);
  const map = (name: string): Parameter => ({
    name,
    role: "in",
    dtype: to,
    bytes: (sizes) => sizes.pixels * size,
    values: "any",
  });
  return (dtype: DType, order: ByteOrder): Parameter[] => {
    const srcStride = (sizes: Sizes) => units * sizes.pixels * dtypeInfo(dtype).itemSize + sizes.gap;
    const span = (stride: (sizes: Sizes) => number, gap: (sizes: Sizes) => number) => ({
      bytes: (sizes: Sizes) => Math.max(0, sizes.frames * stride(sizes) - gap(sizes)),
      parts: (sizes: Sizes) => ({ bytes: stride(sizes) - gap(sizes), stride: stride(sizes) }),
    });
    return [
      { name: "dst", role: "out", dtype: to, ...span(dstStride, dstGap), values: "finite" },
      dstStride,
      { name: "src", role: "in", dtype, order, ...span(srcStride, ({ gap }) => gap), values: "any" },
      srcStride,
      (sizes) => sizes.frames,
      map("dark"),
      map("gain"),
      pixels,
    ];
  };
}

function patchParameters(dtype: DType): Parameter[] {
  const { itemSize } = dtypeInfo(dtype);
  const stride = (sizes: Sizes) => (sizes.pixels + sizes.gap) * itemSize;
  const plan = ({ pixels }: Sizes) => planOf(pixels);
  return [
    {
      name: "data",
      role: "inout",
      dtype,
      bytes: (sizes) => Math.max(0, sizes.frames * stride(sizes) - sizes.gap * itemSize),
      parts: (sizes) => ({ bytes: sizes.pixels * itemSize, stride: stride(sizes) }),
      values: "any",
    },
    stride,
    (sizes) => sizes.frames,
    { name: "plan", role: "in", dtype: "uint32", bytes: (sizes) => 4 * plan(sizes).length, values: plan },
    (sizes) => Math.floor(sizes.pixels / 3),
  ];
}

/** Every third pixel from its neighbours to both sides; the first one has none and stays. */
function planOf(pixels: number): number[] {
  const entry = (i: number) =>
    i === 0 ? [0, 0] : 3 * i + 1 < pixels ? [3 * i, 2, 3 * i - 1, 3 * i + 1] : [3 * i, 1, 3 * i - 1];
  return Array.from({ length: Math.floor(pixels / 3) }, (_, i) => entry(i)).flat();
}
