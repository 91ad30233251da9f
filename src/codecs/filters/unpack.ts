/**
 * Calls kernels that unpack, and turns their codes into errors that name the filter and the place in the chunk.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Kernels } from "../../kernels/bind.ts";
import type { UnpackArguments } from "../../kernels/families/families.ts";
import { BZIP2_TABLES, ZSTD_LITERALS, ZSTD_TABLES } from "../../kernels/families/filters.ts";
import { STOP_WORDS, STOPPED } from "../../kernels/families/unpack_stops.ts";
import { type ChunkFilter, filterError, type FilterStep } from "./common/filter.ts";

/** Bytes of the scratch memory of a filter for status and checksums; tables of kernels follow. */
export const STATUS_BYTES = 64;

/** What unpacking needs. */
interface Unpacker {
  /** The kernels; all bytes lie in their memory. */
  readonly kernels: Kernels;
  /** Address of memory for status and tables, at a multiple of 8. */
  readonly scratch: number;
}

/** How many bytes came out, and how many went in. */
interface Unpacked {
  /** Bytes written. */
  readonly written: number;
  /** Bytes of the input that were taken. */
  readonly taken: number;
}

/** Runs a kernel that unpacks `input` into `output`. Errors: `malformed`, `unsupported`, with the place in the input. */
export function unpack(
  filter: string,
  kernel: (...args: UnpackArguments) => void,
  { kernels, scratch }: Unpacker,
  input: Uint8Array,
  output: Uint8Array,
): Unpacked {
  kernel(scratch, output.byteOffset, output.length, input.byteOffset, input.length);
  const status = new Int32Array(kernels.memory.buffer, scratch, 2);
  const [written, taken] = [status[0]!, status[1]!];
  if (written >= 0) return { written, taken };
  const error = filterError(filter, `${STOP_WORDS[written]}, at its byte ${taken}`, { place: taken });
  const isKnown = written === STOPPED.oldKind || written === STOPPED.needsDictionary;
  throw isKnown ? new TilewiseError("unsupported", error.message, error.details) : error;
}

/** Unpacks DEFLATE without a wrapper. Errors: `malformed`. */
export function inflateRaw(unpacker: Unpacker, input: Uint8Array, output: Uint8Array): Unpacked {
  const { kernels: { exports }, scratch } = unpacker;
  const kernel = (...args: UnpackArguments) => exports.inflate_u8(...args, scratch + STATUS_BYTES);
  return unpack("deflate", kernel, unpacker, input, output);
}

/**
 * Unpacks the zlib format and verifies its checksum; the bytes written. With `isLenient`, DEFLATE without a wrapper or without
 * the checksum behind it will do. Errors: `malformed`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { instantiateKernels, loadPacks } from "../../kernels/wasm.ts";
 * await loadPacks(["unpack"]);
 * const memory = new WebAssembly.Memory({ initial: 1 });
 * const input = new Uint8Array(memory.buffer, 32768, 11);
 * input.set([0x78, 0x9c, 0x63, 0x64, 0x62, 0x06, 0x00, 0x00, 0x0d, 0x00, 0x07]); // 1, 2, 3
 * const output = new Uint8Array(memory.buffer, 40000, 8);
 * assertEquals(unzlib({ kernels: instantiateKernels(memory), scratch: 1024 }, input, output), 3);
 * assertEquals([...output], [1, 2, 3, 0, 0, 0, 0, 0]);
 * ```
 */
export function unzlib(
  unpacker: Unpacker,
  input: Uint8Array,
  output: Uint8Array,
  isLenient: boolean = false,
): number {
  const [method = 0, flags = 0] = input;
  if (
    input.length < 2 + (isLenient ? 0 : 4) || (method & 15) !== 8 || (method << 8 | flags) % 31 !== 0 ||
    flags & 32
  ) {
    if (isLenient && input.length > 0) return inflateRaw(unpacker, input, output).written;
    throw filterError("deflate", `the first bytes, ${method} and ${flags}, are no zlib header`, { place: 0 });
  }
  const { written, taken } = inflateRaw(unpacker, input.subarray(2), output);
  const at = 2 + taken;
  if (isLenient && at + 4 > input.length) return written;
  if (at + 4 > input.length) throw filterError("deflate", "the checksum is missing", { place: at });
  const expected = new DataView(input.buffer, input.byteOffset + at, 4).getUint32(0);
  const found = checksum(unpacker, "adler32_u8", output.subarray(0, written));
  if (found !== expected) {
    throw filterError("deflate", `the checksum is ${expected}, the data have ${found}`, { expected, found });
  }
  return written;
}

