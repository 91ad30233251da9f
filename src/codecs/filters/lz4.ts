/**
 * LZ4 as the HDF5 filter 32004 frames its blocks, and as Zarr arrays have it: one block behind its size.
 *
 * ```
 * HDF5   bytes₆₄  bytes of a block₃₂  (packed bytes₃₂  block) …  in big endian: the first four bytes are 0 below 4 GiB
 * Zarr   bytes₃₂  block               in little endian: the first four bytes are not all 0, but of an empty chunk
 * ```
 * Source: the filter's framing as registered with The HDF Group, and the documentation of numcodecs.
 *
 * @module
 */

import { type ChunkFilter, filterError, type FilterStep } from "./common/filter.ts";
import { unpack } from "./unpack.ts";

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
