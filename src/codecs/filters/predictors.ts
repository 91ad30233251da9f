/**
 * How TIFF files store samples: as differences, as planes of bytes, in big-endian order, in any number of bits, with the
 * bits of bytes in reverse. What comes out is in little-endian order.
 *
 * Source: TIFF 6.0, section 14, and its technical note 3.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type ChunkFilter, filterError, type FilterStep } from "./common/filter.ts";

/** Undoes horizontal differences; values: bytes of a sample, whether it is big-endian, pixels of a row, samples of a pixel. */
export const predictor2: ChunkFilter = (job) => {
  const { kernels: { exports }, values } = job;
  const [size = 1, isBig = 0, , step = 1] = values;
  const sum = exports[SUM_ROWS[`${size}${isBig && size > 1 ? "be" : ""}`] ?? "sum_rows_u8"];
  if (![1, 2, 4, 8].includes(size)) throw unknownSize("predictor 2", size);
  return byRows("predictor 2", job, (dst, src, rows, width) => sum(dst, src, rows, width, step));
};

const SUM_ROWS: Readonly<Record<string, `sum_rows_u${8 | "16" | "32" | "64" | "16be" | "32be" | "64be"}`>> = {
  "1": "sum_rows_u8",
  "2": "sum_rows_u16",
  "4": "sum_rows_u32",
  "8": "sum_rows_u64",
  "2be": "sum_rows_u16be",
  "4be": "sum_rows_u32be",
  "8be": "sum_rows_u64be",
};

/** Undoes the predictor of floats, whose planes do not depend on the byte order; values as for {@link predictor2}. */
export const predictor3: ChunkFilter = (job) => {
  const { kernels: { exports }, values: [size = 4, , , step = 1], spare } = job;
  const turn = { 2: exports.float_rows_u16, 4: exports.float_rows_u32, 8: exports.float_rows_u64 }[size] ??
    exports.float_rows_u8;
  if (![2, 3, 4, 8].includes(size)) throw unknownSize("predictor 3", size);
  return byRows("predictor 3", job, (dst, src, rows, width) => {
    if (width * size > spare.length) {
      throw filterError("predictor 3", `a row of ${width} samples is too long`);
    }
    turn(dst, src, rows, width, size, step, spare.byteOffset);
  });
};

/** Runs `undo` on all whole rows, then on what is left of the last one; bytes that the output has no room for are left out. */
function byRows(
  filter: string,
  { input, output, values: [size = 1, , pixels = 1, samples = 1] }: FilterStep,
  undo: (dst: number, src: number, rows: number, width: number) => void,
): number {
  const width = pixels * samples;
  if (!(width >= 1 && samples >= 1)) throw filterError(filter, `rows of ${pixels} × ${samples} samples`);
  const bytes = Math.min(input.length, output.length);
  const rows = Math.floor(bytes / (width * size)), done = rows * width * size;
  const rest = Math.floor((bytes - done) / size);
  undo(output.byteOffset, input.byteOffset, rows, width);
  if (rest > 0) undo(output.byteOffset + done, input.byteOffset + done, 1, rest);
  return done + rest * size;
}

function unknownSize(filter: string, size: number): TilewiseError {
  return new TilewiseError("unsupported", `Cannot undo the filter ${filter} of samples of ${size} bytes`);
}

/** Reverses the bytes of each sample; values: its bytes. */
export const swap: ChunkFilter = ({ kernels: { exports }, input, output, values: [size = 1] }) => {
  const count = Math.floor(Math.min(input.length, output.length) / size), bytes = count * size;
  const [to, from] = [output.byteOffset, input.byteOffset];
  if (size === 2) exports.swap_u16(to, from, count);
  else if (size === 4) exports.swap_u32(to, from, count);
  else if (size === 8) exports.swap_u64(to, from, count);
  else for (let i = 0; i < bytes; i++) output[i] = input[i - i % size + size - 1 - i % size]!;
  return bytes;
};

/** Reverses the bits of each byte. */
export const bitReverse: ChunkFilter = ({ kernels: { exports }, input, output }) => {
  const bytes = Math.min(input.length, output.length);
  exports.reverse_bits_u8(output.byteOffset, input.byteOffset, bytes);
  return bytes;
};

/**
 * Widens integers of any number of bits, the highest first, whose rows begin with a byte. Values: bits, bytes of a sample that
 * comes out, samples of a row, whether the highest byte of samples of whole bytes comes first, and whether they are signed.
 */
