/**
 * Bitshuffle, the HDF5 filter 32008: the bits of eight or more samples are sorted by their place, then optionally packed.
 *
 * ```
 * block of n elements of s bytes, stored     row (byte b, bit i): n / 8 bytes; bit j of byte k is bit i of
 *                                            byte b of element 8k + j
 * packed chunk                               total₆₄  bytes of a block₃₂  (packed bytes₃₂  packed block) …  rest
 * ```
 * Source: the description of the filter in its registration with The HDF Group.
 *
 * @module
 */

import type { UnpackArguments } from "../../kernels/families/families.ts";
import { type ChunkFilter, copyPlain, filterError, type FilterStep } from "./common/filter.ts";
import { unshuffle } from "./simple.ts";
import { unpack, unpackZstd } from "./unpack.ts";

const NAME = "bitshuffle";
/** Bytes of a block when the file names no size. */
const DEFAULT_BLOCK = 8192;

/** Undoes bitshuffle, with LZ4 or Zstandard where the parameters say so. */
export const bitshuffle: ChunkFilter = (job) => {
  const [, , size = 0, , packing = 0] = job.values;
  if (!(size >= 1 && size <= 64)) throw filterError(NAME, `elements of ${size} bytes`);
  if (packing === 0) return plainBlocks(job, size);
  if (packing === 2) return withLz4(job, size);
  if (packing === 3) return withZstd(job, size);
  throw filterError(NAME, `it is combined with packing ${packing}, which is unknown here`);
};

/** Elements of a block: a multiple of 8. */
function blockElements(bytes: number, size: number): number {
  return Math.max(128, Math.floor((bytes || DEFAULT_BLOCK) / size / 8) * 8);
}

function plainBlocks(job: FilterStep, size: number): number {
  const { input, output, values } = job;
  if (input.length > output.length) return copyPlain(NAME, { input, output });
  const block = values[3] ? values[3] : blockElements(DEFAULT_BLOCK, size);
  if (block % 8 !== 0) throw filterError(NAME, `blocks of ${block} elements, which is not a multiple of 8`);
  const count = Math.floor(input.length / size);
  let at = 0;
  for (const elements of blocks(count, block)) {
    sortBack(job, input.byteOffset + at * size, output.byteOffset + at * size, elements, size);
    at += elements;
  }
  output.set(input.subarray(at * size), at * size); // fewer than eight elements are stored unchanged
  return input.length;
}

/** Sizes of blocks: full ones, then one shorter that is a multiple of 8. */
function* blocks(count: number, block: number): Generator<number> {
  for (; count >= block; count -= block) yield block;
  const rest = count - count % 8;
  if (rest > 0) yield rest;
}

/** Restores the order of the bits of `count` elements, using the spare memory; `from` may be `to`. */
function sortBack(
  { kernels, spare }: FilterStep,
  from: number,
  to: number,
  count: number,
  size: number,
): void {
  if (count * size > spare.length) {
    throw filterError(NAME, `a block of ${count * size} bytes is larger than a chunk`);
  }
  kernels.exports.bit_planes_u8(spare.byteOffset, from, count, size);
  unshuffle(kernels, to, spare.byteOffset, count, size);
}

function withLz4(job: FilterStep, size: number): number {
  const { exports } = job.kernels;
  const { byteOffset, length } = job.spare;
  const kernel = (...args: UnpackArguments) => exports.bitshuffle_lz4_u8(...args, size, byteOffset, length);
  return unpack(NAME, kernel, job, job.input, job.output).written;
}

function withZstd(job: FilterStep, size: number): number {
  const { input, output } = job;
  if (input.length < 12) throw filterError(NAME, `its header has 12 bytes, the chunk ${input.length}`);
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const total = Number(view.getBigUint64(0));
  const block = view.getUint32(8) / size;
  if (total > output.length || total % size !== 0 || !(block >= 8 && block % 8 === 0)) {
    throw filterError(
      NAME,
      `${total} bytes in blocks of ${block} elements do not fit ${output.length} bytes`,
    );
  }
  let [from, to] = [12, 0];
  for (const elements of blocks(total / size, block)) {
    if (from + 4 > input.length) throw filterError(NAME, "a block is missing", { place: from });
    const packed = view.getUint32(from);
    const bytes = elements * size;
    const part = input.subarray(from + 4, from + 4 + packed);
    const place = output.subarray(to, to + bytes);
    if (part.length < packed) {
      throw filterError(NAME, `a block of ${packed} bytes is cut off`, { place: from });
    }
    if (unpackZstd(job, part, place).written !== bytes) {
      throw filterError(NAME, `a block of ${packed} bytes does not give ${bytes}`, { place: from });
    }
    sortBack(job, place.byteOffset, place.byteOffset, elements, size);
    from += 4 + packed;
    to += bytes;
  }
  if (input.length - from !== total - to) {
    throw filterError(NAME, `${input.length - from} bytes are left over`, { place: from });
  }
  output.set(input.subarray(from), to);
  return total;
}
