/**
 * The families of kernels for sparse tiles and sparse masks: a part of the table of exports.
 *
 * @module
 */

import type { Family } from "./families.ts";

const SMALL = ["u8", "i8", "u16", "i16"] as const;
const ALL = [...SMALL, "u32", "i32", "f32", "f64"] as const;
const WIDE = [...ALL, "u64", "i64"] as const;
const SIZES = ["u8", "u16", "u32", "u64"] as const;

const CSR = "indptr: usize, indices: usize, data: usize, frames: i32";
const TO = "outIndptr: usize, outIndices: usize, outData: usize";
const OUT = "out: usize, outStride: usize";
const MASKS = "masks: usize, maskCount: i32, maskStride: usize";

const sums = (name: string, body: string, params: string, types: readonly string[]): Family => ({
  name,
  file: "sparse_sums",
  body,
  params,
  types,
});

const form = (name: string, body: string, params: string, types: readonly string[] = SIZES): Family => ({
  name,
  file: "sparse",
  body,
  params,
  types,
});

/** Kernels of sparse tiles and masks. */
export const SPARSE_FAMILIES: readonly Family[] = [
  {
    ...form(
      "csr_rows",
      "csrRows",
      "dst: usize, src: usize, indptr: usize, frames: i32, pixels: i32, faults: usize",
    ),
    types: ["u16", "u32", "i32", "u64", "i64"],
    orders: true,
  },
  form("csr_dense", "csrDense", `dst: usize, dstStride: usize, ${CSR}, first: i32, pixels: i32`),
  form("csr_cut", "csrCut", `${TO}, ${CSR}, first: i32, pixels: i32`),
  form("dense_csr", "denseCsr", `${TO}, data: usize, frames: i32, frameStride: usize, pixels: i32`),
  form("csr_csc", "csrCsc", `${TO}, ${CSR}, pixels: i32`),
  form("csr_coo", "csrCoo", "rows: usize, indptr: usize, frames: i32", ["i32"]),
  sums("csr_sum_frames", "csrSumFrames", `acc: usize, ${CSR}`, WIDE),
  sums("csr_sum_pixels", "csrSumPixels", `${OUT}, ${CSR}, rowLength: i32, lanes: usize`, WIDE),
  sums("csr_dot_i16", "csrDotI16", `${OUT}, ${CSR}, ${MASKS}`, SMALL),
  sums("csr_dot_f32", "csrDotF32", `${OUT}, ${CSR}, ${MASKS}, rowLength: i32`, [...SMALL, "f32"]),
  sums("csr_dot_f64", "csrDotF64", `${OUT}, ${CSR}, ${MASKS}, rowLength: i32`, WIDE),
  sums("csr_dot_seq", "csrDotSeq", `${OUT}, ${CSR}, ${MASKS}`, ALL),
  {
    name: "dot_sparse",
    file: "dot_sparse",
    body: "dotSparse",
    params:
      `${OUT}, data: usize, frames: i32, frameStride: usize, first: i32, ranges: usize, indices: usize, ` +
      "weights: usize, maskCount: i32",
    types: ALL,
    orders: true,
  },
];
