/**
 * The tables of a Measurement Set in a folder, and their columns by rows.
 *
 * @module
 */

import { defined } from "../options.ts";
import { TilewiseError } from "../errors.ts";
import type { Column } from "../formats/casacore/description.ts";
import { joined, type TableFiles } from "../formats/casacore/files.ts";
import { differs, layoutOf } from "../formats/casacore/stored.ts";
import { Table } from "../formats/casacore/table.ts";
import { dtypeOfType } from "../formats/casacore/record.ts";
import type { Section } from "../formats/casacore/views.ts";
import { pathBeside } from "../io/beside.ts";
import { openSource } from "../io/open.ts";
import type { ByteSource } from "../io/source/source.ts";
import {
  type ColumnOf,
  type ColumnPlace,
  type ColumnUse,
  DEFAULT_FRAMES,
  factorsOf,
  type Measure,
  type MeasureOf,
  MS_COLUMNS,
  type PlainOf,
  referenceOf,
  refused,
  type TableName,
  VISIBILITIES,
} from "./meaning/measurement_set.ts";
import { factorOf } from "./meaning/units.ts";
import { sameShape, type Shape } from "../space/shape.ts";
import { JoinedRows, multiplied, type RowPart } from "./rows/row_views.ts";
import { allNumbers, type RowArray, runRows, StoredRows } from "./rows/rows.ts";

/** The folder of a Measurement Set, from its path or that of its description. */
export function folderOf(path: string): string {
  return path.replace(/\/+$/, "").replace(/\/table\.dat$/, "");
}

/** Opened files of a folder, and of folders in it. */
export class Folder implements AsyncDisposable {
  readonly #opened = new Map<string, Promise<ByteSource>>();

  /** The folder `base`; `root`: tables that it names may lie below it, not only beside it. */
  constructor(
    readonly base: string,
    private readonly options: { readonly signal?: AbortSignal; readonly root?: string } = {},
  ) {}

  /** The table in the folder, or the one at a path below it. */
  table(path = ""): Promise<Table> {
    return Table.open(this.#files(path === "" ? this.#own : `${this.#own}/${path}`));
  }

  /** The name of the folder, and what is before it. */
  get #own(): string {
    return this.base.replace(/^.*[/\\]/, "");
  }
  get #holder(): string {
    return this.base.slice(0, this.base.length - this.#own.length);
  }

  /** The files of the table at a path from the folder that holds this one, or at an absolute one. */
  #files(place: string): TableFiles {
    return {
      name: place.startsWith("/") ? place : `${this.#holder}${place}`,
      signal: this.options.signal,
      open: (file) => this.#open(place, file),
      other: (path) => this.#files(joined(place, path)),
    };
  }

  #open(place: string, file: string): Promise<ByteSource> {
    const path = `${place}/${file}`, known = this.#opened.get(path);
    if (known) return known;
    const opened = this.#openInside(place, file);
    this.#opened.set(path, opened);
    return opened;
  }

  /** Opens a file of a table, which lies beside this one, below it, or below the root. */
  async #openInside(place: string, file: string): Promise<ByteSource> {
    const { signal } = this.options;
    const path = place === this.#own || place.startsWith(`${this.#own}/`)
      ? `${this.#holder}${place}/${file}`
      : await pathBeside(this.base, `${place}/${file}`, this.options.root);
    return await openSource(path, defined({ signal }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opened of this.#opened.values()) {
      await (await opened.catch(() => undefined))?.[Symbol.asyncDispose]();
    }
  }
}

/** A table of a Measurement Set. */
export interface MsTable<T extends TableName> {
  /** Its name. */
  readonly name: T;
  /** The table. */
  readonly table: Table;
  /** Its path. */
  readonly file: string;
}

/** A column of numbers without a frame, by rows, in our units. */
export async function rowsOf<T extends TableName>(
  of: MsTable<T>,
  name: PlainOf<T>,
  rows?: ArrayLike<number>,
): Promise<RowArray> {
  return await inUnits(of, name, useOf(of.name, name), rows);
}

/** All values of a column as numbers, in our units. */
export async function numbersOf<T extends TableName>(
  of: MsTable<T>,
  name: PlainOf<T>,
  rows?: ArrayLike<number>,
): Promise<Float64Array> {
  await using array = await rowsOf(of, name, rows);
  return await allNumbers(array);
}

/** A column of measures, by rows, in our units, and the frame of all of these rows. */
export async function measuresOf<T extends TableName>(
  of: MsTable<T>,
  name: MeasureOf<T>,
  rows?: ArrayLike<number>,
): Promise<{ array: RowArray; frame: string }> {
  const use = useOf(of.name, name);
  const frame = await frameOf(of, name, use.measure!, rows);
  return { array: await inUnits(of, name, use, rows), frame };
}

