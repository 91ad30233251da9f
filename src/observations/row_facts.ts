/**
 * An observation from its columns by rows.
 *
 * @module
 */

import { defined } from "../options.ts";
import { cannot } from "../errors.ts";
import { lowerBound } from "../space/search.ts";
import { type FoundField, observedField } from "./fields.ts";
import type { Brightness } from "./meaning/correlations.ts";
import { isoTime } from "./meaning/shown.ts";
import type {
  Antenna,
  Observation,
  ObservationScales,
  Receptor,
  RowSamples,
  StoredColumn,
} from "./observation.ts";
import { type RowArray, sourceOf } from "./rows/rows.ts";

// Which antenna baselines point to: writers of one format differ, so this is found from the places of the antennas.

type Vector = readonly [number, number, number];

/** Sidereal angle of Greenwich in radians at a time in seconds, MJD · 86400, to a minute of arc. */
function siderealAngle(time: number): number {
  const days = time / 86400 - 51544.5;
  return (280.46061837 + 360.98564736629 * days) % 360 * Math.PI / 180;
}

/** u, v and w of a baseline that is `x`, `y`, `z` on Earth, at a time, for a direction; to a thousandth. */
export function roughUvw([x, y, z]: Vector, time: number, [ra, dec]: readonly [number, number]): Vector {
  const angle = siderealAngle(time) - ra; // hour angle at Greenwich
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const towards = c * x - s * y;
  return [
    s * x + c * y,
    -Math.sin(dec) * towards + Math.cos(dec) * z,
    Math.cos(dec) * towards + Math.sin(dec) * z,
  ];
}

/** Some rows of an observation. */
interface SignRows {
  /** Times in seconds. */
  readonly times: ArrayLike<number>;
  /** First antennas. */
  readonly antenna1: ArrayLike<number>;
  /** Second antennas. */
  readonly antenna2: ArrayLike<number>;
  /** Baselines. */
  readonly uvw: ArrayLike<number>;
}

/**
 * How `uvw` of some rows points along what places of antennas give, from -1 to 1, in the dimensions from `first` on; 0 if
 * nothing is known.
 */
export function cosineOf(
  { times, antenna1, antenna2, uvw }: SignRows,
  placeOf: (antenna: number) => Vector | undefined,
  centre: readonly [number, number],
  first = 0,
): number {
  let [product, own, expected] = [0, 0, 0];
  for (let row = 0; row < times.length; row++) {
    const [a, b] = [placeOf(antenna1[row]!), placeOf(antenna2[row]!)];
    if (!a || !b) continue;
    const rough = roughUvw([b[0] - a[0], b[1] - a[1], b[2] - a[2]], times[row]!, centre);
    for (let k = first; k < 3; k++) {
      const found = uvw[3 * row + k]!;
      product += rough[k]! * found;
      own += found * found;
      expected += rough[k]! * rough[k]!;
    }
  }
  return own * expected > 0 ? product / Math.sqrt(own * expected) : 0;
}

/** Samples with what reads them. */
export type HeldSamples = RowSamples & { readonly array: RowArray };

/** The samples of an array, in `unit` unless that is Jy. */
export function held(array: RowArray, unit?: string): HeldSamples {
  return { array, shape: array.shape, dtype: array.dtype, source: sourceOf(array), ...defined({ unit }) };
}

/** The receptors of each antenna, from lists of all of them; `undefined` if these do not fit. */
export function receptorsOf(
  types: readonly string[],
  angles: ArrayLike<number>,
  antennas: number,
): Receptor[][] | undefined {
  const each = types.length / Math.max(1, antennas);
  if (!Number.isInteger(each) || angles.length !== types.length) return undefined;
  const all = types.map((polarization, i) => ({ polarization, angle: angles[i]! }));
  return Array.from({ length: antennas }, (_, i) => all.slice(i * each, (i + 1) * each));
}

