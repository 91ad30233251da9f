/**
 * Measurement Sets: rows of the main table that have one field and one data description.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { Column } from "../formats/casacore/description.ts";
import { dtypeOfType } from "../formats/casacore/types.ts";
import { brightnessFor } from "./meaning/correlations.ts";
import { POLARIZATION_KEYWORD } from "./meaning/measurement_set.ts";
import { CLOCKS, toUtc } from "./meaning/clocks.ts";
import { Folder, folderOf, hasColumn, measuresOf, type MsTable, numbersOf, rowsOf } from "./ms_columns.ts";
import { samplesOf } from "./ms_samples.ts";
import { select } from "./ms_select.ts";
import { Tables } from "./ms_tables.ts";
import type { Observation, ObservationOptions, StoredColumn } from "./observation.ts";
import { MappedRows } from "./row_views.ts";
import type { RowArray } from "./rows.ts";
import { byRows } from "./row_facts.ts";

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
    ...(dtype ? { dtype } : {}),
    ...(shape ? { shape } : {}),
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
  return { array: frame === "UTC" ? array : new MappedRows(array, convert), scale: frame };
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
