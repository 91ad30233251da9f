/**
 * A table: its columns by name, whichever tables and storage managers have them, and the tables that belong to it.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { cannot, isTilewiseError, TilewiseError } from "../../errors.ts";
import { type Column, type Description, readDescription } from "./description.ts";
import { pathTo, readWhole, rowsInLock, type TableFiles } from "./files.ts";
import { DESCRIPTION } from "./format.ts";
import { concatenationOf, PlainRows, rowsIn, type Section, selectionOf, type Viewed } from "./views.ts";
import type { KeywordRecord, RecordValue, TableReference } from "./record.ts";
import { isText } from "./standard.ts";
import type { StoredSection } from "./stored.ts";

/** Tables that show rows of tables that show rows, and so on. */
const MOST_LEVELS = 16;
/** Rows of which texts are read at a time, where rows are picked. */
const TEXT_ROWS = 2 ** 16;

/** Opens a table that belongs to another one. */
type OpenSubtable = (name: string) => Promise<Table>;

/** An opened table; nothing is open but the files that its files keep. */
export class Table {
  readonly rows: number;
  readonly keywords: KeywordRecord;
  readonly columns: readonly Column[];
  /** Names of the tables that its keywords refer to. */
  readonly subtables: ReadonlySet<string>;

  private constructor(private readonly view: Viewed, private readonly openSubtable: OpenSubtable) {
    this.rows = view.rows;
    this.keywords = view.keywords;
    this.columns = view.columns;
    this.subtables = view.subtables;
  }

  /** Reads the description of the table in `files`, and of the tables that it shows. */
  static async open(files: TableFiles): Promise<Table> {
    return await Table.#open(files, 0);
  }

  static async #open(files: TableFiles, level: number): Promise<Table> {
    const source = await files.open(DESCRIPTION);
    const description = readDescription(await readWhole(source, files.signal), source.name);
    if (level > MOST_LEVELS) {
      const text = `tables show rows of each other, more than ${MOST_LEVELS} deep`;
      throw cannot("read", files.name, "malformed", text);
    }
    return await Table.#described(files, description, level);
  }

  static async #described(files: TableFiles, description: Description, level: number): Promise<Table> {
    const { name } = files;
    switch (description.kind) {
      case "PlainTable": {
        const part = new PlainRows(files, description, await rowsInLock(files) ?? description.rows);
        const paths = pathsOf(description.keywords, ownName(files));
        return new Table(
          plainView(name, part, paths),
          async (subtable) => await Table.#open(otherFiles(files, subtable, paths.get(subtable)!), 0),
        );
      }
      case "RefTable": {
        const parent = await Table.#shown(files, description.parent, level);
        return new Table(selectionOf(name, description, parent.view), parent.openSubtable);
      }
      case "ConcatTable": {
        const parts: Table[] = [];
        for (const part of description.parts) parts.push(await Table.#shown(files, part, level));
        return Table.#joined(name, parts, new Set(description.subtables));
      }
    }
  }

  /** Tables one after another, and with them some of the tables that belong to them. */
  static #joined(name: string, parts: readonly Table[], shared: ReadonlySet<string>): Table {
    return new Table(concatenationOf(name, parts.map(({ view }) => view)), async (subtable) => {
      if (!shared.has(subtable)) return await parts[0]!.subtable(subtable);
      const own: Table[] = [];
      for (const part of parts) own.push(await part.subtable(subtable));
      return Table.#joined(`${name}/${subtable}`, own, new Set());
    });
  }

  /** A table of which `files` shows rows. */
  static async #shown(files: TableFiles, written: string, level: number): Promise<Table> {
    const own = ownName(files), path = pathTo(written, own);
    if (path === undefined || !files.other) throw nowhere(files.name, written);
    const other = files.other(path);
    try {
      await other.open(DESCRIPTION);
    } catch (error) {
      if (!isTilewiseError(error, "not-found")) throw error;
      throw missing(files.name, other.name, written, error);
    }
    return await Table.#open(other, level + 1);
  }

  /** The table of that name that belongs to this one. */
  async subtable(name: string): Promise<Table> {
    if (this.subtables.has(name)) return await this.openSubtable(name);
    throw cannot("read", this.view.name, "not-found", `no table ${name} belongs to it`, { expected: name });
  }

  /** The column of that name; `undefined` if there is none. */
  column(name: string): Column | undefined {
    return this.columns.find((column) => column.name === name);
  }

  /** The types of the storage managers that have a column. */
  managersOf(column: Column): string[] {
    return [...new Set(this.sections(column).map(({ part, column }) => part.managerOf(column)))];
  }

  /** Where the rows of a column lie: all, or those that are wanted, in their order. */
  sections(column: Column, wanted?: ArrayLike<number>): readonly Section[] {
    return this.view.sections(column, wanted);
  }

  /** Where the numbers of a column lie, section by section. */
  async stored(column: Column, wanted?: ArrayLike<number>): Promise<StoredSection[]> {
    const found: StoredSection[] = [];
    for (const { part, column: own, rows, places } of this.sections(column, wanted)) {
      found.push({ stored: await part.stored(own, rows), ...defined({ places }) });
    }
    return found;
  }

  /**
   * Which rows have a value in a column: their places among those that are wanted, or among all. `undefined` if all of them
   * have one.
   */
  async filled(column: Column, wanted?: ArrayLike<number>): Promise<Uint32Array | undefined> {
    const found: number[][] = [];
    let start = 0, isWhole = true;
    for (const section of this.sections(column, wanted)) {
      const count = rowsIn(section), filled = await section.part.filled(section.column, section.rows);
      const own = filled ?? Uint32Array.from({ length: count }, (_, i) => i);
      if (filled) isWhole = false;
      const { places } = section, first = start;
      found.push(Array.from(own, (place) => places ? places[place]! : first + place));
      start += count;
    }
    return isWhole ? undefined : Uint32Array.from(found.flat()).sort();
  }

  /** The texts of a column, from row `start` to before `stop`: a list per row where cells are arrays. */
  async texts(name: string, start = 0, stop: number = this.rows): Promise<(string | string[])[]> {
    const column = this.column(name);
    if (!column || !isText(column)) {
      const text = `There is no column "${name}" of texts in ${this.view.name}`;
      throw new TilewiseError("not-found", text, { file: this.view.name, found: name });
    }
    const isAll = start === 0 && stop === this.rows;
    const wanted = Array.from({ length: isAll ? 0 : stop - start }, (_, i) => start + i);
    const found: (string | string[])[] = [];
    for (const section of this.sections(column, isAll ? undefined : wanted)) {
      const texts = await textsIn(section), first = found.length;
      texts.forEach((text, i) => found[section.places ? section.places[i]! : first + i] = text);
    }
    return found;
  }
}

