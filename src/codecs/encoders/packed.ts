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
