/**
 * Filters that a library undoes: Zstandard and Blosc. The library is loaded when a data set first needs it.
 *
 * @module
 */

import { loadPackage } from "../../packages.ts";
import { type ChunkFilter, filterError } from "./common/filter.ts";
import { checkZstd } from "./zstd_frames.ts";

/** A codec of the library numcodecs. */
interface Codec {
  decode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** A module of it. */
interface Numcodec {
  readonly default: { fromConfig(config: { readonly id: string }): Codec };
}

/** Undoes Zstandard (filter 32015). */
export const zstd: ChunkFilter = async ({ input, output }) => {
  const { default: Zstd } = await loadPackage<Numcodec>("numcodecs/zstd", "Cannot undo the filter Zstandard");
  checkZstd(input, output.length);
  return await decoded("Zstandard", Zstd.fromConfig({ id: "zstd" }), input, output);
};

/** Undoes Blosc (filter 32001), whatever codec is inside. */
export const blosc: ChunkFilter = async ({ input, output }) => {
  if (input.length < 16) throw filterError("Blosc", `its header has 16 bytes, the chunk ${input.length}`);
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const packed = view.getUint32(12, true);
  if (packed !== input.length) {
    throw filterError("Blosc", `it says ${packed} bytes, the chunk has ${input.length}`);
  }
  checkClaim("Blosc", view.getUint32(4, true), output.length);
  const { default: Blosc } = await loadPackage<Numcodec>("numcodecs/blosc", "Cannot undo the filter Blosc");
  return await decoded("Blosc", Blosc.fromConfig({ id: "blosc" }), input, output);
};

/** Refuses input whose header announces too many bytes, before it is unpacked. */
function checkClaim(filter: string, claimed: number, room: number): void {
  if (claimed <= room) return;
  throw filterError(filter, `it says that it has ${claimed} bytes; ${room} are expected`, {
    expected: room,
    found: claimed,
  });
}

async function decoded(filter: string, codec: Codec, input: Uint8Array, output: Uint8Array): Promise<number> {
  let bytes: Uint8Array;
  try {
    bytes = await codec.decode(input.slice()); // a copy, as the library does not accept shared memory
  } catch (cause) {
    throw filterError(filter, cause instanceof Error ? cause.message : String(cause));
  }
  if (bytes.length > output.length) throw filterError(filter, `it gives ${bytes.length} bytes`);
  output.set(bytes);
  return bytes.length;
}