/** A checksum of bytes in the kernels' memory. */
export function checksum(
  { kernels, scratch }: Unpacker,
  name: "adler32_u8" | "fletcher32_u8",
  { byteOffset, length }: Uint8Array,
): number {
  kernels.exports[name](scratch, byteOffset, length);
  return new Uint32Array(kernels.memory.buffer, scratch, 1)[0]!;
}

/** Polynomials of CRC-32, in reverse: that of gzip and zip, and Castagnoli's. */
const POLYNOMIALS = { crc32: 0xedb88320, crc32c: 0x82f63b78 } as const;

/** A CRC of bytes in the kernels' memory. */
export function crcOf(
  { kernels, scratch }: Unpacker,
  name: keyof typeof POLYNOMIALS,
  { byteOffset, length }: Uint8Array,
): number {
  kernels.exports.crc_u8(scratch, byteOffset, length, POLYNOMIALS[name], scratch + STATUS_BYTES);
  return new Uint32Array(kernels.memory.buffer, scratch, 1)[0]!;
}

// bzip2, the filter 307 of HDF5: a chunk is one stream or several.

/** The largest block that streams may have, in symbols. */
const MOST_SYMBOLS = 900_000;

/** Most symbols of a block that gives at most `room` bytes: four equal bytes are five symbols. */
const symbolsOf = (room: number) => Math.min(MOST_SYMBOLS, Math.floor(room * 5 / 4));

/** Undoes bzip2 and verifies its checksums. */
export const bzip2: ChunkFilter = (job) => {
  const { kernels: { exports }, scratch, input, output } = job;
  const symbols = symbolsOf(output.length);
  const kernel = (...args: UnpackArguments) => exports.bzip2_u8(...args, scratch + STATUS_BYTES, symbols);
  return unpack("bzip2", kernel, job, input, output).written;
};

/** Bytes that it needs at `scratch` for chunks of `room` bytes. */
export function bzip2Scratch(room: number): number {
  return STATUS_BYTES + BZIP2_TABLES + 4 * symbolsOf(room);
}

// Zstandard, the filter 32015 of HDF5: a chunk is one frame or several.

/** Bytes for the literals of a block that gives at most `room` bytes. */
const literalsOf = (room: number) => Math.min(ZSTD_LITERALS, room + 32);

/** Bytes that it needs at `scratch` for chunks of `room` bytes. */
export const zstdScratch = (room: number): number => STATUS_BYTES + ZSTD_TABLES + literalsOf(room);

/**
 * Undoes Zstandard and verifies its checksums. Values: the level, which is not used, and whether it is one frame only, behind
 * which a writer may have left other bytes.
 */
export const zstd: ChunkFilter = (job) => {
  const { input, output, values: [, isSingle = 0] } = job;
  return unpackZstd(job, isSingle ? firstFrame(input) : input, output).written;
};

/** The frame at the start of `input`. */
export function firstFrame(input: Uint8Array): Uint8Array {
  return input.subarray(0, frameBytes(input));
}

/** The magic number of a frame, in the order of the file. */
const FRAME = [0x28, 0xb5, 0x2f, 0xfd];
/** A block of one byte, repeated. */
const REPEATED = 1;

/** Bytes of the frame at the start of `input`; all where there is none. */
function frameBytes(input: Uint8Array): number {
  if (FRAME.some((byte, i) => input[i] !== byte)) return input.length;
  const descriptor = input[4] ?? 0;
  const isOneSegment = descriptor >> 5 & 1;
  const sizes = [isOneSegment, 2, 4, 8][descriptor >> 6]! + [0, 1, 2, 4][descriptor & 3]!;
  let at = 5 + (isOneSegment ? 0 : 1) + sizes;
  for (let isLast = 0; !isLast && at < input.length;) {
    const head = input[at]! | (input[at + 1] ?? 0) << 8 | (input[at + 2] ?? 0) << 16;
    isLast = head & 1;
    at += 3 + ((head >> 1 & 3) === REPEATED ? 1 : head >> 3);
  }
  return at + (descriptor & 4); // a checksum has four bytes
}

/** Unpacks frames. Errors: `malformed`, and `unsupported` where they need a dictionary. */
export function unpackZstd(
  job: Pick<FilterStep, "kernels" | "scratch">,
  input: Uint8Array,
  output: Uint8Array,
): Unpacked {
  const { kernels: { exports }, scratch } = job;
  const tables = scratch + STATUS_BYTES;
  const kernel = (...args: UnpackArguments) =>
    exports.zstd_u8(...args, tables, tables + ZSTD_TABLES, literalsOf(output.length));
  return unpack("Zstandard", kernel, job, input, output);
}
