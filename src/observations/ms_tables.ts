/**
 * What the tables of a Measurement Set say beside its rows: antennas, fields, channels, correlations.
 *
 * @module
 */

import { defined } from "../options.ts";
import { cannot, TilewiseError } from "../errors.ts";
import type { Table } from "../formats/casacore/table.ts";
import { fieldOf, type FoundField } from "./fields.ts";
import { casaCorrelation } from "./meaning/correlations.ts";
import { placeOnEarth } from "./meaning/frames.ts";
import { fieldNumber } from "./meaning/shown.ts";
import type { TableName } from "./meaning/measurement_set.ts";
import { hasColumn, measuresOf, type MsTable, numbersOf } from "./ms_columns.ts";
import type { Antenna, Field, ObservationOptions, Receptor } from "./observation.ts";
import type { RowFacts } from "./row_facts.ts";
import { allNumbers } from "./rows/rows.ts";

/** WGS 84 positions nearer to the centre of the Earth are longitude, latitude and height, as casacore has them. */
const GROUND = 6e6;

/** The tables that belong to the main table. */
export class Tables {
  /** The main table. */
  readonly main: MsTable<"MAIN">;

  constructor(table: Table, readonly file: string) {
    this.main = { name: "MAIN", table, file };
  }

  async #table<T extends TableName>(name: T): Promise<MsTable<T>> {
    if (!this.main.table.subtables.has(name)) {
      const text = `Cannot read ${this.file} as a Measurement Set: it has no table ${name}`;
      throw new TilewiseError("malformed", text, { file: this.file, expected: name });
    }
    return { name, table: await this.main.table.subtable(name), file: `${this.file}/${name}` };
  }

  /** The antennas, with their receptors in the spectral window of a data description. */
  async antennas(description: number): Promise<Antenna[]> {
    const antennas = await this.#table("ANTENNA");
    const names = await antennas.table.texts("NAME");
    const places = await positionsOf(antennas);
    const mounts = hasColumn(antennas, "MOUNT") ? await antennas.table.texts("MOUNT") : [];
    const feeds = await this.#feeds((await this.descriptions()).windows[description] ?? -1);
    return names.map((name, i) => {
      const receptors = feeds.get(i);
      const mount = String(mounts[i] ?? "");
      return {
        name: String(name),
        position: places[i]!,
        ...(mount === "" ? {} : { mount }),
        ...defined({ receptors }),
      };
    });
  }

  /** The receptors of each antenna in a spectral window: those of its first feed, at its first time. */
  async #feeds(window: number): Promise<Map<number, Receptor[]>> {
    const found = new Map<number, Receptor[]>();
    if (!this.main.table.subtables.has("FEED")) return found;
    const feeds = await this.#table("FEED");
    const antennas = await numbersOf(feeds, "ANTENNA_ID"),
      windows = await numbersOf(feeds, "SPECTRAL_WINDOW_ID");
    for (let row = 0; row < feeds.table.rows; row++) {
      const fits = windows[row] === window || windows[row] === -1; // -1: of all windows
      if (!fits || found.has(antennas[row]!)) continue;
      const [types] = await feeds.table.texts("POLARIZATION_TYPE", row, row + 1);
      const angles = await numbersOf(feeds, "RECEPTOR_ANGLE", [row]);
      const names = [types ?? []].flat();
      found.set(antennas[row]!, names.map((polarization, i) => ({ polarization, angle: angles[i] ?? NaN })));
    }
    return found;
  }

  /** Whether there are feeds beside the first ones. */
  async hasSeveralFeeds(): Promise<boolean> {
    if (!this.main.table.subtables.has("FEED")) return false;
    const feeds = await this.#table("FEED");
    return hasColumn(feeds, "FEED_ID") && new Set(await numbersOf(feeds, "FEED_ID")).size > 1;
  }

  /** The fields. */
  async fields(): Promise<FoundField[]> {
    const fields = await this.#table("FIELD");
    const names = await fields.table.texts("NAME");
    return await Promise.all(names.map(async (name, row) => {
      const { array, frame } = await measuresOf(fields, "PHASE_DIR", [row]);
      await using own = array;
      const [longitude = NaN, latitude = NaN] = await own.read(0, 1) as Float64Array;
      const moves = await motionOf(fields, row);
      const direction = [longitude, latitude] as const;
      return fieldOf({ name: String(name), frame, direction, ...defined({ moves }) });
    }));
  }

  /** Data descriptions by the number of their spectral window. */
  async descriptions(): Promise<{ windows: Float64Array; polarizations: Float64Array }> {
    const descriptions = await this.#table("DATA_DESCRIPTION");
    return {
      windows: await numbersOf(descriptions, "SPECTRAL_WINDOW_ID"),
      polarizations: await numbersOf(descriptions, "POLARIZATION_ID"),
    };
  }

  /** Channels, the frame of their frequencies, and correlations of a data description. */
  async window(
    description: number,
  ): Promise<Pick<RowFacts, "frequencies" | "channelWidths" | "correlations"> & { frame: string }> {
    const { windows, polarizations } = await this.descriptions();
    const [spectral, polarization] = await Promise.all([
      this.#table("SPECTRAL_WINDOW"),
      this.#table("POLARIZATION"),
    ]);
    const row = ({ table, name }: MsTable<TableName>, number: number | undefined) => {
      if (number !== undefined && number >= 0 && number < table.rows) return [number];
      const text = `data description ${description} has row ${number} of ${name}, ` +
        `which has ${table.rows}`;
      throw cannot("read", this.file, "malformed", text, { expected: table.rows, found: number ?? -1 });
    };
    const at = row(spectral, windows[description]);
    const types = await numbersOf(polarization, "CORR_TYPE", row(polarization, polarizations[description]));
    const { array, frame } = await measuresOf(spectral, "CHAN_FREQ", at);
    await using channels = array;
    return {
      frequencies: await allNumbers(channels),
      channelWidths: await numbersOf(spectral, "CHAN_WIDTH", at),
      correlations: Array.from(types, (number) => casaCorrelation(number, this.file)),
      frame,
    };
  }
}

