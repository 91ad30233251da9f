/**
 * The tables of AIPS beside the groups; readers can ask only for columns and cards that are in `UVFITS_READ`.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { CardValue } from "../../sinks/fits/head.ts";
import { FitsTable } from "../../formats/fits/table.ts";
import type { Unit } from "../../formats/fits/units.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { uvfitsFactor, type UvfitsName, type UvfitsPlace } from "../meaning/uvfits.ts";
import type { Unit as MeantUnit } from "../meaning/units.ts";

/** Names of tables. */
export type AipsName = Extract<UvfitsPlace, `AIPS ${string}`>;

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
