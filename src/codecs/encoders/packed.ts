/**
 * Encoders of the runtime and of libraries: DEFLATE, gzip, Zstandard, Blosc. They are loaded when they are first used.
 *
 * @module
 */

import { loadPackage } from "../../packages.ts";
import type { Encode } from "./encoder.ts";

/** A module of the library numcodecs. */
interface Numcodec {
  readonly default: {
    fromConfig(config: Readonly<Record<string, unknown>>): {
      encode(bytes: Uint8Array): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;
    };
  };
}

/** Bytes in zlib's format; values: level. */
export const deflate: Encode = async (bytes, [level = 6]) =>
  (await import("../../io/zlib.ts")).deflated(bytes, level);

/** Bytes in gzip's format; values: level. */
export const gzip: Encode = async (bytes, [level = 6]) =>
  (await import("../../io/zlib.ts")).gzipped(bytes, level);

/** Zstandard, by the runtime if it has it, otherwise by a library; values: level, 1 with a checksum. */
export const zstd: Encode = async (bytes, [level = 3, checksum = 0]) => {
  const { zstdPacked } = await import("../../io/zlib.ts");
  const packed = zstdPacked(bytes, level, checksum === 1);
  if (packed) return packed;
  const { default: Zstd } = await loadPackage<Numcodec>("numcodecs/zstd", "Cannot pack with Zstandard");
  return await Zstd.fromConfig({ id: "zstd", level }).encode(bytes);
};

// Packs in the format of Blosc 1: samples whose bytes are sorted by significance (shuffle), then Zstandard, in one block.
//
// ```
// header   version₁ 2  inner version₁ 1  flags₁  sample size₁  bytes₄  block size₄  packed bytes₄   little endian
// block    start₄ = 20  packed size₄  data
// ```
// Flags: 1 shuffled, 2 stored as it is, 16 not split into streams per byte of a sample, 4 in the upper three bits for
// Zstandard. Source: README_HEADER of c-blosc.

const HEADER = 16;
const FLAGS = { shuffled: 1, plain: 2, whole: 16, zstd: 4 << 5 } as const;

/** Packs; values: level, bytes per sample (1: not shuffled). */
export const blosc: Encode = async (bytes, [level = 5, itemSize = 1]) => {
  const sorted = itemSize > 1 ? shuffled(bytes, itemSize) : bytes;
  const packed = await zstd(sorted, [level]);
  const isSmaller = packed.length + 8 < bytes.length;
  const body = isSmaller ? packed : bytes;
  const out = new Uint8Array(HEADER + (isSmaller ? 8 : 0) + body.length);
  const view = new DataView(out.buffer);
  const how = isSmaller ? FLAGS.zstd | FLAGS.whole | (itemSize > 1 ? FLAGS.shuffled : 0) : FLAGS.plain;
  out.set([2, 1, how, itemSize]);
  view.setUint32(4, bytes.length, true);
  view.setUint32(8, bytes.length, true);
  view.setUint32(12, out.length, true);
  if (isSmaller) {
    view.setUint32(HEADER, HEADER + 4, true);
    view.setUint32(HEADER + 4, body.length, true);
  }
  out.set(body, out.length - body.length);
  return out;
};

/** First byte 0 of all samples, then byte 1 of all samples, and so on. */
function shuffled(bytes: Uint8Array, itemSize: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes.length);
  const items = Math.floor(bytes.length / itemSize);
  for (let byte = 0, to = 0; byte < itemSize; byte++) {
    for (let i = 0, from = byte; i < items; i++, from += itemSize) out[to++] = bytes[from]!;
  }
  out.set(bytes.subarray(items * itemSize), items * itemSize);
  return out;
}
