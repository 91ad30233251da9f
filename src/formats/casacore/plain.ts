/**
 * The rows of a table with storage managers of its own.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { AipsStorage } from "./aips_storage.ts";
import type { Column, Manager, TableDescription } from "./description.ts";
import { DyscoStorage } from "./dysco.ts";
import type { TableFiles } from "./files.ts";
import { IncrementalStorage, type ValueRuns } from "./incremental.ts";
import { StandardStorage } from "./standard.ts";
import type { Stored } from "./stored.ts";
import { TiledStorage } from "./tiled.ts";

/** What reads the columns of a storage manager. */
interface Storage {
  stored(column: Column, wanted?: ArrayLike<number>): Promise<Stored>;
  filled(column: Column, wanted?: ArrayLike<number>): Promise<Uint32Array | undefined>;
  texts?(column: Column, start: number, stop: number): Promise<(string | string[])[]>;
}

type OpenStorage = (files: TableFiles, manager: Manager, rows: PlainRows) => Promise<Storage>;

const openTiled: OpenStorage = (files, manager, { rows, description: { byteOrder, hidden } }) =>
  TiledStorage.open(files, manager, rows, byteOrder, hidden);

/** The storage managers, by their types. */
const STORAGES: Readonly<Record<string, OpenStorage>> = {
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

/** The types of the storage managers that are read. */
export const MANAGERS: readonly string[] = Object.keys(STORAGES);

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
