/**
 * The tables of a Measurement Set in a folder, and their columns by rows.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { Column } from "../formats/casacore/description.ts";
import { layoutOf } from "../formats/casacore/stored.ts";
import { Table } from "../formats/casacore/table.ts";
import { dtypeOfType } from "../formats/casacore/types.ts";
import { openSource } from "../io/open.ts";
import type { ByteSource } from "../io/source/source.ts";
import { allNumbers, type RowArray, RunRows, StoredRows } from "./rows.ts";

/** Opened files of a folder, and of folders in it. */
export class Folder implements AsyncDisposable {
  readonly #opened = new Map<string, Promise<ByteSource>>();

  constructor(readonly base: string, private readonly signal: AbortSignal | undefined) {}

  /** The table at a path below the folder. */
  table(path = ""): Promise<Table> {
    const name = `${this.base}${path && `/${path}`}`;
    return Table.open({ name, signal: this.signal, open: (file) => this.#open(`${name}/${file}`) });
  }

  #open(path: string): Promise<ByteSource> {
    const known = this.#opened.get(path);
    if (known) return known;
    const opened = openSource(path, this.signal ? { signal: this.signal } : {});
    this.#opened.set(path, opened);
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opened of this.#opened.values()) {
      await (await opened.catch(() => undefined))?.[Symbol.asyncDispose]();
    }
  }
}

/** A column of numbers, by rows. */
export async function rowsOf(
  table: Table,
  name: string,
  file: string,
  rows?: ArrayLike<number>,
): Promise<RowArray> {
  const column = columnOf(table, name, file);
  const runs = await table.runs(column);
  const dtype = dtypeOfType(column.type);
  if (runs && dtype) return new RunRows(runs.starts, runs.values, dtype, table.rows, rows);
  const stored = await table.stored(column, rows);
  return new StoredRows(layoutOf(stored, stored.shape.length), stored.rows);
}

function columnOf(table: Table, name: string, file: string): Column {
  const column = table.column(name);
  if (column) return column;
  const known = table.columns.map((one) => one.name).join(", ");
  const text = `Cannot read ${file} as a Measurement Set: there is no column ${name}; it has ${known}`;
  throw new TilewiseError("malformed", text, { file, expected: name });
}

/** All values of a column as numbers. */
export async function numbersOf(
  table: Table,
  name: string,
  file: string,
  rows?: ArrayLike<number>,
): Promise<Float64Array> {
  await using array = await rowsOf(table, name, file, rows);
  return await allNumbers(array);
}
