/**
 * Filters that need few lines: shuffle, Fletcher32, LZF, deflate and LZ4 of HDF5, LZW and PackBits of TIFF.
 *
 * Source: the HDF5 library's description of its filters.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import type { UnpackArguments } from "../../kernels/families/families.ts";
import { type ChunkFilter, copyPlain, filterError, type FilterStep } from "./common/filter.ts";
import { checksum, STATUS_BYTES, unpack, unzlib } from "./unpack.ts";

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

// LZ4 as the HDF5 filter 32004 frames its blocks, and as Zarr arrays have it: one block behind its size.
//
// ```
// HDF5   bytes₆₄  bytes of a block₃₂  (packed bytes₃₂  block) …  in big endian: the first four bytes are 0 below 4 GiB
// Zarr   bytes₃₂  block               in little endian: the first four bytes are not all 0, but of an empty chunk
// ```
// Source: the filter's framing as registered with The HDF Group, and the documentation of numcodecs.

/** Undoes LZ4 in either framing. */
export const lz4: ChunkFilter = (job) => {
  const { input } = job;
  return input.length >= 4 && (input[0]! | input[1]! | input[2]! | input[3]!) !== 0
    ? oneBlock(job)
    : blocks(job);
};

/** A block behind its size. */
function oneBlock(job: FilterStep): number {
  const { kernels, input, output } = job;
  const size = new DataView(input.buffer, input.byteOffset, 4).getUint32(0, true);
  if (size > output.length) {
    throw filterError("LZ4", `it says that it has ${size} bytes; ${output.length} are expected`, {
      expected: output.length,
      found: size,
    });
  }
  const target = output.subarray(0, size);
  const { written } = unpack("LZ4", kernels.exports.lz4_u8, job, input.subarray(4), target);
  if (written === size) return size;
  throw filterError("LZ4", `a block gives ${written} bytes, not ${size}`, { expected: size, found: written });
}

/** Sizes in big endian, then blocks, of which incompressible ones are plain. */
function blocks(job: FilterStep): number {
  const { kernels, input, output } = job;
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  if (input.length < 12) throw filterError("LZ4", `its header has 12 bytes, the chunk ${input.length}`);
  const total = Number(view.getBigUint64(0));
  const block = view.getUint32(8);
  if (total > output.length || (block === 0 && total > 0)) {
    throw filterError("LZ4", `${total} bytes in blocks of ${block} do not fit ${output.length}`);
  }
  let at = 12;
  for (let to = 0; to < total; to += block) {
    const size = Math.min(block, total - to);
    if (at + 4 > input.length) throw filterError("LZ4", "a block is missing", { place: at });
    const packed = view.getUint32(at);
    const part = input.subarray(at + 4, at + 4 + packed);
    if (part.length < packed) {
      throw filterError("LZ4", `a block of ${packed} bytes is cut off`, { place: at });
    }
    const target = output.subarray(to, to + size);
    if (packed === size) target.set(part);
    else if (unpack("LZ4", kernels.exports.lz4_u8, job, part, target).written !== size) {
      throw filterError("LZ4", `a block is not ${size} bytes long`, { place: at });
    }
    at += 4 + packed;
  }
  return total;
}

// LZW and PackBits, as TIFF files have them. What a writer stored beyond the chunk is left out; both need no code for the end.
// Values: bytes of a whole chunk, if other filters follow that need as much room or more.
//
// Source: TIFF 6.0, sections 9 and 13.

/** Undoes LZW; streams of old writers, which begin with the lowest bit of each byte, are recognised. */
export const lzw: ChunkFilter = (job) => isOld(job.input) ? lzwOld(job) : strings(job, "lzw_u8");

/** Undoes LZW of old writers. */
export const lzwOld: ChunkFilter = (job) => strings(job, "lzw_old_u8");

/** Undoes PackBits. */
export const packbits: ChunkFilter = (job) =>
  unpack("PackBits", job.kernels.exports.packbits_u8, job, job.input, roomOf(job)).written;

/** What a chunk has room for. */
function roomOf({ output, values: [most = output.length] }: FilterStep): Uint8Array {
  return output.subarray(0, most);
}

function strings(job: FilterStep, name: "lzw_u8" | "lzw_old_u8"): number {
  const { kernels: { exports }, scratch, input } = job;
  const kernel = (...args: UnpackArguments) => exports[name](...args, scratch + STATUS_BYTES);
  return unpack("LZW", kernel, job, input, roomOf(job)).written;
}

/** Streams begin with the code 256: as nine bits, the lowest first, that is 0 and an odd byte. */
function isOld([first, second = 0]: Uint8Array): boolean {
  return first === 0 && (second & 1) === 1;
}
