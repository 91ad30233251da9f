/**
 * LERC, which a library undoes: it is loaded when a data set first needs it.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { loadPackage } from "../../packages.ts";
import { type ChunkFilter, filterError, type FilterStep } from "./common/filter.ts";
import { type Blob, blobsOf, withMask } from "./lerc_blob.ts";
import { unzlib } from "./unpack.ts";
import { firstFrame, unpackZstd } from "./zstd.ts";

/** What the library gives for a blob. */
interface Decoded {
  readonly pixels: readonly ArrayBufferView[];
  readonly mask?: Uint8Array | null;
}

/** The part of the library that is used. */
interface Library {
  decode(buffer: ArrayBuffer, options: { readonly returnPixelInterleavedDims: boolean }): Decoded;
}

/** How the samples of a chunk lie in blobs: those of a pixel together, or a blob for each. */
interface Samples {
  /** Samples of a pixel that come out. */
  readonly count: number;
  /** Whether the file is big-endian: then the numbers in blobs are, too. */
  readonly isBig: boolean;
  /** Whether the last sample of a pixel may be its transparency, which then is the mask of the blob. */
  readonly isAlpha: boolean;
}

/**
 * Undoes LERC as libtiff writes it. Values: what it was packed with in addition (0 nothing, 1 deflate, 2 Zstandard), samples of
 * a pixel, whether the file is big-endian, whether the last sample is transparency. Samples that are not valid are NaN, or 0
 * where there is none.
 */
export const lerc: ChunkFilter = async (job) => {
  const { output, values: [packing = 0, count = 1, isBig = 0, isAlpha = 0] } = job;
  const input = unpacked(job, packing);
  const module = await loadPackage<{ readonly default: Library }>("lerc", "Cannot undo the filter LERC");
  const blobs = blobsOf(input);
  const samples = { count, isBig: isBig === 1, isAlpha: isAlpha === 1 };
  checkBlobs(blobs, samples, output.length);
  const { pixels, itemSize } = blobs[0]!;
  let masked: Blob | undefined;
  for (const [i, blob] of blobs.entries()) {
    const found = decoded(module.default, withMask(input, blob, masked), blob);
    if (blob.maskBytes > 0) masked = blob;
    place(output, i * itemSize, count * itemSize, blob, found, samples);
  }
  return pixels * count * itemSize;
};

/** The blobs, without what they were packed with. */
function unpacked(job: FilterStep, packing: number): Uint8Array {
  const { input, spare } = job;
  if (packing === 0) return input;
  if (packing === 1) return spare.subarray(0, unzlib(job, input, spare, true));
  if (packing !== 2) {
    throw new TilewiseError("unsupported", `Cannot undo the filter LERC with packing ${packing}`);
  }
  return spare.subarray(0, unpackZstd(job, firstFrame(input), spare).written);
}

/** The blobs of a chunk are one with all samples (or all but the transparency), or one for each. */
function checkBlobs(blobs: readonly Blob[], { count, isAlpha }: Samples, room: number): void {
  const [first, ...others] = blobs;
  const found = blobs.reduce((sum, { depth }) => sum + depth, 0);
  const isEach = blobs.length === count && found === count;
  const isOne = blobs.length === 1 && (found === count || (isAlpha && found === count - 1));
  const isAlike = others.every(({ pixels, itemSize }) =>
    pixels === first!.pixels && itemSize === first!.itemSize
  );
  if (!first || !(isEach || isOne) || !isAlike) {
    const text = `it has ${blobs.length} blobs with ${found} samples per pixel; ${count} are expected`;
    throw filterError("LERC", text, { place: 0, expected: count, found });
  }
  const bytes = first.pixels * count * first.itemSize;
  if (bytes <= room) return;
  throw filterError("LERC", `it has ${bytes} bytes; ${room} are expected`, {
    place: 0,
    expected: room,
    found: bytes,
  });
}

function decoded(library: Library, blob: Uint8Array, { at, pixels, depth, itemSize }: Blob): Decoded {
  const buffer = new Uint8Array(blob).buffer;
  let result: Decoded;
  try {
    result = withMisspelling(() => library.decode(buffer, { returnPixelInterleavedDims: true }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw filterError("LERC", `${reason}, in the blob at its byte ${at}`, { place: at });
  }
  const [expected, found] = [pixels * depth * itemSize, result.pixels[0]!.byteLength];
  if (found === expected) return result;
  throw filterError("LERC", `it gives ${found} bytes, not ${expected}`, { place: at, expected, found });
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

/** Writes the samples of a blob to their places: the first to byte `to`, those of the next pixel `step` bytes later. */
function place(
  output: Uint8Array,
  to: number,
  step: number,
  { pixels, depth, itemSize }: Blob,
  { pixels: [plane], mask }: Decoded,
  { isBig, isAlpha, count }: Samples,
): void {
  const found = new Uint8Array(plane!.buffer, plane!.byteOffset, plane!.byteLength);
  const each = depth * itemSize;
  const none = noValue(plane!, depth, isBig);
  const hasAlpha = isAlpha && depth === count - 1;
  if (each === step && !mask) return output.set(found, to);
  for (let i = 0; i < pixels; i++) {
    const isValid = !mask || mask[i] !== 0;
    const at = to + i * step;
    for (let b = 0; b < each; b++) output[at + b] = isValid ? found[i * each + b]! : none[b]!;
    if (hasAlpha) output[at + each] = isValid ? 255 : 0;
  }
}

/** The bytes of a pixel that is not valid, in the byte order of the file. */
function noValue(plane: ArrayBufferView, depth: number, isBig: boolean): Uint8Array {
  const isReal = plane instanceof Float32Array || plane instanceof Float64Array;
  const size = plane instanceof Float64Array ? 8 : 4;
  const nan = size === 8 ? Float64Array.of(NaN) : Float32Array.of(NaN);
  const one = new Uint8Array(nan.buffer);
  if (isBig) one.reverse();
  return Uint8Array.from({ length: depth * size }, (_, i) => isReal ? one[i % size]! : 0);
}
