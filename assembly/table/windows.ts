/**
 * Kernels over windows of samples, for operations over views.
 *
 * @module
 */

import { ALL } from "../../src/kernels/families/types.ts";
import type { Families, Params } from "./declaration.ts";

const LINE = { out: "out T", data: "in T", n: "i32", step: "usize", count: "i32" } satisfies Params;

/** Means and extremes of windows. */
export const WINDOWS = {
  /**
   * The mean of the window of `(2 ry + 1) (2 rx + 1)` samples around every sample: `out` has `rows × rowLength` of
   * them, `data` a halo of `ry` rows and `rx` samples on each side. `columns` takes `rowLength + 2 rx` f64: the sums of
   * the columns, in the end those of the last row. Integers: exact sums. Floats: f64, always in the same order.
   */
  box_mean: {
    pack: "windows",
    file: "box_mean",
    body: "boxMean",
    params: {
      out: "out float of T",
      outStride: "usize",
      data: "in T",
      rowStride: "usize",
      rows: "i32",
      rowLength: "i32",
      ry: "i32",
      rx: "i32",
      columns: "out float64",
    },
    types: ALL,
  },
  /**
   * Each of `n` samples becomes the least of `count` samples, at least one: the one at its place in `data`, and those at
   * multiples of `step` bytes behind it. NaN is less than everything, and −0 is less than 0.
   */
  window_min: {
    pack: "windows",
    file: "window",
    body: "windowMin",
    params: LINE,
    types: ALL,
  },
  /** As `window_min`, the greatest; NaN is greater than everything. */
  window_max: {
    pack: "windows",
    file: "window",
    body: "windowMax",
    params: LINE,
    types: ALL,
  },
} satisfies Families;
