/**
 * Entries of zip archives that are chunks: header, packed bytes, and what follows up to the next entry.
 *
 * ```
 * PK\3\4 version₂ flags₂ method₂ time₄ crc₄ packed₄ size₄ name₂ extra₂  name extra  packed bytes  [PK\7\8 crc₄ packed₄₋₈ size₄₋₈]
 * ```
 * Source: APPNOTE.TXT by PKWARE. The directory of the archive has the same facts; formats check it.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { headerBytes, packedSize } from "../../io/store/zip.ts";
import { type ChunkFilter, copyPlain, filterError, type FilterStep } from "./common/filter.ts";
import { crcOf, inflateRaw } from "./unpack.ts";

const NAME = "zip";
const ARCHIVE = { name: "of its chunks" };
/** Flag of entries whose checksum and sizes follow their bytes. */
const BEHIND = 8;

/** Unpacks an entry and verifies its checksum. */
export const zipEntry: ChunkFilter = (job) => {
  const { input, output } = job;
  const start = headerBytes(ARCHIVE, input);
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const [flags, method] = [view.getUint16(6, true), view.getUint16(8, true)];
  if (start > input.length) throw filterError(NAME, "the header of the entry is cut off", { place: 0 });
  const isBehind = (flags & BEHIND) !== 0;
  const packed = isBehind ? input.length - start : packedSize(input.subarray(0, start));
  if (packed > input.length - start) {
    const found = input.length - start;
    throw filterError(NAME, `the entry says ${packed} bytes, there are ${found}`, {
      expected: packed,
      found,
    });
  }
  const rest = input.subarray(start, start + packed);
  const [written, taken] = bytesOf(method, job, rest, isBehind);
  const expected = isBehind ? sumBehind(view, start + taken) : view.getUint32(14, true);
  const found = crcOf(job, "crc32", output.subarray(0, written));
  if (found === expected) return written;
  const text = `the checksum of the entry is ${expected}, the data have ${found}`;
  throw filterError(NAME, text, { expected, found });
};

/** Bytes that come out, and bytes that went in. */
function bytesOf(method: number, job: FilterStep, rest: Uint8Array, isBehind: boolean): [number, number] {
  if (method === 8) {
    const { written, taken } = inflateRaw(job, rest, job.output);
    return [written, taken];
  }
  if (method !== 0) {
    const text = `Cannot undo the filter zip: the entry is packed by method ${method}`;
    throw new TilewiseError("unsupported", text, { found: method });
  }
  const data = isBehind ? rest.subarray(0, storedBytes(rest)) : rest;
  return [copyPlain(NAME, { input: data, output: job.output }), data.length];
}

/** Bytes of an entry that is not packed and whose size follows it: the only place where the size is that of the bytes before. */
function storedBytes(rest: Uint8Array): number {
  const view = new DataView(rest.buffer, rest.byteOffset, rest.byteLength);
  for (const sizes of [4, 8] as const) {
    const behind = 8 + 2 * sizes;
    const sizeAt = (at: number) =>
      sizes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
    for (let at = rest.length - behind; at >= 0 && at > rest.length - behind - 64; at--) {
      if (view.getUint32(at, true) === 0x08074b50 && sizeAt(at + 8) === at) return at;
    }
  }
  throw filterError(NAME, "the entry does not say its size", { place: 0 });
}

/** The checksum behind the bytes. */
function sumBehind(view: DataView, at: number): number {
  if (at + 4 > view.byteLength) {
    throw filterError(NAME, "the checksum of the entry is missing", { place: at });
  }
  const first = view.getUint32(at, true);
  if (first !== 0x08074b50) return first; // without the optional mark
  if (at + 8 > view.byteLength) {
    throw filterError(NAME, "the checksum of the entry is missing", { place: at });
  }
  return view.getUint32(at + 4, true);
}
