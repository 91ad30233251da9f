/**
 * What the runtime packs and unpacks with: it knows levels, and gzip files of several members, which the streams of browsers do
 * not; and it packs at once, on the thread of the caller.
 *
 * @module
 */

import { crc32 } from "../space/crc32.ts";
import * as zlib from "node:zlib";
import { createDeflate, createGunzip } from "node:zlib";

/** Bytes of a piece. */
const PIECE = 2 ** 20;

/** Packs noise about as fast as any level, and all else several times as fast as the default of browsers, 6, an eighth larger. */
const QUICK = 3;

/** A stream of `node:zlib`. */
type Through = ReturnType<typeof createDeflate | typeof createGunzip>;

/** All members of a gzip file, unpacked piece by piece. */
export function gunzipped(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return through(createGunzip({ chunkSize: PIECE }), pieces);
}

/** The bytes in zlib's format, packed quickly. */
export function quicklyDeflated(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return through(createDeflate({ level: QUICK, chunkSize: PIECE }), pieces);
}

/** What comes out of `stream` when `pieces` go in; an error of either ends both. */
async function* through(stream: Through, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const fed = feed(stream, pieces).catch((error) => void stream.destroy(error));
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } finally {
    stream.destroy();
    await fed;
  }
}

/** One piece after another: the next is asked for when the stream has taken the one before. */
async function feed(stream: Through, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of pieces) {
    if (stream.destroyed) return;
    await new Promise<void>((resolve) => {
      stream.once("close", resolve);
      stream.write(piece, () => {
        stream.off("close", resolve);
        resolve();
      });
    });
  }
  stream.end();
}

/** `bytes` in zlib's format. */
export function deflated(bytes: Uint8Array, level: number): Uint8Array<ArrayBuffer> {
  return plain(zlib.deflateSync(bytes, { level, chunkSize: roomFor(bytes) }));
}

/**
 * Bytes of the memory for what comes out: enough for all of a chunk, which is then not put together of many pieces, and no more than
 * need be for a small one.
 */
function roomFor({ length }: Uint8Array): number {
  return Math.min(2 ** 21, length + (length >> 8) + 64);
}

/** The CRC-32 of `bytes`, which may lie in shared memory; newer runtimes know it, and take a fortieth of our time. */
export function checksum(bytes: Uint8Array): number {
  return zlib.crc32 ? zlib.crc32(bytes) : crc32(bytes);
}

/** `bytes` in gzip's format. */
export function gzipped(bytes: Uint8Array, level: number): Uint8Array<ArrayBuffer> {
  return plain(zlib.gzipSync(bytes, { level, chunkSize: roomFor(bytes) }));
}

/** `bytes` as one frame of Zstandard that says its size; undefined if the runtime is too old to know it. */
export function zstdPacked(
  bytes: Uint8Array,
  level: number,
  checksum: boolean,
): Uint8Array<ArrayBuffer> | undefined {
  const { zstdCompressSync, constants } = zlib;
  if (typeof zstdCompressSync !== "function") return undefined;
  const params = {
    [constants.ZSTD_c_compressionLevel]: level,
    [constants.ZSTD_c_checksumFlag]: checksum ? 1 : 0,
  };
  // With the size it takes no more memory than the bytes need. The option is newer than its type.
  const options = { params, pledgedSrcSize: bytes.length, chunkSize: roomFor(bytes) } as zlib.ZstdOptions;
  return withSize(firstFrame(plain(zstdCompressSync(bytes, options))), bytes.length);
}

/**
 * The first frame: where its last bytes fill the memory that a runtime has for them, the runtime adds an empty frame. Readers
 * that expect one frame refuse two, TensorStore among them.
 */
function firstFrame(frames: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const descriptor = frames[4]!, isSingle = (descriptor >> 5) & 1;
  const sizeBytes = [isSingle, 2, 4, 8][descriptor >> 6]!;
  let at = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]! + sizeBytes;
  for (let isLast = false; !isLast;) {
    const block = frames[at]! | frames[at + 1]! << 8 | frames[at + 2]! << 16;
    const isRun = (block >> 1 & 3) === 1; // one byte stands for all of its bytes
    at += 3 + (isRun ? 1 : block >> 3);
    isLast = (block & 1) === 1 || at >= frames.length;
  }
  return frames.subarray(0, at + (descriptor & 4)); // a checksum has four bytes
}

/** Bytes in front of the content size of a frame: magic number, descriptor, window. */
const ZSTD_START = 6;

/** A frame whose header says how many bytes come out, which some readers need: older runtimes do not write it. */
function withSize(frame: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  const descriptor = frame[4]!;
  if ((descriptor & 0b1110_0011) !== 0) return frame; // it says its size, or has another form
  const out = new Uint8Array(frame.length + 4);
  out.set(frame.subarray(0, ZSTD_START));
  out[4] = descriptor | 0b1000_0000;
  new DataView(out.buffer).setUint32(ZSTD_START, size, true);
  out.set(frame.subarray(ZSTD_START), ZSTD_START + 4);
  return out;
}

/** The same bytes without the methods of Node's buffers. */
function plain({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
