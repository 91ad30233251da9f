/**
 * Kernels that compute sample by sample, or one sample of several, for operations over views.
 *
 * @module
 */

import { ALL, DOUBLE } from "../../src/kernels/families/types.ts";
import type { Families, Params } from "./declaration.ts";

const BLOCK = { out: "out T", data: "in T", n: "i32", factor: "i32" } satisfies Params;
const BLOCK_MEAN = { data: "in T", n: "i32", factor: "i32", rows: "i32" } satisfies Params;

/** Thresholds, conversions, blocks of samples. */
export const BLOCKS = {
  /** `out[i]` is 1 where `data[i]` is greater than `limit`, else 0, also for NaN. */
  greater: {
    pack: "windows",
    file: "views/per_sample",
    body: "greater",
    params: { out: "out uint8", data: "in T", n: "i32", limit: "f64" },
    types: ALL,
  },
  /**
   * Numbers as samples of a type: rounded to the nearest one, of two integers the even one; those beyond the ends of an
   * integer type become its ends, NaN becomes 0.
   */
  from_f64: {
    pack: "windows",
    file: "views/per_sample",
    body: "fromF64",
    params: { out: "out T", data: "in float64", n: "i32" },
    types: ALL,
  },
  /** Of every `factor` of `n` samples the least, of those that are left at the end as well. NaN is less than everything. */
  block_min: { pack: "windows", file: "views/blocks", body: "blockMin", params: BLOCK, types: ALL },
  /** As `block_min`, the greatest; NaN is greater than everything. */
  block_max: { pack: "windows", file: "views/blocks", body: "blockMax", params: BLOCK, types: ALL },
  /** The sum of every `factor` of `n` samples, and of those that are left at the end, from the first one on. */
  block_sum: {
    pack: "windows",
    file: "views/blocks",
    body: "blockSum",
    params: { out: "out float64", data: "in T", n: "i32", factor: "i32" },
    types: DOUBLE,
  },
  /** The means of the same samples, each of which is a sum of `rows` itself. */
  block_mean: {
    pack: "windows",
    file: "views/blocks",
    body: "blockMeanF32",
    params: { out: "out float32", ...BLOCK_MEAN },
    types: DOUBLE,
  },
  /** As `block_mean`, f64. */
  block_mean_f64: {
    pack: "windows",
    file: "views/blocks",
    body: "blockMeanF64",
    params: { out: "out float64", ...BLOCK_MEAN },
    types: DOUBLE,
  },
} satisfies Families;
