/**
 * An observation in a few facts.
 *
 * @module
 */

import type { Observation, Receptor } from "./observation.ts";
import { pairsOf } from "./pairs.ts";

/** What is said of an observation. */
export interface ObservationSummary {
  /** What it was read from. */
  readonly format: Observation["format"];
  /** Names of the antennas. */
  readonly antennas: readonly string[];
  /** Number of different pairs of antennas in its rows. */
  readonly baselines: number;
  /** Its rows. */
  readonly rows: number;
  /** Its times: how many, the first and the last one as ISO 8601, and seconds of a row. */
  readonly times: {
    readonly count: number;
    readonly first: string;
    readonly last: string;
    readonly interval: number;
  };
  /** Its channels: how many, centres of the first and the last one in Hz, and the width of the first. */
  readonly channels: {
    readonly count: number;
    readonly first: number;
    readonly last: number;
    readonly width: number;
  };
  /** Its correlations. */
  readonly correlations: readonly string[];
  /** The receptors of its antennas, if all have the same ones. */
  readonly receptors?: readonly Receptor[];
  /** Its field. */
  readonly field: Observation["field"];
  /** The unit of its visibilities, if that is not Jy. */
  readonly unit?: string;
  /** The scales of its stored times and frequencies. */
  readonly scales?: Observation["scales"];
  /** Names of all fields. */
  readonly fields: readonly string[];
  /** The sign of its baselines. */
  readonly uvwSign: Observation["uvwSign"];
  /** What the user should know. */
  readonly warnings: readonly string[];
}

/** Reads the antennas of all rows, and says what was observed. */
export async function summaryOf(observation: Observation): Promise<ObservationSummary> {
  const { format, antennas, rows, times, frequencies, channelWidths, correlations, field, fields } =
    observation;
  const interval = rows > 0 ? (await observation.interval(0, 1))[0]! : 0;
  return {
    format,
    antennas: antennas.map(({ name }) => name),
    baselines: await pairsOf(observation),
    rows,
    times: { count: times.length, first: dateOf(times[0]), last: dateOf(times.at(-1)), interval },
    channels: {
      count: frequencies.length,
      first: frequencies[0] ?? NaN,
      last: frequencies.at(-1) ?? NaN,
      width: channelWidths[0] ?? NaN,
    },
    correlations,
    ...receptorsOf(observation),
    field,
    ...(observation.visibility?.unit === undefined ? {} : { unit: observation.visibility.unit }),
    ...(observation.scales ? { scales: observation.scales } : {}),
    fields: fields.map(({ name }) => name),
    uvwSign: observation.uvwSign,
    warnings: observation.warnings,
  };
}

/** The receptors of all antennas, if they are the same. */
function receptorsOf({ antennas }: Observation): Pick<ObservationSummary, "receptors"> {
  const [first, ...others] = antennas.map(({ receptors }) => receptors);
  const same = JSON.stringify(first);
  return first && others.every((one) => JSON.stringify(one) === same) ? { receptors: first } : {};
}

/** A time in seconds, MJD · 86400, as ISO 8601. */
function dateOf(time: number | undefined): string {
  if (time === undefined) return "";
  const date = new Date((time - 40587 * 86400) * 1000);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
