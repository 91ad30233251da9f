/**
 * Opens observations, whatever they are stored in; makes them of arrays in memory.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../errors.ts";
import { checkOptionNames, defined } from "../options.ts";
import type { DType, TypedArray } from "../space/dtype.ts";
import type { Brightness } from "./meaning/correlations.ts";
import {
  type Antenna,
  type Field,
  type Observation,
  OBSERVATION_OPTIONS,
  type ObservationOptions,
} from "./observation.ts";
import { byRows, held, type HeldSamples } from "./row_facts.ts";
import { memoryRows } from "./rows/rows.ts";

/**
 * An observation as arrays. Rows are baselines at times, in any order.
 * @category Observations
 */
export interface ArraysInput {
  /** The antennas. */
  readonly antennas: readonly Antenna[];
  /** Centres of the channels in Hz. */
  readonly frequencies: ArrayLike<number>;
  /** Widths of the channels in Hz. Default: the distance of the first two, or 0. */
  readonly channelWidths?: ArrayLike<number>;
  /** Names of the correlations, such as `XX`. */
  readonly correlations: readonly string[];
  /** Right ascension and declination of the phase centre in radians. */
  readonly phaseCentre: readonly [number, number];
  /** Name of the field. Default: none. */
  readonly field?: string;
  /** Time of each row in seconds, MJD · 86400. */
  readonly time: ArrayLike<number>;
  /** First antenna of each row. */
  readonly antenna1: ArrayLike<number>;
  /** Second antenna of each row. */
  readonly antenna2: ArrayLike<number>;
  /** u, v and w of each row in metres. */
  readonly uvw: ArrayLike<number>;
  /** The sign of `uvw`. Default: `antenna2 - antenna1`, unless the places of the antennas show the other. */
  readonly uvwSign?: Observation["uvwSign"];
  /** The phase of sources in `visibility`. Default: `fourier`, as for predictions. */
  readonly convention?: Observation["convention"];
  /** How Stokes parameters are in `visibility`. Default: as in Measurement Sets. */
  readonly brightness?: Brightness;
  /** Seconds that each row lasted. Default: 0. */
  readonly interval?: ArrayLike<number>;
  /** Visibilities by row, channel and correlation: pairs of re and im. */
  readonly visibility?: Float32Array | Float64Array;
  /** Flags of the visibilities. */
  readonly flag?: Uint8Array;
  /** Weights of the visibilities. */
  readonly weight?: Float32Array | Float64Array;
}

/** Whether a source is given as arrays. */
function isArrays(source: unknown): source is ArraysInput {
  return typeof source === "object" && source !== null && "antennas" in source && "uvw" in source;
}

/** The observation. Errors: `invalid` if lengths do not fit each other. */
async function openArrays(input: ArraysInput): Promise<Observation> {
  const rows = input.time.length;
  const [channels, correlations] = [input.frequencies.length, input.correlations.length];
  const column = (name: "time" | "antenna1" | "antenna2" | "uvw" | "interval", each: number) => {
    const given = input[name];
    if (given && given.length !== rows * each) throw wrongLength(name, given.length, rows * each);
    const data = given ? Float64Array.from(given) : new Float64Array(rows * each);
    return memoryRows(data, each === 1 ? [rows] : [rows, each], "float64");
  };
  const samples = (
    name: "visibility" | "flag" | "weight",
    dtype: DType,
    unit: number,
  ): HeldSamples | undefined => {
    const data: TypedArray | undefined = input[name];
    if (!data) return undefined;
    const shape = [rows, channels, correlations];
    const expected = rows * channels * correlations * unit;
    if (data.length !== expected) throw wrongLength(name, data.length, expected);
    return held(memoryRows(data, shape, dtype));
  };
  const isDouble = input.visibility instanceof Float64Array;
  const [visibility, flag, weight] = [
    samples("visibility", isDouble ? "complex128" : "complex64", 2),
    samples("flag", "bool", 1),
    samples("weight", input.weight instanceof Float64Array ? "float64" : "float32", 1),
  ];
  const frequencies = Float64Array.from(input.frequencies);
  const step = channels > 1 ? Math.abs(frequencies[1]! - frequencies[0]!) : 0;
  const field: Field = { name: input.field ?? "", phaseCentre: input.phaseCentre };
  return await byRows({
    format: "arrays",
    source: "arrays",
    antennas: input.antennas,
    frequencies,
    channelWidths: input.channelWidths ? Float64Array.from(input.channelWidths) : frequencies.map(() => step),
    correlations: input.correlations,
    field,
    fields: [field],
    rows,
    definedSign: input.uvwSign ?? "antenna2 - antenna1",
    convention: input.convention ?? "fourier",
    ...defined({ brightness: input.brightness }),
    warnings: [],
    time: column("time", 1),
    antenna1: column("antenna1", 1),
    antenna2: column("antenna2", 1),
    uvw: column("uvw", 3),
    interval: column("interval", 1),
    ...defined({ visibility, flag, weight }),
  });
}

