/**
 * The checksum of gzip, of PNG chunks and of ZIP archives: CRC-32 with the reversed polynomial 0xEDB88320.
 *
 * @module
 */

/** Bytes per step. */
const STEP = 8;

/** Table `n` is for a byte that is followed by `n` more bytes of its step. */
const TABLES = tables();

function tables(): Int32Array {
  const all = new Int32Array(STEP * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    all[byte] = crc;
  }
  for (let i = 256; i < all.length; i++) all[i] = all[all[i - 256]! & 255]! ^ (all[i - 256]! >>> 8);
  return all;
}

/**
 * The CRC-32 of `bytes`.
 *
 * @example The check value of the polynomial
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
 * ```
 */
export function crc32(bytes: Uint8Array): number {
  const T = TABLES;
  let crc = -1;
  let i = 0;
  for (; i + STEP <= bytes.length; i += STEP) {
    crc ^= bytes[i]! | bytes[i + 1]! << 8 | bytes[i + 2]! << 16 | bytes[i + 3]! << 24;
    crc = T[1792 + (crc & 255)]! ^ T[1536 + (crc >>> 8 & 255)]! ^ T[1280 + (crc >>> 16 & 255)]! ^
      T[1024 + (crc >>> 24)]! ^ T[768 + bytes[i + 4]!]! ^ T[512 + bytes[i + 5]!]! ^ T[256 + bytes[i + 6]!]! ^
      T[bytes[i + 7]!]!;
  }
  for (; i < bytes.length; i++) crc = T[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