/** What readers find. */
export interface RowFacts {
  readonly format: Observation["format"];
  readonly source: string;
  readonly antennas: readonly Antenna[];
  readonly frequencies: Float64Array;
  readonly channelWidths: Float64Array;
  readonly correlations: readonly string[];
  readonly field: FoundField;
  readonly fields: readonly FoundField[];
  /** The frame of the baselines; absent or ITRF: that of the field. */
  readonly uvwFrame?: string;
  /** The scales of times and frequencies, as they are stored. */
  readonly scales?: ObservationScales;
  /** The columns of its main table. */
  readonly columns?: readonly StoredColumn[];
  readonly rows: number;
  /** The sign of `uvw` that the format defines. */
  readonly definedSign: Observation["uvwSign"];
  /** Default: `casa`. */
  readonly convention?: Observation["convention"];
  /** Default: as in Measurement Sets. */
  readonly brightness?: Brightness;
  readonly warnings: readonly string[];
  /** The time of each row. */
  readonly time: RowArray;
  /** Makes the times of the format seconds, MJD · 86400. */
  readonly seconds?: (time: number) => number;
  readonly antenna1: RowArray;
  readonly antenna2: RowArray;
  /** The number of an antenna by what rows have. */
  readonly antennaOf?: (number: number) => number;
  readonly uvw: RowArray;
  readonly interval: RowArray;
  readonly visibility?: HeldSamples;
  readonly flag?: HeldSamples;
  readonly weight?: HeldSamples;
}

/** Rows of which the sign of baselines is found. */
const SIGN_ROWS = 256;
/** Rows that are read at a time. */
const BLOCK_ROWS = 2 ** 16;

/** The observation. Its times are read once; all else is read on demand. */
export async function byRows(facts: RowFacts): Promise<Observation> {
  const { rows, antennas, seconds = (time: number) => time, antennaOf = (number: number) => number } = facts;
  checkSamples(facts);
  checkFrequencies(facts);
  const field = observedField(facts.field, facts.uvwFrame ?? "", facts.source);
  const times = await uniqueTimes(facts, seconds);
  const antenna = (array: RowArray) => async (start: number, stop: number) =>
    antennasIn(facts, await array.read(start, stop) as ArrayLike<number>, antennaOf);
  const floats = (array: RowArray) => async (start: number, stop: number) =>
    new Float64Array(await array.read(start, stop) as ArrayLike<number>);
  const [antenna1, antenna2, uvw] = [antenna(facts.antenna1), antenna(facts.antenna2), floats(facts.uvw)];
  const some = Math.min(rows, SIGN_ROWS);
  const first = {
    times: (await floats(facts.time)(0, some)).map(seconds),
    antenna1: await antenna1(0, some),
    antenna2: await antenna2(0, some),
    uvw: await uvw(0, some),
  };
  const cosine = cosineOf(first, (antenna) => antennas[antenna]?.position, field.phaseCentre);
  const found = cosine > 0.9 ? "antenna2 - antenna1" : cosine < -0.9 ? "antenna1 - antenna2" : undefined;
  const { visibility, flag, weight } = facts;
  const arrays = [facts.time, facts.antenna1, facts.antenna2, facts.uvw, facts.interval];
  for (const held of [visibility, flag, weight]) if (held) arrays.push(held.array);
  return {
    format: facts.format,
    source: facts.source,
    antennas,
    times,
    frequencies: facts.frequencies,
    channelWidths: facts.channelWidths,
    correlations: facts.correlations,
    field,
    fields: facts.fields.map(({ problem: _, ...known }) => known),
    ...defined({ scales: facts.scales, columns: facts.columns }),
    rows,
    memory: arrays.reduce((sum, { memory }) => sum + memory, 0),
    uvwSign: found ?? facts.definedSign,
    convention: facts.convention ?? "casa",
    ...defined({ brightness: facts.brightness }),
    warnings: [
      ...facts.warnings,
      ...(found && found !== facts.definedSign
        ? [`Baselines are ${found}, as the places of the antennas show, not ${facts.definedSign}`]
        : []),
      ...closeTimes(times, rows > 0 ? (await floats(facts.interval)(0, 1))[0]! : 0),
    ],
    timeIndex: async (start, stop) =>
      integers(
        await facts.time.read(start, stop) as ArrayLike<number>,
        (time) => lowerBound(times, seconds(time)),
      ),
    antenna1,
    antenna2,
    uvw,
    interval: floats(facts.interval),
    ...defined({ visibility, flag, weight }),
    async [Symbol.asyncDispose]() {
      for (const array of arrays) await array[Symbol.asyncDispose]();
    },
  };
}

