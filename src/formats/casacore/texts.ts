/**
 * Texts in the buckets of a StandardStMan, which may go on from one bucket to the next.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { readPart } from "./files.ts";

/** The buckets of a storage manager. */
export interface Buckets {
  /** Its file. */
  readonly source: ByteSource;
  /** Bytes of a bucket. */
  readonly bucketBytes: number;
  /** Number of buckets. */
  readonly buckets: number;
  /** Stops reads. */
  readonly signal?: AbortSignal | undefined;
}

/** Where texts lie. */
export interface TextPlace {
  /** Number of the bucket. */
  readonly bucket: number;
  /** First byte behind the header of the bucket. */
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
}

const FIRST_BUCKET = 512;
/** Bytes before the letters of a bucket; its numbers are big-endian in all tables. */
const HEAD = 16;

/** The bytes at a place. */
async function bytesAt(buckets: Buckets, place: TextPlace): Promise<Uint8Array> {
  const { source, bucketBytes, signal } = buckets;
  if (place.length > source.size) {
    throw wrong(source, `a text has ${place.length} bytes`, source.size, place.length);
  }
  const bytes = new Uint8Array(Math.max(0, place.length));
  let { bucket, offset } = place;
  for (let at = 0, seen = 0; at < bytes.length; seen++) {
    if (bucket < 0 || bucket >= buckets.buckets || seen > buckets.buckets) {
      throw wrong(source, `a text is in bucket ${bucket}, which does not exist`, buckets.buckets - 1, bucket);
    }
    const raw = await readPart(source, FIRST_BUCKET + bucket * bucketBytes, bucketBytes, signal);
    const view = new DataView(raw.buffer, raw.byteOffset);
    const used = view.getInt32(4);
    if (offset < 0 || used > bucketBytes - HEAD || offset > used) {
      throw wrong(source, `a text begins at byte ${offset} of ${used} in bucket ${bucket}`, used, offset);
    }
    const part = raw.subarray(HEAD + offset, HEAD + used).subarray(0, bytes.length - at);
    bytes.set(part, at);
    at += part.length;
    [bucket, offset] = [view.getInt32(12), 0];
  }
  return bytes;
}

/** The text at a place. */
export async function textsOf(buckets: Buckets, place: TextPlace): Promise<string> {
  return new TextDecoder().decode(await bytesAt(buckets, place));
}

/** The texts of an array at a place, in the order of the file; `shape` is that of the column if it has one. */
export async function textArray(buckets: Buckets, place: TextPlace, shape?: Shape): Promise<string[]> {
  if (place.length <= 0) return shape ? Array.from({ length: sizeOf(shape) }, () => "") : [];
  const bytes = await bytesAt(buckets, place);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const next = () => {
    if (at + 4 > bytes.length) {
      throw wrong(buckets.source, "an array of texts is cut off", at + 4, bytes.length);
    }
    at += 4;
    return view.getInt32(at - 4);
  };
  let count = shape ? sizeOf(shape) : 1;
  if (!shape) {
    for (let dims = next(); dims > 0; dims--) count *= next();
    if (next() === 0) return Array.from({ length: Math.min(count, bytes.length) }, () => "");
  }
  if (count * 4 > bytes.length) {
    throw wrong(buckets.source, `an array has ${count} texts`, bytes.length / 4, count);
  }
  return Array.from({ length: count }, () => {
    const length = next();
    at += length;
    return new TextDecoder().decode(bytes.subarray(at - length, at));
  });
}

function wrong({ name }: ByteSource, problem: string, expected: number, found: number): TilewiseError {
  return new TilewiseError("malformed", `Cannot read ${name}: ${problem}`, { file: name, expected, found });
}
