/**
 * The families of kernels for eight small images at once: what each computes and what it takes.
 *
 * @module
 */

/** Signatures of the kernels for eight small images at once. */
export interface LanesFamilies {
  /**
   * Eight small images at once, one a lane: image `i` of element `e` is the f32 number `8 e + i`. Cut-outs of
   * `size × size` samples from (y, x), i32, at `corners`, become images `0 … count − 1`; the rest is 0.
   */
  lanes_crop: (
    out: number,
    size: number,
    data: number,
    height: number,
    width: number,
    corners: number,
    count: number,
  ) => void;
  /** As `lanes_crop`, each image less its lowest sample, computed in f64; outside of the frame samples count as 0. */
  lanes_crop_low: LanesFamilies["lanes_crop"];
  /**
   * Every image becomes `log(x − min x + 1)`, or, where `log` is 0, stays. `most` gets, for each, the difference of its
   * extremes: 0 if it is constant, NaN if it has a NaN or an infinity, which makes all of it 0.
   */
  lanes_log: (data: number, most: number, elements: number, log: number) => void;
  /** The same with samples of f32 one after another: `log(x − least + 1)`, none being below `least`. */
  log_scale: (data: number, n: number, least: number) => void;
  /** `n` complex numbers, pairs of f32, times `n` others, in place. */
  multiply_pairs: (data: number, factors: number, n: number) => void;
  /**
   * The transforms of images `n × n`, images i and i + 4 being one complex image: forward, frequencies then being in the
   * order of `lanes_plan.ts`, or backward from that order, without the division by `n²`.
   */
  lanes_fft: (
    data: number,
    n: number,
    radices: number,
    stages: number,
    twiddles: number,
    spare: number,
    backward: number,
  ) => void;
  /** Every element times its pair (re, im) of f32, images i and i + 4 being one complex image. */
  lanes_multiply: (data: number, factors: number, elements: number) => void;
  /** `out[e] = Σ_t weights[t] · data[(e's place in rows of `pitch`) + taps[t]]` for `size × size` elements. */
  lanes_correlate: (
    out: number,
    size: number,
    data: number,
    pitch: number,
    taps: number,
    weights: number,
    count: number,
  ) => void;
  /**
   * Of every image six f32: y, x of its highest sample; y, x of the centre of mass around it; its height; its elevation,
   * the smallest (height − sample) / distance from that centre, at a distance of 1.5 or more.
   */
  lanes_peaks: (out: number, data: number, size: number, count: number) => void;
  /**
   * The highest value of a periodic image, samples of f32 `step` bytes apart, between its samples near (y, x): with
   * `partial[r][s] = Σ_c image[r][c] · columns[(c − x) mod width][s]` the first largest
   * `Σ_r rows[(r − y) mod height][t] · partial[r][s]`; `out` gets t, s as f32. Tables and `partial` have `pad` f32 a row,
   * a multiple of 16, of which `count` mean something.
   */
  upsample_peak: (
    out: number,
    image: number,
    step: number,
    height: number,
    width: number,
    y: number,
    x: number,
    rows: number,
    columns: number,
    count: number,
    pad: number,
    partial: number,
  ) => void;
}
