/**
 * Tables that show rows of others: selections (RefTable) and tables one after another (ConcatTable). Rows are mapped on the way
 * down, to the tables that store them.
 *
 * @module
 */

import { cannot, TilewiseError } from "../../errors.ts";
import { sameShape } from "../../space/shape.ts";
import { AipsStorage } from "./aips_storage.ts";
import type { Column, Manager, ReferenceDescription, TableDescription } from "./description.ts";
import { DyscoStorage } from "./dysco.ts";
import type { TableFiles } from "./files.ts";
import { IncrementalStorage, type ValueRuns } from "./incremental.ts";
import type { KeywordRecord } from "./record.ts";
import { StandardStorage } from "./standard.ts";
import type { Stored } from "./stored.ts";
import { TiledStorage } from "./tiled.ts";

/** Rows of a column that lie in one table. */
export interface Section {
  /** The table. */
  readonly part: PlainRows;
  /** The column there. */
  readonly column: Column;
  /** Its rows, in the order in which they are shown; absent: all. */
  readonly rows?: ArrayLike<number>;
  /** Where each of them is shown; absent: behind those of the section before. */
  readonly places?: Uint32Array;
}

/** What tables have in common, whatever they store. */
export interface Viewed {
  /** Its name for messages. */
  readonly name: string;
  /** Number of rows. */
  readonly rows: number;
  /** Its keywords. */
  readonly keywords: KeywordRecord;
  /** Its columns, in the order of the description. */
  readonly columns: readonly Column[];
  /** The names of the tables that belong to it. */
  readonly subtables: ReadonlySet<string>;
  /** Where the rows of a column lie: all, or those that are wanted, in their order. */
  sections(column: Column, wanted?: ArrayLike<number>): readonly Section[];
}

/** How many rows a section has. */
export function rowsIn({ part, rows }: Section): number {
  return rows?.length ?? part.rows;
}

/** A table that shows chosen rows and columns of another one. */
export function selectionOf(name: string, description: ReferenceDescription, parent: Viewed): Viewed {
  const { recorded, rows, names } = description;
  if (parent.rows < recorded) {
    const text = `it shows rows of ${parent.name}, which had ${recorded} rows and has ${parent.rows}`;
    throw cannot("read", name, "malformed", text, { expected: recorded, found: parent.rows });
  }
  const beyond = rows.findIndex((row) => row >= parent.rows);
  if (beyond >= 0) {
    const text = `it shows row ${rows[beyond]} of ${parent.name}, which has ${parent.rows}`;
    throw cannot("read", name, "malformed", text, { expected: parent.rows, found: rows[beyond]! });
  }
  const isAll = rows.length === parent.rows && rows.every((row, i) => row === i);
  const own = new Map<Column, Column>();
  for (const [shown, there] of names) {
    const column = parent.columns.find((one) => one.name === there); // as for casacore, it may have gone
    if (column) own.set({ ...column, name: shown }, column);
  }
  return {
    name,
    rows: rows.length,
    keywords: parent.keywords,
    columns: [...own.keys()],
    subtables: parent.subtables,
    sections: (column, wanted) => {
      const below = isAll ? wanted : wanted ? Float64Array.from(wanted, (row) => rows[row]!) : rows;
      return parent.sections(own.get(column)!, below);
    },
  };
}

/** Tables with the same columns, one after another. */
export function concatenationOf(name: string, parts: readonly Viewed[]): Viewed {
  const first = parts[0]!;
  const columns = first.columns.map((column) => sharedBy(name, column, parts));
  for (const part of parts) {
    const more = part.columns.find((column) => !columns.some((one) => one.name === column.name));
    if (more) throw differs(name, more.name, part, first);
  }
  const starts = parts.reduce<number[]>((all, { rows }) => [...all, all.at(-1)! + rows], [0]);
  return {
    name,
    rows: starts.at(-1)!,
    keywords: first.keywords,
    columns,
    subtables: first.subtables,
    sections: (column, wanted) => {
      const own = (part: Viewed) => part.columns.find((one) => one.name === column.name)!;
      if (!wanted) return parts.flatMap((part) => part.sections(own(part)));
      return shared(wanted, starts).flatMap(({ part, rows, places }) =>
        placed(parts[part]!.sections(own(parts[part]!), rows), places)
      );
    },
  };
}

/** A column that all parts must have, of the same type; of one shape where all of them say so. */
function sharedBy(name: string, column: Column, parts: readonly Viewed[]): Column {
  const { shape, ...rest } = column;
  let isSame = shape !== undefined;
  for (const part of parts) {
    const own = part.columns.find((one) => one.name === column.name);
    if (!own || own.type !== column.type || own.isScalar !== column.isScalar) {
      throw differs(name, column.name, part, parts[0]!);
    }
    isSame &&= own.shape !== undefined && sameShape(own.shape, shape!);
  }
  return isSame ? column : rest;
}

function differs(name: string, column: string, part: Viewed, first: Viewed): TilewiseError {
  const text = "the tables that it shows one after another must have the same columns; " +
    `${column} of ${part.name} is not as in ${first.name}`;
  return cannot("read", name, "malformed", text, { column });
}

/** Rows of one of several tables, and where they are shown. */
interface Share {
  readonly part: number;
  readonly rows: Float64Array;
  readonly places: Uint32Array;
}

