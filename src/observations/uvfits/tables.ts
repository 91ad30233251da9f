/**
 * The tables of AIPS beside the groups; readers can ask only for columns and cards that are in `UVFITS_READ`.
 *
 * @module
 */

import { cannot, TilewiseError } from "../../errors.ts";
import type { Cards, Unit } from "../../formats/fits/cards.ts";
import { type ByteSource, readBytes } from "../../io/source/source.ts";
import { READ_NUMBER, type ReadNumber } from "../../memory/sample_reader.ts";
import type { CardValue } from "../../sinks/fits/head.ts";
import type { Unit as MeantUnit } from "../meaning/units.ts";
import { uvfitsFactor, type UvfitsName, type UvfitsPlace } from "../meaning/uvfits.ts";

// Binary tables of FITS, read as a whole: those beside the samples are small.
//
// Source: FITS standard 4.0, section 7.3.

/** Most bytes of a table. */
const MOST_BYTES = 2 ** 26;

/** Bytes of a value by the letter of its type. */
const SIZES: Readonly<Record<string, number>> = { L: 1, B: 1, I: 2, J: 4, K: 8, A: 1, E: 4, D: 8 };

/** A column of a table. */
interface FitsColumn {
  /** Its name. */
  readonly name: string;
  /** Letter of its type. */
  readonly type: string;
  /** Values per row. */
  readonly count: number;
  /** Its first byte in a row. */
  readonly offset: number;
  /** Its unit; empty: none is said. */
  readonly unit: string;
  /** By what stored numbers are multiplied. */
  readonly scale: number;
  /** What is added to them. */
  readonly zero: number;
}

/** A binary table in memory. */
class FitsTable {
  readonly #columns = new Map<string, FitsColumn>();
  readonly #view: DataView;

  private constructor(
    /** Its header. */
    readonly cards: Cards,
    /** Its name. */
    readonly name: string,
    bytes: Uint8Array<ArrayBuffer>,
    /** Number of rows. */
    readonly rows: number,
    private readonly pitch: number,
  ) {
    this.#view = new DataView(bytes.buffer);
    for (const column of columnsOf(cards)) this.#columns.set(column.name.toUpperCase(), column);
  }

  /** Reads a table. Errors: `unsupported` for large ones, `truncated`, `malformed`. */
  static async read(source: ByteSource, unit: Unit, signal?: AbortSignal): Promise<FitsTable> {
    const { cards, shape: [rows = 0, pitch = 0] } = unit;
    const name = cards.text("EXTNAME").trim();
    if (rows * pitch > MOST_BYTES) {
      const text = `the table ${name} has ${rows * pitch} bytes, up to ${MOST_BYTES} are read`;
      throw cannot("read", source.name, "unsupported", text, { expected: MOST_BYTES, found: rows * pitch });
    }
    const table = new FitsTable(
      cards,
      name,
      await readBytes(source, unit.start, rows * pitch, signal),
      rows,
      pitch,
    );
    for (const { name: column, type, count, offset } of table.#columns.values()) {
      const end = offset + count * (SIZES[type] ?? 0);
      if (end > pitch) throw cards.error("NAXIS1", `at least ${end} bytes, for the column ${column}`);
    }
    return table;
  }

