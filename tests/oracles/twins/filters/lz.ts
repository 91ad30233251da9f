/**
 * Reference kernels of LZ4 and LZF.
 *
 * ```
 * LZ4   sequence  token  [length …]  literals  offset₁₆  [length …]         the last one ends after its literals
 *       token     high 4 bits: literals, low 4 bits: match − 4; 15 means that bytes of 255 and a last one are added
 * LZF   000lllll  l + 1 literals
 *       lllooooo oooooooo           match of l + 2 bytes, o + 1 back; l = 7: a byte that is added comes in between
 * BloscLZ   as LZF, but for the offset, which is 5 and 8 bits, behind the bytes of the length; the length is 2 more than
 *           it says, for l = 7 by bytes of 255 and a last one; the offset 8191 is followed by 16 bits that are added
 * ```
 * Sources: the LZ4 block format description; the LZF format of libLZF; the BloscLZ codec of c-blosc.
 *
 * @module
 */

import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { type Unpacking, unpackTwin } from "./unpacking.ts";

/** One LZ4 block. */
export function lz4(memory: WebAssembly.Memory): KernelFamilies["lz4"] {
  return unpackTwin(memory, lz4Block);
}

/** Unpacks one LZ4 block, all of the input. */
export function lz4Block(job: Unpacking): void {
  while (job.from < job.input.length) {
    job.start = job.from;
    const token = job.next();
    job.literals(lengthOf(job, token >> 4));
    if (job.from === job.input.length) return;
    const offset = job.next() | job.next() << 8;
    job.match(offset, 4 + lengthOf(job, token & 15));
  }
}

function lengthOf(job: Unpacking, four: number): number {
  let length = four;
  for (let byte = four === 15 ? 255 : 0; byte === 255; length += byte) byte = job.next();
  return length;
}

/** LZF. */
export function lzf(memory: WebAssembly.Memory): KernelFamilies["lzf"] {
  return unpackTwin(memory, (job) => {
    while (job.from < job.input.length) {
      job.start = job.from;
      const control = job.next();
      if (control < 32) {
        job.literals(control + 1);
        continue;
      }
      const length = 2 + (control >> 5) + (control >= 224 ? job.next() : 0);
      job.match(((control & 31) << 8 | job.next()) + 1, length);
    }
  });
}

/** BloscLZ. */
export function blosclz(memory: WebAssembly.Memory): KernelFamilies["blosclz"] {
  return unpackTwin(memory, (job) => {
    for (let isFirst = true; job.from < job.input.length; isFirst = false) {
      job.start = job.from;
      const control = job.next() & (isFirst ? 31 : 255);
      if (control < 32) {
        job.literals(control + 1);
        continue;
      }
      let length = 2 + (control >> 5);
      for (let byte = length === 9 ? 255 : 0; byte === 255; length += byte) byte = job.next();
      const near = (control & 31) << 8 | job.next();
      job.match(1 + near + (near === 8191 ? job.next() << 8 | job.next() : 0), length);
    }
  });
}
