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

/** Undoes Zstandard and verifies its checksums. */
export const zstd: ChunkFilter = (job) => unpackZstd(job, job.input, job.output).written;

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
