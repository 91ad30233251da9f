/**
 * Sparse forms of a tile: a matrix of frames × pixels (of the part of the frame that the tile shows), without zeros.
 *
 * The arrays lie in the memory of the kernels: `array.byteOffset` is the address that a kernel takes. The memory is
 * reused for the next tile.
 *
 * @module
 */

import type { TypedArray } from "../../space/dtype.ts";

/**
 * Frame by frame: frame `f` has the entries `indptr[f]` to `indptr[f + 1] − 1`.
 * @category Tiles
 */
export interface CsrTile {
  /** `frames + 1` entry numbers; the first need not be 0. */
  readonly indptr: Int32Array;
  /** The pixel of each entry; pixels ascend within a frame, without duplicates. */
  readonly indices: Int32Array;
  /** The sample of each entry, of the dtype that the UDF takes. */
  readonly data: TypedArray;
  /** Frames, pixels. */
  readonly shape: readonly [frames: number, pixels: number];
}

/**
 * Pixel by pixel: pixel `p` has the entries `indptr[p]` to `indptr[p + 1] − 1`.
 * @category Tiles
 */
export interface CscTile {
  /** `pixels + 1` entry numbers, from 0. */
  readonly indptr: Int32Array;
  /** The frame of each entry; frames ascend within a pixel, without duplicates. */
  readonly indices: Int32Array;
  /** The sample of each entry, of the dtype that the UDF takes. */
  readonly data: TypedArray;
  /** Frames, pixels. */
  readonly shape: readonly [frames: number, pixels: number];
}

/**
 * Entry by entry: frames ascend, and pixels ascend within a frame.
 * @category Tiles
 */
export interface CooTile {
  /** The frame of each entry, counted from the first of the tile. */
  readonly rows: Int32Array;
  /** The pixel of each entry. */
  readonly columns: Int32Array;
  /** The sample of each entry, of the dtype that the UDF takes. */
  readonly data: TypedArray;
  /** Frames, pixels. */
  readonly shape: readonly [frames: number, pixels: number];
}

/**
 * The sparse forms by the name of their back end.
 * @category Tiles
 */
export interface SparseTiles {
  /** Frame by frame. */
  readonly csr: CsrTile;
  /** Pixel by pixel. */
  readonly csc: CscTile;
  /** Entry by entry. */
  readonly coo: CooTile;
}

/**
 * Gives a sparse form of a tile, or of its frame number `frame`.
 * @category Tiles
 */
export type SparseForm = <F extends keyof SparseTiles>(form: F, frame?: number) => SparseTiles[F];
