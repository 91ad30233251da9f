/**
 * Kernels that undo what is done to the strips and tiles of TIFF files and to chunks of Zarr arrays.
 *
 * @module
 */

import { BYTES, type Families, SIZES } from "./common/types.ts";
import { UNPACK } from "./filters.ts";

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
   * A checksum of 32 bits, as u32: the CRC whose polynomial, reversed, is `polynomial`; `tables`: {@link CRC_BYTES} for its own
   * use.
   */
  crc: {
    pack: "unpack",
    file: "filters/crc",
    body: "crc",
    params: { out: "out uint32", data: "in T", n: "i32", polynomial: "u32", tables: "scratch uint8" },
    types: BYTES,
  },
} satisfies Families;