function plainView(name: string, part: PlainRows, paths: ReadonlyMap<string, string>): Viewed {
  const { keywords, columns } = part.description;
  return {
    name,
    rows: part.rows,
    keywords,
    columns,
    subtables: new Set(paths.keys()),
    sections: (column, rows) => [{ part, column, ...defined({ rows }) }],
  };
}

/** The texts of a section; where its rows are picked, those of a range of rows are read at a time. */
async function textsIn({ part, column, rows }: Section): Promise<(string | string[])[]> {
  if (!rows) return await part.texts(column, 0, part.rows);
  const places = Uint32Array.from({ length: rows.length }, (_, i) => i).sort((a, b) => rows[a]! - rows[b]!);
  const found = new Array<string | string[]>(rows.length);
  for (let next = 0; next < places.length;) {
    const first = rows[places[next]!]!;
    let end = next;
    while (end < places.length && rows[places[end]!]! < first + TEXT_ROWS) end++;
    const last = rows[places[end - 1]!]!, texts = await part.texts(column, first, last + 1);
    for (; next < end; next++) found[places[next]!] = texts[rows[places[next]!]! - first]!;
  }
  return found;
}

/** The name of the folder of a table. */
function ownName({ name }: TableFiles): string {
  return name.replace(/[/\\]+$/, "").replace(/^.*[/\\]/, "");
}

/** The paths of the tables that keywords refer to. */
function pathsOf(keywords: KeywordRecord, own: string): Map<string, string> {
  const found = Object.entries(keywords).flatMap(([name, value]) => {
    const path = isReference(value) ? pathTo(value.table, own) : undefined;
    return path === undefined ? [] : [[name, path] as const];
  });
  return new Map(found);
}

function isReference(value: RecordValue): value is TableReference {
  return typeof value === "object" && "table" in value && typeof value.table === "string";
}

function otherFiles(files: TableFiles, name: string, path: string): TableFiles {
  if (files.other) return files.other(path);
  throw nowhere(files.name, `${name}, ${path}`);
}

function nowhere(file: string, path: string): TilewiseError {
  const text = `it names the table ${path}, whose folder is not known; open tables by their paths`;
  return cannot("read", file, "unsupported", text, { found: path });
}

function missing(file: string, other: string, written: string, cause: TilewiseError): TilewiseError {
  const text = `it shows rows of the table ${other} (written as ${written}), which does not exist; ` +
    "put that table there, or copy the rows with their values (deep=True, AS PLAIN)";
  return cannot("read", file, "not-found", text, { found: other }, { cause });
}
