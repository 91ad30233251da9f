/**
 * Measurement Sets: rows of the main table that have one field and one data description.
 *
 * @module
 */

import { defined } from "../options.ts";
import { isTilewiseError, TilewiseError } from "../errors.ts";
import type { Column } from "../formats/casacore/description.ts";
import { dtypeOfType } from "../formats/casacore/record.ts";
import type { Shape } from "../space/shape.ts";
import { CLOCKS, toUtc } from "./meaning/units.ts";
import { brightnessFor } from "./meaning/correlations.ts";
import { POLARIZATION_KEYWORD } from "./meaning/measurement_set.ts";
import {
  Folder,
  folderOf,
  hasColumn,
  measuresOf,
  type MsTable,
  numbersOf,
  rowsOf,
  visibilityRows,
} from "./ms_columns.ts";
import { select, Tables } from "./ms_tables.ts";
import type { Observation, ObservationOptions, StoredColumn } from "./observation.ts";
import { byRows, held, type RowFacts } from "./row_facts.ts";
import { flaggedRows, holedRows, mappedRows } from "./rows/row_views.ts";
import { type RowArray, rowArray } from "./rows/rows.ts";

// The samples of a Measurement Set: visibilities, flags and weights. A cell without a value is one cell: its row is flagged.

/** Channels and correlations of the rows. */
type Window = Pick<RowFacts, "frequencies" | "correlations">;

/** What there is, and what the user should know of it. */
type Samples = Pick<RowFacts, "visibility" | "flag" | "weight" | "warnings">;

/** A column of samples. */
interface SampleColumn {
  readonly array: RowArray;
  /** Rows without a value, ascending. */
  readonly empty: Uint32Array;
}

/** The samples of the selected rows. Errors: `not-found` for a column of visibilities that there is not. */
async function samplesOf(
  main: MsTable<"MAIN">,
  rows: Uint32Array | undefined,
  window: Window,
  { column = "DATA" }: ObservationOptions,
): Promise<Samples> {
  const warnings: string[] = [];
  const cells = [
    rows?.length ?? main.table.rows,
    window.frequencies.length,
    window.correlations.length,
  ] as const;
  const of = async (name: string, fill: number, open: (own?: ArrayLike<number>) => Promise<RowArray>) => {
    const shape = name === "WEIGHT" ? [cells[0], cells[2]] : cells;
    const found = await columnOf(main, name, rows, { shape, fill }, open);
    if (found && found.empty.length > 0) warnings.push(emptyCells(name, found.empty, rows));
    return found;
  };
  let unit: string | undefined;
  const visibility = await of(column, NaN, async (own) => {
    const found = await visibilityRows(main, column, own);
    unit = found.unit;
    return found.array;
  });
  if (!visibility && column !== "DATA") throw noColumn(main, column);
  const flag = await of("FLAG", 1, (own) => rowsOf(main, "FLAG", own));
  const weight = await of("WEIGHT_SPECTRUM", 0, (own) => rowsOf(main, "WEIGHT_SPECTRUM", own)) ??
    await of("WEIGHT", 0, (own) => rowsOf(main, "WEIGHT", own));
  const flags = await flagsOf(main, rows, window, flag?.array, [visibility, flag, weight]);
  return {
    ...defined({
      visibility: visibility && held(visibility.array, unit),
      flag: flags && held(flags),
      weight: weight && held(weight.array),
    }),
    warnings,
  };
}

/**
 * A column; `undefined` if there is none, or if none of its cells has a value. One that cannot be read is refused when it is
 * read, as predictions need no samples.
 */
async function columnOf(
  main: MsTable<"MAIN">,
  name: string,
  rows: Uint32Array | undefined,
  { shape, fill }: CellShape,
  open: (own?: ArrayLike<number>) => Promise<RowArray>,
): Promise<SampleColumn | undefined> {
  const column = main.table.column(name);
  if (!column) return undefined;
  try {
    return await readableColumn(main, column, rows, fill, open);
  } catch (error) {
    if (!isTilewiseError(error, "unsupported")) throw error;
    const dtype = dtypeOfType(column.type) ?? "uint8";
    const read = () => Promise.reject(error);
    return { array: rowArray({ shape, dtype, read }), empty: new Uint32Array(0) };
  }
}

/** What the cells of a column have, and what stands where there is no value. */
interface CellShape {
  /** Rows, and the shape of a cell. */
  readonly shape: Shape;
  readonly fill: number;
}

async function readableColumn(
  { table }: MsTable<"MAIN">,
  column: Column,
  rows: Uint32Array | undefined,
  fill: number,
  open: (own?: ArrayLike<number>) => Promise<RowArray>,
): Promise<SampleColumn | undefined> {
  const count = rows?.length ?? table.rows;
  const filled = await table.filled(column, rows);
  if (!filled) return { array: await open(rows), empty: new Uint32Array(0) };
  if (filled.length === 0) return undefined;
  const array = await open(rows ? filled.map((place) => rows[place]!) : filled);
  const empty = new Uint32Array(count - filled.length);
  for (let row = 0, next = 0, at = 0; row < count; row++) {
    if (filled[next] === row) next++;
    else empty[at++] = row;
  }
  return { array: holedRows(array, filled, count, fill), empty };
}

