/**
 * Kernels for eight small images at once.
 *
 * @module
 */

import { ALL, BEYOND_SINGLE, SINGLE } from "../../src/kernels/families/types.ts";
import type { Families, Params } from "./declaration.ts";

const CROP = {
  out: "out float32",
  size: "i32",
  data: "in T",
  height: "i32",
  width: "i32",
  corners: "in int32",
  count: "i32",
} satisfies Params;

/**
 * Signatures of the kernels for eight small images at once.
 * @category Kernels
 */
export const LANES = {
  /** As `lanes_crop`, each image less its lowest sample, computed in f64; outside of the frame samples count as 0. */
  lanes_crop_low: {
    pack: "fft",
    file: "lanes/lanes",
    body: "lanesCropLow",
    params: CROP,
    types: BEYOND_SINGLE,
    orders: true,
  },
  /**
   * Eight small images at once, one a lane: image `i` of element `e` is the f32 number `8 e + i`. Cut-outs of
   * `size × size` samples from (y, x), i32, at `corners`, become images `0 … count − 1`; the rest is 0.
   */
  lanes_crop: {
    pack: "fft",
    file: "lanes/lanes",
    body: "lanesCrop",
    params: CROP,
    types: ALL,
    orders: true,
  },
  /** As `lanes_log`, for samples of f32 one after another: `log(x − least + 1)`, none being below `least`. */
  log_scale: {
    pack: "fft",
    file: "lanes/log_scale",
    body: "logScale",
    params: { data: "inout T", n: "i32", least: "f64" },
    types: SINGLE,
  },
  /** `n` complex numbers, pairs of f32, times `n` others, in place. */
  multiply_pairs: {
    pack: "fft",
    file: "lanes/multiply_pairs",
    body: "multiplyPairs",
    params: { data: "inout T", factors: "in T", n: "i32" },
    types: SINGLE,
  },
  /**
   * Every image becomes `log(x − min x + 1)`, or, where `log` is 0, stays. `most` gets, for each, the difference of its
   * extremes: 0 if it is constant, NaN if it has a NaN or an infinity, which makes all of it 0.
   */
  lanes_log: {
    pack: "fft",
    file: "lanes/lanes",
    body: "lanesLog",
    params: { data: "inout T", most: "out T", elements: "i32", log: "i32" },
    types: SINGLE,
  },
  /**
   * The transforms of images `n × n`, images i and i + 4 being one complex image: forward, frequencies then being in the
   * order of `lanes_plan.ts`, or backward from that order, without the division by `n²`.
   */
  lanes_fft: {
    pack: "fft",
    file: "lanes/lanes_fft",
    body: "lanesFft",
    params: {
      data: "inout T",
      n: "i32",
      radices: "in int32",
      stages: "i32",
      twiddles: "in T",
      spare: "out T",
      backward: "i32",
    },
    types: SINGLE,
  },
  /** Every element times its pair (re, im) of f32, images i and i + 4 being one complex image. */
  lanes_multiply: {
    pack: "fft",
    file: "lanes/lanes",
    body: "lanesMultiply",
    params: { data: "inout T", factors: "in T", elements: "i32" },
    types: SINGLE,
  },
  /** `out[e] = Σ_t weights[t] · data[e' + taps[t]]` for `size × size` elements; e' is the place of e in rows of `pitch`. */
  lanes_correlate: {
    pack: "fft",
    file: "lanes/lanes",
    body: "lanesCorrelate",
    params: {
      out: "out T",
      size: "i32",
      data: "in T",
      pitch: "i32",
      taps: "in int32",
      weights: "in T",
      count: "i32",
    },
    types: SINGLE,
  },
  /**
   * Of every image six f32: y, x of its highest sample; y, x of the centre of mass around it; its height; its elevation,
   * the smallest (height − sample) / distance from that centre, at a distance of 1.5 or more.
   */
  lanes_peaks: {
    pack: "fft",
    file: "lanes/lanes_peaks",
    body: "lanesPeaks",
    params: { out: "out T", data: "in T", size: "i32", count: "i32" },
    types: SINGLE,
  },
  /**
   * The highest value of a periodic image, samples of f32 `step` bytes apart, between its samples near (y, x): with
   * `partial[r][s] = Σ_c image[r][c] · columns[(c − x) mod width][s]` the first largest
   * `Σ_r rows[(r − y) mod height][t] · partial[r][s]`; `out` gets t, s as f32. Tables and `partial` have `pad` f32 a row,
   * a multiple of 16, of which `count` mean something.
   */
  upsample_peak: {
    pack: "fft",
    file: "lanes/upsample_peak",
    body: "upsamplePeak",
    params: {
      out: "out T",
      image: "in T",
      step: "usize",
      height: "i32",
      width: "i32",
      y: "i32",
      x: "i32",
      rows: "in T",
      columns: "in T",
      count: "i32",
      pad: "i32",
      partial: "out T",
    },
    types: SINGLE,
  },
} satisfies Families;
