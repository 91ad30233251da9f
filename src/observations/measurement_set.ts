/**
 * Measurement Sets: rows of the main table that have one field and one data description.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../errors.ts";
import type { Table } from "../formats/casacore/table.ts";
import { Folder, rowsOf } from "./ms_columns.ts";
import { select } from "./ms_select.ts";
import { Tables } from "./ms_tables.ts";
import type { Observation, ObservationOptions, RowSamples } from "./observation.ts";
import { type RowArray, sourceOf } from "./rows.ts";
import { byRows, type RowFacts } from "./row_facts.ts";

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
    antennas: await tables.antennas(selected.description),
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
