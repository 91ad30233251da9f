/**
 * The files of a column that gets a storage manager of its own: written beside the others, then bound to the table in one step.
 *
 * ```
 * table.f25, table.f25_TSM1, …   get their names; no table knows them yet
 * table.dat                      is replaced: from here on the table has the column
 * table.lock                     counts the change, for programs that open the table later
 * table.f7, …                    of storage managers that the table has no more are removed
 * ```
 * A process that is killed leaves the old table or the new one; the next one that writes a column removes what lies around.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { TilewiseError } from "../../../errors.ts";
import { lockedBy, takeLock } from "../../../io/file/locks.ts";
import { openSource } from "../../../io/open.ts";
import type { ByteSource } from "../../../io/source/source.ts";
import { writeCalls, writeError } from "../../../io/write/calls.ts";
import { PartFile, type WriteAt, writerAt } from "../../../io/write/part_file.ts";
import { mustBeWritable, mustHaveRoom } from "../../../io/write/space.ts";
import { finishTogether } from "../../../io/write/together.ts";
import type { ByteOrder } from "../../../space/dtype.ts";
import { AipsIo } from "../aips_io.ts";
import { readPlainDescription, type TableDescription } from "../description.ts";
import { LOCK, LOCK_AT, lockRecord, readWhole } from "../files.ts";
import { DESCRIPTION } from "../format.ts";
import { AipsOut, type Bound, bound } from "./bound_column.ts";
import { cubeBytes, type RowRun, type ShapedRows, tiledFiles, tiledHeader } from "./tiled_shape.ts";

// What `table.lock` tells programs that open a table: that its description has changed.
//
// ```
// "sync"  rows · columns₃₂ · changes₃₂ · changes of the description₃₂ · for each storage manager: changes₃₂
// ```
// Programs refuse a table whose columns are not as many as counted. Therefore nothing is counted while the description changes:
// then they take what the description says.

/** How the description changes; a storage manager comes last. */
export interface Change {
  /** Columns that there are then. */
  readonly columns: number;
  /** The place of a storage manager that is removed. */
  readonly dropped?: number;
  /** Whether the description has as many rows as are counted. */
  readonly isCounted: boolean;
}

/** Most that the number of changes can be. */
const MOST = 2 ** 32 - 1;

