/**
 * CRC-32C (Castagnoli), the checksum of Zarr's shard indexes and of journals.
 *
 * Eight bytes are taken per step, with one table for each of them. Source: RFC 3720, appendix B.4; "slicing by 8".
 *
 * @module
 */

/** The polynomial, with its lowest bit first. */
const POLYNOMIAL = 0x82f63b78;

const TABLES: readonly Int32Array[] = tables();

function tables(): Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >>> 1 ^ POLYNOMIAL : crc >>> 1;
    return crc;
  });
  const all = [first];
  for (let n = 1; n < 8; n++) all.push(all[n - 1]!.map((crc) => crc >>> 8 ^ first[crc & 255]!));
  return all;
}

/**
 * The checksum of `bytes`; `before` is the checksum of the bytes in front of them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const bytes = new TextEncoder().encode("123456789");
 * assertEquals(crc32c(bytes), 0xe3069283);
 * assertEquals(crc32c(bytes.subarray(4), crc32c(bytes.subarray(0, 4))), 0xe3069283);
 * ```
 */
export function crc32c(bytes: Uint8Array, before: number = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let crc = ~before;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    const low = crc ^ view.getInt32(at, true);
    const high = view.getInt32(at + 4, true);
    crc = t7[low & 255]! ^ t6[low >>> 8 & 255]! ^ t5[low >>> 16 & 255]! ^ t4[low >>> 24]! ^
      t3[high & 255]! ^ t2[high >>> 8 & 255]! ^ t1[high >>> 16 & 255]! ^ t0[high >>> 24]!;
  }
  for (; at < bytes.length; at++) crc = crc >>> 8 ^ t0[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}
