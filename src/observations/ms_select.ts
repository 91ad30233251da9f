/**
 * Which rows of a Measurement Set are the observation: those of one field and one data description.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { numbersOf } from "./ms_columns.ts";
import type { Tables } from "./ms_tables.ts";
import type { Field, ObservationOptions } from "./observation.ts";

/** What was selected. */
export interface Selected {
  /** Number of the field. */
  readonly field: number;
  /** Number of the data description. */
  readonly description: number;
  /** The rows; absent: all. */
  readonly rows?: Uint32Array;
  /** What was left out. */
  readonly warnings: readonly string[];
}

/** The rows that the options mean, or those that are like the first one. */
export async function select(
  tables: Tables,
  fields: readonly Field[],
  options: ObservationOptions,
): Promise<Selected> {
  const { main, file } = tables;
  const { windows } = await tables.descriptions();
  const of = await numbersOf(main, "FIELD_ID"), by = await numbersOf(main, "DATA_DESC_ID");
  const field = fieldOf(options, fields, of[0] ?? 0, file);
  const fits = fitting(options, windows);
  const first = of.findIndex((own, row) => own === field && fits(by[row]!));
  if (first < 0 && main.table.rows > 0) throw noRows(options, fields[field]!, file);
  const description = by[first] ?? options.dataDescription ?? 0;
  const rows = Uint32Array.from(
    { length: of.reduce((count, own, row) => count + Number(own === field && by[row] === description), 0) },
  );
  let at = 0;
  of.forEach((own, row) => {
    if (own === field && by[row] === description) rows[at++] = row;
  });
  if (!(field in fields)) {
    const text = `Cannot read ${file}: its rows have field ${field}, there are ${fields.length}`;
    throw new TilewiseError("malformed", text, { file, expected: fields.length - 1, found: field });
  }
  const warnings = [
    ...left("field", options.field, new Set(of), field),
    ...left("data description", options.dataDescription ?? options.spectralWindow, new Set(by), description),
  ];
  return { field, description, warnings, ...(rows.length < main.table.rows ? { rows } : {}) };
}

/** Rows of one field and one data description. */
export interface MsPart {
  /** Number of the field. */
  readonly field: number;
  /** Number of the data description. */
  readonly description: number;
  /** The rows, ascending. */
  readonly rows: Uint32Array;
}

/** All rows that the options mean, by field and data description; without options all rows. */
export async function partsOf(
  tables: Tables,
  fields: readonly Field[],
  options: ObservationOptions,
): Promise<MsPart[]> {
  const { main, file } = tables;
  const { windows } = await tables.descriptions();
  const of = await numbersOf(main, "FIELD_ID"), by = await numbersOf(main, "DATA_DESC_ID");
  const field = options.field === undefined ? undefined : fieldOf(options, fields, of[0] ?? 0, file);
  const fits = fitting(options, windows);
  const found = new Map<string, { field: number; description: number; rows: number[] }>();
  of.forEach((own, row) => {
    const description = by[row]!;
    if ((field !== undefined && own !== field) || !fits(description)) return;
    const key = `${own} ${description}`;
    const part = found.get(key) ?? { field: own, description, rows: [] };
    part.rows.push(row);
    found.set(key, part);
  });
  if (found.size === 0 && of.length > 0) throw noRows(options, fields[field ?? of[0]!]!, file);
  return [...found.values()].map(({ rows, ...part }) => ({ ...part, rows: Uint32Array.from(rows) }));
}

/** Whether the options mean a data description. */
function fitting(
  { dataDescription, spectralWindow }: ObservationOptions,
  windows: ArrayLike<number>,
): (number: number) => boolean {
  return (number) =>
    (dataDescription === undefined || dataDescription === number) &&
    (spectralWindow === undefined || windows[number] === spectralWindow);
}

function fieldOf(
  { field }: ObservationOptions,
  fields: readonly Field[],
  first: number,
  file: string,
): number {
  if (field === undefined) return first;
  const number = typeof field === "number" ? field : fields.findIndex(({ name }) => name === field);
  if (number >= 0 && number < fields.length) return number;
  const known = fields.map(({ name }, i) => `${i} "${name}"`).join(", ");
  const text = `There is no field ${
    typeof field === "number" ? field : `"${field}"`
  } in ${file}; it has ${known}`;
  throw new TilewiseError("not-found", text, { file, option: "field", found: field });
}

function noRows(
  { dataDescription, spectralWindow }: ObservationOptions,
  { name }: Field,
  file: string,
): TilewiseError {
  const asked = [
    ...(dataDescription === undefined ? [] : [`data description ${dataDescription}`]),
    ...(spectralWindow === undefined ? [] : [`spectral window ${spectralWindow}`]),
  ];
  const text = `There are no rows of field "${name}"${
    asked.length > 0 ? ` with ${asked.join(" and ")}` : ""
  } in ${file}`;
  return new TilewiseError("not-found", text, {
    file,
    option: asked.length > 0 ? "dataDescription" : "field",
  });
}

/** A warning where others were left out without being asked. */
function left(what: string, asked: unknown, all: ReadonlySet<number>, taken: number): string[] {
  if (asked !== undefined || all.size <= 1) return [];
  const others = [...all].filter((one) => one !== taken).toSorted((a, b) => a - b).join(", ");
  return [`Took ${what} ${taken}, that of the first row; others are ${others}`];
}