  /** The column of the first of some names; `undefined` if there is none. Case does not matter. */
  column(...names: readonly string[]): FitsColumn | undefined {
    const found = names.find((name) => this.#columns.has(name));
    return found === undefined ? undefined : this.#columns.get(found);
  }

  /** The numbers of a row. Errors: `unsupported` for columns that hold none. */
  numbers(column: FitsColumn, row: number): number[] {
    const { type, count, offset, scale, zero } = column;
    const size = SIZES[type] ?? 0, read = READ[type];
    if (!read) throw this.#refused(column);
    const start = row * this.pitch + offset;
    return Array.from({ length: count }, (_, i) => read(this.#view, start + i * size) * scale + zero);
  }

  /** The text of a row, without what pads it. Errors: `unsupported` for columns that hold none. */
  text(column: FitsColumn, row: number): string {
    if (column.type !== "A") throw this.#refused(column);
    const bytes = new Uint8Array(this.#view.buffer, row * this.pitch + column.offset, column.count);
    return new TextDecoder("latin1").decode(bytes).replace(/\0[^]*$/, "").trim();
  }

  #refused({ name, type }: FitsColumn): TilewiseError {
    const { file } = this.cards;
    const text = `Cannot read the column ${name} of the table ${this.name} in ${file}: its type is ${type}`;
    return new TilewiseError("unsupported", text, { file, column: name, found: type });
  }
}

/** How numbers are read by the letter of their type. */
const READ: Readonly<Record<string, ReadNumber>> = {
  B: READ_NUMBER.uint8,
  I: READ_NUMBER.int16,
  J: READ_NUMBER.int32,
  K: READ_NUMBER.int64,
  E: READ_NUMBER.float32,
  D: READ_NUMBER.float64,
};

/** Bytes of a value of types that are only passed over: complex numbers, and descriptors of variable lists. */
const PASSED: Readonly<Record<string, number>> = { C: 8, M: 16, P: 8, Q: 16 };

function* columnsOf(cards: Cards): Generator<FitsColumn> {
  const fields = cards.count("TFIELDS", 0, 999);
  let offset = 0;
  for (let i = 1; i <= fields; i++) {
    const form = /^\s*(\d*)([A-Z])/.exec(cards.text(`TFORM${i}`));
    if (!form) throw cards.error(`TFORM${i}`, "a number and a letter, as in 3D");
    const [, times, type = ""] = form, count = times === "" ? 1 : Number(times);
    yield {
      name: cards.text(`TTYPE${i}`).trim(),
      type,
      count,
      offset,
      unit: cards.text(`TUNIT${i}`).trim(),
      scale: cards.number(`TSCAL${i}`, 1),
      zero: cards.number(`TZERO${i}`, 0),
    };
    offset += type === "X" ? Math.ceil(count / 8) : count * (SIZES[type] ?? PASSED[type] ?? 0);
  }
}

/** Names of tables. */
type AipsName = Extract<UvfitsPlace, `AIPS ${string}`>;

/** Other spellings of columns. */
const SPELLED: Readonly<Record<string, readonly string[]>> = { "ID. NO.": ["ID. NO.", "ID_NO.", "ID_NO"] };

/** A table of AIPS. */
export class AipsTable<T extends AipsName> {
  constructor(private readonly table: FitsTable) {}

  /** Number of rows. */
  get rows(): number {
    return this.table.rows;
  }

  /** The value of a card. */
  card(name: UvfitsName<T>): CardValue | undefined {
    return this.table.cards.values.get(name);
  }

  /** The number on a card. */
  number(name: UvfitsName<T>, otherwise: number): number {
    return this.table.cards.number(name, otherwise);
  }

  /** The text on a card, without what pads it. */
  text(name: UvfitsName<T>): string {
    return this.table.cards.text(name).trim();
  }

  /** Whether there is a column. */
  has(name: UvfitsName<T>): boolean {
    return this.#column(name) !== undefined;
  }

  /**
   * The numbers of a row in our unit; nothing if there is no such column. Where it says no unit, it is `usual`. Errors:
   * `unsupported` for other units.
   */
  numbers(name: UvfitsName<T>, row: number, unit?: MeantUnit, usual: string = unit ?? ""): number[] {
    const column = this.#column(name);
    if (!column) return [];
    const numbers = this.table.numbers(column, row);
    if (unit === undefined) return numbers;
    const factor = uvfitsFactor(column.unit || usual, unit);
    if (factor !== undefined) return numbers.map((value) => value * factor);
    const { cards: { file }, name: table } = this.table;
    const text =
      `Cannot read the column ${name} of the table ${table} in ${file}: its unit is "${column.unit}", not ${unit}`;
    throw new TilewiseError("unsupported", text, { file, column: name, expected: unit, found: column.unit });
  }

  /** The text of a row; empty if there is no such column. */
  textAt(name: UvfitsName<T>, row: number): string {
    const column = this.#column(name);
    return column ? this.table.text(column, row) : "";
  }

  #column(name: string) {
    return this.table.column(...SPELLED[name] ?? [name]);
  }
}

/** The tables of a name, in the order of the file. */
export async function tablesOf<T extends AipsName>(
  source: ByteSource,
  units: readonly Unit[],
  name: T,
  signal?: AbortSignal,
): Promise<AipsTable<T>[]> {
  const own = units.filter(({ cards }) => cards.text("EXTNAME").trim().toUpperCase() === name);
  return await Promise.all(
    own.map(async (unit) => new AipsTable<T>(await FitsTable.read(source, unit, signal))),
  );
}
