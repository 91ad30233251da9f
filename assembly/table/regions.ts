/**
 * Kernels of connected components, runs of samples in lines and which of them belong together, and of histograms.
 *
 * A line of bits has one bit per sample, the first sample in the lowest bit of the first byte. It is whole words of 64 bits;
 * those behind the last sample are 0. A run is a group of ones side by side. Runs are numbered in row-major order.
 *
 * @module
 */

import { ALL, BYTES, INTEGERS, WIDE } from "../../src/kernels/families/types.ts";
import type { Families, Params } from "./declaration.ts";

const LINES = {
  bits: "out uint8",
  lines: "out uint32",
  first: "u32",
  data: "in T",
  rowStride: "usize",
  rows: "i32",
  n: "i32",
} as const satisfies Params;

/**
 * Connected components, and histograms.
 * @category Kernels
 */
export const REGIONS = {
  /**
   * Lines of bits: which samples of `rows` rows of `n` are greater than `limit`. `lines` gets the number of the first run of
   * each row, from `first` on, and one past the last run of all.
   */
  bits_above: {
    pack: "regions",
    file: "views/bits",
    body: "bitsAbove",
    params: { ...LINES, limit: "f64" },
    types: [...WIDE, "float16"],
    half: ["bitsAboveHalf", "bitsAboveHalf"],
  },
  /** As `bits_above`: which samples are not 0; NaN is not. */
  bits_nonzero: {
    pack: "regions",
    file: "views/bits",
    body: "bitsNonzero",
    params: LINES,
    types: [...WIDE, "float16"],
    half: ["bitsNonzeroHalf", "bitsNonzeroHalf"],
  },
  /** `n` numbers: `first`, and each greater by one than the one before. */
  count_up: {
    pack: "regions",
    file: "views/runs",
    body: "countUp",
    params: { out: "out uint32", n: "i32", first: "u32" },
    types: BYTES,
  },
  /**
   * Joins the runs of two lines that touch, in the order of the places where they do: the runs of `line` are those from
   * `run` on, those of `other` from `otherRun`. With `diagonal` 1 runs also touch if one ends beside the start of the other.
   * Of two components that become one, the first run becomes the parent of the other first run; the way to it is halved.
   */
  join_runs: {
    pack: "regions",
    file: "views/runs",
    body: "joinRuns",
    params: {
      parents: "inout uint32",
      line: "in uint8",
      run: "u32",
      other: "in uint8",
      otherRun: "u32",
      words: "i32",
      diagonal: "i32",
    },
    types: BYTES,
  },
  /**
   * The parents of `n` runs, none of which is later than its child, become the names of their components: `names` has them
   * in the order of their first runs. `count` gets the number of components.
   */
  number_runs: {
    pack: "regions",
    file: "views/runs",
    body: "numberRuns",
    params: { count: "out uint32", runs: "inout uint32", n: "i32", names: "in uint32" },
    types: BYTES,
  },
  /** Where in `rows` rows of `n` samples the runs begin whose `labels` are greater than all before them. */
  first_samples: {
    pack: "regions",
    file: "views/runs",
    body: "firstSamples",
    params: { out: "out uint32", labels: "in uint32", bits: "in uint8", rows: "i32", n: "i32" },
    types: BYTES,
  },
  /** The labels of runs as those of the `n` samples of a line; 0 outside. */
  paint_runs: {
    pack: "regions",
    file: "views/runs",
    body: "paintRuns",
    params: { out: "out uint32", labels: "in uint32", bits: "in uint8", n: "i32" },
    types: BYTES,
  },
  /** Adds how many of `n` samples are `least`, `least + 1`, and so on, up to `bins` values; others are not counted. */
  count_values: {
    pack: "regions",
    file: "views/counts",
    body: "countValues",
    params: { counts: "inout uint32", bins: "i32", least: "f64", data: "in T", n: "i32" },
    types: INTEGERS,
  },
  /**
   * Adds how many of `n` samples are in each of `bins` bins of the same width. Edges ascend; a bin contains its first one, the
   * last bin both. NaN is not counted.
   */
  count_bins: {
    pack: "regions",
    file: "views/counts",
    body: "countBins",
    params: { counts: "inout uint32", bins: "i32", edges: "in float64", data: "in T", n: "i32" },
    types: ALL,
  },
} satisfies Families;
