/**
 * CRC-32C (Castagnoli), which ends the indexes of Zarr shards. For chunks there is a kernel; indexes are small and may lie
 * anywhere.
 *
 * @module
 */

/** Table `n` is for a byte that is followed by `n` more bytes of its step. */
let tables: Int32Array | undefined;

function tablesOf(): Int32Array {
  const all = new Int32Array(4 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    all[byte] = crc;
  }
  for (let i = 256; i < all.length; i++) all[i] = all[all[i - 256]! & 255]! ^ (all[i - 256]! >>> 8);
  return all;
}

/**
 * The CRC-32C of `bytes`.
 *
 * @example The check value of the polynomial
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(crc32c(new TextEncoder().encode("123456789")), 0xe3069283);
 * ```
 */
export function crc32c(bytes: Uint8Array): number {
  const T = tables ??= tablesOf();
  let crc = -1, i = 0;
  for (; i + 4 <= bytes.length; i += 4) {
    crc ^= bytes[i]! | bytes[i + 1]! << 8 | bytes[i + 2]! << 16 | bytes[i + 3]! << 24;
    crc = T[768 + (crc & 255)]! ^ T[512 + (crc >>> 8 & 255)]! ^ T[256 + (crc >>> 16 & 255)]! ^ T[crc >>> 24]!;
  }
  for (; i < bytes.length; i++) crc = T[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
