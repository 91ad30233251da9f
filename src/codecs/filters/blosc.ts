/**
 * Blosc, the filter 32001 of HDF5: blocks of samples whose bytes or bits are sorted, in one of several codecs.
 *
 * ```
 * header   version₁ inner version₁ flags₁ sample size₁  bytes₄  block size₄  packed bytes₄        little endian
 * chunk    header  start of each block₄ …  block …
 * block    packed bytes₄ stream …     one stream, or one per byte of a sample; one that did not get smaller is plain
 * flags    1 bytes are sorted · 2 nothing is packed · 4 bits are sorted · 16 one stream · from 32 on: the codec
 * ```
 * Source: README_CHUNK_FORMAT of c-blosc, version 2 of the format.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type ChunkFilter, copyPlain, filterError, type FilterStep } from "./common/filter.ts";
import { unshuffle } from "./simple.ts";
import { unpack, unpackZstd, unzlib } from "./unpack.ts";

const NAME = "Blosc";
const HEADER = 16;
const FLAGS = { bytes: 1, plain: 2, bits: 4, oneStream: 16 } as const;
/** Blocks have a stream per byte of a sample only if samples have at most so many bytes, */
const MOST_STREAMS = 16;
/** and if streams have at least so many. */
const LEAST_OF_STREAM = 128;

/** Unpacks a stream; the bytes written. */
type Codec = (job: FilterStep, input: Uint8Array, output: Uint8Array) => number;

/** The codecs by their numbers. */
const CODECS: readonly (Codec | string)[] = [
  (job, input, output) => unpack(NAME, job.kernels.exports.blosclz_u8, job, input, output).written,
  (job, input, output) => unpack(NAME, job.kernels.exports.lz4_u8, job, input, output).written,
  "Snappy",
  unzlib,
  (job, input, output) => unpackZstd(job, input, output).written,
  "number 5",
  "number 6",
  "number 7",
];

/** A header that makes sense. */
interface Chunk {
  readonly view: DataView;
  readonly flags: number;
  /** Bytes of a sample. */
  readonly size: number;
  /** Bytes in all, and of a block. */
  readonly bytes: number;
  readonly block: number;
}

/** Undoes Blosc. */
export const blosc: ChunkFilter = (job) => {
  const { input, output } = job;
  const chunk = readHeader(input, output.length);
  if (chunk.bytes === 0) return 0;
  if (chunk.flags & FLAGS.plain) {
    const plain = input.subarray(HEADER, HEADER + chunk.bytes);
    if (plain.length < chunk.bytes) {
      throw filterError(NAME, `${plain.length} bytes of ${chunk.bytes} are there`);
    }
    return copyPlain(NAME, { input: plain, output });
  }
  const codec = CODECS[chunk.flags >> 5]!;
  if (typeof codec === "string") {
    const text =
      `Cannot undo the filter ${NAME}: its codec ${codec} cannot be read; BloscLZ, LZ4, LZ4HC, zlib and Zstandard can`;
    throw new TilewiseError("unsupported", text, { found: codec });
  }
  for (let b = 0; b * chunk.block < chunk.bytes; b++) unpackBlock(job, chunk, b, codec);
  return chunk.bytes;
};

function readHeader(input: Uint8Array, room: number): Chunk {
  if (input.length < HEADER) {
    throw filterError(NAME, `its header has ${HEADER} bytes, the chunk ${input.length}`);
  }
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const [flags, size] = [input[2]!, input[3]!];
  const [bytes, block, packed] = [4, 8, 12].map((at) => view.getUint32(at, true)) as [number, number, number];
  if (packed !== input.length) {
    throw filterError(NAME, `it says ${packed} bytes, the chunk has ${input.length}`);
  }
  if (bytes > room) {
    const text = `it says that it has ${bytes} bytes; ${room} are expected`;
    throw filterError(NAME, text, { expected: room, found: bytes });
  }
  if (flags & FLAGS.bytes && flags & FLAGS.bits) {
    const text = `Cannot undo the filter ${NAME}: the chunk is of Blosc 2; version 1 can be read`;
    throw new TilewiseError("unsupported", text);
  }
  const starts = 4 * Math.ceil(bytes / block);
  if (bytes > 0 && !(flags & FLAGS.plain) && !(size > 0 && block > 0 && HEADER + starts <= input.length)) {
    throw filterError(
      NAME,
      `${bytes} bytes in blocks of ${block}, and samples of ${size}, do not fit the chunk`,
    );
  }
  return { view, flags, size, bytes, block };
}

/** Unpacks block `b`, and sorts its bytes or bits back. */
function unpackBlock(job: FilterStep, chunk: Chunk, b: number, codec: Codec): void {
  const { flags, size, block, bytes } = chunk;
  const start = b * block, length = Math.min(block, bytes - start);
  const output = job.output.subarray(start, start + length);
  const sorted = job.spare.subarray(0, length);
  if (sorted.length < length) throw filterError(NAME, `a block of ${length} bytes is larger than a chunk`);
  const count = Math.floor(length / size);
  if (flags & FLAGS.bytes && size > 1) {
    unpackStreams(job, chunk, b, sorted, codec);
    unshuffle(job.kernels, output.byteOffset, sorted.byteOffset, count, size);
    output.set(sorted.subarray(count * size), count * size);
  } else {
    unpackStreams(job, chunk, b, output, codec);
    if (!(flags & FLAGS.bits) || count === 0 || count % 8 !== 0) return; // others are left as they are
    job.kernels.exports.bit_planes_u8(sorted.byteOffset, output.byteOffset, count, size);
    unshuffle(job.kernels, output.byteOffset, sorted.byteOffset, count, size);
  }
}

/** Unpacks the streams of block `b` one after another. */
function unpackStreams(
  job: FilterStep,
  { view, flags, size, block }: Chunk,
  b: number,
  to: Uint8Array,
  codec: Codec,
): void {
  const isSplit = !(flags & FLAGS.oneStream) && size <= MOST_STREAMS && to.length === block &&
    block / size >= LEAST_OF_STREAM;
  const streams = isSplit ? size : 1, each = Math.floor(to.length / streams);
  let at = view.getUint32(HEADER + 4 * b, true);
  for (let s = 0; s < streams; s++) {
    const packed = at + 4 <= view.byteLength ? view.getUint32(at, true) : Infinity;
    if (at < HEADER || packed > view.byteLength - at - 4) {
      throw filterError(NAME, `a stream of block ${b} is cut off`, { place: at });
    }
    const input = job.input.subarray(at + 4, at + 4 + packed), target = to.subarray(s * each, (s + 1) * each);
    if (packed === each) target.set(input);
    else {
      const written = codec(job, input, target);
      if (written !== each) {
        throw filterError(NAME, `a stream gives ${written} bytes, not ${each}`, { place: at });
      }
    }
    at += 4 + packed;
  }
  to.fill(0, streams * each);
}
