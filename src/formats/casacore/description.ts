/**
 * `table.dat`: the columns of a table, its keywords, and which storage manager has which columns.
 *
 * ```
 * "Table"  rows · byte order₃₂ (0: big) · kind: text
 *          "TableDesc"  name, version, comment · keywords · private keywords · count₃₂ · columns
 *          column       1₃₂ class · 1₃₂ name, comment, manager, group · type₃₂ options₃₂ dimensions₃₂ [shape] most₃₂
 *                       keywords · 1₃₂ default | variable
 *          −2₃₂ rows · next number₃₂ · count₃₂ · (type of manager: text, number₃₂) · columns again: where each is stored
 *          for each manager: length₃₂, bytes that it reads itself
 * ```
 * A table that shows rows of others has, behind its kind:
 *
 * ```
 * "RefTable"     table: text · names of columns · their order · rows of it₃₂ · ascending₈ · count₃₂ · rows₃₂ (version 3: ₆₄)
 * "ConcatTable"  count₃₂ · tables: texts · "Block" of the names of tables that belong to them
 * ```
 * Source: files that casacore wrote, and the comments of its code.
 *
 * @module
 */

import type { ByteOrder } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import { cannot } from "../../errors.ts";
import { AipsIo } from "./aips_io.ts";
import { type KeywordRecord, readRecord, readScalar, TYPE } from "./record.ts";

/** Bits of the options of a column. */
const DIRECT = 1, FIXED = 4;

/** A column. */
export interface Column {
  /** Its name. */
  readonly name: string;
  /** What it says of itself. */
  readonly comment: string;
  /** Type of its values. */
  readonly type: number;
  /** Whether its cells are single values. */
  readonly isScalar: boolean;
  /** Whether arrays lie directly between the scalars of the storage manager. */
  readonly isDirect: boolean;
  /** The shape of all cells, the slowest dimension first; absent: each has a shape of its own. */
  readonly shape?: Shape;
  /** Most letters of a text; 0: any number. */
  readonly mostLetters: number;
  /** Its keywords. */
  readonly keywords: KeywordRecord;
  /** Where its keywords lie in the file. */
  readonly keywordSpan: Span;
  /** Number of its storage manager. */
  readonly manager: number;
}

/** Bytes of a file, from `start` to before `stop`. */
export interface Span {
  readonly start: number;
  readonly stop: number;
}

/** Where the parts of `table.dat` lie, for those who change it. */
interface DescriptionPlaces {
  /** The numbers of rows. */
  readonly rows: readonly Span[];
  /** The object with the columns. */
  readonly described: Span;
  /** Each column in it, one after another up to its end; their number is before them. */
  readonly columns: readonly Span[];
  /** The next number of a storage manager; the number of those that there are is behind it. */
  readonly next: Span;
  /** Type and number of each storage manager. */
  readonly kinds: readonly Span[];
  /** Where each column is stored. */
  readonly stored: readonly Span[];
  /** What each storage manager reads itself, with its length. */
  readonly data: readonly Span[];
  /** Whether columns are described and stored in one order, as they are since 1996. */
  readonly isInOrder: boolean;
}

/** A storage manager. */
export interface Manager {
  /** Its type, such as `StandardStMan`. */
  readonly type: string;
  /** Its number, which is in the names of its files. */
  readonly number: number;
  /** Its columns, in its own order. */
  readonly columns: readonly Column[];
  /** What the table keeps for it. */
  readonly data: AipsIo;
}

/** What `table.dat` says of a table with storage managers. */
export interface TableDescription {
  /** Says which kind of table this is. */
  readonly kind: "PlainTable";
  /** Number of rows. */
  readonly rows: number;
  /** Byte order of its storage managers. */
  readonly byteOrder: ByteOrder;
  /** Its keywords. */
  readonly keywords: KeywordRecord;
  /** Keywords that casacore keeps for itself: columns that lie together in hypercubes. */
  readonly hidden: KeywordRecord;
  /** Its columns, in the order of the description. */
  readonly columns: readonly Column[];
  /** Its storage managers. */
  readonly managers: readonly Manager[];
  /** Where all of this lies. */
  readonly places: DescriptionPlaces;
}

/** What `table.dat` says of a table that shows rows of another one. */
export interface ReferenceDescription {
  /** Says which kind of table this is. */
  readonly kind: "RefTable";
  /** The other table, as it is written. */
  readonly parent: string;
  /** The names of its columns, in their order, and those that they have in the other table. */
  readonly names: ReadonlyMap<string, string>;
  /** How many rows the other table had. */
  readonly recorded: number;
  /** Its rows there. */
  readonly rows: Uint32Array | Float64Array;
}