/** Which of the wanted rows lie in which part; part `i` begins with row `starts[i]`. */
function shared(wanted: ArrayLike<number>, starts: readonly number[]): Share[] {
  const counts = new Uint32Array(starts.length - 1), partOf = new Uint32Array(wanted.length);
  for (let i = 0, part = 0; i < wanted.length; i++) {
    const row = wanted[i]!;
    if (!(row >= starts[part]! && row < starts[part + 1]!)) {
      part = starts.findLastIndex((start) => start <= row);
    }
    counts[partOf[i] = part]!++;
  }
  const shares = Array.from(counts, (count, part) => {
    return { part, rows: new Float64Array(count), places: new Uint32Array(count), used: 0 };
  });
  for (let i = 0; i < wanted.length; i++) {
    const share = shares[partOf[i]!]!;
    share.rows[share.used] = wanted[i]! - starts[share.part]!;
    share.places[share.used++] = i;
  }
  return shares.filter(({ rows }) => rows.length > 0);
}

/** The sections of a part, whose rows are shown at `places`. */
function placed(sections: readonly Section[], places: Uint32Array): Section[] {
  let next = 0;
  return sections.map((section) => {
    const count = rowsIn(section), start = next;
    next += count;
    const own = section.places?.map((place) => places[place]!) ?? places.subarray(start, start + count);
    return { ...section, places: own };
  });
}

// The rows of a table with storage managers of its own.

/** What reads the columns of a storage manager. */
interface Storage {
  stored(column: Column, wanted?: ArrayLike<number>): Promise<Stored>;
  filled(column: Column, wanted?: ArrayLike<number>): Promise<Uint32Array | undefined>;
  texts?(column: Column, start: number, stop: number): Promise<(string | string[])[]>;
}

type OpenStorage = (files: TableFiles, manager: Manager, rows: PlainRows) => Promise<Storage>;

const openTiled: OpenStorage = (files, manager, { rows, description: { byteOrder, hidden } }) =>
  TiledStorage.open(files, manager, rows, byteOrder, hidden);

/** The storage managers that are read, by their types. */
export const STORAGES: Readonly<Record<string, OpenStorage>> = {
  StandardStMan: (files, manager, { rows, description: { byteOrder } }) =>
    StandardStorage.open(files, manager, rows, byteOrder),
  IncrementalStMan: (files, manager, { rows, description: { byteOrder } }) =>
    IncrementalStorage.open(files, manager, rows, byteOrder),
  DyscoStMan: (files, manager, rows) => DyscoStorage.open(files, manager, rows),
  StManAipsIO: (files, manager, { rows }) => AipsStorage.open(files, manager, rows),
  TiledColumnStMan: openTiled,
  TiledShapeStMan: openTiled,
  TiledCellStMan: openTiled,
};

/** The rows; nothing is open but the files that its files keep. */
export class PlainRows {
  readonly #storages = new Map<number, Promise<Storage>>();

  /** The table in `files`, which has so many rows. */
  constructor(
    private readonly files: TableFiles,
    readonly description: TableDescription,
    readonly rows: number,
  ) {}

  /** The column of that name; `undefined` if there is none. */
  column(name: string): Column | undefined {
    return this.description.columns.find((column) => column.name === name);
  }

  /** The type of the storage manager of a column. */
  managerOf(column: Column): string {
    return this.#manager(column).type;
  }

  /** Where the numbers of a column lie: of all rows, or of those that are wanted, in their order. */
  async stored(column: Column, wanted?: ArrayLike<number>): Promise<Stored> {
    return await (await this.#storage(column)).stored(column, wanted);
  }

  /**
   * Which rows have a value in a column: their places among those that are wanted, or among all. `undefined` if all of them
   * have one.
   */
  async filled(column: Column, wanted?: ArrayLike<number>): Promise<Uint32Array | undefined> {
    return await (await this.#storage(column)).filled(column, wanted);
  }

  /** The values of a column of single numbers with the first row of each, where they are stored in this way. */
  async runs(column: Column): Promise<ValueRuns | undefined> {
    const storage = await this.#storage(column);
    return storage instanceof IncrementalStorage ? await storage.runs(column) : undefined;
  }

  /** The texts of a column, from row `start` to before `stop`: a list per row where cells are arrays. */
  async texts(column: Column, start: number, stop: number): Promise<(string | string[])[]> {
    const storage = await this.#storage(column);
    if (!storage.texts) throw notRead(this.#manager(column), column, this.files.name);
    return await storage.texts(column, start, stop);
  }

  #manager(column: Column): Manager {
    return this.description.managers.find(({ number }) => number === column.manager)!;
  }

  #storage(column: Column): Promise<Storage> {
    const { number } = this.#manager(column);
    const known = this.#storages.get(number);
    if (known) return known;
    const opened = this.#open(this.#manager(column), column);
    this.#storages.set(number, opened);
    opened.catch(() => this.#storages.delete(number));
    return opened;
  }

  async #open(manager: Manager, column: Column): Promise<Storage> {
    const open = STORAGES[manager.type];
    if (!open) throw notRead(manager, column, this.files.name);
    return await open(this.files, manager, this);
  }
}

function notRead({ type }: Manager, { name }: Column, file: string): TilewiseError {
  const text =
    `Cannot read the column ${name} of ${file}: its storage manager ${type} is not read; copy the ` +
    "table with StandardStMan or a tiled storage manager";
  return new TilewiseError("unsupported", text, { file, found: type });
}
