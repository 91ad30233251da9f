/**
 * Kernels that undo what was done to stored bytes: packing, sorting, checksums.
 *
 * @module
 */

import { BYTES, SIZES } from "../../src/kernels/families/types.ts";
import type { Families, Params } from "./declaration.ts";

/** Where a kernel that unpacks gets its input, and where the result goes. */
const UNPACK = {
  status: "out int32",
  dst: "out T",
  room: "i32",
  src: "in T",
  length: "i32",
} satisfies Params;
/** Bytes of `n` elements, in another order. */
const SORTED = { dst: "out uint8", src: "in uint8", n: "i32", size: "i32" } satisfies Params;
const CHECKSUM = { out: "out uint32", data: "in T", n: "i32" } satisfies Params;

/**
 * The families of kernels that undo what was done to stored bytes: packing, sorting, checksums.
 *
 * Kernels that unpack write nothing beyond `room` bytes and end with two i32 at `status`: the bytes written or a
 * negative code (see `unpack_stops.ts`), and the bytes of the input that were taken or, after an error,
 * the place of what is wrong. What is left of `dst` becomes zero; after an error all of it.
 * @category Kernels
 */
export const FILTERS = {
  /**
   * `n` elements whose bytes lie apart: first bytes of all, second bytes of all, and so on. The type is that of the
   * size of an element; `unshuffle_u8` is for any `size`.
   */
  unshuffle: {
    pack: "unpack",
    file: "filters/unshuffle",
    body: "unshuffle",
    params: SORTED,
    types: SIZES,
  },
  /**
   * The bits of `n` elements (a multiple of 8) of `size` bytes, sorted by their places, become what `unshuffle` takes:
   * bit `j` of byte `k` of row `8b + i` (rows of `n / 8` bytes) is bit `i` of byte `b` of element `8k + j`.
   */
  bit_planes: {
    pack: "unpack",
    file: "filters/unshuffle",
    body: "bitPlanes",
    params: SORTED,
    types: BYTES,
  },
  /** Unpacks one LZ4 block. */
  lz4: {
    pack: "unpack",
    file: "filters/lz",
    body: "lz4",
    params: UNPACK,
    types: BYTES,
  },
  /**
   * Unpacks a chunk of the filter bitshuffle with LZ4, of elements of `size` bytes. `spare`: memory of its own for at
   * least one block.
   */
  bitshuffle_lz4: {
    pack: "unpack",
    file: "filters/bitshuffle",
    body: "bitshuffleLz4",
    params: { ...UNPACK, size: "i32", spare: "scratch uint8", spareBytes: "i32" },
    types: BYTES,
  },
  /** Unpacks LZF. */
  lzf: {
    pack: "unpack",
    file: "filters/lz",
    body: "lzf",
    params: UNPACK,
    types: BYTES,
  },
  /** Unpacks BloscLZ. */
  blosclz: {
    pack: "unpack",
    file: "filters/blosclz",
    body: "blosclz",
    params: UNPACK,
    types: BYTES,
  },
  /** Unpacks a stream of DEFLATE without a wrapper; `tables`: {@link INFLATE_BYTES} for its own use. */
  inflate: {
    pack: "unpack",
    file: "filters/inflate",
    body: "inflate",
    params: { ...UNPACK, tables: "scratch uint8" },
    types: BYTES,
  },
  /**
   * Unpacks one or several streams of bzip2. `tables`: {@link BZIP2_TABLES} for its own use, followed by four bytes for
   * each of `symbols` symbols; a block with more does not fit.
   */
  bzip2: {
    pack: "unpack",
    file: "filters/bzip2",
    body: "bzip2",
    params: { ...UNPACK, tables: "scratch uint8", symbols: "i32" },
    types: BYTES,
  },
  /**
   * Unpacks frames of Zstandard, all of the input. `tables`: {@link ZSTD_TABLES} for its own use; `spare`: memory for the
   * literals of a block and 32 bytes more, {@link ZSTD_LITERALS} or `room` and 32; a block with more does not fit.
   */
  zstd: {
    pack: "zstd",
    file: "zstd/zstd",
    body: "zstd",
    params: { ...UNPACK, tables: "scratch uint8", spare: "scratch uint8", spareBytes: "i32" },
    types: BYTES,
  },
  /** Copies `rows` rows of `bytes` bytes, which lie apart by their strides; the two do not overlap. */
  copy_rows: {
    pack: "core",
    file: "filters/copy_rows",
    body: "copyRows",
    params: { dst: "out T", dstStride: "usize", src: "in T", srcStride: "usize", rows: "i32", bytes: "i32" },
    types: BYTES,
  },
  /** The Fletcher-32 checksum of HDF5, as u32: over 16-bit big-endian words, an odd last byte being a high one. */
  fletcher32: {
    pack: "unpack",
    file: "filters/checksums",
    body: "fletcher32",
    params: CHECKSUM,
    types: BYTES,
  },
  /** The Adler-32 checksum, as u32. */
  adler32: {
    pack: "unpack",
    file: "filters/checksums",
    body: "adler32",
    params: CHECKSUM,
    types: BYTES,
  },
} satisfies Families;

