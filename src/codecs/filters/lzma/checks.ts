/**
 * The checks behind the blocks of xz: none, CRC-32, CRC-64 and SHA-256.
 *
 * Source: Lasse Collin, "The .xz file format", section 2.1.1.2; FIPS 180-4.
 *
 * @module
 */

import { crc32 } from "../../../space/crc32.ts";

/** Bytes of the checks, by their number; most numbers have no meaning yet. */
export const CHECK_BYTES = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64] as const;

/** How the checks that have a meaning are computed, by their number; the result lies as in a file. */
export const CHECKS: Readonly<Record<number, { readonly name: string; of(bytes: Uint8Array): Uint8Array }>> =
  {
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
