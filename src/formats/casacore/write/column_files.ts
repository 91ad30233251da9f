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

import { TilewiseError } from "../../../errors.ts";
import { lockedBy, takeLock } from "../../../io/file/locks.ts";
import { openSource } from "../../../io/open.ts";
import { writeCalls } from "../../../io/write/calls.ts";
import { PartFile, type WriteAt, writerAt } from "../../../io/write/part_file.ts";
import { mustHaveRoom } from "../../../io/write/space.ts";
import { finishTogether } from "../../../io/write/together.ts";
import { mustBeWritable } from "../../../io/write/writable.ts";
import type { ByteOrder } from "../../../space/dtype.ts";
import { readPlainDescription, type TableDescription } from "../description.ts";
import { readWhole } from "../files.ts";
import { DESCRIPTION } from "../format.ts";
import { LOCK } from "../lock.ts";
import { type Bound, bound } from "./bound_column.ts";
import { type Change, withCounts } from "./counts.ts";
import { cubeBytes, type RowRun, type ShapedRows, tiledFiles, tiledHeader } from "./tiled_shape.ts";

/** A column that will be written. */
export interface ColumnToWrite {
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
      ...(dropped === undefined ? {} : { dropped }),
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
  const found = holder === undefined ? {} : { found: holder };
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
  await using source = await openSource(file, signal ? { signal } : {});
  return (await readWhole(source, signal)).slice();
}
