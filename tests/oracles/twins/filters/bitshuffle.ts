/**
 * The reference kernel of bitshuffle with LZ4.
 *
 * @module
 */

import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { bitPlanes, unshuffle } from "./filters.ts";
import { lz4Block } from "./lz.ts";
import { type Unpacking, unpackTwin } from "./unpacking.ts";

/** A chunk: sizes in big endian, then blocks, then the elements that do not fill a block. */
export function bitshuffleLz4(memory: WebAssembly.Memory): KernelFamilies["bitshuffle_lz4"] {
  const planes = bitPlanes(memory);
  const together = unshuffle(memory, "uint8");
  return (status, dst, room, src, length, size, spare, spareBytes) =>
    unpackTwin(memory, (job) => {
      const { total, block } = header(job, size);
      for (let left = total / size; left >= 8;) {
        job.start = job.from;
        const elements = left >= block ? block : left - left % 8;
        const packed = number(job, 4);
        if (packed > job.input.length - job.from) job.stop("inputEnds");
        if (elements * size > spareBytes) job.stop("noRoom");
        const at = dst + job.to;
        job.part(packed, elements * size, lz4Block);
        planes(spare, at, elements, size);
        together(at, spare, elements, size);
        left -= elements;
      }
      job.start = job.from;
      if (job.input.length - job.from !== total - job.to) job.stop("wrongSize");
      job.literals(total - job.to);
    })(status, dst, room, src, length);
}

function header(job: Unpacking, size: number): { total: number; block: number } {
  if (job.input.length < 12) job.stop("inputEnds");
  const total = number(job, 8);
  if (total > job.output.length) job.stop("noRoom");
  const block = number(job, 4) / size;
  job.start = 8;
  if (total % size !== 0 || !(block >= 8 && block % 8 === 0)) job.stop("wrongSize");
  return { total, block };
}

/** A number of `bytes` bytes in big endian. */
function number(job: Unpacking, bytes: number): number {
  let value = 0;
  for (let i = 0; i < bytes; i++) value = 256 * value + job.next();
  return value;
}
