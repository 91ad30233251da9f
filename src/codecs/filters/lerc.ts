/**
 * LERC, which a library undoes: it is loaded when a data set first needs it.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { loadPackage } from "../../packages.ts";
import { type ChunkFilter, filterError, type FilterStep } from "./common/filter.ts";
import { firstFrame, unpackZstd, unzlib } from "./unpack.ts";

// Blobs of LERC: their headers, and masks of one that hold for the next.
//
// ```
// blob   "Lerc2 " version₃₂  (checksum₃₂)  rows₃₂ columns₃₂ (samples₃₂) valid₃₂ block₃₂ bytes₃₂ type₃₂ error₆₄ least₆₄ most₆₄
//        bytes of the mask₃₂  mask  …
// ```
// Source: Esri, "LERC specification".

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
function blobsOf(input: Uint8Array): Blob[] {
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
function withMask(input: Uint8Array, blob: Blob, before: Blob | undefined): Uint8Array {
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
