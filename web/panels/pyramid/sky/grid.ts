/**
 * A grid of coordinates over an image of the sky, and its beam.
 *
 * @module
 */

import type { Position } from "../../../state/state.ts";
import type { Cards, Sky, SkyPlace } from "./sky.ts";

/** A line of the grid. */
export interface GridLine {
  /** What is the same along it. */
  readonly of: "ra" | "dec";
  /** Its degrees. */
  readonly value: number;
  /** The same in hours or degrees. */
  readonly text: string;
  /** Pixels along it, in parts without gaps. */
  readonly parts: readonly (readonly Position[])[];
}

/** Rows and columns of an image, each with the one after the last. */
export interface Part {
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
}

/** Places along a line, and samples along a side of the image from which its range of coordinates is taken. */
const POINTS = 96, SAMPLES = 17;

/** Lines that are wanted in each direction. */
const LINES = 5;

/** Distances of lines in degrees or hours, from large to small: minutes and seconds follow. */
const SIXTIETHS = [30, 20, 15, 10, 5, 2, 1], TENTHS = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
const below = (whole: readonly number[]) => [
  ...whole,
  ...SIXTIETHS.map((n) => n / 60),
  ...[...SIXTIETHS, ...TENTHS].map((n) => n / 3600),
];
const DEC_STEPS = below([45, 30, 20, 15, 10, 5, 2, 1]);
const RA_STEPS = below([6, 3, 2, 1]).map((hours) => 15 * hours);

/** The lines of the grid that cross a part of an image. */
export function gridOf(sky: Sky, part: Part): GridLine[] {
  const seen = seenPlaces(sky, part);
  if (seen.length === 0) return [];
  const [middle] = seen;
  const turns = seen.map(({ ra }) => turnFrom(middle!.ra, ra)), heights = seen.map(({ dec }) => dec);
  const pole = [90, -90].find((dec) => isIn(sky.pixel({ ra: 0, dec }), part));
  const range = (all: readonly number[]) => [Math.min(...all), Math.max(...all)] as [number, number];
  const [west, east] = pole === undefined ? range(turns) : [-180, 180];
  const [low, high] = range(pole === undefined ? heights : [...heights, pole]);
  const meridians = multiples(middle!.ra + west, middle!.ra + east, stepFor(RA_STEPS, east - west));
  const circles = multiples(low, high, stepFor(DEC_STEPS, high - low)).filter((dec) => Math.abs(dec) < 90);
  const along = (from: number, to: number) =>
    Array.from({ length: POINTS + 1 }, (_, i) => from + (to - from) * i / POINTS);
  const ras = along(middle!.ra + west, middle!.ra + east), decs = along(low, high);
  return [
    ...(pole !== undefined && meridians.length > 1 ? meridians.slice(1) : meridians).map((value) => {
      const ra = ((value % 360) + 360) % 360;
      return lineOf(sky, "ra", ra, hoursText(ra), decs.map((dec) => ({ ra, dec })));
    }),
    ...circles.map((dec) => lineOf(sky, "dec", dec, degreesText(dec), ras.map((ra) => ({ ra, dec })))),
  ];
}

function lineOf(
  sky: Sky,
  of: GridLine["of"],
  value: number,
  text: string,
  places: readonly SkyPlace[],
): GridLine {
  const parts: Position[][] = [[]];
  for (const place of places) {
    const at = sky.pixel(place);
    if (at) parts.at(-1)!.push(at);
    else if (parts.at(-1)!.length > 0) parts.push([]);
  }
  return { of, value, text, parts: parts.filter(({ length }) => length > 1) };
}

/** Places all over a part; the first is near its middle. */
function seenPlaces(sky: Sky, { rows, columns }: Part): SkyPlace[] {
  const at = ([start, stop]: readonly [number, number], i: number) =>
    start - 0.5 + (stop - start) * i / (SAMPLES - 1);
  const all: [distance: number, place: SkyPlace][] = [];
  const half = (SAMPLES - 1) / 2;
  for (let i = 0; i < SAMPLES; i++) {
    for (let j = 0; j < SAMPLES; j++) {
      const place = sky.at(at(rows, i), at(columns, j));
      if (place) all.push([Math.hypot(i - half, j - half), place]);
    }
  }
  return all.sort(([a], [b]) => a - b).map(([, place]) => place);
}

