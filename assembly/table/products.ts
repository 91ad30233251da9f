/**
 * Kernels that weight samples: mask products, centres of mass, products behind sums of logarithms, means of windows.
 *
 * @module
 */

import { ALL, BEYOND_SINGLE, DOUBLE, SINGLE_EXACT, SMALL } from "../../src/kernels/families/types.ts";
import { type Families, FRAMES, MASKS, RUNS, SUMS } from "./declaration.ts";

/** Products of frames, and sums with weights. */
export const PRODUCTS = {
  /**
   * Products of frames with masks of i16, exact: `out[f][m] += Σ_p data[f][p] · masks[m][p]`, `out` being f64.
   * `flush`: how many products of the largest sample and the largest weight, two a lane, an i32 holds.
   */
  dot_i16: {
    pack: "masks",
    file: "dot",
    body: "dotI16",
    params: { ...SUMS, ...FRAMES, masks: "in int16", ...MASKS, rows: "i32", rowLength: "i32", flush: "i32" },
    types: SMALL,
    orders: true,
  },
  /** Products of frames with masks of f32: `out[f][m] += Σ_p data[f][p] · masks[m][p]`, rows in f32, their sum in f64. */
  dot_f32: {
    pack: "products",
    file: "dot",
    body: "dotF32",
    params: { ...SUMS, ...FRAMES, masks: "in float32", ...MASKS, rows: "i32", rowLength: "i32" },
    types: SINGLE_EXACT,
    orders: true,
  },
  /** Products of frames with masks of f64. */
  dot_f64: {
    pack: "products",
    file: "dot",
    body: "dotF64",
    params: { ...SUMS, ...FRAMES, masks: "in float64", ...MASKS, rows: "i32", rowLength: "i32" },
    types: ALL,
    orders: true,
  },
  /**
   * Pixels that mirror each other in two axes, as sums and differences in f32. For each of `count` runs of five i32
   * `(a, b, c, d, n)` and i < n the samples `a + i`, `b − i`, `c + i`, `d − i` of a frame give one number to each of four
   * planes: `(a + b) + (c + d)`, `(a − b) + (c − d)`, `(a + b) − (c + d)`, `(a − b) − (c − d)`. A place of −1 counts as 0.
   * Runs follow each other in the planes, which are `planeStride` apart. One plane: `a` alone.
   */
  fold_f32: {
    pack: "statistics",
    file: "fold",
    body: "foldF32",
    params: {
      out: "inout float32",
      outStride: "usize",
      planeStride: "usize",
      planes: "i32",
      ...FRAMES,
      ...RUNS,
    },
    types: SINGLE_EXACT,
    orders: true,
  },
  /** As `fold_f32`, in f64. */
  fold_f64: {
    pack: "statistics",
    file: "fold",
    body: "foldF64",
    params: {
      out: "inout float64",
      outStride: "usize",
      planeStride: "usize",
      planes: "i32",
      ...FRAMES,
      ...RUNS,
    },
    types: BEYOND_SINGLE,
    orders: true,
  },
  /**
   * Sums for the centre of mass: `out[f] += (Σ v, Σ y·v, Σ x·v)`, three f64, over `count` runs of pixels, each three
   * i32 `(y, x0, x1)`; the first row of the tile is row `yFirst`. Exact for integers of 8 and 16 bits.
   */
  com: {
    pack: "centres",
    file: "com",
    body: "com",
    params: { ...SUMS, ...FRAMES, rowLength: "i32", yFirst: "i32", ...RUNS },
    types: ALL,
    orders: true,
  },
  /**
   * The product behind a sum of logarithms: `product[p] · 2^(512 powers[p])` times `x[p] − min x + 1`, for one frame;
   * two buffers of f64 that start at 0. NaN does not count for the minimum. Their logarithm is
   * `ln product + 512 ln 2 · powers`.
   */
  log_product: {
    pack: "statistics",
    file: "log_product",
    body: "logProduct",
    params: { product: "inout float64", powers: "inout float64", data: "in T", pixels: "i32" },
    types: ALL,
    orders: true,
  },
  /** Products A become products A times products B. */
  log_product_merge: {
    pack: "statistics",
    file: "log_product",
    body: "logProductMerge",
    params: {
      productA: "inout T",
      powersA: "inout T",
      productB: "inout T",
      powersB: "inout T",
      pixels: "i32",
    },
    types: DOUBLE,
  },
} satisfies Families;
