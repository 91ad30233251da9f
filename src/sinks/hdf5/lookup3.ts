/**
 * The checksum of HDF5 metadata: `lookup3` by Bob Jenkins (`hashlittle`, public domain), started with 0.
 *
 * ```
 * a = b = c = 0xdeadbeef + length
 * for every 12 bytes but the last 1 to 12:   add three words to a, b, c; mix
 * add the last bytes, zeros behind them; mix for the last time; the checksum is c
 * ```
 *
 * @module
 */

/**
 * The checksum of `bytes`, as a number without sign.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const bytes = new TextEncoder().encode("Four score and seven years ago");
 * assertEquals(lookup3(bytes).toString(16), "17770551");
 * ```
 */
export function lookup3(bytes: Uint8Array): number {
  const { length } = bytes;
  let a = 0xdeadbeef + length | 0, b = a, c = a, at = 0;
  for (; length - at > 12; at += 12) {
    a = a + word(bytes, at) | 0;
    b = b + word(bytes, at + 4) | 0;
    c = c + word(bytes, at + 8) | 0;
    a = (a - c | 0) ^ turned(c, 4), c = c + b | 0;
    b = (b - a | 0) ^ turned(a, 6), a = a + c | 0;
    c = (c - b | 0) ^ turned(b, 8), b = b + a | 0;
    a = (a - c | 0) ^ turned(c, 16), c = c + b | 0;
    b = (b - a | 0) ^ turned(a, 19), a = a + c | 0;
    c = (c - b | 0) ^ turned(b, 4), b = b + a | 0;
  }
  if (at === length) return c >>> 0; // nothing at all
  const last = new Uint8Array(12);
  last.set(bytes.subarray(at));
  a = a + word(last, 0) | 0, b = b + word(last, 4) | 0, c = c + word(last, 8) | 0;
  c = (c ^ b) - turned(b, 14) | 0, a = (a ^ c) - turned(c, 11) | 0, b = (b ^ a) - turned(a, 25) | 0;
  c = (c ^ b) - turned(b, 16) | 0, a = (a ^ c) - turned(c, 4) | 0, b = (b ^ a) - turned(a, 14) | 0;
  return ((c ^ b) - turned(b, 24) | 0) >>> 0;
}

/** Four bytes as a word. */
function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16 | bytes[at + 3]! << 24;
}

/** A word turned left. */
function turned(value: number, bits: number): number {
  return value << bits | value >>> 32 - bits;
}
