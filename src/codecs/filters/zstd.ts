/**
 * Zstandard, the filter 32015 of HDF5: a chunk is one frame or several.
 *
 * @module
 */

import type { UnpackArguments } from "../../kernels/families/families.ts";
import { ZSTD_LITERALS, ZSTD_TABLES } from "../../kernels/families/filters.ts";
import type { ChunkFilter, FilterStep } from "./common/filter.ts";
import { STATUS_BYTES, unpack, type Unpacked } from "./unpack.ts";

/** Bytes for the literals of a block that gives at most `room` bytes. */
const literalsOf = (room: number) => Math.min(ZSTD_LITERALS, room + 32);

/** Bytes that it needs at `scratch` for chunks of `room` bytes. */
export const zstdScratch = (room: number): number => STATUS_BYTES + ZSTD_TABLES + literalsOf(room);

/**
 * Undoes Zstandard and verifies its checksums. Values: the level, which is not used, and whether it is one frame only, behind
 * which a writer may have left other bytes.
 */
export const zstd: ChunkFilter = (job) => {
  const { input, output, values: [, isSingle = 0] } = job;
  return unpackZstd(job, isSingle ? firstFrame(input) : input, output).written;
};

/** The frame at the start of `input`. */
export function firstFrame(input: Uint8Array): Uint8Array {
  return input.subarray(0, frameBytes(input));
}

/** The magic number of a frame, in the order of the file. */
const FRAME = [0x28, 0xb5, 0x2f, 0xfd];
/** A block of one byte, repeated. */
const REPEATED = 1;

/** Bytes of the frame at the start of `input`; all where there is none. */
function frameBytes(input: Uint8Array): number {
  if (FRAME.some((byte, i) => input[i] !== byte)) return input.length;
  const descriptor = input[4] ?? 0;
  const isOneSegment = descriptor >> 5 & 1;
  const sizes = [isOneSegment, 2, 4, 8][descriptor >> 6]! + [0, 1, 2, 4][descriptor & 3]!;
  let at = 5 + (isOneSegment ? 0 : 1) + sizes;
  for (let isLast = 0; !isLast && at < input.length;) {
    const head = input[at]! | (input[at + 1] ?? 0) << 8 | (input[at + 2] ?? 0) << 16;
    isLast = head & 1;
    at += 3 + ((head >> 1 & 3) === REPEATED ? 1 : head >> 3);
  }
  return at + (descriptor & 4); // a checksum has four bytes
}

/** Unpacks frames. Errors: `malformed`, and `unsupported` where they need a dictionary. */
export function unpackZstd(
  job: Pick<FilterStep, "kernels" | "scratch">,
  input: Uint8Array,
  output: Uint8Array,
): Unpacked {
  const { kernels: { exports }, scratch } = job;
  const tables = scratch + STATUS_BYTES;
  const kernel = (...args: UnpackArguments) =>
    exports.zstd_u8(...args, tables, tables + ZSTD_TABLES, literalsOf(output.length));
  return unpack("Zstandard", kernel, job, input, output);
}
