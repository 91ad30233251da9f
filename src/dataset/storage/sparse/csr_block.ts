/**
 * Rows of a sparse matrix in the memory of the kernels.
 *
 * @module
 */

/** Frames in memory as rows of a sparse matrix: addresses for kernels. */
export interface CsrBlock {
  /** Row pointers: `frames + 1` i32, the first is 0. */
  readonly indptr: number;
  /** Columns: i32. */
  readonly indices: number;
  /** Samples: type of the data set, little endian. */
  readonly data: number;
  /** Number of frames. */
  readonly frames: number;
}