export const unpackBits: ChunkFilter = ({ kernels: { exports }, input, output, values }) => {
  const [bits = 1, size = 1, width = 1, isHighFirst = 0, isSigned = 0] = values;
  if (![1, 2, 4, 8].includes(size) || !(bits >= 1 && bits <= 8 * size) || !(width >= 1)) {
    throw filterError("unpack-bits", `${width} samples of ${bits} bits in ${size} bytes each`);
  }
  const kind = size === 1 ? "u8" : size === 2 ? "u16" : "u32";
  const undo = size === 8
    ? wideBits(input, output)
    : bits % 8 === 0 && !isHighFirst
    ? exports[`bits_lsb_${kind}`]
    : exports[`bits_msb_${kind}`];
  const isDense = width * bits % 8 === 0;
  const step = isDense ? Math.floor(MOST_BITS / (width * bits)) || 1 : 1; // rows per call
  const stored = Math.ceil(width * bits / 8);
  const most = Math.min(Math.floor(output.length / size), samplesIn(input.length, stored, width, bits));
  for (let at = 0; at < most; at += step * width) {
    const from = input.byteOffset + at / width * stored;
    undo(output.byteOffset + at * size, from, 0, Math.min(step * width, most - at), bits);
  }
  if (isSigned) extendSigns(output.subarray(0, most * size), size, bits);
  return most * size;
};

/** Widens samples of 33 to 64 bits, the highest first, as the kernels do for fewer. */
function wideBits(input: Uint8Array, output: Uint8Array) {
  const view = new DataView(output.buffer);
  return (to: number, from: number, _: number, count: number, bits: number) => {
    const start = from - input.byteOffset;
    for (let i = 0, at = 0; i < count; i++, at += bits) {
      const low = bitsAt(input, 8 * start + at + bits - 32, 32);
      view.setUint32(to + 8 * i, low, true);
      view.setUint32(to + 8 * i + 4, bitsAt(input, 8 * start + at, bits - 32), true);
    }
  };
}

/** The `count` bits, at most 32, from bit `at` on. */
function bitsAt(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let place = at; place < at + count;) {
    const within = place % 8, taken = Math.min(8 - within, at + count - place);
    const part = bytes[(place - within) / 8]! >> (8 - within - taken) & (1 << taken) - 1;
    value = value * 2 ** taken + part;
    place += taken;
  }
  return value;
}

/** Repeats the sign of integers of `bits` bits in the bits above it; those of 8 bytes have it in their last four. */
function extendSigns({ buffer, byteOffset, length }: Uint8Array, size: number, bits: number): void {
  const view = new DataView(buffer, byteOffset, length);
  const above = 32 - (size === 8 ? bits - 32 : bits);
  const extended = (value: number) => value << above >> above;
  for (let at = 0; at < length; at += size) {
    if (size === 1) view.setInt8(at, extended(view.getInt8(at)));
    else if (size === 2) view.setInt16(at, extended(view.getInt16(at, true)), true);
    else view.setInt32(at + size - 4, extended(view.getInt32(at + size - 4, true)), true);
  }
}

/** Bits of one call of a kernel. */
const MOST_BITS = 2 ** 31;

/** Samples of `bytes` bytes in rows of `stored` bytes. */
function samplesIn(bytes: number, stored: number, width: number, bits: number): number {
  return Math.floor(bytes / stored) * width + Math.min(width, Math.floor(bytes % stored * 8 / bits));
}

/**
 * Makes floats of 16 or 24 bits, little-endian, floats of 32 bits, and signed integers floats that hold them; values: their bytes,
 * and whether they are integers.
 */
export const widenFloat: ChunkFilter = ({ kernels: { exports }, input, output, values }) => {
  const [size = 2, isWhole = 0] = values;
  const wide = isWhole && size > 2 ? 8 : 4;
  const count = Math.min(Math.floor(input.length / size), Math.floor(output.length / wide));
  const read = reader(input, size, isWhole === 1);
  if (!read) throw unknownSize("widen-float", size);
  if (size === 2 && !isWhole) exports.convert_f32_f16(output.byteOffset, input.byteOffset, count);
  else {
    const view = new DataView(output.buffer, output.byteOffset, wide * count);
    for (let i = 0; i < count; i++) {
      if (wide === 4) view.setFloat32(4 * i, read(i * size), true);
      else view.setFloat64(8 * i, read(i * size), true);
    }
  }
  return wide * count;
};

/** Reads a number of `size` bytes; `undefined` for sizes that no number has. */
function reader(bytes: Uint8Array, size: number, isWhole: boolean): ((at: number) => number) | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isWhole) {
    const bits24 = (at: number) => float24(bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16);
    return size === 2 ? (at) => view.getFloat16(at, true) : size === 3 ? bits24 : undefined;
  }
  if (size === 1) return (at) => view.getInt8(at);
  if (size === 2) return (at) => view.getInt16(at, true);
  return size === 4 ? (at) => view.getInt32(at, true) : undefined;
}

/** Sign, 7 bits of the exponent, 16 of the fraction. */
function float24(bits: number): number {
  const sign = bits >> 23 ? -1 : 1, exponent = bits >> 16 & 127, fraction = (bits & 0xffff) / 65536;
  if (exponent === 127) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -62 : (1 + fraction) * 2 ** (exponent - 63));
}
