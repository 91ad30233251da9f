/**
 * Sizes that the kernels which unpack share with their callers.
 *
 * @module
 */

/**
 * Bytes that `inflate` needs at `tables`.
 * @category Kernels
 */
export const INFLATE_BYTES = 16256;

/**
 * Bytes that `bzip2` needs at `tables`, in addition to four bytes per symbol of a block.
 * @category Kernels
 */
export const BZIP2_TABLES = 45120;

/**
 * Bytes that `zstd` needs at `tables`, in addition to those for the literals of a block.
 * @category Kernels
 */
export const ZSTD_TABLES = 24576;

/**
 * Most bytes that `zstd` can use for the literals of a block: 128 KiB, and 32 behind them.
 * @category Kernels
 */
export const ZSTD_LITERALS: number = 128 * 1024 + 32;

/**
 * Bytes for status, checksums and tables of a chunk filter, unless it asks for more.
 * @category Kernels
 */
export const SCRATCH_BYTES = 16384;

/**
 * Bytes that `lzw` and `lzw_old` need at `tables`.
 * @category Kernels
 */
export const LZW_BYTES = 33048;

/**
 * Bytes of a code as `jpeg_codes` makes it.
 * @category Kernels
 */
export const JPEG_CODE_BYTES = 4496;

/**
 * Bytes that kernels which undo JPEG need at `spare`.
 * @category Kernels
 */
export const JPEG_SPARE = 512;
