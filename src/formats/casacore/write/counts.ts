/**
 * What `table.lock` tells programs that open a table: that its description has changed.
 *
 * ```
 * "sync"  rows · columns₃₂ · changes₃₂ · changes of the description₃₂ · for each storage manager: changes₃₂
 * ```
 * Programs refuse a table whose columns are not as many as counted. Therefore nothing is counted while the description changes:
 * then they take what the description says.
 *
 * @module
 */

import { openSource } from "../../../io/open.ts";
import type { ByteSource } from "../../../io/source/source.ts";
import { writeCalls } from "../../../io/write/calls.ts";
import { writeError } from "../../../io/write/error.ts";
import { writerAt } from "../../../io/write/part_file.ts";
import { AipsIo } from "../aips_io.ts";
import { LOCK, LOCK_AT, lockRecord } from "../lock.ts";
import { AipsOut } from "./aips_out.ts";

/** How the description changes; a storage manager comes last. */
export interface Change {
  /** Columns that there are then. */
  readonly columns: number;
  /** The place of a storage manager that there is no more. */
  readonly dropped?: number;
  /** Whether the description has as many rows as are counted. */
  readonly isCounted: boolean;
}

/** Most that the number of changes can be. */
const MOST = 2 ** 32 - 1;

/** Changes the description of the table in `folder` by `change`, and counts it. */
export async function withCounts(
  folder: string,
  { isCounted, ...counted }: Change,
  change: () => Promise<void>,
): Promise<void> {
  const file = `${folder}/${LOCK}`;
  const before = await recordOf(folder);
  const after = before && counts(before, file, counted);
  if (!before || !after) return await change();
  try {
    if (isCounted) await setRecord(file, new Uint8Array(0));
    await change();
  } catch (error) {
    await setRecord(file, before);
    throw error;
  }
  await setRecord(file, after).catch(() => {}); // the change is made; nothing is counted then
}

async function recordOf(folder: string): Promise<Uint8Array | undefined> {
  const opened: ByteSource[] = [];
  const open = async (name: string) => {
    const source = await openSource(`${folder}/${name}`);
    opened.push(source);
    return source;
  };
  try {
    return (await lockRecord({ name: folder, open }))?.slice();
  } finally {
    for (const source of opened) await source[Symbol.asyncDispose]();
  }
}

async function setRecord(file: string, record: Uint8Array): Promise<void> {
  const bytes = new Uint8Array(4 + record.length);
  new DataView(bytes.buffer).setUint32(0, record.length);
  bytes.set(record, 4);
  (await writerAt(file, file))(bytes, LOCK_AT);
  try {
    await (await writeCalls()).sync(file);
  } catch (error) {
    throw writeError(file, error);
  }
}

/** The counts after a change; `undefined` if columns are not counted. */
function counts(
  record: Uint8Array,
  file: string,
  { columns, dropped }: Omit<Change, "isCounted">,
): Uint8Array | undefined {
  const io = new AipsIo(record, file, "big", LOCK_AT + 4), out = new AipsOut();
  io.object("sync", 2, (version) => {
    const isLong = version > 1, rows = io.count(isLong);
    if (io.i32() < 0) return void io.raw(io.left);
    const [changes, described] = [io.u32(), io.u32()].map((count) => count === MOST ? 0 : count + 1);
    const managers = [...io.block()].filter((_, i) => i !== dropped);
    out.object("sync", version, () => {
      out.count(rows, isLong);
      for (const value of [columns, changes!, described!]) out.u32(value);
      out.block([...managers, 1]);
    });
  });
  return out.bytes.length > 0 ? out.bytes : undefined;
}
