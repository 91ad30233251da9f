/**
 * Messages that many objects share: kept once, in heaps that a table of the file lists.
 *
 * ```
 * superblock extension: message 0x0F  version₈ address of the table  number of indices₈
 * table: SMTB, for each index  version₈ kind₈ types of messages₁₆ … address of the index, address of its heap
 * ```
 *
 * @module
 */

import type { Cursor } from "./cursor.ts";
import type { Hdf5File } from "./file.ts";
import { FractalHeap } from "./fractal_heap.ts";

/** Bytes of an id in such a heap. */
export const SHARED_ID_BYTES = 8;

/** Indices that a file may have. */
const MOST_INDICES = 8;

/** The body of the message of `type` with this id; `table` is the message that says where the table is. */
export async function fromSharedHeap(
  file: Hdf5File,
  table: Cursor,
  type: number,
  id: Cursor,
): Promise<Cursor> {
  table.version("a table of shared messages", 0);
  const address = file.knownAddress(table, "the table of shared messages");
  const indices = table.u8();
  if (indices < 1 || indices > MOST_INDICES) {
    throw table.error("malformed", `a file has ${indices} indices of shared messages`);
  }
  const entryBytes = 14 + 2 * file.offsetSize;
  const list = await file.checked(address, 4 + indices * entryBytes, "the table of shared messages");
  list.signature("SMTB");
  for (let i = 0; i < indices; i++) {
    const entry = list.part(entryBytes);
    entry.version("an index of shared messages", 0);
    entry.skip(1); // list or tree: ids lead to the messages without it
    const types = entry.u16();
    entry.skip(4 + 2 + 2 + 2 + file.offsetSize);
    if (!(types >> type & 1)) continue;
    const heap = await FractalHeap.open(file, file.knownAddress(entry, "the heap of shared messages"));
    return await heap.get(id);
  }
  throw id.error("malformed", `messages of type ${type} are shared, but the file has no index of them`);
}