function wrongLength(name: string, found: number, expected: number): TilewiseError {
  const text = `Cannot use ${name}: it has ${found} values, rows, channels and correlations need ${expected}`;
  return new TilewiseError("invalid", text, { option: name, expected, found });
}

/**
 * Opens an observation: the folder of a Measurement Set, a Measurement Set of version 4 (`.zarr`), a UVH5 or UVFITS file, or
 * arrays in memory. Dispose of it when it is no longer used.
 *
 * @param source a path or URL, or arrays
 * @param options which field, spectral window and visibilities
 * @returns the observation, to be disposed of
 *
 * @example
 * ```ts
 * import { openObservation } from "@tilewise/tilewise/observations";
 * import { assertEquals } from "@std/assert";
 * await using observation = await openObservation({
 *   antennas: [{ name: "a", position: [0, 0, 0] }, { name: "b", position: [100, 0, 0] }],
 *   frequencies: [1.4e9],
 *   correlations: ["XX", "YY"],
 *   phaseCentre: [0.1, -0.5],
 *   time: [5e9, 5e9 + 10],
 *   antenna1: [0, 0],
 *   antenna2: [1, 1],
 *   uvw: [3, 4, 0, 4, 3, 0],
 * });
 * assertEquals([observation.rows, [...observation.times]], [2, [5e9, 5e9 + 10]]);
 * assertEquals([...await observation.uvw(1, 2)], [4, 3, 0]);
 * ```
 * @category Observations
 */
export async function openObservation(
  source: string | URL | ArraysInput,
  options: ObservationOptions = {},
): Promise<Observation> {
  checkOptionNames("openObservation()", options, OBSERVATION_OPTIONS);
  if (isArrays(source)) return await openArrays(source);
  const path = String(source);
  if (/\.(uvh5|h5|hdf5)$/i.test(path.replace(/[?#].*$/, ""))) {
    const { openUvh5 } = await import("./uvh5.ts");
    return await openUvh5(path, options);
  }
  if (/\.(uvfits|uvf|fits|fit|fts)$/i.test(path.replace(/[?#].*$/, ""))) {
    const { openUvfits } = await import("./uvfits.ts");
    return await openUvfits(path, options);
  }
  if (/\.zarr\/?$/i.test(path)) return await asMsv4(path, options);
  const { openMeasurementSet } = await import("./measurement_set.ts");
  try {
    return await openMeasurementSet(path, options);
  } catch (error) {
    const main = `${path.replace(/\/+$/, "")}/table.dat`;
    const isNone = isTilewiseError(error, "not-found") && error.details.file === main;
    if (!isNone) throw error;
    return await asMsv4(path, options).catch((other: unknown) => {
      throw isTilewiseError(other, "unknown-format") || isFile(error) ? noObservation(path, error) : other;
    });
  }
}

/** Whether nothing can lie in a path, because a file has its name. */
function isFile({ details: { found } }: TilewiseError): boolean {
  return found === "ENOTDIR";
}

function noObservation(path: string, cause: TilewiseError): TilewiseError {
  const reason = isFile(cause)
    ? "it is a file, which does not end with .uvh5 or .uvfits; Measurement Sets are folders"
    : "it has neither table.dat nor the documents of Zarr, and does not end with .uvh5 or .uvfits";
  const text = `Cannot open ${path} as an observation: ${reason}`;
  return new TilewiseError("unknown-format", text, { file: path }, { cause });
}

async function asMsv4(path: string, options: ObservationOptions): Promise<Observation> {
  const { openMsv4 } = await import("./msv4.ts");
  return await openMsv4(path, options);
}
