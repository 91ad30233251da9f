/**
 * What the tables of a Measurement Set say beside its rows: antennas, fields, channels, correlations.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { Table } from "../formats/casacore/table.ts";
import { casaCorrelation } from "./correlations.ts";
import { type Folder, numbersOf } from "./ms_columns.ts";
import type { Antenna, Field, Receptor } from "./observation.ts";
import type { RowFacts } from "./row_facts.ts";

/** The tables that belong to the main table. */
export class Tables {
  constructor(private readonly folder: Folder, readonly main: Table, readonly file: string) {}

  async #table(name: string): Promise<{ table: Table; file: string }> {
    const path = this.main.subtables.get(name);
    if (path === undefined) {
      const text = `Cannot read ${this.file} as a Measurement Set: it has no table ${name}`;
      throw new TilewiseError("malformed", text, { file: this.file, expected: name });
    }
    return { table: await this.folder.table(path), file: `${this.file}/${path}` };
  }

  /** The antennas, with their receptors in the spectral window of a data description. */
  async antennas(description: number): Promise<Antenna[]> {
    const { table, file } = await this.#table("ANTENNA");
    const names = await table.texts("NAME");
    const places = await numbersOf(table, "POSITION", file);
    const feeds = await this.#feeds((await this.descriptions()).windows[description] ?? -1);
    return names.map((name, i) => {
      const receptors = feeds.get(i);
      return {
        name: String(name),
        position: [places[3 * i]!, places[3 * i + 1]!, places[3 * i + 2]!] as const,
        ...(receptors ? { receptors } : {}),
      };
    });
  }

  /** The receptors of each antenna in a spectral window: those of its first feed, at its first time. */
  async #feeds(window: number): Promise<Map<number, Receptor[]>> {
    const found = new Map<number, Receptor[]>();
    if (!this.main.subtables.has("FEED")) return found;
    const { table, file } = await this.#table("FEED");
    const [antennas, windows] = [
      await numbersOf(table, "ANTENNA_ID", file),
      await numbersOf(table, "SPECTRAL_WINDOW_ID", file),
    ];
    for (let row = 0; row < table.rows; row++) {
      const fits = windows[row] === window || windows[row] === -1; // -1: of all windows
      if (!fits || found.has(antennas[row]!)) continue;
      const [types] = await table.texts("POLARIZATION_TYPE", row, row + 1);
      const angles = await numbersOf(table, "RECEPTOR_ANGLE", file, [row]);
      const names = [types ?? []].flat();
      found.set(antennas[row]!, names.map((polarization, i) => ({ polarization, angle: angles[i] ?? NaN })));
    }
    return found;
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
