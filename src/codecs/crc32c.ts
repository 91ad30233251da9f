/**
 * The checksum CRC-32C (Castagnoli), for a few bytes: the indices of shards.
 *
 * @module
 */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >>> 1 ^ 0x82f63b78 : sum >>> 1;
  return sum;
});

/**
 * The CRC-32C of `bytes`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(crc32c(new TextEncoder().encode("123456789")), 0xe3069283);
 * ```
 */
export function crc32c(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = TABLE[(sum ^ byte) & 255]! ^ sum >>> 8;
  return ~sum >>> 0;
}
