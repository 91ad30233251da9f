/**
 * LZ4 as the HDF5 filter 32004 frames its blocks.
 *
 * Source: the filter's framing as registered with The HDF Group.
 *
 * @module
 */

import { type ChunkFilter, filterError } from "./filter.ts";
import { unpack } from "./unpack.ts";

/** Undoes the HDF5 filter LZ4: sizes in big endian, then blocks, of which incompressible ones are plain. */
export const lz4: ChunkFilter = (job) => {
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
};
