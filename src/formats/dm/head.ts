/**
 * The first bytes of DigitalMicrograph files, and of other files with such tags.
 *
 * @module
 */

import type { ByteOrder } from "../../space/dtype.ts";

/** What the head of a file says. */
export interface DmHead {
  /** 3 or 4. */
  readonly version: 3 | 4;
  /** Byte order of values. */
  readonly byteOrder: ByteOrder;
}

/** The head, if these are the first bytes of a DM file. */
export function dmHead(head: Uint8Array): DmHead | undefined {
  if (head.length < 16) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const version = view.getUint32(0);
  if (version !== 3 && version !== 4) return undefined;
  const order = view.getUint32(version === 3 ? 8 : 12);
  if (order > 1 || !isRoot(head.subarray(version === 3 ? 12 : 16), version)) return undefined;
  return { version, byteOrder: order === 1 ? "little" : "big" };
}

/** Whether the root group may begin so, as far as its bytes are there: two flags, a count, a kind of tag. */
function isRoot(bytes: Uint8Array, version: 3 | 4): boolean {
  const first = version === 3 ? 6 : 10;
  const [sorted = 0, open = 0] = bytes;
  const kind = bytes[first];
  return sorted <= 1 && open <= 1 && (kind === undefined || kind === 20 || kind === 21);
}
