/**
 * Streams of LZMA as files have them: xz (with the filters LZMA2 and delta), and the older `.lzma`.
 *
 * ```
 * xz      fd 37 7a 58 5a 00  flags₁₆ crc₃₂   block …   index   crc₃₂ size₃₂ flags₁₆ 59 5a
 * block   header (size, flags, sizes, filters, crc₃₂)   LZMA2 parts   padding   check
 * .lzma   properties₈ dictionary₃₂ size₆₄   LZMA
 * ```
 * Source: Lasse Collin, "The .xz file format", 1.2.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { crc32 } from "../../../space/crc32.ts";
import type { ChunkFilter } from "../common/filter.ts";
import { Lzma, wrong } from "./lzma.ts";

// The checks behind the blocks of xz: none, CRC-32, CRC-64 and SHA-256.
//
// Source: Lasse Collin, "The .xz file format", section 2.1.1.2; FIPS 180-4.

/** Bytes of the checks, by their number; most numbers have no meaning yet. */
const CHECK_BYTES = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64] as const;

/** How the checks that have a meaning are computed, by their number; the result lies as in a file. */
const CHECKS: Readonly<Record<number, { readonly name: string; of(bytes: Uint8Array): Uint8Array }>> = {
  1: { name: "CRC-32", of: (bytes) => littleEndian(crc32(bytes)) },
  4: { name: "CRC-64", of: crc64 },
  10: { name: "SHA-256", of: sha256 },
};

/** Words of 32 bits, the lowest byte first. */
function littleEndian(...words: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  words.forEach((word, i) => view.setUint32(4 * i, word, true));
  return new Uint8Array(view.buffer);
}

/** The polynomial of CRC-64, in reverse: its lower and its upper half. */
const [LOW, HIGH] = [0xd7870f42, 0xc96c5795];
let tables: readonly [low: Int32Array, high: Int32Array] | undefined;

function tablesOfCrc64(): readonly [low: Int32Array, high: Int32Array] {
  const [lows, highs] = [new Int32Array(256), new Int32Array(256)];
  for (let byte = 0; byte < 256; byte++) {
    let [low, high] = [byte, 0];
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = low & 1;
      low = low >>> 1 | high << 31;
      high >>>= 1;
      if (isOdd) [low, high] = [low ^ LOW, high ^ HIGH];
    }
    [lows[byte], highs[byte]] = [low, high];
  }
  return [lows, highs];
}

/**
 * CRC-64 as xz has it (ECMA-182, with the lowest bit first).
 *
 * @example The check value of the polynomial
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(crc64(new TextEncoder().encode("123456789")).toHex(), "fa3919dfbbc95d99"); // 995dc9bbdf1939fa
 * ```
 */
export function crc64(bytes: Uint8Array): Uint8Array {
  const [lows, highs] = tables ??= tablesOfCrc64();
  let [low, high] = [-1, -1];
  for (let i = 0; i < bytes.length; i++) {
    const at = (low ^ bytes[i]!) & 255;
    low = (low >>> 8 | high << 24) ^ lows[at]!;
    high = high >>> 8 ^ highs[at]!;
  }
  return littleEndian(~low, ~high);
}

/** The first 32 bits behind the point of a root of each of the first primes. */
const rootBits = (root: (prime: number) => number, count: number) =>
  Int32Array.from(primes(count), (prime) => root(prime) % 1 * 2 ** 32 | 0);

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/**
 * SHA-256.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(sha256(new TextEncoder().encode("abc")).toHex().slice(0, 16), "ba7816bf8f01cfea");
 * ```
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  const [start, rounds] = [rootBits(Math.sqrt, 8), rootBits(Math.cbrt, 64)];
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(8 * bytes.length));
  const words = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
    mix(start, words, rounds);
  }
  const result = new DataView(new ArrayBuffer(32));
  start.forEach((word, i) => result.setInt32(4 * i, word));
  return new Uint8Array(result.buffer);
}

const turn = (word: number, by: number) => word >>> by | word << 32 - by;

/** Takes a block of 16 words into the state. */
function mix(state: Int32Array, words: Int32Array, rounds: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const [early, late] = [words[i - 15]!, words[i - 2]!];
    const first = turn(early, 7) ^ turn(early, 18) ^ early >>> 3;
    const second = turn(late, 17) ^ turn(late, 19) ^ late >>> 10;
    words[i] = words[i - 16]! + first + words[i - 7]! + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) { // eight names, no array: this is the loop in which the time goes
    const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + rounds[i]! + words[i]! | 0;
    const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
    h = g;
    g = f;
    f = e;
    e = d + one | 0;
    d = c;
    c = b;
    b = a;
    a = one + two | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => state[i] = state[i]! + word);
}

