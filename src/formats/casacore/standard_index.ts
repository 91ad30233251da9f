/**
 * The header of the storage manager StandardStMan, and its index: which rows of which columns are in which bucket.
 *
 * @module
 */

import { cannot, type TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import type { ByteOrder } from "../../space/dtype.ts";
import { AipsIo } from "./aips_io.ts";
import { cutAt, readPart } from "./files.ts";

/** Bytes before the first bucket. */
export const HEAD_BYTES = 512;

/** Rows that lie in one bucket. */
export interface Span {
  readonly start: number;
  readonly stop: number;
  readonly bucket: number;
}

/** The rows of some columns. */
export interface Index {
  readonly rowsPerBucket: number;
  readonly spans: readonly Span[];
  /** Whether all buckets but the last are full. */
  readonly isRegular: boolean;
}

/** What the header says. */
export interface Head {
  readonly bucketBytes: number;
  readonly buckets: number;
  readonly indexBuckets: number;
  readonly firstIndexBucket: number;
  readonly indexOffset: number;
  readonly indexBytes: number;
  readonly indices: number;
}

/** Reads the header. */
export async function readHead(
  source: ByteSource,
  byteOrder: ByteOrder,
  signal?: AbortSignal,
): Promise<Head> {
  const bytes = await readPart(source, 0, Math.min(HEAD_BYTES, source.size), signal);
  const io = new AipsIo(bytes, source.name, byteOrder);
  return io.object("StandardStMan", 3, (version) => {
    const isBig = version < 3 || io.bool();
    if (isBig !== (byteOrder === "big")) {
      throw io.error("malformed", `its byte order is another one than that of the table, ${byteOrder}`);
    }
    const bucketBytes = io.u32(), buckets = io.u32();
    for (let i = 0; i < 3; i++) io.u32(); // cache, free buckets, first of them
    const [indexBuckets, firstIndexBucket] = [io.u32(), io.i32()];
    const indexOffset = version >= 2 ? io.u32() : 0;
    io.i32();
    const [indexBytes, indices] = [io.u32(), io.u32()];
    if (HEAD_BYTES + bucketBytes * buckets > source.size) {
      throw cutAt(source, HEAD_BYTES, HEAD_BYTES + bucketBytes * buckets);
    }
    return { bucketBytes, buckets, indexBuckets, firstIndexBucket, indexOffset, indexBytes, indices };
  });
}

/** The bytes of the index, which may go over several buckets. */
async function indexBytes(source: ByteSource, head: Head, signal?: AbortSignal): Promise<Uint8Array> {
  const { bucketBytes, indexOffset, indexBytes: total, indexBuckets, buckets } = head;
  if (total > source.size) throw cutAt(source, 0, total);
  const bytes = new Uint8Array(total);
  let bucket = head.firstIndexBucket, at = 0;
  for (let i = 0; i < indexBuckets && at < total; i++) {
    if (bucket < 0 || bucket >= buckets) throw noBucket(source, bucket, buckets, 0);
    const start = HEAD_BYTES + bucket * bucketBytes;
    if (bucketBytes < 8) throw tooSmall(source, bucketBytes);
    const raw = await readPart(source, start, bucketBytes, signal);
    const part = raw.subarray(indexOffset > 0 ? indexOffset : 8).subarray(0, total - at);
    bytes.set(part, at);
    at += part.length;
    bucket = new DataView(raw.buffer, raw.byteOffset).getInt32(4); // big-endian in all tables
  }
  if (at === total) return bytes;
  const text = `its index has ${total} bytes, its buckets hold ${at} of them`;
  throw cannot("read", source.name, "malformed", text, { expected: total, found: at });
}

/** Reads the indices, each of some columns. */
export async function readIndices(
  source: ByteSource,
  head: Head,
  rows: number,
  byteOrder: ByteOrder,
  signal?: AbortSignal,
): Promise<Index[]> {
  const offset = HEAD_BYTES + head.firstIndexBucket * head.bucketBytes + Math.max(8, head.indexOffset);
  const io = new AipsIo(await indexBytes(source, head, signal), source.name, byteOrder, offset);
  if (head.indices > head.indexBytes) throw io.error("malformed", `there are to be ${head.indices} indices`);
  return Array.from({ length: head.indices }, () =>
    io.object("SSMIndex", 2, (version) => {
      const used = io.u32(), rowsPerBucket = io.u32();
      io.u32();
      io.object("SimpleOrderedMap", 1, () => {
        io.i32();
        const count = io.u32();
        io.u32();
        io.raw(8 * count);
      });
      const [last, numbers] = [io.block(version > 1), io.block()];
      if (used > last.length || used > numbers.length) {
        throw io.error("malformed", `the index has ${last.length} entries, ${used} are to be used`);
      }
      return indexOf(io, source, head, rows, rowsPerBucket, last.subarray(0, used), numbers);
    }));
}

function indexOf(
  io: AipsIo,
  source: ByteSource,
  { buckets }: Head,
  rows: number,
  rowsPerBucket: number,
  last: Float64Array,
  numbers: Float64Array,
): Index {
  const spans = Array.from(last, (row, i) => {
    const start = i === 0 ? 0 : last[i - 1]! + 1, bucket = numbers[i]!;
    if (row < start || row + 1 - start > rowsPerBucket) {
      throw io.error("malformed", `a bucket has rows ${start} to ${row}, it may have ${rowsPerBucket}`);
    }
    if (bucket >= buckets) throw noBucket(source, bucket, buckets, io.at);
    return { start, stop: row + 1, bucket };
  });
  const found = spans.at(-1)?.stop ?? 0;
  if (found !== rows) {
    throw io.error("malformed", `its index has ${found} rows, the table ${rows}`, io.at, rows, found);
  }
  const isRegular = spans.every(({ start, stop }, i) =>
    i === spans.length - 1 || stop - start === rowsPerBucket
  );
  return { rowsPerBucket: Math.max(1, rowsPerBucket), spans, isRegular };
}

function tooSmall({ name }: ByteSource, bytes: number): TilewiseError {
  const text = `its buckets have ${bytes} bytes, those of an index need 8 at least`;
  return cannot("read", name, "malformed", text, { expected: 8, found: bytes });
}

function noBucket({ name }: ByteSource, bucket: number, buckets: number, offset: number): TilewiseError {
  const text = `there is no bucket ${bucket}, there are ${buckets}`;
  return cannot("read", name, "malformed", text, { offset, expected: buckets - 1, found: bucket });
}
