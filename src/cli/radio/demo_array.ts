/**
 * The observation of `tilewise demo radio`: an array of antennas, a sky of a few points, and noise, the same in every run.
 *
 * @module
 */

import type { ArraysInput } from "../../observations/open.ts";
import { placeOnEarth } from "../../observations/meaning/frames.ts";
import type { Antenna } from "../../observations/observation.ts";
import { roughUvw } from "../../observations/row_facts.ts";
import { ARCSECOND } from "../../skies/angles.ts";

const DEGREE = Math.PI / 180;

/** Latitude, longitude and height of the array. */
const SITE = [-30.7 * DEGREE, 21.4 * DEGREE, 1050] as const;
/** Antennas, and metres from the innermost to the outermost one. */
const [ANTENNAS, INNER, OUTER] = [14, 60, 2000];
/** The start, and seconds of an integration. */
const [START, INTERVAL, TIMES] = [5.1e9, 600, 24];
/** The first channel, and the width of each, in Hz. */
const [FIRST, WIDTH, CHANNELS] = [1.3e9, 1e7, 8];

/** Right ascension and declination that are observed. */
export const CENTRE: readonly [number, number] = [247.5 * DEGREE, -45 * DEGREE];

/** Jy of the noise, in the real and in the imaginary part of each sample. */
export const NOISE = 1;

/** A source: its name, offsets from the centre to the east and to the north in arc seconds, and its flux in Jy. */
export const SOURCES: readonly (readonly [name: string, east: number, north: number, flux: number])[] = [
  ["demo-1", 61.7, -40.2, 1],
  ["demo-2", -120.4, 95.1, 0.6],
  ["demo-3", 33.9, 150.8, 0.35],
  ["demo-4", -70.3, -131.6, 0.2],
];

/** The sky as a list of components, as people write it. */
export function skyText(sources: readonly { name: string; ra: number; dec: number; flux: number }[]): string {
  const rows = sources.map(({ name, ra, dec, flux }) =>
    [name, "POINT", ra / DEGREE, dec / DEGREE, flux].join(",")
  );
  return ["Name,Type,Ra,Dec,I", ...rows, ""].join("\n");
}

/** The antennas along a spiral, each a little higher than the one before. */
function antennas(): Antenna[] {
  const [latitude, longitude, height] = SITE;
  const radius = placeOnEarth(0, 0, 0)[0];
  return Array.from({ length: ANTENNAS }, (_, i) => {
    const distance = INNER * (OUTER / INNER) ** (i / (ANTENNAS - 1)), angle = 2.4 * i; // nearly the golden angle
    const [east, north] = [distance * Math.cos(angle), distance * Math.sin(angle)];
    const position = placeOnEarth(
      latitude + north / radius,
      longitude + east / radius / Math.cos(latitude),
      height + i,
    );
    return { name: `m${String(i).padStart(2, "0")}`, position };
  });
}

/** Rows of all baselines at all times, without visibilities. */
export function demoArray(): ArraysInput {
  const all = antennas();
  const pairs = all.flatMap((_, p) => all.slice(p + 1).map((_, i) => [p, p + 1 + i] as const));
  const times = Array.from({ length: TIMES }, (_, i) => START + i * INTERVAL);
  const rows = times.flatMap((time) => pairs.map(([p, q]) => ({ time, p, q })));
  return {
    antennas: all,
    frequencies: Float64Array.from({ length: CHANNELS }, (_, c) => FIRST + c * WIDTH),
    channelWidths: new Float64Array(CHANNELS).fill(WIDTH),
    correlations: ["XX", "XY", "YX", "YY"],
    phaseCentre: CENTRE,
    field: "demo",
    time: rows.map(({ time }) => time),
    antenna1: rows.map(({ p }) => p),
    antenna2: rows.map(({ q }) => q),
    uvw: rows.flatMap(({ time, p, q }) => {
      const [a, b] = [all[p]!.position, all[q]!.position];
      return [...roughUvw([b[0] - a[0], b[1] - a[1], b[2] - a[2]], time, CENTRE)];
    }),
    interval: rows.map(() => INTERVAL),
    convention: "casa",
  };
}

/** Where the sources are, in radians. */
export function sourceDirections(): { name: string; l: number; m: number; flux: number }[] {
  return SOURCES.map(([name, east, north, flux]) => ({
    name,
    l: east * ARCSECOND,
    m: north * ARCSECOND,
    flux,
  }));
}

/** Noise of a sample by its number: a pair with a normal distribution (Box and Muller), the same for the same seed. */
export function noiseOf(seed: number, index: number): [number, number] {
  const [a, b] = [uniform(seed, 2 * index), uniform(seed, 2 * index + 1)];
  const size = NOISE * Math.sqrt(-2 * Math.log(a));
  return [size * Math.cos(2 * Math.PI * b), size * Math.sin(2 * Math.PI * b)];
}

/** A number above 0, up to 1, from two others: the finishing steps of a hash (MurmurHash3, Appleby). */
function uniform(seed: number, index: number): number {
  let x = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca77);
  for (const [shift, factor] of [[16, 0x85ebca6b], [13, 0xc2b2ae35], [16, 1]] as const) {
    x = Math.imul(x ^ (x >>> shift), factor);
  }
  return ((x >>> 0) + 1) / 2 ** 32;
}
