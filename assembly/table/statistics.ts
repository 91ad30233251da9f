/**
 * Sums, extremes and moments of frames.
 *
 * @module
 */

import { ALL, DOUBLE, LARGE, SMALL } from "../../src/kernels/families/types.ts";
import { type Families, FRAMES, SUMS } from "./declaration.ts";

/** Sums, extremes and moments of frames. */
export const STATISTICS = {
  /**
   * Adds frames pixel by pixel: `acc[p] += Σ_f data[f][p]`, `acc` being f64.
   * Integers count exactly while sums stay below 2^53; floats are added frame after frame in f64.
   */
  sum_frames: {
    pack: "core",
    file: "sum_frames",
    body: "sumFrames",
    params: { acc: "inout float64", ...FRAMES, pixels: "i32" },
    types: ALL,
    orders: true,
  },
  /**
   * Adds the `rows × rowLength` samples of each frame: `out[f] += Σ_p data[f][p]`, `out` being f64.
   * Integers count exactly; floats are added in f64 row by row, so that frames may come in parts of whole rows.
   */
  sum_pixels: {
    pack: "core",
    file: "sum_pixels",
    body: "sumPixels",
    params: { ...SUMS, ...FRAMES, rows: "i32", rowLength: "i32" },
    types: ALL,
    orders: true,
  },
  /** `out[0] = min(out[0], data)`, `out[1] = max(out[1], data)`, two f64; NaN does not count. */
  min_max: {
    pack: "windows",
    file: "extremes",
    body: "minMax",
    params: { out: "inout float64", data: "in T", n: "i32" },
    types: ALL,
    orders: true,
  },
  /** `sum[p] += Σ_f x`, `squares[p] += Σ_f x²`, f64, for integers of 8 and 16 bits; exact while below 2^53. */
  moments: {
    pack: "statistics",
    file: "moments",
    body: "moments",
    params: { sum: "inout float64", squares: "inout float64", ...FRAMES, pixels: "i32" },
    types: SMALL,
    orders: true,
  },
  /** Mean and sum of squared deviations, f64, that `before` frames have led to, updated frame by frame. */
  welford: {
    pack: "statistics",
    file: "welford",
    body: "welford",
    params: { mean: "inout float64", m2: "inout float64", before: "i32", ...FRAMES, pixels: "i32" },
    types: LARGE,
    orders: true,
  },
  /** Mean and sum of squared deviations of A together with those of B; `nA`, `nB` frames. */
  welford_merge: {
    pack: "statistics",
    file: "welford",
    body: "welfordMerge",
    params: {
      meanA: "inout T",
      m2A: "inout T",
      nA: "f64",
      meanB: "inout T",
      m2B: "inout T",
      nB: "f64",
      pixels: "i32",
    },
    types: DOUBLE,
  },
} satisfies Families;
