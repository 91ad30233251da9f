/**
 * The filters of HDF5 that need few lines: shuffle, Fletcher32, LZF and deflate.
 *
 * Source: the HDF5 library's description of its filters.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import { type ChunkFilter, copyPlain, filterError } from "./common/filter.ts";
import { checksum, unpack, unzlib } from "./unpack.ts";

/** Undoes shuffle (filter 2): the first bytes of all elements, then their second bytes, and so on. */
export const shuffle: ChunkFilter = ({ kernels, input, output, values: [size = 1] }) => {
  const count = Math.floor(input.length / size);
  if (size <= 1 || count <= 1 || input.length > output.length) return copyPlain("shuffle", { input, output });
  unshuffle(kernels, output.byteOffset, input.byteOffset, count, size);
  output.set(input.subarray(count * size), count * size);
  return input.length;
};

/** Puts the bytes of `count` elements of `size` bytes together, with the kernel for the size. */
export function unshuffle(kernels: Kernels, dst: number, src: number, count: number, size: number): void {
  const { exports } = kernels;
  if (size === 2) exports.unshuffle_u16(dst, src, count, size);
  else if (size === 4) exports.unshuffle_u32(dst, src, count, size);
  else if (size === 8) exports.unshuffle_u64(dst, src, count, size);
  else exports.unshuffle_u8(dst, src, count, size);
}

/** Checks and removes the checksum of filter 3, for which sums of 0 and 65535 are equal. */
export const fletcher32: ChunkFilter = (job) => {
  const { input, output } = job;
  if (input.length < 4) throw filterError("Fletcher32", `a chunk of ${input.length} bytes has no checksum`);
  const data = input.subarray(0, input.length - 4);
  const stored = input.subarray(input.length - 4).reduceRight((sum, byte) => sum * 256 + byte, 0);
  const found = checksum(job, "fletcher32_u8", data);
  const same = (a: number, b: number) => a % 65535 === b % 65535;
  if (!same(stored & 0xffff, found & 0xffff) || !same(stored >>> 16, found >>> 16)) {
    throw filterError("Fletcher32", `the checksum is ${stored}, the data have ${found}`, {
      expected: stored,
      found,
    });
  }
  return copyPlain("Fletcher32", { input: data, output });
};

/** Undoes LZF (filter 32000). */
export const lzf: ChunkFilter = (job) =>
  unpack("LZF", job.kernels.exports.lzf_u8, job, job.input, job.output).written;

/**
 * Undoes deflate (filter 1), the zlib format. Without values, as for TIFF files, the stream may lack its wrapper or its
 * checksum, as those of some writers do.
 */
export const deflate: ChunkFilter = (job) => unzlib(job, job.input, job.output, job.values.length === 0);
