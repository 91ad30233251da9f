/**
 * What observations have for the inputs of hypercubes, by their names.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { ProviderContext, Source } from "../hypercube/providers/provider.ts";
import type { Antenna, Observation, Receptor, RowSamples } from "./observation.ts";
import { setNearest } from "../space/cast.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../space/dtype.ts";
import { isBig } from "../space/numbers.ts";
import { sizeOf } from "../space/shape.ts";

/** The types of the two receptors of a feed. */
const FEEDS: Readonly<Record<"linear" | "circular", readonly [string, string]>> = {
  linear: ["X", "Y"],
  circular: ["R", "L"],
};

/** Angles nearer to each other are equal. */
const EQUAL = 1e-6;

/** How a feed is turned. */
interface FeedAngles {
  /** Position angle in radians of the receptor X or R, or of the first one where types are unknown. */
  readonly angle: number;
  /** By how much the angle of Y is more than that of X and a quarter turn, or that of L more than that of R. */
  readonly skew: number;
}

/**
 * The angles of an antenna. Linear receptors with equal angles, such as 0 and 0, are perpendicular: then the angle is that of the
 * whole feed, as many Measurement Sets have it.
 */
export function feedAnglesOf({ receptors = [] }: Antenna): FeedAngles {
  for (const [first, second] of Object.values(FEEDS)) {
    const [a, b] = [angleOf(receptors, first), angleOf(receptors, second)];
    if (a === undefined) continue;
    const isLinear = first === "X";
    if (b === undefined || (isLinear && Math.abs(b - a) < EQUAL)) return { angle: a, skew: 0 };
    const skew = isLinear ? b - a - Math.PI / 2 : b - a;
    return { angle: a, skew: Math.abs(skew) < EQUAL ? 0 : skew };
  }
  return { angle: receptors[0]?.angle ?? 0, skew: 0 };
}

function angleOf(receptors: readonly Receptor[], type: string): number | undefined {
  return receptors.find(({ polarization }) => polarization.toUpperCase() === type)?.angle;
}

