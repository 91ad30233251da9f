/**
 * Checksums of 32 bits: CRC-32 of gzip, PNG chunks, ZIP archives and xz, and CRC-32C (Castagnoli) of Zarr's shard indexes
 * and of journals.
 *
 * Eight bytes are taken per step, with one table for each of them. Sources: RFC 1952, section 8; RFC 3720, appendix B.4;
 * "slicing by 8".
 *
 * @module
 */

/** Bytes per step. */
const STEP = 8;

/** The tables of a polynomial with its lowest bit first: number `n` is for a byte that is followed by `n` more of its step. */
function tablesOf(polynomial: number): () => Int32Array {
  let tables: Int32Array | undefined;
  return () => tables ??= made(polynomial);
}

function made(polynomial: number): Int32Array {
  const all = new Int32Array(STEP * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    all[byte] = crc;
  }
  for (let i = 256; i < all.length; i++) all[i] = all[all[i - 256]! & 255]! ^ (all[i - 256]! >>> 8);
  return all;
}

const CRC32 = tablesOf(0xedb88320);
const CRC32C = tablesOf(0x82f63b78);

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
  return crcBy(CRC32(), bytes);
}

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
  return crcBy(CRC32C(), bytes);
}

function crcBy(T: Int32Array, bytes: Uint8Array): number {
  let crc = ~0;
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
