/**
 * The sample types of every family of kernels. What runs need of a kernel is its name, which is made of these; its twin and
 * the description of its parameters are in `rows/`, which runs do not load.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import type { KernelFamily } from "./families.ts";

/** The samples that a family takes. */
export interface SampleTypes {
  /** The sample types there are kernels for. */
  readonly dtypes: readonly DType[];
  /** Whether there are kernels for big-endian samples, too. */
  readonly orders: boolean;
}

/** Integers of one and two bytes. */
export const SMALL: readonly DType[] = ["uint8", "int8", "uint16", "int16"];
/** The other sample types of detectors. */
const LARGE: readonly DType[] = ["uint32", "int32", "float32", "float64"];
/** Those of all eight that float32 does not hold. */
const BEYOND_SINGLE: readonly DType[] = ["uint32", "int32", "float64"];
/** All eight. */
const ALL: readonly DType[] = [...SMALL, ...LARGE];
/** Those that float32 holds as they are. */
const SINGLE_EXACT: readonly DType[] = [...SMALL, "float32"];
/** Unsigned integers, by their size in bytes. */
const SIZES: readonly DType[] = ["uint8", "uint16", "uint32", "uint64"];
const UNSIGNED: readonly DType[] = ["uint8", "uint16", "uint32"];
const BYTES: readonly DType[] = ["uint8"];
const WORDS: readonly DType[] = ["uint16"];
const FLOATS: readonly DType[] = ["float32", "float64"];
const SINGLE: readonly DType[] = ["float32"];
const DOUBLES: readonly DType[] = ["float64"];

/** By family. */
export const SAMPLE_TYPES: { readonly [F in KernelFamily]: SampleTypes } = {
  sum_frames: { dtypes: ALL, orders: true },
  sum_pixels: { dtypes: ALL, orders: true },
  min_max: { dtypes: ALL, orders: true },
  moments: { dtypes: SMALL, orders: true },
  welford: { dtypes: LARGE, orders: true },
  welford_merge: { dtypes: DOUBLES, orders: false },
  add: { dtypes: DOUBLES, orders: false },
  swap: { dtypes: ["uint16", "uint32", "uint64"], orders: false },
  convert_f32: { dtypes: [...ALL, "float16", "uint64", "int64"], orders: true },
  convert_f64: { dtypes: [...ALL, "float16", "uint64", "int64"], orders: true },
  lower_f32: { dtypes: BEYOND_SINGLE, orders: true },
  correct_f32: { dtypes: ALL, orders: true },
  correct_f64: { dtypes: ALL, orders: true },
  correct_pairs: { dtypes: FLOATS, orders: true },
  patch: { dtypes: FLOATS, orders: false },
  dot_i16: { dtypes: SMALL, orders: true },
  dot_f32: { dtypes: SINGLE_EXACT, orders: true },
  dot_f64: { dtypes: ALL, orders: true },
  fold_f32: { dtypes: SINGLE_EXACT, orders: true },
  fold_f64: { dtypes: BEYOND_SINGLE, orders: true },
  com: { dtypes: ALL, orders: true },
  log_product: { dtypes: ALL, orders: true },
  log_product_merge: { dtypes: DOUBLES, orders: false },
  box_mean: { dtypes: ALL, orders: false },
  lanes_crop: { dtypes: ALL, orders: true },
  lanes_crop_low: { dtypes: BEYOND_SINGLE, orders: true },
  log_scale: { dtypes: SINGLE, orders: false },
  multiply_pairs: { dtypes: SINGLE, orders: false },
  lanes_log: { dtypes: SINGLE, orders: false },
  lanes_fft: { dtypes: SINGLE, orders: false },
  lanes_multiply: { dtypes: SINGLE, orders: false },
  lanes_correlate: { dtypes: SINGLE, orders: false },
  lanes_peaks: { dtypes: SINGLE, orders: false },
  upsample_peak: { dtypes: SINGLE, orders: false },
  bits_lsb: { dtypes: UNSIGNED, orders: false },
  bits_msb: { dtypes: UNSIGNED, orders: false },
  reverse: { dtypes: ["uint8", "uint16"], orders: false },
  mib_r1: { dtypes: BYTES, orders: false },
  mib_r6: { dtypes: BYTES, orders: false },
  mib_r12: { dtypes: WORDS, orders: false },
  mib_r24: { dtypes: ["uint32"], orders: false },
  k2is_rows: { dtypes: WORDS, orders: false },
  unfold: { dtypes: WORDS, orders: false },
  mean_frames: { dtypes: WORDS, orders: false },
  unshuffle: { dtypes: SIZES, orders: false },
  bit_planes: { dtypes: BYTES, orders: false },
  lz4: { dtypes: BYTES, orders: false },
  bitshuffle_lz4: { dtypes: BYTES, orders: false },
  lzf: { dtypes: BYTES, orders: false },
  inflate: { dtypes: BYTES, orders: false },
  bzip2: { dtypes: BYTES, orders: false },
  copy_rows: { dtypes: BYTES, orders: false },
  fletcher32: { dtypes: BYTES, orders: false },
  adler32: { dtypes: BYTES, orders: false },
  deviation: { dtypes: ALL, orders: true },
  magnitudes: { dtypes: FLOATS, orders: false },
  rfft2: { dtypes: FLOATS, orders: false },
  irfft2: { dtypes: FLOATS, orders: false },
  fft2: { dtypes: FLOATS, orders: false },
  complex_phase: { dtypes: DOUBLES, orders: false },
  csr_rows: { dtypes: ["uint16", "uint32", "int32", "uint64", "int64"], orders: true },
  csr_dense: { dtypes: SIZES, orders: false },
  csr_cut: { dtypes: SIZES, orders: false },
  dense_csr: { dtypes: SIZES, orders: false },
  csr_csc: { dtypes: SIZES, orders: false },
  csr_coo: { dtypes: ["int32"], orders: false },
  csr_sum_frames: { dtypes: [...ALL, "uint64", "int64"], orders: false },
  csr_sum_pixels: { dtypes: [...ALL, "uint64", "int64"], orders: false },
  csr_dot_i16: { dtypes: SMALL, orders: false },
  csr_dot_f32: { dtypes: SINGLE_EXACT, orders: false },
  csr_dot_f64: { dtypes: [...ALL, "uint64", "int64"], orders: false },
  csr_dot_seq: { dtypes: ALL, orders: false },
  dot_sparse: { dtypes: ALL, orders: true },
};