/** Undoes LZMA: one stream of xz or several, or one of the older kind. */
export const lzma: ChunkFilter = ({ input, output }) => {
  const decoder = new Lzma(input, output);
  if (input[0] !== 0xfd || input[1] !== 0x37) return alone(decoder);
  while (decoder.at + 12 <= input.length && input[decoder.at] === 0xfd) {
    stream(decoder);
    while (input[decoder.at] === 0) decoder.at++; // padding between streams
  }
  return decoder.to;
};

function alone(decoder: Lzma): number {
  const { input, output } = decoder;
  if (input.length < 13) throw wrong("the input ends too early", input.length);
  const view = new DataView(input.buffer, input.byteOffset, 13);
  const size = view.getBigUint64(5, true);
  const isKnown = size !== 0xffffffffffffffffn;
  if (isKnown && size > output.length) {
    const details = { expected: output.length, found: Number(size) };
    throw wrong(`it says that it has ${size} bytes; ${details.expected} are expected`, 5);
  }
  decoder.setProperties(input[0]!);
  decoder.at = 13;
  decoder.begin();
  const isEnded = decoder.decode(isKnown ? Number(size) : output.length);
  if (!isKnown && !isEnded) decoder.decodeEnd();
  return decoder.to;
}

/** What the index says of a block: its bytes in the file without padding, and bytes that come out. */
type BlockSizes = readonly [stored: number, plain: number];

function stream(decoder: Lzma): void {
  const { input } = decoder;
  const start = decoder.at;
  const kind = input[start + 7]! & 15;
  verify(input, start + 6, 2, start + 8);
  if (kind !== 0 && !CHECKS[kind]) {
    const text = `Cannot undo the filter lzma: its check of kind ${kind} is not supported`;
    throw new TilewiseError("unsupported", text, {
      place: start + 7,
      expected: "0, 1, 4 or 10",
      found: kind,
    });
  }
  decoder.at += 12;
  const sizes: BlockSizes[] = [];
  while (input[decoder.at] !== 0) sizes.push(block(decoder, kind));
  const at = decoder.at;
  if (at >= input.length) throw wrong("the input ends too early", at);
  index(decoder, sizes);
  const end = decoder.at;
  verify(input, end + 4, 6, end);
  decoder.at += 12;
  const isSame = input[end + 8] === input[start + 6] && input[end + 9] === input[start + 7];
  if (!isSame || input[end + 10] !== 0x59 || input[end + 11] !== 0x5a) throw wrong("its end is missing", at);
}

/** The index, which must say the same of the blocks as they do. */
function index(decoder: Lzma, sizes: readonly BlockSizes[]): void {
  const { input } = decoder;
  const start = decoder.at++;
  const same = variable(decoder) === sizes.length &&
    sizes.every(([stored, plain]) => variable(decoder) === stored && variable(decoder) === plain);
  if (!same) throw wrong("its index is not that of its blocks", start);
  while ((decoder.at - start) % 4 !== 0) decoder.at++;
  verify(input, start, decoder.at - start, decoder.at);
  decoder.at += 4;
}

function verify(input: Uint8Array, from: number, length: number, at: number): void {
  if (at + 4 > input.length) throw wrong("the input ends too early", input.length);
  const expected = new DataView(input.buffer, input.byteOffset + at, 4).getUint32(0, true);
  const found = crc32(input.subarray(from, from + length));
  if (expected !== found) throw wrong(`the checksum is ${expected}, the data have ${found}`, at);
}