/** What `table.dat` says of tables one after another. */
interface ConcatDescription {
  /** Says which kind of table this is. */
  readonly kind: "ConcatTable";
  /** The tables, as they are written. */
  readonly parts: readonly string[];
  /** Names of the tables that belong to them and lie one after another as well. */
  readonly subtables: readonly string[];
}

/** What `table.dat` says. */
export type Description = TableDescription | ReferenceDescription | ConcatDescription;

/** The kinds of tables that are read. */
export const KINDS: readonly Description["kind"][] = ["PlainTable", "RefTable", "ConcatTable"];

type Described = Omit<Column, "manager">;

/** Reads something, and says where it lay. */
function spanned<T>(io: AipsIo, read: () => T): { readonly value: T; readonly span: Span } {
  const start = io.at, value = read();
  return { value, span: { start, stop: io.at } };
}

/** Most rows: the number must be exact, and rows are counted by bytes of tiles, too. */
const MOST_ROWS = 2 ** 48;

/** The description of a table. */
export function readDescription(bytes: Uint8Array, file: string): Description {
  const io = new AipsIo(bytes, file);
  return io.object("Table", 3, (version) => {
    const at = io.at;
    const { value: rows, span: rowsSpan } = spanned(io, () => io.count(version >= 3));
    if (rows > MOST_ROWS) {
      throw io.error("malformed", `it has ${rows} rows; 0 to 2^48 make sense`, at, MOST_ROWS, rows);
    }
    const order = io.u32();
    if (order > 1) throw io.error("malformed", `the byte order is ${order}; 0 or 1 make sense`, io.at - 4);
    const kind = io.text();
    if (kind === "RefTable") return readReference(io, rows);
    if (kind === "ConcatTable") return readConcat(io);
    if (kind !== "PlainTable") throw unknownKind(io, kind);
    const { value: { keywords, hidden, columns, spans }, span: described } = spanned(
      io,
      () => readColumns(io),
    );
    const own = version === 1 ? readRecord(io) : {};
    const byteOrder = order === 0 ? "big" : "little";
    const { places, ...managers } = readManagers(io, columns);
    return {
      kind,
      rows,
      byteOrder,
      keywords: { ...keywords, ...own },
      hidden,
      ...managers,
      places: { ...places, rows: [rowsSpan, ...places.rows], described, columns: spans },
    };
  });
}

/** The description of a table with storage managers; `unsupported` for one that shows rows of others. */
export function readPlainDescription(bytes: Uint8Array, file: string): TableDescription {
  const description = readDescription(bytes, file);
  if (description.kind === "PlainTable") return description;
  const shown = description.kind === "RefTable" ? [description.parent] : description.parts;
  const text = `it is a ${description.kind}, which shows rows of ${shown.join(", ")}; change those`;
  throw cannot("change", file, "unsupported", text, { expected: "PlainTable", found: description.kind });
}

function unknownKind(io: AipsIo, kind: string): Error {
  const text = `it is a table of the unknown kind "${kind}"; ${KINDS.join(", ")} are read`;
  return io.error("unsupported", text, io.at, KINDS.join(), kind);
}

/** A table, the names of columns, which rows. */
function readReference(io: AipsIo, count: number): ReferenceDescription {
  return io.object("RefTable", 3, (version) => {
    const parent = io.text(), map = readNames(io);
    const order = version > 1 ? io.texts() : [...map.keys()];
    const recorded = io.count(version > 2);
    io.bool(); // whether rows ascend
    const at = io.at, found = io.count(version > 2);
    if (found !== count) {
      throw io.error("malformed", `it lists ${found} rows, it has ${count}`, at, count, found);
    }
    const names = new Map(order.map((name) => [name, map.get(name) ?? name]));
    return { kind: "RefTable", parent, names, recorded, rows: io.rows(count, version > 2) };
  });
}

function readConcat(io: AipsIo): ConcatDescription {
  return io.object("ConcatTable", 0, () => {
    const at = io.at, parts = Array.from({ length: io.many(4) }, () => io.text());
    if (parts.length === 0) throw io.error("malformed", "it shows no table", at);
    const subtables = io.object("Block", 1, () => Array.from({ length: io.many(4) }, () => io.text()));
    return { kind: "ConcatTable", parts, subtables };
  }, 0);
}

/** Names of columns, each with another one. */
function readNames(io: AipsIo): Map<string, string> {
  return io.object("SimpleOrderedMap", 1, () => {
    io.text(); // what others are
    const count = io.many(8);
    io.u32();
    return new Map(Array.from({ length: count }, () => [io.text(), io.text()]));
  });
}

