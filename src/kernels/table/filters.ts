/**
 * Kernels that undo what was done to stored bytes: packing, sorting, checksums.
 *
 * @module
 */

import { BYTES, type Families, type Params, SIZES } from "./common/types.ts";

/** Where a kernel that unpacks gets its input, and where the result goes. */
export const UNPACK = {
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
