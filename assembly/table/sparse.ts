/**
 * Kernels for sparse tiles and sparse masks.
 *
 * @module
 */

import { ALL, SINGLE_EXACT, SIZES, SMALL, WIDE } from "../../src/kernels/families/types.ts";
import { type Families, FRAMES, MASKS, type Params, SUMS } from "./declaration.ts";

/** A CSR tile. */
const CSR = { indptr: "in int32", indices: "in int32", data: "in T", frames: "i32" } satisfies Params;
/** Where the arrays of a sparse form go. */
const FORM = { outIndptr: "out int32", outIndices: "out int32", outData: "out T" } satisfies Params;

/**
 * The families of kernels for sparse tiles and sparse masks.
 *
 * A CSR tile of frames × pixels is three arrays: the entries of frame `f` are number `indptr[f]` to `indptr[f + 1] − 1`
 * of `indices` (i32, pixel numbers, ascending within a frame, none twice) and `data`. `indptr` (i32) need not begin
 * with 0. Samples are little endian.
 * @category Kernels
 */
export const SPARSE = {
  /**
   * Stored indices, as i32, for kernels that take CSR: `dst[e] = src[e]` for all entries of the frames; `dst` may be `src`
   * where items have four bytes or more. `faults`, two i32: 1 + the first entry outside of a frame of `pixels`, or 0;
   * the number of frames whose indices do not ascend is added to the second. The type is that of the stored indices.
   */
  csr_rows: {
    pack: "sparse",
    file: "sparse/sparse",
    body: "csrRows",
    params: {
      dst: "out int32",
      src: "in T",
      indptr: "in int32",
      frames: "i32",
      pixels: "i32",
      faults: "inout int32",
    },
    types: ["uint16", "uint32", "int32", "uint64", "int64"],
    orders: true,
  },
  /** Pixels `first` to `first + pixels − 1` of each frame with their zeros. The type is that of the size of a sample. */
  csr_dense: {
    pack: "sparse",
    file: "sparse/sparse",
    body: "csrDense",
    params: { dst: "out T", dstStride: "usize", ...CSR, first: "i32", pixels: "i32" },
    types: SIZES,
  },
  /** The entries of pixels `first` to `first + pixels − 1`, counted from `first`, as CSR. The type is that of the size. */
  csr_cut: {
    pack: "sparse",
    file: "sparse/sparse",
    body: "csrCut",
    params: { ...FORM, ...CSR, first: "i32", pixels: "i32" },
    types: SIZES,
  },
  /** The samples that are not zero, as CSR. The type is that of the size of a sample. */
  dense_csr: {
    pack: "sparse",
    file: "sparse/sparse",
    body: "denseCsr",
    params: { ...FORM, ...FRAMES, pixels: "i32" },
    types: SIZES,
  },
  /** CSR to CSC: entries pixel by pixel, `outIndptr` has `pixels + 1` numbers, `outIndices` are frames. By size. */
  csr_csc: {
    pack: "sparse",
    file: "sparse/sparse",
    body: "csrCsc",
    params: { ...FORM, ...CSR, pixels: "i32" },
    types: SIZES,
  },
  /** The frame of each entry, from the first entry on. */
  csr_coo: {
    pack: "sparse",
    file: "sparse/sparse",
    body: "csrCoo",
    params: { rows: "out int32", indptr: "in int32", frames: "i32" },
    types: ["int32"],
  },
  /** `acc[p] += Σ_f data[f][p]`, `acc` being f64; the bits of `sum_frames`. */
  csr_sum_frames: {
    pack: "sparse",
    file: "sparse/sparse_sums",
    body: "csrSumFrames",
    params: { acc: "inout float64", ...CSR },
    types: WIDE,
  },
  /** `out[f] += Σ_p data[f][p]`, `out` being f64; the bits of `sum_pixels`. `lanes`: 64 bytes for its own use. */
  csr_sum_pixels: {
    pack: "sparse",
    file: "sparse/sparse_sums",
    body: "csrSumPixels",
    params: { ...SUMS, ...CSR, rowLength: "i32", lanes: "scratch float64" },
    types: WIDE,
  },
  /** Products with dense masks of i16, exact: `out[f][m] += Σ_p data[f][p] · masks[m][p]`, `out` being f64. */
  csr_dot_i16: {
    pack: "sparse",
    file: "sparse/sparse_sums",
    body: "csrDotI16",
    params: { ...SUMS, ...CSR, masks: "in int16", ...MASKS },
    types: SMALL,
  },
  /** Products with dense masks of f32; the bits of `dot_f32`, where weights are finite. */
  csr_dot_f32: {
    pack: "sparse",
    file: "sparse/sparse_sums",
    body: "csrDotF32",
    params: { ...SUMS, ...CSR, masks: "in float32", ...MASKS, rowLength: "i32" },
    types: SINGLE_EXACT,
  },
  /** Products with dense masks of f64; the bits of `dot_f64`, where weights are finite. */
  csr_dot_f64: {
    pack: "sparse",
    file: "sparse/sparse_sums",
    body: "csrDotF64",
    params: { ...SUMS, ...CSR, masks: "in float64", ...MASKS, rowLength: "i32" },
    types: WIDE,
  },
  /** Products with dense masks of f64, an entry after the other in f64; the bits of `dot_sparse` with the same masks. */
  csr_dot_seq: {
    pack: "sparse",
    file: "sparse/sparse_sums",
    body: "csrDotSeq",
    params: { ...SUMS, ...CSR, masks: "in float64", ...MASKS },
    types: ALL,
  },
  /**
   * Products of dense frames with sparse masks: `out[f][m] += Σ_e data[f][indices[e] − first] · weights[e]` over the
   * entries `ranges[m][0]` to `ranges[m][1] − 1` (i32), one after the other in f64; `weights` are f64, `indices` i32.
   */
  dot_sparse: {
    pack: "masks",
    file: "sparse/dot_sparse",
    body: "dotSparse",
    params: {
      ...SUMS,
      ...FRAMES,
      first: "i32",
      ranges: "in int32",
      indices: "in int32",
      weights: "in float64",
      maskCount: "i32",
    },
    types: ALL,
    orders: true,
  },
} satisfies Families;
