/**
 * A table: its columns by name, from whichever storage manager has them, and the tables that belong to it.
 *
 * @module
 */

import { DESCRIPTION } from "./format.ts";
import { TilewiseError } from "../../errors.ts";
import { AipsStorage } from "./aips_storage.ts";
import { type Column, type Manager, readDescription, type TableDescription } from "./description.ts";
import { DyscoStorage } from "./dysco.ts";
import { readWhole, type TableFiles } from "./files.ts";
import { IncrementalStorage, type ValueRuns } from "./incremental.ts";
import { rowsInLock } from "./lock.ts";
import { isText, StandardStorage } from "./standard.ts";
import type { Stored } from "./stored.ts";
import { TiledStorage } from "./tiled.ts";
import type { KeywordRecord, RecordValue, TableReference } from "./record.ts";

/** What reads the columns of a storage manager. */
interface Storage {
  stored(column: Column, wanted?: ArrayLike<number>): Promise<Stored>;
  filled(column: Column, wanted?: ArrayLike<number>): Promise<Uint32Array | undefined>;
  texts?(column: Column, start: number, stop: number): Promise<(string | string[])[]>;
}

type OpenStorage = (files: TableFiles, manager: Manager, table: Table) => Promise<Storage>;

const openTiled: OpenStorage = (files, manager, { rows, byteOrder, hidden }) =>
  TiledStorage.open(files, manager, rows, byteOrder, hidden);

/** The storage managers, by their types. */
const STORAGES: Readonly<Record<string, OpenStorage>> = {
  StandardStMan: (files, manager, { rows, byteOrder }) =>
    StandardStorage.open(files, manager, rows, byteOrder),
  IncrementalStMan: (files, manager, { rows, byteOrder }) =>
    IncrementalStorage.open(files, manager, rows, byteOrder),
  DyscoStMan: (files, manager, table) => DyscoStorage.open(files, manager, table),
  StManAipsIO: (files, manager, { rows }) => AipsStorage.open(files, manager, rows),
  TiledColumnStMan: openTiled,
  TiledShapeStMan: openTiled,
  TiledCellStMan: openTiled,
};

/** The types of the storage managers that are read. */
export const MANAGERS: readonly string[] = Object.keys(STORAGES);

/** An opened table; nothing is open but the files that its files keep. */
export class Table implements TableDescription {
  readonly rows: number;
  readonly byteOrder: TableDescription["byteOrder"];
  readonly keywords: KeywordRecord;
  readonly hidden: KeywordRecord;
  readonly columns: readonly Column[];
  readonly managers: readonly Manager[];
  readonly places: TableDescription["places"];
  readonly #storages = new Map<number, Promise<Storage>>();

  private constructor(private readonly files: TableFiles, description: TableDescription) {
    this.rows = description.rows;
    this.byteOrder = description.byteOrder;
    this.keywords = description.keywords;
    this.hidden = description.hidden;
    this.columns = description.columns;
    this.managers = description.managers;
    this.places = description.places;
  }

  /** Reads the description of the table in `files`. */
  static async open(files: TableFiles): Promise<Table> {
    const source = await files.open(DESCRIPTION);
    const description = readDescription(await readWhole(source, files.signal), source.name);
    const rows = await rowsInLock(files);
    return new Table(files, { ...description, ...(rows === undefined ? {} : { rows }) });
  }

  /** Names of the tables that its keywords refer to in its own folder, and their paths there. */
  get subtables(): ReadonlyMap<string, string> {
    const found = Object.entries(this.keywords).flatMap(([name, value]) => {
      const path = isReference(value) ? /^\.\/\.\/([^/].*)$/.exec(value.table)?.[1] : undefined;
      return path === undefined ? [] : [[name, path] as const];
    });
    return new Map(found);
  }

  /** The column of that name; `undefined` if there is none. */
  column(name: string): Column | undefined {
    return this.columns.find((column) => column.name === name);
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
  async texts(name: string, start = 0, stop: number = this.rows): Promise<(string | string[])[]> {
    const column = this.column(name);
    if (!column || !isText(column)) {
      const text = `There is no column "${name}" of texts in ${this.files.name}`;
      throw new TilewiseError("not-found", text, { file: this.files.name, found: name });
    }
    const storage = await this.#storage(column);
    if (!storage.texts) throw notRead(this.#manager(column), column, this.files.name);
    return await storage.texts(column, start, stop);
  }

  #manager(column: Column): Manager {
    return this.managers.find(({ number }) => number === column.manager)!;
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

function isReference(value: RecordValue): value is TableReference {
  return typeof value === "object" && "table" in value && typeof value.table === "string";
}

function notRead({ type }: Manager, { name }: Column, file: string): TilewiseError {
  const text =
    `Cannot read the column ${name} of ${file}: its storage manager ${type} is not read; copy the ` +
    "table with StandardStMan or a tiled storage manager";
  return new TilewiseError("unsupported", text, { file, found: type });
}
