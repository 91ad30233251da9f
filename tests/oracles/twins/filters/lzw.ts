/**
 * Reference kernels for LZW and PackBits.
 *
 * @module
 */

import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { type Unpacking, unpackTwin } from "./unpacking.ts";

const [CLEAR, STOP, MOST] = [256, 257, 4096];

/** LZW, the highest bit of a byte first. */
export function lzw(memory: WebAssembly.Memory): KernelFamilies["lzw"] {
  const unpack = unpackTwin(memory, (job) => strings(job, false));
  return (status, dst, room, src, length, _tables) => unpack(status, dst, room, src, length);
}

/** LZW, the lowest bit of a byte first. */
export function lzwOld(memory: WebAssembly.Memory): KernelFamilies["lzw_old"] {
  const unpack = unpackTwin(memory, (job) => strings(job, true));
  return (status, dst, room, src, length, _tables) => unpack(status, dst, room, src, length);
}

/** Writes the string of each code, and adds to the table: the string before, and the first byte of this one. */
function strings(job: Unpacking, isOld: boolean): void {
  const { input, output } = job;
  const bytes = Array.from({ length: 256 }, (_, byte) => [byte]);
  let table: number[][] = [...bytes, [], []];
  let before: readonly number[] | undefined;
  for (let bit = 0, width = 9; job.to < output.length && bit + width <= 8 * input.length;) {
    const code = codeAt(input, bit, width, isOld);
    job.start = bit >> 3;
    bit += width;
    job.from = Math.ceil(bit / 8);
    if (code === STOP) return;
    if (code === CLEAR) {
      table = [...bytes, [], []];
      before = undefined;
      width = 9;
      continue;
    }
    if (code > table.length || (before === undefined && code > 255)) job.stop("noCode");
    const text = table[code] ?? [...before!, before![0]!];
    if (before !== undefined && table.length < MOST) table.push([...before, text[0]!]);
    if (table.length >= 2 ** width - (isOld ? 0 : 1) && width < 12) width++;
    for (const byte of text.slice(0, output.length - job.to)) job.put(byte);
    before = text;
  }
}

function codeAt(input: Uint8Array, first: number, width: number, isOld: boolean): number {
  let code = 0;
  for (let i = 0; i < width; i++) {
    const byte = input[first + i >> 3]!, place = first + i & 7;
    if (isOld) code |= (byte >> place & 1) << i;
    else code = code << 1 | byte >> 7 - place & 1;
  }
  return code;
}

/** PackBits. */
export function packbits(memory: WebAssembly.Memory): KernelFamilies["packbits"] {
  return unpackTwin(memory, (job) => {
    while (job.from < job.input.length && job.to < job.output.length) {
      job.start = job.from;
      const control = job.next();
      const room = job.output.length - job.to;
      if (control > 128) {
        const byte = job.next();
        for (let n = Math.min(room, 257 - control); n > 0; n--) job.put(byte);
      } else if (control < 128) {
        if (job.input.length - job.from <= control) job.stop("inputEnds");
        for (let i = 0; i <= control; i++) {
          const byte = job.next();
          if (i < room) job.put(byte);
        }
      }
    }
  });
}