function readColumns(
  io: AipsIo,
): { keywords: KeywordRecord; hidden: KeywordRecord; columns: Described[]; spans: Span[] } {
  return io.object("TableDesc", 2, (version) => {
    for (let i = 0; i < 3; i++) io.text(); // name, version, comment
    const keywords = readRecord(io);
    const hidden = version > 1 ? readRecord(io) : {};
    const found = Array.from({ length: io.many(64) }, () => spanned(io, () => readColumn(io)));
    const columns = found.map(({ value }) => value);
    const twice = columns.find(({ name }, i) => columns.findIndex((one) => one.name === name) !== i);
    if (twice) throw io.error("malformed", `two columns are called ${twice.name}`);
    return { keywords, hidden, columns, spans: found.map(({ span }) => span) };
  });
}

function readColumn(io: AipsIo): Described {
  mustBeFirst(io, "the version of a column");
  const kind = io.text();
  mustBeFirst(io, "the version of the description of a column");
  const [name, comment] = [io.text(), io.text()];
  io.text();
  io.text(); // the manager that was wished for
  const type = io.i32(), options = io.i32(), dims = io.i32();
  const isScalar = /^Scalar/.test(kind);
  const shape = isScalar ? [] : io.shape();
  const mostLetters = io.u32();
  const { value: keywords, span: keywordSpan } = spanned(io, () => readRecord(io));
  mustBeFirst(io, `the version of the default of ${name}`);
  if (!isScalar) io.bool();
  else if (type !== TYPE.record) readScalar(io, type, `the column ${name}`);
  const isFixed = !isScalar && (options & (FIXED | DIRECT)) !== 0 && shape.length > 0;
  if (shape.some((n) => n < 0) || (isFixed && dims > 0 && dims !== shape.length)) {
    throw io.error("malformed", `the cells of ${name} have the shape ${shape.join(" × ")}`);
  }
  return {
    name,
    comment,
    type,
    isScalar,
    isDirect: (options & DIRECT) !== 0,
    ...(isScalar ? { shape: [] } : isFixed ? { shape } : {}),
    mostLetters,
    keywords,
    keywordSpan,
  };
}

/** Reads a version, which must be 1. */
function mustBeFirst(io: AipsIo, what: string): void {
  const found = io.u32();
  if (found !== 1) throw io.error("unsupported", `${what} is ${found}; 1 can be read`, io.at - 4, 1, found);
}

function readManagers(
  io: AipsIo,
  described: readonly Described[],
): Pick<TableDescription, "columns" | "managers"> & {
  places: Omit<DescriptionPlaces, "described" | "columns">;
} {
  const first = io.i32();
  const version = first < 0 ? -first : 1;
  if (version > 3) {
    throw io.error("unsupported", `version ${version} of the columns is unknown`, io.at - 4, 3);
  }
  const rows = first < 0 ? [spanned(io, () => io.count(version >= 3)).span] : [];
  if (version >= 3) {
    const option = io.i32();
    io.i32();
    if (option === 1 || option === 2) {
      throw io.error(
        "unsupported",
        "its storage managers are in one file (MultiFile); write them separately",
      );
    }
  }
  const { span: next } = spanned(io, () => io.u32());
  const kinds = Array.from(
    { length: io.many(8) },
    () => spanned(io, () => ({ type: io.text(), number: io.u32() })),
  );
  const ordered = version === 1 ? described.toSorted((a, b) => a.name < b.name ? -1 : 1) : described;
  const stored = ordered.map((column) => spanned(io, () => placed(io, column)));
  const columns = stored.map(({ value }) => value);
  const found = kinds.map(({ value: { type, number } }) =>
    spanned(io, () => {
      const length = io.u32();
      const offset = io.at;
      const data = new AipsIo(io.raw(length), io.file, "big", offset);
      return { type, number, data, columns: columns.filter(({ manager }) => manager === number) };
    })
  );
  const managers = found.map(({ value }) => value);
  const stray = columns.find(({ manager }) => !managers.some(({ number }) => number === manager));
  if (stray) {
    throw io.error(
      "malformed",
      `the column ${stray.name} names storage manager ${stray.manager}, which the table does not define`,
    );
  }
  const spans = (all: readonly { readonly span: Span }[]) => all.map(({ span }) => span);
  const places = { rows, next, kinds: spans(kinds), stored: spans(stored), data: spans(found) };
  return { columns, managers, places: { ...places, isInOrder: version > 1 } };
}

/** A column with its storage manager, and with its shape if that was set when the table was made. */
function placed(io: AipsIo, column: Described): Column {
  const version = io.u32();
  const name = io.text();
  if (version > 2) throw io.error("unsupported", `version ${version} of the column ${name} is unknown`);
  mustBeFirst(io, `the version of the storage of ${name}`);
  const manager = io.u32();
  if (column.isScalar || !io.bool()) return { ...column, manager };
  return { ...column, manager, shape: io.shape() };
}
