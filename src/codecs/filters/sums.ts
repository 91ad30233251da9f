/**
 * Checksums of Zarr chunks, and gzip, which has them inside.
 *
 * ```
 * gzip member  1f 8b 08 flags₈ time₃₂ extra₈ system₈  [length₁₆ fields] [name 0] [comment 0] [check₁₆]  DEFLATE  crc₃₂ size₃₂
 * ```
 * Source: RFC 1952; the specification of the Zarr codec `crc32c`.
 *
 * @module
 */

import { type ChunkFilter, copyPlain, filterError, type FilterStep } from "./common/filter.ts";
import { checksum, crcOf, inflateRaw } from "./unpack.ts";

/** Removes and verifies a sum of 32 bits, little-endian, behind the bytes (value 1) or in front of them (0). */
function verified(
  name: string,
  otherwise: 0 | 1,
  sumOf: (job: FilterStep, data: Uint8Array) => number,
): ChunkFilter {
  return (job) => {
    const { input, output, values: [atEnd = otherwise] } = job;
    if (input.length < 4) {
      throw filterError(name, `a chunk of ${input.length} bytes has no checksum`, { place: 0 });
    }
    const place = atEnd ? input.length - 4 : 0;
    const data = input.subarray(atEnd ? 0 : 4, atEnd ? place : undefined);
    const expected = new DataView(input.buffer, input.byteOffset + place, 4).getUint32(0, true);
    const found = sumOf(job, data);
    if (found !== expected) {
      const text = `the checksum is ${expected}, the data have ${found}`;
      throw filterError(name, text, { expected, found, place });
    }
    return copyPlain(name, { input: data, output });
  };
}

/** Verifies CRC-32C; by default behind the bytes, as in Zarr 3. */
export const crc32c: ChunkFilter = verified("crc32c", 1, (job, data) => crcOf(job, "crc32c", data));
/** Verifies CRC-32; by default in front of the bytes, as in Zarr 2. */
export const crc32: ChunkFilter = verified("crc32", 0, (job, data) => crcOf(job, "crc32", data));
/** Verifies Adler-32; by default in front of the bytes, as in Zarr 2. */
export const adler32: ChunkFilter = verified("adler32", 0, (job, data) => checksum(job, "adler32_u8", data));

const [CHECK, FIELDS, NAME, COMMENT] = [2, 4, 8, 16];

/** Undoes gzip: all members, one after another. */
export const gzip: ChunkFilter = (job) => {
  const { input, output } = job;
  let [from, to] = [0, 0];
  do {
    const start = afterHeader(input, from);
    const { written, taken } = inflateRaw(job, input.subarray(start), output.subarray(to));
    const end = start + taken;
    if (end + 8 > input.length) throw filterError("gzip", "its checksum is missing", { place: end });
    const view = new DataView(input.buffer, input.byteOffset + end, 8);
    const expected = view.getUint32(0, true), found = crcOf(job, "crc32", output.subarray(to, to + written));
    if (expected !== found || view.getUint32(4, true) !== written) {
      const text = `the checksum is ${expected}, the ${written} bytes have ${found}`;
      throw filterError("gzip", text, { expected, found, place: end });
    }
    from = end + 8;
    to += written;
  } while (input.subarray(from).some((byte) => byte !== 0)); // zeros may follow the last one
  return to;
};

/** Where the packed bytes of the member at `from` begin. */
function afterHeader(input: Uint8Array, from: number): number {
  const [first, second, method, flags = 0] = input.subarray(from);
  if (first !== 0x1f || second !== 0x8b || method !== 8 || flags & 0xe0) {
    throw filterError("gzip", "no member begins here", { place: from });
  }
  let at = from + 10;
  if (flags & FIELDS) at += 2 + (input[at] ?? 0) + 256 * (input[at + 1] ?? 0);
  for (const flag of [NAME, COMMENT]) {
    if (!(flags & flag)) continue;
    const end = input.indexOf(0, at);
    at = end < 0 ? input.length + 1 : end + 1;
  }
  if (flags & CHECK) at += 2;
  if (at > input.length) throw filterError("gzip", "its header is cut off", { place: from });
  return at;
}
