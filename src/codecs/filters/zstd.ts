/**
 * Zstandard, the filter 32015 of HDF5: a chunk is one frame or several.
 *
 * @module
 */

import type { UnpackArguments } from "../../kernels/families/families.ts";
import { ZSTD_LITERALS, ZSTD_TABLES } from "../../kernels/families/filters.ts";
import type { ChunkFilter, FilterStep } from "./common/filter.ts";
import { STATUS_BYTES, unpack, type Unpacked } from "./unpack.ts";

/** Bytes that it needs at `scratch`: for tables, and the literals of a block. */
export const zstdScratch = (): number => STATUS_BYTES + ZSTD_TABLES + ZSTD_LITERALS;

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
    exports.zstd_u8(...args, tables, tables + ZSTD_TABLES, ZSTD_LITERALS);
  return unpack("Zstandard", kernel, job, input, output);
}
