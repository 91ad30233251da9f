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

/** Where the counts are. */
const AT = 260;
/** Most bytes of them: one number for each storage manager. */
const MOST_BYTES = 2 ** 16;

/** The number of rows that the lock file knows; `undefined` if there is none, or if it does not know. */
export async function rowsInLock(files: TableFiles): Promise<number | undefined> {
  const source = await ifThere(files);
  if (!source || source.size <= AT + 4) return undefined;
  const bytes = await readUpTo(source, AT, Math.min(source.size - AT, MOST_BYTES), files.signal);
  const io = new AipsIo(bytes, source.name, "big", AT);
  const length = io.u32();
  if (length === 0) return undefined;
  const counts = new AipsIo(io.raw(length), source.name, "big", AT + 4);
  return counts.object("sync", 2, (version) => {
    const rows = counts.count(version > 1);
    counts.raw(counts.left);
    return rows;
  });
}

async function ifThere(files: TableFiles): Promise<ByteSource | undefined> {
  try {
    return await files.open("table.lock");
  } catch (error) {
    if (isTilewiseError(error, "not-found")) return undefined;
    throw error;
  }
}
