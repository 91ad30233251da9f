/**
 * Measurement Sets: rows of the main table that have one field and one data description.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../errors.ts";
import { layoutOf } from "../formats/casacore/stored.ts";
import type { Column } from "../formats/casacore/description.ts";
import { Table } from "../formats/casacore/table.ts";
import { openSource } from "../io/open.ts";
import type { ByteSource } from "../io/source/source.ts";
import { casaCorrelation } from "./correlations.ts";
import type { Antenna, Field, Observation, ObservationOptions, RowSamples } from "./observation.ts";
import { allNumbers, type RowArray, sourceOf, StoredRows } from "./rows.ts";
import { byRows, type RowFacts } from "./row_facts.ts";

/** Opened files of a folder, and of folders in it. */
class Folder implements AsyncDisposable {
  readonly #opened = new Map<string, Promise<ByteSource>>();

  constructor(readonly base: string, private readonly signal: AbortSignal | undefined) {}

  /** The table at a path below the folder. */
  table(path = ""): Promise<Table> {
    const name = `${this.base}${path && `/${path}`}`;
    return Table.open({ name, signal: this.signal, open: (file) => this.#open(`${name}/${file}`) });
  }

  #open(path: string): Promise<ByteSource> {
    const known = this.#opened.get(path);
    if (known) return known;
    const opened = openSource(path, this.signal ? { signal: this.signal } : {});
    this.#opened.set(path, opened);
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opened of this.#opened.values()) {
      await (await opened.catch(() => undefined))?.[Symbol.asyncDispose]();
    }
  }
}

/** Opens the Measurement Set in the folder (or at the URL) `path`. */
export async function openMeasurementSet(path: string, options: ObservationOptions): Promise<Observation> {
  const base = path.replace(/\/+$/, "").replace(/\/table\.dat$/, "");
  await using folder = new Folder(base, options.signal);
  const main = await folder.table();
  const tables = new Tables(folder, main, base);
  const fields = await tables.fields();
  const selected = await select(tables, fields, options);
  const rows = await RowsOf.open(main, selected.rows, base);
  const window = await tables.window(selected.description);
  const facts: RowFacts = {
    format: "ms",
    source: base,
    antennas: await tables.antennas(),
    ...window,
    field: fields[selected.field]!,
    fields,
    rows: selected.rows?.length ?? main.rows,
    definedSign: "antenna2 - antenna1",
    warnings: selected.warnings,
    time: rows.column("TIME"),
    antenna1: rows.column("ANTENNA1"),
    antenna2: rows.column("ANTENNA2"),
    uvw: rows.column("UVW"),
    interval: rows.column("INTERVAL"),
    ...await samples(rows, options, base),
  };
  return await byRows(facts);
}

/** The columns of samples that there are. */
async function samples(
  rows: RowsOf,
  { column = "DATA" }: ObservationOptions,
  file: string,
): Promise<Pick<RowFacts, "visibility" | "flag" | "weight">> {
  const visibility = await rows.samples(column);
  if (!visibility && column !== "DATA") {
    const known = rows.main.columns.filter(({ type }) => type === 9 || type === 10).map(({ name }) => name);
    const text = `There is no column "${column}" of visibilities in ${file}; it has ${
      known.join(", ") || "none"
    }`;
    throw new TilewiseError("not-found", text, { file, option: "column", found: column });
  }
  const flag = await rows.samples("FLAG");
  const weight = await rows.samples("WEIGHT_SPECTRUM") ?? await rows.samples("WEIGHT");
  return { ...(visibility ? { visibility } : {}), ...(flag ? { flag } : {}), ...(weight ? { weight } : {}) };
}

/** Columns of the selected rows. */
class RowsOf {
  private constructor(
    readonly main: Table,
    private readonly file: string,
    private readonly rows: Uint32Array | undefined,
    private readonly known: ReadonlyMap<string, RowArray>,
  ) {}

  static async open(main: Table, rows: Uint32Array | undefined, file: string): Promise<RowsOf> {
    const names = ["TIME", "ANTENNA1", "ANTENNA2", "UVW", "INTERVAL"];
    const found = await Promise.all(
      names.map(async (name) => [name, await rowsOf(main, name, file, rows)] as const),
    );
    return new RowsOf(main, file, rows, new Map(found));
  }

  column(name: string): RowArray {
    return this.known.get(name)!;
  }

  /** A column of samples; `undefined` if there is none, or if it has no values. */
  async samples(name: string): Promise<RowSamples & { readonly array: RowArray } | undefined> {
    if (!this.main.column(name)) return undefined;
    try {
      const array = await rowsOf(this.main, name, this.file, this.rows);
      return { array, shape: array.shape, dtype: array.dtype, source: sourceOf(array) };
    } catch (error) {
      if (isTilewiseError(error, "unsupported") && /no (array|values)/.test(error.message)) return undefined;
      throw error;
    }
  }
}