/** The kind of the feeds of antennas; `undefined` if sources do not say, or differ. */
export function feedOf(antennas: readonly Antenna[]): "linear" | "circular" | undefined {
  const kinds = new Set(
    antennas.map(({ receptors = [] }) =>
      (["linear", "circular"] as const).find((kind) =>
        FEEDS[kind].some((type) => angleOf(receptors, type) !== undefined)
      )
    ),
  );
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

/** An input that an observation provides. */
export interface ObservedInput {
  /** Its axes. */
  readonly axes: readonly (string | number)[];
  /** What it has along each of them. */
  readonly sizes: readonly number[];
  /** What would work instead, for cubes where it has other axes. */
  readonly hint?: string;
  /** Provides it. */
  readonly source: Source;
}

/** All inputs; `places` are those of the wanted correlations among the stored ones. */
export function inputsOf(
  observation: Observation,
  places: readonly number[],
): Readonly<Record<string, ObservedInput>> {
  const { rows, antennas, times, frequencies, channelWidths, field } = observation;
  const samples = { axes: ["nrow", "nchan", "ncorr"], sizes: [rows, frequencies.length, places.length] };
  const { visibility, flag, weight } = observation;
  const feeds = antennas.map(feedAnglesOf);
  const positions = Float64Array.from(antennas.flatMap(({ position }) => position));
  return {
    uvw: {
      axes: ["nrow", 3],
      sizes: [rows, 3],
      hint: "; positions of antennas follow from baselines by decomposeUvw()",
      source: rowSource((start, stop) => observation.uvw(start, stop)),
    },
    antenna1: byRow(rows, (start, stop) => observation.antenna1(start, stop)),
    antenna2: byRow(rows, (start, stop) => observation.antenna2(start, stop)),
    time_index: byRow(rows, (start, stop) => observation.timeIndex(start, stop)),
    interval: byRow(rows, (start, stop) => observation.interval(start, stop)),
    time: { axes: ["ntime"], sizes: [times.length], source: slices(times, 1) },
    frequency: { axes: ["nchan"], sizes: [frequencies.length], source: slices(frequencies, 1) },
    channel_width: { axes: ["nchan"], sizes: [frequencies.length], source: slices(channelWidths, 1) },
    antenna_position: { axes: ["na", 3], sizes: [antennas.length, 3], source: slices(positions, 3) },
    feed_angles: {
      axes: ["na"],
      sizes: [antennas.length],
      source: slices(Float64Array.from(feeds, ({ angle }) => angle), 1),
    },
    feed_skews: {
      axes: ["na"],
      sizes: [antennas.length],
      source: slices(Float64Array.from(feeds, ({ skew }) => skew), 1),
    },
    phase_centre: { axes: [2], sizes: [2], source: slices(Float64Array.from(field.phaseCentre), 1) },
    ...(visibility ? { observed_vis: { ...samples, source: sampleSource(visibility, places) } } : {}),
    flag: { ...samples, source: flag ? sampleSource(flag, places) : constant(0) },
    weight: { ...samples, source: weight ? sampleSource(weight, places) : constant(1) },
  };
}

/** An input of one number per row. */
function byRow(rows: number, read: (start: number, stop: number) => Promise<TypedArray>): ObservedInput {
  return { axes: ["nrow"], sizes: [rows], source: rowSource(read) };
}

/** A source of whole rows. */
function rowSource(read: (start: number, stop: number) => Promise<TypedArray>): Source {
  return async (context) => {
    const [[start, stop] = [0, 0]] = context.extents;
    return converted(await read(start, stop), "float64", context);
  };
}

/** A source of an array in memory with `each` numbers along its first axis. */
function slices(data: Float64Array, each: number): Source {
  return (context) => {
    const [[start, stop] = [0, 0]] = context.extents;
    return converted(data.slice(start * each, stop * each), "float64", context);
  };
}

/** A source of the same number everywhere. */
function constant(value: number): Source {
  return ({ dtype, shape }) => zeros(dtype, sizeOf(shape)).fill(value as never) as TypedArray;
}

/** A source of samples: of the wanted correlations, with those of a row repeated for its channels. */
function sampleSource({ shape, dtype, source }: RowSamples, places: readonly number[]): Source {
  const stored = shape.at(-1)!, isByRow = shape.length === 2;
  return async (context) => {
    const [rows, channels, wanted] = context.extents as [Extent, Extent, Extent];
    const extents = isByRow ? [rows, [0, stored] as const] : [rows, channels, [0, stored] as const];
    const found = await source({ ...context, extents }) as TypedArray;
    const own = places.slice(wanted[0], wanted[1]);
    const isSame = !isByRow && own.length === stored && own.every((place, i) => place === i);
    if (isSame) return converted(found, dtype, context);
    const repeat = isByRow ? channels[1] - channels[0] : 1;
    return converted(picked(found, dtype, stored, own, repeat), dtype, context);
  };
}

type Extent = readonly [number, number];

/** The correlations at `places` of samples that have `stored` ones, each list `repeat` times. */
function picked(
  from: TypedArray,
  dtype: DType,
  stored: number,
  places: readonly number[],
  repeat: number,
): TypedArray {
  const unit = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  const count = from.length / unit / stored;
  const each = places.length * unit;
  const to = zeros(dtype, count * repeat * places.length);
  for (let i = 0, at = 0; i < count; i++) {
    for (let p = 0, own = at; p < places.length; p++) {
      const place = (i * stored + places[p]!) * unit;
      for (let part = 0; part < unit; part++) to[own++] = from[place + part]!;
    }
    const end = at + repeat * each;
    for (let done = each; at + done < end; done *= 2) { // what is there is copied behind it
      to.copyWithin(at + done, at, Math.min(at + done, end - done));
    }
    at = end;
  }
  return to;
}

/** Samples as the type of the input; complex ones stay complex, and floats do not become integers. */
function converted(from: TypedArray, stored: DType, { name, dtype }: ProviderContext): TypedArray {
  const [own, wanted] = [dtypeInfo(stored), dtypeInfo(dtype)];
  const isInteger = !(from instanceof Float64Array || from instanceof Float32Array);
  const fits = (own.kind === "c") === (wanted.kind === "c") &&
    (isInteger || wanted.kind === "f" || wanted.kind === "c");
  if (!fits) {
    const text = `The input ${name} has the type ${dtype}, which does not hold what was observed: ${stored}`;
    throw new TilewiseError("invalid", text, { array: name, expected: stored, found: dtype });
  }
  const to = zeros(dtype, from.length / (own.kind === "c" ? 2 : 1));
  if (from.constructor === to.constructor) return from;
  if (!isBig(from) && !isBig(to)) to.set(from);
  else for (let i = 0; i < from.length; i++) setNearest(to, i, from[i]!);
  return to;
}
