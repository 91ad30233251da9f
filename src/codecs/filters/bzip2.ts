/**
 * bzip2, the filter 307 of HDF5: a chunk is one stream or several.
 *
 * @module
 */

import type { UnpackArguments } from "../../kernels/families/families.ts";
import { BZIP2_TABLES } from "../../kernels/families/filters.ts";
import type { ChunkFilter } from "./common/filter.ts";
import { STATUS_BYTES, unpack } from "./unpack.ts";

/** The largest block that streams may have, in symbols. */
const MOST_SYMBOLS = 900_000;

/** Most symbols of a block that gives at most `room` bytes: four equal bytes are five symbols. */
const symbolsOf = (room: number) => Math.min(MOST_SYMBOLS, Math.floor(room * 5 / 4));

/** Undoes bzip2 and verifies its checksums. */
export const bzip2: ChunkFilter = (job) => {
  const { kernels: { exports }, scratch, input, output } = job;
  const symbols = symbolsOf(output.length);
  const kernel = (...args: UnpackArguments) => exports.bzip2_u8(...args, scratch + STATUS_BYTES, symbols);
  return unpack("bzip2", kernel, job, input, output).written;
};

/** Bytes that it needs at `scratch` for chunks of `room` bytes. */
export function bzip2Scratch(room: number): number {
  return STATUS_BYTES + BZIP2_TABLES + 4 * symbolsOf(room);
}
