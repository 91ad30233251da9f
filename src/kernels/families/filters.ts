/**
 * Sizes that the kernels which unpack share with those who call them.
 *
 * @module
 */

/**
 * Bytes that `inflate` needs at `tables`.
 * @category Kernels
 */
export const INFLATE_BYTES = 12288;

/**
 * Bytes that `bzip2` needs at `tables`, before four for each symbol of a block.
 * @category Kernels
 */
export const BZIP2_TABLES = 45120;

/**
 * Bytes that a filter of chunks gets for status, checksums and tables, if it does not ask for more.
 * @category Kernels
 */
export const SCRATCH_BYTES = 16384;