/** Changes the description of the table in `folder` by `change`, and counts it. */
async function withCounts(
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

/** A column that will be written. */
interface ColumnToWrite {
  /** The folder of the table. */
  readonly folder: string;
  /** The name of the column. */
  readonly column: string;
  /** The shapes of cells. */
  readonly shapes: readonly ShapedRows[];
  /** Which rows have which shape. */
  readonly runs: readonly RowRun[];
}

/** Names that casacore and its query language take. */
const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** The files of storage managers. */
const MANAGED = /^table\.f(\d+)(?:i|_TSM\d+)?$/;

/** The files of a column, until they belong to its table. */
export class ColumnFiles implements AsyncDisposable {
  readonly #parts: PartFile[] = [];

  private constructor(
    private readonly asked: ColumnToWrite,
    private readonly before: Uint8Array,
    private readonly description: TableDescription,
    private readonly after: Bound,
  ) {}

  /** Whether the table has a column of that name, which will be replaced. */
  get isReplaced(): boolean {
    return this.description.columns.some(({ name }) => name === this.asked.column);
  }

  /** Byte order of the samples. */
  get byteOrder(): ByteOrder {
    return this.description.byteOrder;
  }

  /** The files: the header, then one of each shape. */
  get files(): readonly string[] {
    return tiledFiles(this.after.number, this.asked.shapes.length);
  }

  /** Bytes of the samples. */
  get bytes(): number {
    return this.asked.shapes.reduce((sum, shape) => sum + cubeBytes(shape), 0);
  }

  /**
   * Checks all that can be checked before anything is computed; writes nothing. Errors: `invalid` for names that casacore does not
   * accept, `unsupported` for tables and columns that cannot be changed, `permission` for files that are write-protected, `conflict`
   * for a table that another program has locked, `io` for a disk that is too full.
   */
  static async plan(asked: ColumnToWrite, signal?: AbortSignal): Promise<ColumnFiles> {
    const { folder, column } = asked;
    if (!NAME.test(column)) {
      const text =
        `Cannot write the column "${column}" of ${folder}: names of columns are letters, digits and _, and begin with a letter`;
      throw new TilewiseError("invalid", text, { option: "column", found: column });
    }
    const file = `${folder}/${DESCRIPTION}`;
    const before = await bytesOf(file, signal);
    const description = readPlainDescription(before, file);
    const rows = asked.runs.at(-1)?.stop ?? 0;
    const after = bound({ bytes: before, description, file: folder, column, rows });
    const planned = new ColumnFiles(asked, before, description, after);
    await mustBeWritable([folder, file, `${folder}/${LOCK}`], `the column ${column} of ${folder}`);
    await mustBeFree(folder, column);
    await mustHaveRoom(folder, planned.bytes, `the column ${column} of ${folder}`);
    return planned;
  }

  /** Makes the files, with zeros in all cells; what writes to each. */
  async create(): Promise<WriteAt[]> {
    const { folder, shapes } = this.asked;
    const [, ...cubes] = this.files;
    const writers: WriteAt[] = [];
    for (const [i, name] of cubes.entries()) {
      const part = await PartFile.at(`${folder}/${name}`);
      this.#parts.push(part);
      await part.create(new Uint8Array(0), cubeBytes(shapes[i]!));
      writers.push(await writerAt(part.part, part.path));
    }
    return writers;
  }

  /** Binds the column to the table. Errors: `conflict`, `changed` if another program uses or has changed the table meanwhile. */
  async finish(): Promise<void> {
    const { folder, column, shapes, runs } = this.asked;
    const { byteOrder, after: { number, name, bytes } } = this;
    const header = await this.#filled(this.files[0]!, tiledHeader({ number, name, byteOrder, shapes, runs }));
    const description = await this.#filled(DESCRIPTION, bytes);
    const cubes = this.#parts.slice(0, shapes.length);
    await mustBeFree(folder, column);
    const lock = takeLock(`${folder}/${LOCK}`);
    if (lock === "taken") throw inUse(folder, column);
    using _ = lock;
    await this.#mustBeUnchanged();
    await withCounts(folder, this.#change(), () => finishTogether([...cubes, header, description]));
    const { syncFolder } = await writeCalls();
    await syncFolder(folder).catch(() => {}); // not all systems can
    await removeOthers(folder, bytes);
  }

  #change(): Change {
    const { description: { columns, rows }, after: { dropped } } = this;
    return {
      columns: columns.length + Number(!this.isReplaced),
      isCounted: rows === (this.asked.runs.at(-1)?.stop ?? 0),
      ...defined({ dropped }),
    };
  }

  async #filled(name: string, content: Uint8Array): Promise<PartFile> {
    const part = await PartFile.at(`${this.asked.folder}/${name}`);
    this.#parts.push(part);
    await part.fill(content);
    return part;
  }

  async #mustBeUnchanged(): Promise<void> {
    const file = `${this.asked.folder}/${DESCRIPTION}`;
    const now = await bytesOf(file);
    if (now.length === this.before.length && now.every((byte, i) => byte === this.before[i])) return;
    const text =
      `Cannot write the column ${this.asked.column} of ${this.asked.folder}: another program has ` +
      "changed the table meanwhile; start again";
    throw new TilewiseError("changed", text, { file });
  }

  /** Removes what does not belong to the table. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const part of this.#parts) await part[Symbol.asyncDispose]();
  }
}

/** Refuses a table that another program has open: what it holds of the description would be wrong, and it may write that. */
async function mustBeFree(folder: string, column: string): Promise<void> {
  const holder = await lockedBy(`${folder}/${LOCK}`);
  if (holder !== undefined) throw inUse(folder, column, holder);
}

function inUse(folder: string, column: string, holder?: number): TilewiseError {
  const who = holder === undefined || holder < 0 ? "another program" : `process ${holder}`; // below 0: not told
  const text = `Cannot write the column ${column} of ${folder}: ${who} has the table open; close it there`;
  const found = defined({ found: holder });
  return new TilewiseError("conflict", text, { file: `${folder}/${LOCK}`, ...found });
}

/** Removes the files of storage managers that the table does not have, such as those of the column before. */
async function removeOthers(folder: string, description: Uint8Array): Promise<void> {
  const { listSiblings } = await import("../../../io/file/folder.ts");
  const file = `${folder}/${DESCRIPTION}`;
  const known = new Set(readPlainDescription(description, file).managers.map(({ number }) => number));
  const { remove } = await writeCalls();
  for (const { name, path } of listSiblings(file)) {
    const number = MANAGED.exec(name)?.[1];
    if (number !== undefined && !known.has(Number(number))) await remove(path).catch(() => {}); // the next run tries again
  }
}

async function bytesOf(file: string, signal?: AbortSignal): Promise<Uint8Array> {
  await using source = await openSource(file, defined({ signal }));
  return (await readWhole(source, signal)).slice();
}
