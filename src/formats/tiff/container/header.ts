/**
 * The first bytes of a TIFF file.
 *
 * ```
 * classic   II or MM   42₂  first directory₄
 * BigTIFF   II or MM   43₂  8₂  0₂  first directory₈
 * ```
 *
 * @module
 */

import type { ByteSource } from "../../../io/source/source.ts";
import { TiffBytes } from "./bytes.ts";
import { magicOf } from "./magic.ts";

/** The bytes of the TIFF file in `source`, and where its first directory lies. */
export async function readHeader(
  source: ByteSource,
  head: Uint8Array,
  signal?: AbortSignal,
): Promise<{ readonly bytes: TiffBytes; readonly first: number }> {
  const { byteOrder, isBig } = magicOf(head) ?? { byteOrder: "little", isBig: false };
  const bytes = new TiffBytes(source, byteOrder, isBig, signal);
  if (!magicOf(head)) {
    const found = [...head.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    throw bytes.error("malformed", `no TIFF file begins: its first bytes are ${found || "missing"}`, {
      offset: 0,
      expected: "49 49 2a 00, 4d 4d 00 2a, 49 49 2b 00 or 4d 4d 00 2b",
      found,
    });
  }
  const fields = await bytes.read(0, isBig ? 16 : 8, "its header");
  if (!isBig) return { bytes, first: fields.u32(4) };
  if (fields.u16(4) !== 8) {
    const found = fields.u16(4);
    throw bytes.error("unsupported", `offsets have ${found} bytes, not 8`, { offset: 4, expected: 8, found });
  }
  return { bytes, first: fields.u64(8) };
}