/** A number, seven bits per byte. */
function variable(decoder: Lzma): number {
  let value = 0;
  for (let i = 0; i < 9; i++) {
    const byte = decoder.input[decoder.at++];
    if (byte === undefined) throw wrong("the input ends too early", decoder.at);
    value += (byte & 127) * 128 ** i;
    if (byte < 128) return value;
  }
  throw wrong("a number is too long", decoder.at);
}

function block(decoder: Lzma, kind: number): BlockSizes {
  const { input } = decoder;
  const start = decoder.at, size = 4 * (input[start]! + 1);
  verify(input, start, size - 4, start + size - 4);
  const flags = input[start + 1]!;
  decoder.at = start + 2;
  if (flags & 0x40) variable(decoder);
  if (flags & 0x80) variable(decoder);
  let distance = 0; // of the filter delta
  for (let f = flags & 3; f >= 0; f--) {
    const id = variable(decoder), length = variable(decoder);
    if (id === 3) distance = input[decoder.at]! + 1;
    else if (id !== 0x21) {
      const text =
        `Cannot undo the filter lzma: its filter ${id} is not supported (those of programs are not for samples)`;
      throw new TilewiseError("unsupported", text, { place: decoder.at });
    }
    decoder.at += length;
  }
  decoder.at = start + size;
  const first = decoder.to;
  parts(decoder);
  const stored = decoder.at - start;
  while ((decoder.at - start) % 4 !== 0) decoder.at++;
  const check = decoder.at;
  decoder.at += CHECK_BYTES[kind]!;
  if (decoder.at > input.length) throw wrong("the input ends too early", input.length);
  const { output } = decoder;
  if (distance > 0) {
    for (let i = first + distance; i < decoder.to; i++) {
      output[i]! += output[i - distance]!;
    }
  }
  const plain = output.subarray(first, decoder.to);
  if (kind !== 0) compare(kind, input.subarray(check, decoder.at), plain, check);
  return [stored + CHECK_BYTES[kind]!, plain.length];
}

/** Compares the check of a block with that of the bytes that came out. */
function compare(kind: number, expected: Uint8Array, plain: Uint8Array, at: number): void {
  const { name, of } = CHECKS[kind]!;
  const found = of(plain);
  if (found.every((byte, i) => byte === expected[i])) return;
  const [told, own] = [expected, found].map((bytes) =>
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  );
  throw wrong(`the ${name} is ${told}, the data have ${own}`, at);
}

/** The parts of LZMA2: plain bytes, or LZMA that starts anew or goes on. */
function parts(decoder: Lzma): void {
  const { input, output } = decoder;
  const number16 = (at: number) => (input[at]! << 8 | input[at + 1]!) + 1;
  decoder.start = decoder.to;
  let isReady = false;
  for (;;) {
    const at = decoder.at, control = input[at];
    if (control === undefined || at + 6 > input.length) throw wrong("the input ends too early", at);
    decoder.at++;
    if (control === 0) return;
    if (control === 1 || control === 2) {
      const count = number16(at + 1);
      decoder.at = at + 3 + count;
      if (decoder.at > input.length) throw wrong("the input ends too early", at);
      if (decoder.to + count > output.length) throw wrong("it gives more bytes than there is room for", at);
      output.set(input.subarray(at + 3, at + 3 + count), decoder.to);
      decoder.to += count;
      continue;
    }
    if (control < 0x80) throw wrong(`a part of kind ${control}`, at);
    const count = (control & 31) * 65536 + number16(at + 1), packed = number16(at + 3);
    if (decoder.to + count > output.length) throw wrong("it gives more bytes than there is room for", at);
    decoder.at = at + 5;
    if (control >= 0xc0) {
      decoder.setProperties(input[decoder.at++]!);
      isReady = true;
    } else if (control >= 0xa0) decoder.reset();
    if (!isReady) throw wrong("a part goes on before one began", at);
    const end = decoder.at + packed;
    if (end > input.length) throw wrong("the input ends too early", at);
    decoder.end = end;
    decoder.begin();
    if (decoder.decode(decoder.to + count)) throw wrong("a part ends too early", decoder.at);
    decoder.end = input.length;
    decoder.at = end;
  }
}
