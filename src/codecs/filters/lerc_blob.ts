/**
 * Blobs of LERC: their headers, and masks of one that hold for the next.
 *
 * ```
 * blob   "Lerc2 " version₃₂  (checksum₃₂)  rows₃₂ columns₃₂ (samples₃₂) valid₃₂ block₃₂ bytes₃₂ type₃₂ error₆₄ least₆₄ most₆₄
 *        bytes of the mask₃₂  mask  …
 * ```
 * Source: Esri, "LERC specification".
 *
 * @module
 */

import { filterError } from "./common/filter.ts";

/** What the header of a blob says. */
export interface Blob {
  /** First byte of it. */
  readonly at: number;
  /** Its bytes. */
  readonly bytes: number;
  /** Pixels in it. */
  readonly pixels: number;
  /** Samples per pixel. */
  readonly depth: number;
  /** Bytes of a sample. */
  readonly itemSize: number;
  /** Where the number of bytes of its mask lies, from its start; the mask follows. */
  readonly maskAt: number;
  /** Bytes of its mask; 0 where all pixels are valid, or none is, or the mask is that of the blob before. */
  readonly maskBytes: number;
  /** Whether some pixels are valid, and others are not. */
  readonly isPartial: boolean;
}

const SIZES = [1, 1, 2, 2, 4, 4, 4, 8] as const;
/** Bytes of a header in which all numbers can be. */
const HEADER = 70;
const MARK = [..."Lerc2 "].map((letter) => letter.charCodeAt(0));

/** All blobs of `input`, one after another; the library compares their checksums. Errors: `malformed`. */
export function blobsOf(input: Uint8Array): Blob[] {
  const blobs: Blob[] = [];
  for (let at = 0; blobs.length === 0 || input[at] === MARK[0]; at += blobs.at(-1)!.bytes) {
    blobs.push(header(input.subarray(at), at));
  }
  return blobs;
}

function header(blob: Uint8Array, place: number): Blob {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const isBlob = blob.length >= HEADER && MARK.every((letter, i) => blob[i] === letter);
  const version = isBlob ? view.getInt32(6, true) : 0;
  if (!isBlob || version < 1 || version > 5) {
    const text = isBlob ? `its version ${version} is not supported` : "no blob begins here";
    throw filterError("LERC", `${text}, at its byte ${place}`, { place });
  }
  let at = version >= CHECKED ? SUMMED : 10;
  const next = () => view.getInt32((at += 4) - 4, true);
  const [rows, columns] = [next(), next()];
  const depth = version >= 4 ? next() : 1;
  const [valid, , bytes, type] = [next(), next(), next(), next()] as const;
  const maskAt = at + 24;
  const itemSize = SIZES[type];
  const makesSense = itemSize && rows >= 1 && columns >= 1 && depth >= 1 && valid >= 0 && bytes >= maskAt + 4;
  const maskBytes = makesSense && maskAt + 4 <= blob.length ? view.getInt32(maskAt, true) : -1;
  if (!makesSense || bytes > blob.length || maskBytes < 0 || maskAt + 4 + maskBytes > bytes) {
    throw filterError("LERC", `a blob makes no sense, at its byte ${place}`, { place });
  }
  const pixels = rows * columns;
  const isPartial = valid > 0 && valid < pixels;
  return { at: place, bytes, pixels, depth, itemSize, maskAt, maskBytes, isPartial };
}

/** The version from which blobs have a checksum, and the first byte that it is of. */
const [CHECKED, SUMMED] = [3, 14];

/** A copy of `blob` with the mask of `before`, if its own mask is that one. */
export function withMask(input: Uint8Array, blob: Blob, before: Blob | undefined): Uint8Array {
  const { at, bytes, maskAt, maskBytes, isPartial } = blob;
  const own = input.slice(at, at + bytes);
  if (!isPartial || maskBytes > 0) return own;
  if (!before) throw filterError("LERC", `the mask of the blob at its byte ${at} is missing`, { place: at });
  const mask = input.subarray(before.at + before.maskAt, before.at + before.maskAt + 4 + before.maskBytes);
  const whole = new Uint8Array(bytes + before.maskBytes);
  whole.set(own.subarray(0, maskAt));
  whole.set(mask, maskAt);
  whole.set(own.subarray(maskAt + 4), maskAt + mask.length);
  const view = new DataView(whole.buffer);
  view.setInt32(maskAt - 32, whole.length, true);
  if (view.getInt32(6, true) >= CHECKED) view.setUint32(10, checksum(whole.subarray(SUMMED)), true);
  return whole;
}

/** Fletcher's sum of words of 16 bits, the higher byte first, as blobs have it. */
function checksum(bytes: Uint8Array): number {
  let [low, high] = [0xffff, 0xffff];
  const folded = (sum: number) => (sum & 0xffff) + (sum >>> 16);
  for (let at = 0; at < bytes.length; at += 2) {
    low += bytes[at]! << 8 | (bytes[at + 1] ?? 0);
    high += low;
    if (at % (2 * WORDS) === 2 * WORDS - 2) [low, high] = [folded(low), folded(high)];
  }
  [low, high] = [folded(folded(low)), folded(folded(high))];
  return (high << 16 | low) >>> 0;
}

/** Words whose sums fit 32 bits. */
const WORDS = 359;
