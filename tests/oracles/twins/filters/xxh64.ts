/**
 * The hash XXH64 with seed 0, plainly.
 *
 * Source: the specification of xxHash.
 *
 * @module
 */

const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;

const cut = (value: bigint) => BigInt.asUintN(64, value);
const rotated = (value: bigint, by: bigint) => cut(value << by | value >> (64n - by));
const round = (sum: bigint, part: bigint) => cut(rotated(cut(sum + part * P2), 31n) * P1);

/**
 * The hash of `bytes`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(xxh64(new Uint8Array(0)), 0xef46db3751d8e999n);
 * ```
 */
export function xxh64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const eight = (at: number) => view.getBigUint64(at, true);
  let hash = P5, at = 0;
  if (bytes.length >= 32) {
    const sums = [cut(P1 + P2), P2, 0n, cut(-P1)];
    for (; at + 32 <= bytes.length; at += 32) {
      for (let i = 0; i < 4; i++) sums[i] = round(sums[i]!, eight(at + 8 * i));
    }
    hash = cut([1n, 7n, 12n, 18n].reduce((sum, by, i) => sum + rotated(sums[i]!, by), 0n));
    for (const sum of sums) hash = cut((hash ^ round(0n, sum)) * P1 + P4);
  }
  hash = cut(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) hash = cut(rotated(hash ^ round(0n, eight(at)), 27n) * P1 + P4);
  for (; at + 4 <= bytes.length; at += 4) {
    hash = cut(rotated(hash ^ cut(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3);
  }
  for (; at < bytes.length; at++) hash = cut(rotated(hash ^ cut(BigInt(bytes[at]!) * P5), 11n) * P1);
  hash = cut((hash ^ hash >> 33n) * P2);
  hash = cut((hash ^ hash >> 29n) * P3);
  return hash ^ hash >> 32n;
}
