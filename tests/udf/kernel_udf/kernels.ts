/** Sources of kernels for tests. */

import type { SourceKernel } from "../../../src/udf/kernel_udf/options.ts";

/** Sum of each frame, for any type of samples. */
export const SUM = `
import { Sample } from "tilewise";

export function frame(data: usize, rows: i32, cols: i32, total: usize): void {
  let sum = 0.0;
  for (let i = 0; i < rows * cols; i++) sum += <f64>load<Sample>(data + i * sizeof<Sample>());
  store<f64>(total, sum);
}
`;

/** The same, with vectors: 8 unsigned samples of 16 bits at a time. */
export const SUM_SIMD = `
export function tile(data: usize, frames: i32, frameStride: usize, rows: i32, cols: i32, total: usize): void {
  const n = rows * cols;
  for (let f = 0; f < frames; f++) {
    const first = data + f * frameStride;
    let lanes = i64x2.splat(0), i = 0;
    for (; i + 8 <= n; i += 8) {
      const pairs = i32x4.extadd_pairwise_i16x8_u(v128.load(first + 2 * i));
      lanes = i64x2.add(lanes, i64x2.add(i64x2.extend_low_i32x4_u(pairs), i64x2.extend_high_i32x4_u(pairs)));
    }
    let sum = i64x2.extract_lane(lanes, 0) + i64x2.extract_lane(lanes, 1);
    for (; i < n; i++) sum += load<u16>(first + 2 * i);
    store<f64>(total + 8 * f, load<f64>(total + 8 * f) + <f64>sum);
  }
}
`;

/** Every kind of buffer, an array, scratch, parameters, a table, and functions of Math that need tables. */
export const RICH: SourceKernel = {
  name: "rich",
  source: `
import { Sample } from "tilewise";

const TABLE: StaticArray<f64> = [0.5, 1, 2, 4];

export function frame(
  data: usize, rows: i32, cols: i32,
  mean: usize, image: usize, least: usize,
  weights: usize, work: usize, scale: f64, offset: f64,
): void {
  const n = rows * cols;
  let sum = 0.0;
  for (let i = 0; i < n; i++) {
    const value = Math.log(1.0 + <f64>load<Sample>(data + i * sizeof<Sample>())) * scale + offset;
    store<f64>(work + 8 * i, value);
    sum += value * load<f64>(weights + 8 * i) * TABLE[i & 3];
  }
  store<f64>(mean, sum / n);
  for (let i = 0; i < n; i++) {
    const value = load<f64>(work + 8 * i);
    store<f32>(image + 4 * i, load<f32>(image + 4 * i) + <f32>value);
    if (value < load<f64>(least)) store<f64>(least, value);
  }
}
`,
  buffers: {
    mean: { kind: "nav", dtype: "float64" },
    image: { kind: "sig", dtype: "float32" },
    least: { kind: "single", dtype: "float64" },
  },
  arrays: { weights: Float64Array.from({ length: 20 }, (_, i) => i / 16) },
  scratch: { work: { dtype: "float64", perPixel: 1 } },
  params: { scale: 1.5, offset: -0.25 },
  merge: { image: "sum", least: "min" },
};

/** A kernel with one nav buffer. */
export function simple(source: string, more: Partial<SourceKernel> = {}): SourceKernel {
  return { name: "simple", source, buffers: { out: { kind: "nav", dtype: "float64" } }, ...more };
}
