/**
 * The tables in `tests/data/casacore`, which casacore wrote, and what casacore reads from them.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";

/** What a column holds. */
export interface ExpectedColumn {
  readonly dtype?: string;
  readonly shape?: readonly number[];
  readonly sha256?: string;
  readonly texts?: readonly (string | string[])[];
  readonly shapes?: "differ";
  /** Rows that were written, and the digest of them. */
  readonly written?: number;
  readonly digest?: string;
}

const FOLDER = new URL("../../data/casacore/", import.meta.url);

/** Columns by the names of their tables. */
export const EXPECTED: Readonly<Record<string, Readonly<Record<string, ExpectedColumn>>>> = JSON.parse(
  Deno.readTextFileSync(new URL("expected.json", FOLDER)),
);

/** The path of a table. */
export function pathOf(table: string): string {
  return fromFileUrl(new URL(table, FOLDER));
}

/** The files of a table, `table.dat` first. */
export function filesOf(table: string): File[] {
  const names = [...Deno.readDirSync(pathOf(table))].filter(({ isFile }) => isFile).map(({ name }) => name);
  const order = ["table.dat", ...names.filter((name) => name !== "table.dat").toSorted()];
  return order.map((name) => new File([Deno.readFileSync(`${pathOf(table)}/${name}`)], name));
}
