/**
 * Bitshuffle, the HDF5 filter 32008: the bits of eight samples and more are sorted by their place, then maybe packed.
 *
 * ```
 * block of n elements of s bytes, stored     row (byte b, bit i): n / 8 bytes; bit j of byte k is bit i of
 *                                            byte b of element 8k + j
 * ```
 * Source: the description of the filter in its registration with The HDF Group.
 *
 * @module
 */

import { type ChunkFilter, copyPlain, filterError, type FilterJob } from "./filter.ts";
import { unpackLz4 } from "./lz4.ts";

const NAME = "bitshuffle";
/** Bytes of a block when the file names no size. */
const DEFAULT_BLOCK = 8192;

/** Sorts the bits of `count` elements (a multiple of 8) of `size` bytes back. */
export function bitUnshuffle(input: Uint8Array, output: Uint8Array, count: number, size: number): void {
  const row = count / 8;
  output.fill(0, 0, count * size);
  for (let b = 0; b < size; b++) {
    for (let i = 0; i < 8; i++) {
      const start = (8 * b + i) * row;
      for (let k = 0; k < row; k++) {
        const bits = input[start + k]!;
        for (let j = 0; j < 8; j++) output[(8 * k + j) * size + b]! |= (bits >> j & 1) << i;
      }
    }
  }
}

/** Undoes bitshuffle, with LZ4 where the parameters say so. */
export const bitshuffle: ChunkFilter = (job) => {
  const [, , size = 0, , packing = 0] = job.values;
  if (!(size >= 1 && size <= 64)) throw filterError(NAME, `elements of ${size} bytes`);
  if (packing === 0) return plainBlocks(job, size);
  if (packing === 2) return packedBlocks(job, size);
  throw filterError(NAME, `it is combined with packing ${packing}, which is unknown here`);
};

/** Elements of a block: a multiple of 8. */
function blockElements(bytes: number, size: number): number {
  return Math.max(128, Math.floor((bytes || DEFAULT_BLOCK) / size / 8) * 8);
}

function plainBlocks({ input, output, values }: FilterJob, size: number): number {
  if (input.length > output.length) return copyPlain(NAME, { input, output });
  const block = values[3] ? values[3] : blockElements(DEFAULT_BLOCK, size);
  if (block % 8 !== 0) throw filterError(NAME, `blocks of ${block} elements, which is no multiple of 8`);
  const count = Math.floor(input.length / size);
  let at = 0;
  for (const elements of blocks(count, block)) {
    bitUnshuffle(input.subarray(at * size), output.subarray(at * size), elements, size);
    at += elements;
  }
  output.set(input.subarray(at * size), at * size); // fewer than eight are left as they are
  return input.length;
}

/** Sizes of blocks: full ones, then one shorter that is a multiple of 8. */
function* blocks(count: number, block: number): Generator<number> {
  for (; count >= block; count -= block) yield block;
  const rest = count - count % 8;
  if (rest > 0) yield rest;
}

function packedBlocks({ input, output }: FilterJob, size: number): number {
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
  const scratch = new Uint8Array(block * size);
  let [from, to] = [12, 0];
  for (const elements of blocks(total / size, block)) {
    if (from + 4 > input.length) throw filterError(NAME, "a block is missing");
    const packed = view.getUint32(from);
    const part = input.subarray(from + 4, from + 4 + packed);
    const bytes = elements * size;
    if (part.length < packed || unpackLz4(part, scratch.subarray(0, bytes)) !== bytes) {
      throw filterError(NAME, `a block of ${packed} bytes does not give ${bytes}`);
    }
    bitUnshuffle(scratch, output.subarray(to), elements, size);
    from += 4 + packed;
    to += bytes;
  }
  if (input.length - from !== total - to) {
    throw filterError(NAME, `${input.length - from} bytes are left over`);
  }
  output.set(input.subarray(from), to);
  return total;
}
