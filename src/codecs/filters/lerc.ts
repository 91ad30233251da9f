/**
 * LERC, which a library undoes: it is loaded when a data set first needs it.
 *
 * ```
 * blob   "Lerc2 " version₃₂  (checksum₃₂)  rows₃₂ columns₃₂ (samples₃₂) valid₃₂ block₃₂ bytes₃₂ type₃₂ …
 * ```
 * Source: Esri, "LERC specification".
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { loadPackage } from "../../packages.ts";
import { type ChunkFilter, filterError, type FilterStep } from "./common/filter.ts";
import { unzlib } from "./unpack.ts";
import { unpackZstd } from "./zstd.ts";

/** What the library gives for a blob. */
interface Decoded {
  readonly pixels: readonly ArrayBufferView[];
  readonly mask?: Uint8Array | null;
  readonly dimCount: number;
}

/** The part of the library that is used. */
interface Library {
  decode(buffer: ArrayBuffer, options: { readonly returnPixelInterleavedDims: boolean }): Decoded;
}

const SIZES = [1, 1, 2, 2, 4, 4, 4, 8] as const;
const HEADER = 70;

/** Undoes LERC; values: what it was packed with in addition, 0 nothing, 1 deflate, 2 Zstandard. */
export const lerc: ChunkFilter = async (job) => {
  const { output, values: [packing = 0] } = job;
  const input = unpacked(job, packing);
  const module = await loadPackage<{ readonly default: Library }>("lerc", "Cannot undo the filter LERC");
  let to = 0;
  for (let at = 0; at < input.length;) { // a blob per band
    const { bytes, result, itemSize } = header(input.subarray(at), at);
    if (to + result > output.length) {
      throw filterError("LERC", `it has ${to + result} bytes at least; ${output.length} are expected`, {
        place: at,
      });
    }
    const { pixels, mask, dimCount } = decoded(module.default, input.slice(at, at + bytes), at);
    const plane = pixels[0]!;
    const found = new Uint8Array(plane.buffer, plane.byteOffset, plane.byteLength);
    if (found.length !== result) {
      throw filterError("LERC", `it gives ${found.length} bytes, not ${result}`, { place: at });
    }
    output.set(found, to);
    if (mask) blank(output.subarray(to, to + result), mask, itemSize * dimCount, plane);
    to += result;
    at += bytes;
  }
  return to;
};

/** The blobs, without what they were packed with. */
function unpacked(job: FilterStep, packing: number): Uint8Array {
  const { input, spare } = job;
  if (packing === 0) return input;
  if (packing === 1) return spare.subarray(0, unzlib(job, input, spare, true));
  if (packing !== 2) {
    throw new TilewiseError("unsupported", `Cannot undo the filter LERC with packing ${packing}`);
  }
  return spare.subarray(0, unpackZstd(job, input, spare).written);
}

/** Bytes of a blob, and of what comes out. */
function header(blob: Uint8Array, place: number): { bytes: number; result: number; itemSize: number } {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const isBlob = blob.length >= HEADER &&
    [..."Lerc2 "].every((letter, i) => blob[i] === letter.charCodeAt(0));
  const version = isBlob ? view.getInt32(6, true) : 0;
  if (!isBlob || version < 1 || version > 5) {
    const text = isBlob ? `its version ${version} is not supported` : "no blob begins here";
    throw filterError("LERC", `${text}, at its byte ${place}`, { place });
  }
  let at = version >= 3 ? 14 : 10;
  const next = () => view.getInt32((at += 4) - 4, true);
  const [rows, columns] = [next(), next()];
  const samples = version >= 4 ? next() : 1;
  const [, , bytes, type] = [next(), next(), next(), next()] as const;
  const itemSize = SIZES[type];
  if (!itemSize || rows < 1 || columns < 1 || samples < 1 || bytes < at || bytes > blob.length) {
    throw filterError("LERC", `a blob makes no sense, at its byte ${place}`, { place });
  }
  return { bytes, result: rows * columns * samples * itemSize, itemSize };
}

function decoded(library: Library, blob: Uint8Array, place: number): Decoded {
  const buffer = new Uint8Array(blob).buffer; // the library does not take shared memory
  try {
    return withMisspelling(() => library.decode(buffer, { returnPixelInterleavedDims: true }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw filterError("LERC", `${reason}, in the blob at its byte ${place}`, { place });
  }
}

/**
 * Calls `decode` while views have a method `getUInt32`: version 3.0.0 of the library calls it by this name for blocks of one
 * value in unsigned integers of 32 bits. Its later versions are another program, with WebAssembly that lies in a file.
 */
function withMisspelling<T>(decode: () => T): T {
  const views = DataView.prototype as DataView & { getUInt32?: DataView["getUint32"] };
  if (views.getUInt32) return decode();
  Object.defineProperty(views, "getUInt32", { value: views.getUint32, configurable: true });
  try {
    return decode();
  } finally {
    delete views.getUInt32;
  }
}

/** Pixels that are not valid: NaN, or 0 where there is none. */
function blank(output: Uint8Array, mask: Uint8Array, bytes: number, plane: ArrayBufferView): void {
  const isFloat = plane instanceof Float32Array || plane instanceof Float64Array;
  const value = new Uint8Array(
    plane instanceof Float64Array ? Float64Array.of(NaN).buffer : Float32Array.of(NaN).buffer,
  );
  for (let i = 0; i < mask.length; i++) {
    if (mask[i]) continue;
    for (let b = 0; b < bytes; b++) output[i * bytes + b] = isFloat ? value[b % value.length]! : 0;
  }
}
