/**
 * Observations from arrays in memory.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { TypedArray } from "../space/dtype.ts";
import type { DType } from "../space/dtype.ts";
import type { Brightness } from "./meaning/correlations.ts";
import type { Antenna, Field, Observation } from "./observation.ts";
import { byRows, type HeldSamples } from "./row_facts.ts";
import { MemoryRows, sourceOf } from "./rows.ts";

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
export function isArrays(source: unknown): source is ArraysInput {
  return typeof source === "object" && source !== null && "antennas" in source && "uvw" in source;
}

/** The observation. Errors: `invalid` if lengths do not fit each other. */
export async function openArrays(input: ArraysInput): Promise<Observation> {
  const rows = input.time.length;
  const [channels, correlations] = [input.frequencies.length, input.correlations.length];
  const column = (name: "time" | "antenna1" | "antenna2" | "uvw" | "interval", each: number) => {
    const given = input[name];
    if (given && given.length !== rows * each) throw wrongLength(name, given.length, rows * each);
    const data = given ? Float64Array.from(given) : new Float64Array(rows * each);
    return new MemoryRows(data, each === 1 ? [rows] : [rows, each], "float64");
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
    const array = new MemoryRows(data, shape, dtype);
    return { array, shape, dtype, source: sourceOf(array) };
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
    ...(input.brightness ? { brightness: input.brightness } : {}),
    warnings: [],
    time: column("time", 1),
    antenna1: column("antenna1", 1),
    antenna2: column("antenna2", 1),
    uvw: column("uvw", 3),
    interval: column("interval", 1),
    ...(visibility ? { visibility } : {}),
    ...(flag ? { flag } : {}),
    ...(weight ? { weight } : {}),
  });
}

function wrongLength(name: string, found: number, expected: number): TilewiseError {
  const text = `Cannot use ${name}: it has ${found} values, rows, channels and correlations need ${expected}`;
  return new TilewiseError("invalid", text, { option: name, expected, found });
}
