/**
 * The families of kernels for eight small images at once: a part of the table of exports.
 *
 * @module
 */

import type { Family } from "./families.ts";

const ALL = ["u8", "i8", "u16", "i16", "u32", "i32", "f32", "f64"] as const;
/** Types that f32 does not hold. */
const WIDE = ["u32", "i32", "f64"] as const;
const LANES_CROP = "out: usize, size: i32, data: usize, height: i32, width: i32, corners: usize, count: i32";
const LANES_FFT =
  "data: usize, n: i32, radices: usize, stages: i32, twiddles: usize, spare: usize, backward: i32";
const LANES_CORRELATE =
  "out: usize, size: i32, data: usize, pitch: i32, taps: usize, weights: usize, count: i32";

const UPSAMPLE =
  "out: usize, image: usize, step: usize, height: i32, width: i32, y: i32, x: i32, rows: usize, columns: usize, count: i32, pad: i32, partial: usize";

/** Kernels of eight small images at once. */
export const LANES_FAMILIES: readonly Family[] = [
  {
    name: "lanes_crop_low",
    file: "lanes",
    body: "lanesCropLow",
    params: LANES_CROP,
    types: WIDE,
    orders: true,
  },
  { name: "lanes_crop", file: "lanes", body: "lanesCrop", params: LANES_CROP, types: ALL, orders: true },
  {
    name: "log_scale",
    file: "log_scale",
    body: "logScale",
    params: "data: usize, n: i32, least: f64",
    types: ["f32"],
  },
  {
    name: "multiply_pairs",
    file: "multiply_pairs",
    body: "multiplyPairs",
    params: "data: usize, factors: usize, n: i32",
    types: ["f32"],
  },
  {
    name: "lanes_log",
    file: "lanes",
    body: "lanesLog",
    params: "data: usize, most: usize, elements: i32, log: i32",
    types: ["f32"],
  },
  { name: "lanes_fft", file: "lanes_fft", body: "lanesFft", params: LANES_FFT, types: ["f32"] },
  {
    name: "lanes_multiply",
    file: "lanes",
    body: "lanesMultiply",
    params: "data: usize, factors: usize, elements: i32",
    types: ["f32"],
  },
  { name: "lanes_correlate", file: "lanes", body: "lanesCorrelate", params: LANES_CORRELATE, types: ["f32"] },
  {
    name: "lanes_peaks",
    file: "lanes_peaks",
    body: "lanesPeaks",
    params: "out: usize, data: usize, size: i32, count: i32",
    types: ["f32"],
  },
  { name: "upsample_peak", file: "upsample_peak", body: "upsamplePeak", params: UPSAMPLE, types: ["f32"] },
];
