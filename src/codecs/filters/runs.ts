/**
 * LZW and PackBits, as TIFF files have them. What a writer stored beyond the chunk is left out; both need no code for the end.
 * Values: bytes of a whole chunk, if other filters follow that need as much room or more.
 *
 * Source: TIFF 6.0, sections 9 and 13.
 *
 * @module
 */

import type { UnpackArguments } from "../../kernels/families/families.ts";
import type { ChunkFilter, FilterStep } from "./common/filter.ts";
import { STATUS_BYTES, unpack } from "./unpack.ts";

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