/** Flags of samples, of rows, and of rows that miss a value; `undefined` if there is nothing of it. */
async function flagsOf(
  main: MsTable<"MAIN">,
  rows: Uint32Array | undefined,
  { frequencies, correlations }: Window,
  samples: RowArray | undefined,
  columns: readonly (SampleColumn | undefined)[],
): Promise<RowArray | undefined> {
  const count = rows?.length ?? main.table.rows;
  const whole = hasColumn(main, "FLAG_ROW") ? await rowsOf(main, "FLAG_ROW", rows) : undefined;
  const empty = new Set<number>();
  for (const column of columns) for (const row of column?.empty ?? []) empty.add(row);
  if (!whole && empty.size === 0) return samples;
  const shape = samples?.shape ?? [count, frequencies.length, correlations.length];
  return flaggedRows(shape, samples, whole, Uint32Array.from(empty).sort());
}

function emptyCells(name: string, empty: Uint32Array, rows: Uint32Array | undefined): string {
  const first = rows ? rows[empty[0]!]! : empty[0]!;
  const where = empty.length === 1 ? `Row ${first} has` : `${empty.length} rows, from row ${first} on, have`;
  return `${where} no value in the column ${name}; ${
    empty.length === 1 ? "it counts" : "they count"
  } as flagged`;
}

function noColumn({ table, file }: MsTable<"MAIN">, column: string): TilewiseError {
  const known = table.columns.filter(({ type }) => type === 9 || type === 10).map(({ name }) => name);
  const text = `There is no column "${column}" of visibilities in ${file}; it has ${
    known.join(", ") || "none"
  }`;
  return new TilewiseError("not-found", text, { file, option: "column", found: column });
}

/** Opens the Measurement Set in the folder (or at the URL) `path`. */
export async function openMeasurementSet(path: string, options: ObservationOptions): Promise<Observation> {
  const base = folderOf(path);
  await using folder = new Folder(base, options);
  const tables = new Tables(await folder.table(), base);
  const { main } = tables;
  const fields = await tables.fields();
  const { rows, ...selected } = await select(tables, fields, options);
  const time = await timesOf(main, rows);
  const uvw = await measuresOf(main, "UVW", rows);
  const { frame, ...window } = await tables.window(selected.description);
  const { warnings, ...samples } = await samplesOf(main, rows, window, options);
  return await byRows({
    format: "ms",
    source: base,
    antennas: await tables.antennas(selected.description),
    ...window,
    field: fields[selected.field]!,
    fields,
    columns: main.table.columns.map((column) => storedColumn(main, column)),
    rows: rows?.length ?? main.table.rows,
    definedSign: "antenna2 - antenna1",
    ...brightnessFor(wordOf(main), base),
    uvwFrame: uvw.frame,
    scales: { time: time.scale, frequency: frame },
    warnings: [...selected.warnings, ...warnings, ...await otherFeeds(tables, rows)],
    time: time.array,
    antenna1: await rowsOf(main, "ANTENNA1", rows),
    antenna2: await rowsOf(main, "ANTENNA2", rows),
    uvw: uvw.array,
    interval: await rowsOf(main, "INTERVAL", rows),
    ...samples,
  });
}

/** What pyuvdata writes of the sum of XX and YY. */
function wordOf({ table: { keywords } }: MsTable<"MAIN">): string | undefined {
  const word = keywords[POLARIZATION_KEYWORD];
  return word === undefined ? undefined : String(word);
}

function storedColumn({ table }: MsTable<"MAIN">, column: Column): StoredColumn {
  const { name, type, shape } = column, dtype = dtypeOfType(type);
  return {
    name,
    ...defined({ dtype, shape }),
    manager: table.managersOf(column).join(", "),
  };
}

/** The times of rows in UTC, and the scale in which they are stored. */
async function timesOf(
  main: MsTable<"MAIN">,
  rows?: Uint32Array,
): Promise<{ array: RowArray; scale: string }> {
  const { array, frame } = await measuresOf(main, "TIME", rows);
  const convert = toUtc(frame);
  if (!convert) {
    const text = `Cannot read the column TIME of ${main.file}: its scale is ${frame}; ${
      CLOCKS.join(", ")
    } are read`;
    throw new TilewiseError("unsupported", text, { file: main.file, column: "TIME", found: frame });
  }
  return { array: frame === "UTC" ? array : mappedRows(array, convert), scale: frame };
}

/** A warning of rows that are of other feeds than the first ones, whose angles are known. */
async function otherFeeds(tables: Tables, rows?: Uint32Array): Promise<string[]> {
  if (!await tables.hasSeveralFeeds()) return [];
  for (const name of ["FEED1", "FEED2"] as const) {
    const feeds = hasColumn(tables.main, name) ? await numbersOf(tables.main, name, rows) : [];
    if (feeds.some((feed) => feed > 0)) {
      return ["Some rows are of other feeds; angles of receptors are those of the first feed"];
    }
  }
  return [];
}