// Kernels that undo what is done to the strips and tiles of TIFF files and to chunks of Zarr arrays.

/**
 * The families of kernels that undo what is done to strips and tiles. Those that unpack are called as other kernels that
 * unpack; what does not fit the room is left out.
 * @category Kernels
 */
export const SEGMENTS = {
  /** Unpacks LZW, the highest bit of a byte first; `tables`: {@link LZW_BYTES} for its own use. */
  lzw: {
    pack: "unpack",
    file: "filters/lzw",
    body: "lzw",
    params: { ...UNPACK, tables: "scratch uint8" },
    types: BYTES,
  },
  /** As `lzw`, the lowest bit of a byte first, and codes that get wider one code later. */
  lzw_old: {
    pack: "unpack",
    file: "filters/lzw",
    body: "lzwOld",
    params: { ...UNPACK, tables: "scratch uint8" },
    types: BYTES,
  },
  /** Unpacks PackBits. */
  packbits: {
    pack: "unpack",
    file: "filters/packbits",
    body: "packbits",
    params: UNPACK,
    types: BYTES,
  },
  /**
   * Sums along rows of `width` samples: `dst[i] = dst[i − step] + src[i]`, modulo 2^bits; the first `step` samples of a row
   * are those of `src`.
   */
  sum_rows: {
    pack: "unpack",
    file: "filters/predict",
    body: "sumRows",
    params: { dst: "out native T", src: "in T", rows: "i32", width: "i32", step: "i32" },
    types: SIZES,
    orders: true,
  },
  /**
   * Rows of `width` floats: the bytes of a row, summed as `sum_rows` does with `step`, have the highest bytes of all floats,
   * then their second bytes, and so on; they become little-endian floats. The type is that of the size of a float;
   * `float_rows_u8` is for any `size`. `spare`: memory of its own for a row.
   */
  float_rows: {
    pack: "unpack",
    file: "filters/predict",
    body: "floatRows",
    params: {
      dst: "out uint8",
      src: "in uint8",
      rows: "i32",
      width: "i32",
      size: "i32",
      step: "i32",
      spare: "scratch uint8",
    },
    types: SIZES,
  },
  /** Sample `column` of each of `rows` rows becomes a row of samples: `dst[column][row] = src[row][column]`. */
  transpose: {
    pack: "conversions",
    file: "filters/transpose",
    body: "transpose",
    params: {
      dst: "out T",
      dstStride: "usize",
      src: "in T",
      srcStride: "usize",
      rows: "i32",
      columns: "i32",
    },
    types: SIZES,
  },
  /** The bits of each byte in reverse. */
  reverse_bits: {
    pack: "unpack",
    file: "filters/reverse_bits",
    body: "reverseBits",
    params: { dst: "out uint8", src: "in uint8", n: "i32" },
    types: BYTES,
  },
  /**
   * A checksum of 32 bits, as u32: the CRC whose polynomial, reversed, is `polynomial`; `tables`: 8192 bytes for its own use.
   */
  crc: {
    pack: "unpack",
    file: "filters/crc",
    body: "crc",
    params: { out: "out uint32", data: "in T", n: "i32", polynomial: "u32", tables: "scratch uint8" },
    types: BYTES,
  },
} satisfies Families;
