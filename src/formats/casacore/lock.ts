/**
 * `table.lock`: where rows that were added after a table was made are counted, besides the locks of processes.
 *
 * ```
 * 0    processes that wait for the lock
 * 260  length₃₂ "sync": rows, columns₃₂, changes₃₂, …      big-endian in all tables
 * ```
 *
 * @module
 */

import { isTilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { readUpTo } from "../../io/source/source.ts";
import { AipsIo } from "./aips_io.ts";
import type { TableFiles } from "./files.ts";

/** The name of the file. */
export const LOCK = "table.lock";
/** Where the counts are: their length, and the object. */
export const LOCK_AT = 260;
/** Most bytes of them: one number for each storage manager. */
const MOST_BYTES = 2 ** 16;

/** The number of rows that the lock file knows; `undefined` if there is none, or if it does not know. */
export async function rowsInLock(files: TableFiles): Promise<number | undefined> {
  const record = await lockRecord(files);
  if (!record) return undefined;
  const counts = new AipsIo(record, `${files.name}/${LOCK}`, "big", LOCK_AT + 4);
  return counts.object("sync", 2, (version) => {
    const rows = counts.count(version > 1);
    counts.raw(counts.left);
    return rows;
  });
}

/** The bytes of the counts; `undefined` if there are none. */
export async function lockRecord(files: TableFiles): Promise<Uint8Array | undefined> {
  const source = await ifThere(files);
  if (!source || source.size <= LOCK_AT + 4) return undefined;
  const room = Math.min(source.size - LOCK_AT, MOST_BYTES);
  const bytes = await readUpTo(source, LOCK_AT, room, files.signal);
  const io = new AipsIo(bytes, source.name, "big", LOCK_AT);
  const length = io.u32();
  return length === 0 ? undefined : io.raw(length);
}

async function ifThere(files: TableFiles): Promise<ByteSource | undefined> {
  try {
    return await files.open(LOCK);
  } catch (error) {
    if (isTilewiseError(error, "not-found")) return undefined;
    throw error;
  }
}