/** A column of numbers, by rows. */
async function rowsOf(table: Table, name: string, file: string, rows?: ArrayLike<number>): Promise<RowArray> {
  const column = columnOf(table, name, file);
  const stored = await table.stored(column, rows);
  return new StoredRows(layoutOf(stored, stored.shape.length), stored.rows);
}

function columnOf(table: Table, name: string, file: string): Column {
  const column = table.column(name);
  if (column) return column;
  const known = table.columns.map((one) => one.name).join(", ");
  const text = `Cannot read ${file} as a Measurement Set: there is no column ${name}; it has ${known}`;
  throw new TilewiseError("malformed", text, { file, expected: name });
}

/** All values of a column as numbers. */
async function numbersOf(
  table: Table,
  name: string,
  file: string,
  rows?: ArrayLike<number>,
): Promise<Float64Array> {
  await using array = await rowsOf(table, name, file, rows);
  return await allNumbers(array);
}

/** The tables that belong to the main table. */
class Tables {
  constructor(private readonly folder: Folder, readonly main: Table, readonly file: string) {}

  async #table(name: string): Promise<{ table: Table; file: string }> {
    const path = this.main.subtables.get(name);
    if (path === undefined) {
      const text = `Cannot read ${this.file} as a Measurement Set: it has no table ${name}`;
      throw new TilewiseError("malformed", text, { file: this.file, expected: name });
    }
    return { table: await this.folder.table(path), file: `${this.file}/${path}` };
  }

  async antennas(): Promise<Antenna[]> {
    const { table, file } = await this.#table("ANTENNA");
    const names = await table.texts("NAME");
    const places = await numbersOf(table, "POSITION", file);
    return names.map((name, i) => ({
      name: String(name),
      position: [places[3 * i]!, places[3 * i + 1]!, places[3 * i + 2]!] as const,
    }));
  }

  /** The fields; of directions that change with time, that at their origin. */
  async fields(): Promise<Field[]> {
    const { table, file } = await this.#table("FIELD");
    const names = await table.texts("NAME");
    return await Promise.all(names.map(async (name, i) => {
      const [ra = NaN, dec = NaN] = await numbersOf(table, "PHASE_DIR", file, [i]);
      return { name: String(name), phaseCentre: [ra, dec] as const };
    }));
  }

  /** Data descriptions by the number of their spectral window. */
  async descriptions(): Promise<{ windows: Float64Array; polarizations: Float64Array }> {
    const { table, file } = await this.#table("DATA_DESCRIPTION");
    return {
      windows: await numbersOf(table, "SPECTRAL_WINDOW_ID", file),
      polarizations: await numbersOf(table, "POLARIZATION_ID", file),
    };
  }

  /** Channels and correlations of a data description. */
  async window(
    description: number,
  ): Promise<Pick<RowFacts, "frequencies" | "channelWidths" | "correlations">> {
    const { windows, polarizations } = await this.descriptions();
    const [spectral, polarization] = await Promise.all([
      this.#table("SPECTRAL_WINDOW"),
      this.#table("POLARIZATION"),
    ]);
    const row = (table: Table, number: number | undefined, name: string) => {
      if (number !== undefined && number >= 0 && number < table.rows) return [number];
      const text =
        `Cannot read ${this.file}: data description ${description} has row ${number} of ${name}, ` +
        `which has ${table.rows}`;
      throw new TilewiseError("malformed", text, {
        file: this.file,
        expected: table.rows,
        found: number ?? -1,
      });
    };
    const at = row(spectral.table, windows[description], "SPECTRAL_WINDOW");
    const types = await numbersOf(
      polarization.table,
      "CORR_TYPE",
      polarization.file,
      row(polarization.table, polarizations[description], "POLARIZATION"),
    );
    return {
      frequencies: await numbersOf(spectral.table, "CHAN_FREQ", spectral.file, at),
      channelWidths: await numbersOf(spectral.table, "CHAN_WIDTH", spectral.file, at),
      correlations: Array.from(types, (number) => casaCorrelation(number, this.file)),
    };
  }
}

interface Selected {
  readonly field: number;
  readonly description: number;
  /** The rows; absent: all. */
  readonly rows?: Uint32Array;
  readonly warnings: readonly string[];
}

/** The rows that the options mean, or those that are like the first one. */
async function select(
  tables: Tables,
  fields: readonly Field[],
  options: ObservationOptions,
): Promise<Selected> {
  const { main, file } = tables;
  const { windows } = await tables.descriptions();
  const of = await numbersOf(main, "FIELD_ID", file), by = await numbersOf(main, "DATA_DESC_ID", file);
  const field = fieldOf(options, fields, of[0] ?? 0, file);
  const fits = (number: number) =>
    (options.dataDescription === undefined || options.dataDescription === number) &&
    (options.spectralWindow === undefined || windows[number] === options.spectralWindow);
  const first = of.findIndex((own, row) => own === field && fits(by[row]!));
  if (first < 0 && main.rows > 0) throw noRows(options, fields[field]!, file);
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
  return { field, description, warnings, ...(rows.length < main.rows ? { rows } : {}) };
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