function isIn(at: Position | undefined, { rows, columns }: Part): boolean {
  return at !== undefined && at[0] >= rows[0] - 0.5 && at[0] <= rows[1] - 0.5 &&
    at[1] >= columns[0] - 0.5 && at[1] <= columns[1] - 0.5;
}

/** From one right ascension to another, the shorter way. */
function turnFrom(from: number, to: number): number {
  return (((to - from + 180) % 360) + 360) % 360 - 180;
}

/** The largest step of which there are enough in a span. */
function stepFor(all: readonly number[], span: number): number {
  return all.find((step) => span / step >= LINES - 1) ?? all.at(-1)!;
}

function multiples(from: number, to: number, step: number): number[] {
  const [first, last] = [Math.ceil(from / step - 1e-9), Math.floor(to / step + 1e-9)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

function hoursText(ra: number): string {
  return sexagesimal(ra / 15, ["h", "m", "s"]);
}

function degreesText(dec: number): string {
  return `${dec < -1e-12 ? "−" : "+"}${sexagesimal(Math.abs(dec), ["°", "′", "″"])}`;
}

/** As few parts as say it: `5h20m`, `+12°`. */
function sexagesimal(value: number, units: readonly [string, string, string]): string {
  const all = Math.round(value * 3.6e7); // ten-thousandths of seconds
  const parts = [Math.floor(all / 3.6e7), Math.floor(all / 6e5) % 60, (all % 6e5) / 1e4];
  const last = parts.findLastIndex((part) => part !== 0);
  return parts.slice(0, Math.max(1, last + 1)).map((part, i) => {
    const [whole = "", rest] = `${part}`.split(".");
    return `${i === 0 ? whole : whole.padStart(2, "0")}${rest ? `.${rest}` : ""}${units[i]}`;
  }).join("");
}

/** A beam: an ellipse of half the peak. */
export interface Beam {
  /** Its sides in words. */
  readonly text: string;
  /** Its outline around a pixel at the origin. */
  readonly outline: readonly Position[];
}

/** The beam that a header has (`BMAJ`, `BMIN`, `BPA`), as it is in the middle of the image. */
export function beamOf(cards: Cards, sky: Sky, [y, x]: Position): Beam | undefined {
  const [major, minor, angle = 0] = ["BMAJ", "BMIN", "BPA"].map((name) => cards[name] ?? undefined);
  const middle = sky.at(y, x);
  if (typeof major !== "number" || typeof minor !== "number" || typeof angle !== "number" || !middle) {
    return undefined;
  }
  if (!(major > 0 && minor > 0 && Number.isFinite(major + minor + angle))) return undefined;
  const tiny = sky.step / 100, turn = angle * Math.PI / 180;
  const [origin, north, east] = [
    sky.pixel(middle),
    sky.pixel({ ...middle, dec: middle.dec + tiny }),
    sky.pixel({ ...middle, ra: middle.ra + tiny / Math.cos(middle.dec * Math.PI / 180) }),
  ];
  if (!origin || !north || !east) return undefined;
  const outline = Array.from({ length: 49 }, (_, i): Position => {
    const t = 2 * Math.PI * i / 48;
    const [along, across] = [major / 2 * Math.cos(t), minor / 2 * Math.sin(t)];
    const up = along * Math.cos(turn) - across * Math.sin(turn); // to the north
    const left = along * Math.sin(turn) + across * Math.cos(turn); // to the east
    const toPixels = (d: 0 | 1) => (up * (north[d] - origin[d]) + left * (east[d] - origin[d])) / tiny;
    return [toPixels(0), toPixels(1)];
  });
  const seconds = (degrees: number) => Number((3600 * degrees).toPrecision(3));
  return { text: `${seconds(major)}″ × ${seconds(minor)}″ at ${Number(angle.toFixed(1))}°`, outline };
}