/** Visibilities by rows, and their unit, as far as it is not Jy. */
export async function visibilityRows(
  of: MsTable<"MAIN">,
  name: string,
  rows?: ArrayLike<number>,
): Promise<{ array: RowArray; unit?: string }> {
  const column = columnOf(of, name);
  const unit = [column.keywords["QuantumUnits"] ?? []].flat()[0];
  const isOther = typeof unit === "string" && unit !== "" && factorOf(unit, "Jy") === undefined;
  if (isOther) return { array: await storedRows(of, column, rows), unit };
  return { array: await inUnits(of, name, VISIBILITIES, rows) };
}

/** Whether a table has a column. */
export function hasColumn<T extends TableName>({ table }: MsTable<T>, name: ColumnOf<T>): boolean {
  return table.column(name) !== undefined;
}

function useOf(table: TableName, name: string): ColumnUse {
  return (MS_COLUMNS[table] as Readonly<Record<string, ColumnUse>>)[name]!;
}

async function inUnits<T extends TableName>(
  of: MsTable<T>,
  name: string,
  use: ColumnUse,
  rows?: ArrayLike<number>,
): Promise<RowArray> {
  const column = columnOf(of, name);
  return multiplied(await storedRows(of, column, rows), factorsOf({ file: of.file, column }, use));
}

/** A column of numbers as it is stored. */
export async function storedRows<T extends TableName>(
  { table, file }: MsTable<T>,
  column: Column,
  rows?: ArrayLike<number>,
): Promise<RowArray> {
  const parts: RowPart[] = [];
  let first: Shape | undefined, count = 0;
  for (const section of table.sections(column, rows)) {
    const array = await sectionRows(section), { shape: [own = 0, ...cell] } = array;
    if (own === 0 && first) continue;
    if (first && count > 0 && !sameShape(cell, first)) throw differs(column, count, cell, first, file);
    if (count === 0) parts.length = 0; // without rows so far
    first = cell;
    count += own;
    parts.push({ array, ...defined({ places: section.places }) });
  }
  return parts.length === 1 && !parts[0]!.places ? parts[0]!.array : new JoinedRows(parts);
}

/** The rows of a column that lie in one table. */
async function sectionRows({ part, column, rows }: Section): Promise<RowArray> {
  const runs = await part.runs(column), dtype = dtypeOfType(column.type);
  if (runs && dtype) return runRows(runs.starts, runs.values, dtype, part.rows, rows);
  const stored = await part.stored(column, rows);
  return new StoredRows(layoutOf(stored, stored.shape.length), stored.rows);
}

/** The frame of some rows of a column, which must be the same one. */
async function frameOf<T extends TableName>(
  of: MsTable<T>,
  name: string,
  measure: Measure,
  rows?: ArrayLike<number>,
): Promise<string> {
  const place = { file: of.file, column: columnOf(of, name) };
  const reference = referenceOf(place, measure);
  if ("frame" in reference) return reference.frame;
  const column = columnOf(of, reference.column);
  if (dtypeOfType(column.type) === undefined) {
    return await onlyFrame(place, await textsOf(of, reference.column, rows));
  }
  await using array = await storedRows(of, column, rows);
  const codes = new Set(await allNumbers(array));
  const names = [...codes].map((code) => {
    const found = reference.nameOf(code);
    if (found === undefined) {
      throw refused(place, `${reference.column} has the unknown frame ${code}`, String(code));
    }
    return found;
  });
  return onlyFrame(place, names, DEFAULT_FRAMES[measure]);
}

async function textsOf<T extends TableName>(
  { table }: MsTable<T>,
  name: string,
  rows: ArrayLike<number> | undefined,
): Promise<string[]> {
  const all = (await table.texts(name)).flat();
  return rows ? Array.from(rows, (row) => all[row]!) : all;
}

function onlyFrame(place: ColumnPlace, names: readonly string[], otherwise = ""): string {
  const [first = otherwise, ...others] = new Set(names);
  if (others.length === 0) return first;
  throw refused(place, `its rows have several frames: ${[first, ...others].join(", ")}`, others[0]);
}

function columnOf<T extends TableName>({ table, file }: MsTable<T>, name: string): Column {
  const column = table.column(name);
  if (column) return column;
  const known = table.columns.map((one) => one.name).join(", ");
  const text = `Cannot read ${file} as a Measurement Set: there is no column ${name}; it has ${known}`;
  throw new TilewiseError("malformed", text, { file, expected: name });
}