/** The places of antennas in metres from the centre of the Earth. */
async function positionsOf(antennas: MsTable<"ANTENNA">): Promise<(readonly [number, number, number])[]> {
  const { array, frame } = await measuresOf(antennas, "POSITION");
  await using own = array;
  const values = await allNumbers(own);
  const all = Array.from({ length: values.length / 3 }, (_, i) => {
    return [values[3 * i]!, values[3 * i + 1]!, values[3 * i + 2]!] as const;
  });
  if (frame === "ITRF") return all;
  if (frame === "WGS84") return all.map((place) => Math.hypot(...place) > GROUND ? place : fromWgs84(place));
  const text =
    `Cannot read the column POSITION of ${antennas.file}: its frame is ${frame}; ITRF and WGS84 are read`;
  throw new TilewiseError("unsupported", text, { file: antennas.file, column: "POSITION", found: frame });
}

/** A position of casacore in WGS 84: a vector whose length is the height, towards longitude and latitude. */
function fromWgs84([x, y, z]: readonly [number, number, number]): [number, number, number] {
  return placeOnEarth(Math.atan2(z, Math.hypot(x, y)), Math.atan2(y, x), Math.hypot(x, y, z));
}

/** Why the direction of a field is not the same at all times. */
async function motionOf(fields: MsTable<"FIELD">, row: number): Promise<string | undefined> {
  const [terms = 0] = hasColumn(fields, "NUM_POLY") ? await numbersOf(fields, "NUM_POLY", [row]) : [];
  const [ephemeris = -1] = hasColumn(fields, "EPHEMERIS_ID")
    ? await numbersOf(fields, "EPHEMERIS_ID", [row])
    : [];
  if (ephemeris >= 0) return `it moves along the ephemeris ${ephemeris} (EPHEMERIS_ID), which is not read`;
  return terms > 0 ? `it moves, by a polynomial of degree ${terms} (NUM_POLY), which is not read` : undefined;
}

// Which rows of a Measurement Set are the observation: those of one field and one data description.

/** What was selected. */
interface Selected {
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
  const field = chosenField(options, fields, of[0] ?? 0, file);
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
    const text = `its rows have field ${field}, there are ${fields.length}`;
    throw cannot("read", file, "malformed", text, { expected: fields.length - 1, found: field });
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
  const field = options.field === undefined ? undefined : chosenField(options, fields, of[0] ?? 0, file);
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

function chosenField(
  { field }: ObservationOptions,
  fields: readonly Field[],
  first: number,
  file: string,
): number {
  if (field === undefined) return first;
  return fieldNumber(new Map(fields.entries()), field, file);
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
