/**
 * The checksum at the end of structures of the newer versions of HDF5; those of the first version have none.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { lookup3 } from "../../../sinks/hdf5/lookup3.ts";
import type { Cursor } from "./cursor.ts";

/** Bytes of a checksum. */
export const CHECKSUM_BYTES = 4;

/**
 * A structure without the checksum at its end, which must be that of the bytes before it. Errors: `malformed`.
 *
 * @param what the structure in words, as in "the checksum of a B-tree"
 */
export function verified(whole: Cursor, what: string): Cursor {
  whole.position = 0;
  const body = whole.part(whole.length - CHECKSUM_BYTES);
  compare(body, whole.u32(), what);
  return body;
}

/** Refuses a structure whose bytes do not have the checksum `stored`. */
export function compare({ bytes, offset, file }: Cursor, stored: number, what: string): void {
  const computed = lookup3(bytes);
  if (computed === stored) return;
  const [expected, found] = [stored, computed].map((sum) => `0x${sum.toString(16).padStart(8, "0")}`);
  const text = `Cannot read ${file}: at byte ${offset}, ${what} is damaged: its checksum is ${expected}, ` +
    `that of its ${bytes.length} bytes is ${found}`;
  throw new TilewiseError("malformed", text, { file, offset, expected: expected!, found: found! });
}
