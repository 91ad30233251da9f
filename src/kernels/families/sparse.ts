/**
 * The families of kernels for sparse tiles and sparse masks.
 *
 * A CSR tile of frames × pixels is three arrays: the entries of frame `f` are number `indptr[f]` to `indptr[f + 1] − 1`
 * of `indices` (i32, pixel numbers, ascending within a frame, none twice) and `data`. `indptr` (i32) need not begin
 * with 0. Samples are little endian.
 *
 * @module
 */

/** One signature a family; the kernels of a family differ in the type of `data`, or of what else their name says. */
export interface SparseFamilies {
  /**
   * Stored indices, as i32, for kernels that take CSR: `dst[e] = src[e]` for all entries of the frames; `dst` may be `src`
   * where items have four bytes or more. `faults`, two i32: 1 + the first entry outside of a frame of `pixels`, or 0;
   * the number of frames whose indices do not ascend is added to the second. The type is that of the stored indices.
   */
  csr_rows: (
    dst: number,
    src: number,
    indptr: number,
    frames: number,
    pixels: number,
    faults: number,
  ) => void;
  /** Pixels `first` to `first + pixels − 1` of each frame with their zeros. The type is that of the size of a sample. */
  csr_dense: (
    dst: number,
    dstStride: number,
    indptr: number,
    indices: number,
    data: number,
    frames: number,
    first: number,
    pixels: number,
  ) => void;
  /** The entries of pixels `first` to `first + pixels − 1`, counted from `first`, as CSR. The type is that of the size. */
  csr_cut: (...args: [...ToForm, ...CsrArguments, first: number, pixels: number]) => void;
  /** The samples that are not zero, as CSR. The type is that of the size of a sample. */
  dense_csr: (
    ...args: [...ToForm, data: number, frames: number, frameStride: number, pixels: number]
  ) => void;
  /** CSR to CSC: entries pixel by pixel, `outIndptr` has `pixels + 1` numbers, `outIndices` are frames. By size. */
  csr_csc: (...args: [...ToForm, ...CsrArguments, pixels: number]) => void;
  /** The frame of each entry, from the first entry on. */
  csr_coo: (rows: number, indptr: number, frames: number) => void;
  /** `acc[p] += Σ_f data[f][p]`, `acc` being f64; the bits of `sum_frames`. */
  csr_sum_frames: (acc: number, ...csr: CsrArguments) => void;
  /** `out[f] += Σ_p data[f][p]`, `out` being f64; the bits of `sum_pixels`. `lanes`: 64 bytes for its own use. */
  csr_sum_pixels: (...args: [...OutArguments, ...CsrArguments, rowLength: number, lanes: number]) => void;
  /** Products with dense masks of i16, exact: `out[f][m] += Σ_p data[f][p] · masks[m][p]`, `out` being f64. */
  csr_dot_i16: (...args: [...OutArguments, ...CsrArguments, ...MaskArguments]) => void;
  /** Products with dense masks of f32; the bits of `dot_f32`, where weights are finite. */
  csr_dot_f32: (...args: [...OutArguments, ...CsrArguments, ...MaskArguments, rowLength: number]) => void;
  /** Products with dense masks of f64; the bits of `dot_f64`, where weights are finite. */
  csr_dot_f64: (...args: [...OutArguments, ...CsrArguments, ...MaskArguments, rowLength: number]) => void;
  /** Products with dense masks of f64, an entry after the other in f64; the bits of `dot_sparse` with the same masks. */
  csr_dot_seq: (...args: [...OutArguments, ...CsrArguments, ...MaskArguments]) => void;
  /**
   * Products of dense frames with sparse masks: `out[f][m] += Σ_e data[f][indices[e] − first] · weights[e]` over the
   * entries `ranges[m][0]` to `ranges[m][1] − 1` (i32), one after the other in f64; `weights` are f64, `indices` i32.
   */
  dot_sparse: (
    out: number,
    outStride: number,
    data: number,
    frames: number,
    frameStride: number,
    first: number,
    ranges: number,
    indices: number,
    weights: number,
    maskCount: number,
  ) => void;
}

/** A CSR tile. */
export type CsrArguments = [indptr: number, indices: number, data: number, frames: number];

/** Where the arrays of a sparse form go. */
export type ToForm = [outIndptr: number, outIndices: number, outData: number];

/** Where results go. */
export type OutArguments = [out: number, outStride: number];

/** Dense masks; mask `m` starts at `masks + m * maskStride`. */
export type MaskArguments = [masks: number, maskCount: number, maskStride: number];
