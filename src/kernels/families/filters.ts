/**
 * The families of kernels that undo what was done to stored bytes: packing, sorting, checksums.
 *
 * Kernels that unpack write nothing beyond `room` bytes and end with two i32 at `status`: the bytes written or a
 * negative code (see `reference/unpacking.ts`), and the bytes of the input that were taken or, after an error, the
 * place of what is wrong. What is left of `dst` becomes zero; after an error all of it.
 *
 * @module
 */

/** Bytes that `inflate` needs at `tables`. */
export const INFLATE_BYTES = 12288;

/** Bytes that `bzip2` needs at `tables`, before four for each symbol of a block. */
export const BZIP2_TABLES = 45120;

/** Bytes that a filter of chunks gets for status, checksums and tables, if it does not ask for more. */
export const SCRATCH_BYTES = 16384;

/** Where a kernel that unpacks gets its input, and where the result goes. */
export type UnpackArguments = [status: number, dst: number, room: number, src: number, length: number];

/** One signature a family. */
export interface FilterFamilies {
  /**
   * `n` elements whose bytes lie apart: first bytes of all, second bytes of all, and so on. The type is that of the
   * size of an element; `unshuffle_u8` is for any `size`.
   */
  unshuffle: (dst: number, src: number, n: number, size: number) => void;
  /**
   * The bits of `n` elements (a multiple of 8) of `size` bytes, sorted by their places, become what `unshuffle` takes:
   * bit `j` of byte `k` of row `8b + i` (rows of `n / 8` bytes) is bit `i` of byte `b` of element `8k + j`.
   */
  bit_planes: (dst: number, src: number, n: number, size: number) => void;
  /** Unpacks one LZ4 block. */
  lz4: (...args: UnpackArguments) => void;
  /**
   * Unpacks a chunk of the filter bitshuffle with LZ4, of elements of `size` bytes. `spare`: memory of its own for at
   * least one block.
   */
  bitshuffle_lz4: (
    ...args: [...UnpackArguments, size: number, spare: number, spareBytes: number]
  ) => void;
  /** Unpacks LZF. */
  lzf: (...args: UnpackArguments) => void;
  /** Unpacks a stream of DEFLATE without a wrapper; `tables`: {@link INFLATE_BYTES} for its own use. */
  inflate: (...args: [...UnpackArguments, tables: number]) => void;
  /**
   * Unpacks one or several streams of bzip2. `tables`: {@link BZIP2_TABLES} for its own use, followed by four bytes for
   * each of `symbols` symbols; a block with more does not fit.
   */
  bzip2: (...args: [...UnpackArguments, tables: number, symbols: number]) => void;
  /** Copies `rows` rows of `bytes` bytes, which lie apart by their strides; the two do not overlap. */
  copy_rows: (
    dst: number,
    dstStride: number,
    src: number,
    srcStride: number,
    rows: number,
    bytes: number,
  ) => void;
  /** The Fletcher-32 checksum of HDF5, as u32: over 16-bit big-endian words, an odd last byte being a high one. */
  fletcher32: (out: number, data: number, n: number) => void;
  /** The Adler-32 checksum, as u32. */
  adler32: (out: number, data: number, n: number) => void;
}