/** Samples must have the rows, channels and correlations of the observation. */
function checkSamples(facts: RowFacts): void {
  const { rows, frequencies, correlations, source } = facts;
  const whole = [rows, frequencies.length, correlations.length].join(" × ");
  for (const name of ["visibility", "flag", "weight"] as const) {
    const shape = facts[name]?.shape;
    if (!shape || rows === 0) continue;
    const fits = shape.join(" × ") === whole ||
      (name === "weight" && shape.join() === [rows, correlations.length].join());
    if (fits) continue;
    const text = `its ${name} is ${shape.join(" × ")}; rows, channels and correlations are ${whole}`;
    throw cannot("read", source, "malformed", text, { expected: whole, found: shape.join(" × ") });
  }
}

/** `Int32Array.from` of some values makes an object of each of them. */
function integers(values: ArrayLike<number>, of: (value: number) => number): Int32Array {
  const found = new Int32Array(values.length);
  for (let i = 0; i < found.length; i++) found[i] = of(values[i]!);
  return found;
}

/** The numbers of antennas, all of which there must be. */
function antennasIn(
  { antennas, source }: RowFacts,
  numbers: ArrayLike<number>,
  antennaOf: (number: number) => number,
): Int32Array {
  return integers(numbers, (given) => {
    const number = antennaOf(given);
    if (Number.isInteger(number) && number >= 0 && number < antennas.length) return number;
    const text = `a row has antenna ${given}, there are ${antennas.length}`;
    throw cannot("read", source, "malformed", text, { expected: antennas.length - 1, found: Number(given) });
  });
}

/** Frequencies must be above 0. */
function checkFrequencies({ frequencies, source }: RowFacts): void {
  const wrong = frequencies.findIndex((value) => !(value > 0 && value < Infinity));
  if (wrong < 0) return;
  const text = `channel ${wrong} has ${frequencies[wrong]} Hz, it must have a frequency above 0`;
  throw cannot("read", source, "malformed", text, { index: wrong, found: String(frequencies[wrong]) });
}

async function uniqueTimes(
  { rows, time, source }: RowFacts,
  seconds: (time: number) => number,
): Promise<Float64Array> {
  const found = new Set<number>();
  for (let start = 0; start < rows; start += BLOCK_ROWS) {
    const block = await time.read(start, Math.min(rows, start + BLOCK_ROWS));
    const wrong = (block as Float64Array).findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) {
      const text = `row ${start + wrong} has the time ${block[wrong]}`;
      throw cannot("read", source, "malformed", text, { row: start + wrong, found: String(block[wrong]) });
    }
    for (const value of block as Float64Array) found.add(seconds(value));
  }
  return Float64Array.from(found).sort();
}

/** The part of an interval below which times hardly differ. */
const HARDLY = 0.01;

/** A warning of times that hardly differ: they may be one time that was rounded in several ways. */
function closeTimes(times: Float64Array, interval: number): string[] {
  const least = HARDLY * interval;
  let count = 0, step = Infinity, first: number | undefined;
  for (let i = 1; i < times.length; i++) {
    const apart = times[i]! - times[i - 1]!;
    if (!(apart < least)) continue;
    count++;
    first ??= times[i]!;
    step = Math.min(step, apart);
  }
  if (count === 0) return [];
  return [
    `${count} of ${times.length} times are less than 1 % of an interval of ${interval} s after another one ` +
    `(${step.toPrecision(2)} s, the first at ${isoTime(first)}); each counts as a time of its own`,
  ];
}
