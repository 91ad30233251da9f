/**
 * An observation in a few facts.
 *
 * @module
 */

import { defined } from "../options.ts";
import { isTilewiseError } from "../errors.ts";
import type { ProviderContext } from "../hypercube/providers/provider.ts";
import { isoTime } from "./meaning/shown.ts";
import type { Field, Observation, Receptor, StoredColumn } from "./observation.ts";
import { blocksOf } from "./pairs.ts";

/** What is said of an observation. */
export interface ObservationSummary {
  /** What it was read from. */
  readonly format: Observation["format"];
  /** Names of the antennas. */
  readonly antennas: readonly string[];
  /** Number of different pairs of antennas in its rows. */
  readonly baselines: number;
  /** The shortest baseline above 0 and the longest one in metres; absent: there is none. */
  readonly spans?: readonly [shortest: number, longest: number];
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
  /** All fields; directions that are not fixed are NaN. */
  readonly fields: readonly Field[];
  /** The part of the samples that is flagged, and in how many rows they were looked at; absent: flags cannot be read. */
  readonly flagged?: { readonly part: number; readonly rows: number };
  /** The columns of its main table. */
  readonly columns?: readonly StoredColumn[];
  /** The sign of its baselines. */
  readonly uvwSign: Observation["uvwSign"];
  /** What the user should know. */
  readonly warnings: readonly string[];
}

/** Reads antennas and baselines of all rows, and flags of as many as take a moment, and says what was observed. */
export async function summaryOf(observation: Observation): Promise<ObservationSummary> {
  const { format, antennas, rows, times, frequencies, channelWidths, correlations, field, fields, columns } =
    observation;
  const interval = rows > 0 ? (await observation.interval(0, 1))[0]! : 0;
  const flagged = await flaggedOf(observation);
  return {
    format,
    antennas: antennas.map(({ name }) => name),
    ...await baselinesOf(observation),
    rows,
    times: { count: times.length, first: isoTime(times[0]), last: isoTime(times.at(-1)), interval },
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
    ...defined({ scales: observation.scales }),
    fields,
    ...defined({ flagged, columns }),
    uvwSign: observation.uvwSign,
    warnings: observation.warnings,
  };
}

/** Pairs of antennas, and how long baselines are. */
async function baselinesOf(
  observation: Observation,
): Promise<Pick<ObservationSummary, "baselines" | "spans">> {
  const { antennas } = observation, pairs = new Set<number>();
  let [shortest, longest] = [Infinity, 0];
  for await (const { start, stop, antenna1, antenna2 } of blocksOf(observation)) {
    const uvw = await observation.uvw(start, stop);
    for (let i = 0; i < antenna1.length; i++) {
      pairs.add(antenna1[i]! * antennas.length + antenna2[i]!);
      const length = Math.hypot(uvw[3 * i]!, uvw[3 * i + 1]!, uvw[3 * i + 2]!);
      if (length > longest) longest = length;
      if (length > 0 && length < shortest) shortest = length;
    }
  }
  return { baselines: pairs.size, ...(longest > 0 ? { spans: [shortest, longest] as const } : {}) };
}

/** Samples whose flags are looked at, at most: in some blocks of rows, evenly spread. */
const MOST_FLAGS = 2 ** 27;
/** Flags that are read at a time. */
const BLOCK_FLAGS = 2 ** 22;

/** How much is flagged. */
async function flaggedOf({ rows, flag }: Observation): Promise<ObservationSummary["flagged"]> {
  const [, ...cell] = flag?.shape ?? [], each = cell.reduce((product, n) => product * n, 1);
  if (!flag || rows * each === 0) return undefined;
  const block = Math.max(1, Math.floor(BLOCK_FLAGS / each)), blocks = Math.ceil(rows / block);
  const step = Math.max(1, blocks / Math.max(1, Math.floor(MOST_FLAGS / (block * each))));
  let [set, seen] = [0, 0];
  try {
    for (let n = 0; n < blocks; n += step) {
      const start = Math.floor(n) * block, stop = Math.min(rows, start + block);
      const extents = [[start, stop], ...cell.map((size) => [0, size] as const)];
      const context: Pick<ProviderContext, "extents"> = { extents: extents as ProviderContext["extents"] };
      const flags = await flag.source(context as ProviderContext) as Uint8Array; // sources of observations ask for no more
      for (let i = 0; i < flags.length; i++) set += Number(flags[i] !== 0);
      seen += stop - start;
    }
  } catch (error) {
    if (!isTilewiseError(error, "unsupported")) throw error;
    return undefined;
  }
  return { part: set / (seen * each), rows: seen };
}

/** The receptors of all antennas, if they are the same. */
function receptorsOf({ antennas }: Observation): Pick<ObservationSummary, "receptors"> {
  const [first, ...others] = antennas.map(({ receptors }) => receptors);
  const same = JSON.stringify(first);
  return first && others.every((one) => JSON.stringify(one) === same) ? { receptors: first } : {};
}
