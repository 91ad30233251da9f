/**
 * Kernels of filters over views: weighted sums of samples, and what is made of such sums.
 *
 * @module
 */

import {
  ALL,
  DOUBLE,
  FLOATS,
  INTEGERS,
  KEYS,
  SINGLE_EXACT,
  SMALL,
} from "../../src/kernels/families/types.ts";
import type { Families, Params } from "./declaration.ts";

const ROWS = {
  outStride: "usize",
  data: "in T",
  rowStride: "usize",
  rows: "i32",
  n: "i32",
  step: "usize",
} as const satisfies Params;

const TAPS = { data: "in T", n: "i32", offsets: "in uint32" } as const satisfies Params;

const MEDIAN = {
  out: "out T",
  outStride: "usize",
  data: "in T",
  rowStride: "usize",
  rows: "i32",
  n: "i32",
  scratch: "scratch uint8",
} as const satisfies Params;

/**
 * Weighted sums of samples over views, and what is made of them.
 * @category Kernels
 */
export const VIEWS = {
  /**
   * Weighted sums, f32: each of `n` samples in each of `rows` rows becomes the sum of `count` samples, the one at its place in
   * `data` and those at multiples of `step` bytes behind it, times `weights`. Sums start at 0 and grow from the first sample to
   * the last. With `fold` 1 or -1 weights are symmetric or antisymmetric, `count` is odd, and samples are added or subtracted in
   * pairs from the outermost to the middle before they are multiplied: `weights` has the first half, and the middle.
   */
  weigh_f32: {
    pack: "filters",
    file: "views/weigh",
    body: "weighF32",
    params: { out: "out float32", ...ROWS, weights: "in float32", count: "i32", fold: "i32" },
    types: SINGLE_EXACT,
  },
  /**
   * Two passes of `weigh_f32` in one: down columns, with `down` samples, then across rows, with `across`, both with symmetric
   * weights (`fold` 1), to the same bits. `data` has `down - 1` rows and `across - 1` columns more than the result, which has
   * 4 rows and 4 columns at least. `between`: four rows of floats with their halo.
   */
  weigh_plane: {
    pack: "filters",
    file: "views/weigh_plane",
    body: "weighPlane",
    params: {
      out: "out float32",
      outStride: "usize",
      data: "in T",
      rowStride: "usize",
      rows: "i32",
      n: "i32",
      downWeights: "in float32",
      down: "i32",
      acrossWeights: "in float32",
      across: "i32",
      between: "scratch float32",
    },
    types: SINGLE_EXACT,
  },
  /** As `weigh_f32`, in f64. */
  weigh_f64: {
    pack: "filters",
    file: "views/weigh",
    body: "weighF64",
    params: { out: "out float64", ...ROWS, weights: "in float64", count: "i32", fold: "i32" },
    types: ALL,
  },
  /**
   * Weighted sums, f32, of `count` samples at any distances: `offsets` are bytes from the place of a result in `data`. Sums start
   * at 0 and grow from the first offset to the last.
   */
  taps_f32: {
    pack: "filters",
    file: "views/taps",
    body: "tapsF32",
    params: { out: "out float32", ...TAPS, weights: "in float32", count: "i32" },
    types: SINGLE_EXACT,
  },
  /** As `taps_f32`, in f64. */
  taps_f64: {
    pack: "filters",
    file: "views/taps",
    body: "tapsF64",
    params: { out: "out float64", ...TAPS, weights: "in float64", count: "i32" },
    types: ALL,
  },
  /** The root of the sum of the squares of `count` floats, which lie `step` bytes apart. */
  root_of_squares: {
    pack: "filters",
    file: "views/combine",
    body: "rootOfSquares",
    params: { out: "out T", data: "in T", n: "i32", step: "usize", count: "i32" },
    types: FLOATS,
  },
  /** Squares of `n` samples, in f64. */
  square_f64: {
    pack: "filters",
    file: "views/combine",
    body: "squareF64",
    params: { out: "out float64", data: "in T", n: "i32" },
    types: ALL,
  },
  /**
   * Variances of windows of `count` samples, from `n` sums of samples and of their squares: `(count · squares - sums²) / count²`,
   * at least 0, or the root of it, the standard deviation, with `root` 1.
   */
  variance: {
    pack: "filters",
    file: "views/combine",
    body: "variance",
    params: { out: "out T", sums: "in T", squares: "in T", n: "i32", count: "f64", root: "i32" },
    types: DOUBLE,
  },
  /**
   * Means of windows of `count` samples that lie `step` bytes apart, less the first of them, and their variances, for `n` places.
   * They keep their digits, however far the samples are from 0. With `last` 1 there are variances only, with 2 their roots,
   * standard deviations.
   */
  spreads: {
    pack: "filters",
    file: "views/spread",
    body: "spreads",
    params: {
      rest: "out float64",
      spread: "out float64",
      data: "in T",
      n: "i32",
      step: "usize",
      count: "i32",
      last: "i32",
    },
    types: ALL,
  },
  /**
   * Means and variances of `count` windows `step` bytes apart, as of `spreads`, from theirs and from the steps between their means,
   * as `rest_steps` makes them.
   */
  join_spreads: {
    pack: "filters",
    file: "views/spread",
    body: "joinSpreads",
    params: {
      rest: "out T",
      spread: "out T",
      rests: "in T",
      parts: "in T",
      deltas: "in T",
      n: "i32",
      step: "usize",
      count: "i32",
      last: "i32",
    },
    types: DOUBLE,
  },
  /**
   * Steps between means, or sums of `each` samples: `each` times one of them and a rest, in `rows` rows of `n`: how much
   * greater what stands behind them is, a sample by `step` bytes, a rest by `restStep`. They stand as the rests do.
   */
  rest_steps: {
    pack: "filters",
    file: "views/deviations",
    body: "restSteps",
    params: {
      out: "out float64",
      data: "in T",
      rowStride: "usize",
      step: "usize",
      rests: "in float64",
      restStride: "usize",
      restStep: "usize",
      rows: "i32",
      n: "i32",
      each: "f64",
    },
    types: ALL,
  },
  /**
   * Deviations of weighted sums from the sample in their middle, `rows` rows of `n`: weighted differences of the `2 half` steps
   * between samples that lie `step` bytes apart, of the last one and the first one, and so on to those beside the middle. Nothing
   * cancels, however far samples are from 0.
   */
  deviations: {
    pack: "filters",
    file: "views/deviations",
    body: "deviations",
    params: {
      out: "out float64",
      outStride: "usize",
      data: "in T",
      stride: "usize",
      rows: "i32",
      n: "i32",
      step: "usize",
      weights: "in float64",
      half: "i32",
    },
    types: ALL,
  },
  /** The same of `scale` samples and a rest each, from rests in the middle and what `rest_steps` makes. */
  join_deviations: {
    pack: "filters",
    file: "views/deviations",
    body: "joinDeviations",
    params: {
      out: "out T",
      outStride: "usize",
      rests: "in T",
      restStride: "usize",
      deltas: "in T",
      stride: "usize",
      rows: "i32",
      n: "i32",
      step: "usize",
      weights: "in T",
      half: "i32",
      scale: "f64",
    },
    types: DOUBLE,
  },
  /** Differences `from - data` of `n` samples, modulo the range of integers; `out` may be one of both. */
  subtract: {
    pack: "windows",
    file: "views/combine",
    body: "subtract",
    params: { out: "out T", from: "in T", data: "in T", n: "i32" },
    types: ALL,
  },
  /** Whether each of `n` samples is greater than `level / count - offset`, computed in f64: 1 or 0. */
  above: {
    pack: "filters",
    file: "views/combine",
    body: "above",
    params: { out: "out bool", data: "in T", level: "in float64", n: "i32", count: "f64", offset: "f64" },
    types: ALL,
  },
  /** Whether floats are less than `limit`, `rows` rows of `n`: 1 or 0. */
  below: {
    pack: "filters",
    file: "views/combine",
    body: "below",
    params: {
      out: "out bool",
      outStride: "usize",
      data: "in T",
      rowStride: "usize",
      rows: "i32",
      n: "i32",
      limit: "f64",
    },
    types: DOUBLE,
  },
  /** Floats as integers: rounded to nearest, half to even, and limited to the range of the type. NaN becomes 0. */
  round_f32: {
    pack: "filters",
    file: "views/combine",
    body: "roundF32",
    params: { out: "out T", data: "in float32", n: "i32" },
    types: INTEGERS,
  },
  /** As `round_f32`, from f64. */
  round_f64: {
    pack: "filters",
    file: "views/combine",
    body: "roundF64",
    params: { out: "out T", data: "in float64", n: "i32" },
    types: INTEGERS,
  },
  /**
   * Medians of 3 × 3 samples: `rows` rows of `n` results, `data` has two rows and two samples more. `scratch`: 6 rows of `n + 2`
   * samples and 16 bytes; rows of less than 16 bytes take as much as those of 16.
   */
  median_3: { pack: "filters", file: "views/median", body: "medianOf3", params: MEDIAN, types: KEYS },
  /** Medians of 5 × 5 samples; `scratch`: 23 936 bytes. */
  median_5: { pack: "filters", file: "views/median5", body: "medianOf5", params: MEDIAN, types: KEYS },
  /**
   * The sample of a rank, 0 for the least one, among `count` samples at any distances: `offsets` are bytes from the place of a
   * result in `data`. Counts go up to 32767.
   */
  select_rank: {
    pack: "filters",
    file: "views/select",
    body: "selectRank",
    params: { out: "out T", data: "in T", n: "i32", offsets: "in uint32", count: "i32", rank: "i32" },
    types: KEYS,
  },
  /**
   * As `select_rank`, by a histogram that slides along the line, for windows of up to 65535 samples. `leaving`: offsets of
   * samples that are not in the next window, of which they would be one place before; `entering`: as many that are not in
   * the window before. `histogram`: counts of all values, then of blocks of 16 or 256 values; all are 0, before and
   * afterwards.
   */
  slide_rank: {
    pack: "filters",
    file: "views/slide",
    body: "slideRank",
    params: {
      out: "out T",
      data: "in T",
      n: "i32",
      offsets: "in uint32",
      count: "i32",
      leaving: "in uint32",
      entering: "in uint32",
      edges: "i32",
      rank: "i32",
      histogram: "inout uint16",
    },
    types: SMALL,
  },
  /**
   * Floats as signed integers of the same size and order. NaN is greater than all numbers, and −0 is less than 0.
   */
  order_keys: {
    pack: "filters",
    file: "views/order",
    body: "orderKeys",
    params: { out: "out T", data: "in T", n: "i32" },
    types: FLOATS,
  },
  /** The floats that `order_keys` made integers of. */
  order_floats: {
    pack: "filters",
    file: "views/order",
    body: "orderFloats",
    params: { out: "out T", data: "in T", n: "i32" },
    types: FLOATS,
  },
} satisfies Families;
