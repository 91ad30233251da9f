/**
 * Where samples of a FITS image lie: along coordinates, by the cards of the world coordinates.
 *
 * Source: FITS standard 4.0, section 8.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { AxisFacts } from "../../space/axes.ts";
import { fitsKind, fitsUnit, isUnevenInFits } from "../../space/meaning/said_kinds.ts";
import { withMicro } from "../../space/meaning/units.ts";
import { Cards } from "./cards.ts";

/** Keywords of numbers that say where samples lie: samples are read without them. */
const PLACED = /^((CDELT|CRVAL|CRPIX|CROTA)\d+|(CD|PC)\d+_\d+)$/;

/** Cards that a warning names. */
const MOST_NAMES = 8;

/** A header without those of its cards of places that hold no number, as astropy reads it, and a warning that names them. */
export function withPlaces(cards: Cards): { readonly cards: Cards; readonly warnings: readonly string[] } {
  const isLeft = ([keyword, value]: readonly [string, unknown]) =>
    PLACED.test(keyword) && value !== null && !Number.isFinite(value);
  const left = [...cards.values].filter(isLeft);
  if (left.length === 0) return { cards, warnings: [] };
  const names = left.slice(0, MOST_NAMES).map(([keyword, value]) => `${keyword} = ${value}`).join(", ");
  const others = new Map([...cards.values].filter((card) => !isLeft(card)));
  return {
    cards: new Cards(cards.file, cards.offset, cards.end, others),
    warnings: [`Where samples lie is said without the cards that must be numbers: ${names}`],
  };
}

/** Axis `i` of the header, counted from 1: its name, and where it is linear its steps. */
export function axisOf(cards: Cards, { steps, turned }: World, i: number): AxisFacts | undefined {
  const name = cards.text(`CTYPE${i}`).trim();
  const unit = unitIn(cards.text(`CUNIT${i}`)) || fitsUnit(name);
  const kind = fitsKind(name, unit);
  const facts = {
    ...(name === "" ? {} : { name }),
    ...defined({ kind }),
    ...(i === ROWS ? { upwards: true as const } : {}),
  };
  const own = steps.get(i);
  if (!own) return facts;
  const said = { ...facts, ...(unit === "" ? {} : { unit }) };
  const scale = own.get(i) ?? 0;
  if (!turned.has(i)) return { ...said, ...placesOf(cards, i, scale) };
  const { name: _, ...others } = said; // it is not that coordinate
  const length = Math.hypot(...own.values());
  return { ...others, ...defined({ name: PLACES[i] }), scale: scale < 0 ? -length : length };
}

/** Where samples are along their coordinate: even ones, or a list. */
function placesOf(cards: Cards, i: number, scale: number): Pick<AxisFacts, "scale" | "offset" | "positions"> {
  const value = cards.number(`CRVAL${i}`, 0), pixel = cards.number(`CRPIX${i}`, 0);
  if (hasNoPlaces(cards, i)) return {};
  if (!isUneven(cards, i)) return { scale, offset: value + (1 - pixel) * scale };
  const count = cards.count(`NAXIS${i}`, 1, MOST_POSITIONS);
  const places = Array.from({ length: count }, (_, n) => value * Math.exp((n + 1 - pixel) * scale / value));
  return { positions: places };
}

/** What axes of an image are called that are no coordinates. */
const PLACES: Readonly<Record<number, string>> = { 1: "x", 2: "y" };
/** Most samples of an axis that have their places in a list. */
const MOST_POSITIONS = 65536;

/** Whether samples are not evenly spaced in the coordinate: it is a logarithm, in a table, or even in another one (section 8.4). */
function isUneven(cards: Cards, i: number): boolean {
  return isUnevenInFits(cards.text(`CTYPE${i}`).trim());
}

/** Whether the places of uneven samples are not computed: only those of logarithms are, if they are not too many. */
function hasNoPlaces(cards: Cards, i: number): boolean {
  const isLogarithm = cards.text(`CTYPE${i}`).trim().endsWith("-LOG") && cards.number(`CRVAL${i}`, 0) !== 0;
  return isUneven(cards, i) && !(isLogarithm && cards.number(`NAXIS${i}`, 0) <= MOST_POSITIONS);
}

/** How samples lie along the coordinates of a unit. */
interface World {
  /** By axis, what a sample along it adds to coordinates, by their numbers; absent: the header does not say it. */
  readonly steps: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** Axes that go along other coordinates than their own, or whose coordinate goes along other axes. */
  readonly turned: ReadonlySet<number>;
}

/** The part of a step that does not count: what is left of rounding. */
const ROUNDING = 1e-6;

/** What `CD` says, or `PC` times `CDELT`, or an older way to turn the first two axes. */
export function worldOf(cards: Cards): World {
  const elements = [...cards.values.keys()].flatMap((keyword) => {
    const [, kind, i, j] = /^(CD|PC)([1-9]\d{0,2})_([1-9]\d{0,2})$/.exec(keyword) ?? [];
    return kind === undefined ? [] : [{ keyword, kind, i: Number(i), j: Number(j) }];
  });
  const kind = elements.some((one) => one.kind === "CD") ? "CD" : "PC";
  const own = elements.filter((one) => one.kind === kind), columns = new Set(own.map(({ j }) => j));
  const step = (i: number) => kind === "CD" ? 1 : cards.number(`CDELT${i}`, 1);
  const said = kind === "CD"
    ? []
    : coordinates(cards).filter((j) => cards.values.has(`CDELT${j}`) || columns.has(j));
  const steps = new Map(said.map((j) => [j, new Map([[j, step(j)]])]));
  for (const { keyword, i, j } of own) {
    steps.set(j, (steps.get(j) ?? new Map<number, number>()).set(i, step(i) * cards.number(keyword, 0)));
  }
  const turned = new Set(cards.number(`CROTA${ROWS}`, 0) === 0 ? [] : [1, ROWS]);
  for (const [j, column] of steps) {
    for (const [i, part] of column) {
      const isPart = (axis: number) =>
        i !== j && Math.abs(part) > ROUNDING * Math.abs(steps.get(axis)?.get(axis) ?? 0);
      for (const axis of [i, j].filter(isPart)) turned.add(axis);
    }
  }
  return { steps, turned };
}

/** The numbers of the coordinates. */
function coordinates(cards: Cards): number[] {
  return Array.from({ length: cards.count("NAXIS", 0, 999) }, (_, i) => i + 1);
}

/** Warnings about axes whose samples are not at the coordinates that they are named after. */
export function told(cards: Cards, { turned: isTurned }: World): string[] {
  const named = (is: (j: number) => boolean) =>
    coordinates(cards).filter(is).map((j) => cards.text(`CTYPE${j}`).trim() || `${j}`).join(", ");
  const turned = named((j) => isTurned.has(j));
  const uneven = named((j) => hasNoPlaces(cards, j));
  return [
    ...(turned === "" ? [] : [
      `The axes ${turned} are turned against their coordinates: their steps are lengths, and where they begin is left out`,
    ]),
    ...(uneven === "" ? [] : [`Samples along ${uneven} are not evenly spaced: their places are left out`]),
    ...referencesIn(cards),
    ...(DISTORTED.some((keyword) => cards.values.has(keyword))
      ? ["Places of samples are those without the distortion that the header tells"]
      : []),
  ];
}

/** What begins the terms of a distortion: polynomials of SIP, tables for all pixels. */
const DISTORTED = ["A_ORDER", "B_ORDER", "CPDIS1", "CPDIS2", "D2IMDIS1", "D2IMDIS2"];

/** What coordinates are measured from, which axes do not keep: other skies than that of today, moments, moving observers. */
function referencesIn(cards: Cards): string[] {
  const kinds = new Set(
    coordinates(cards).map((j) => {
      const name = cards.text(`CTYPE${j}`).trim();
      return /^(RA|DEC|ELON|ELAT)-/.test(name) ? "sky" : fitsKind(name, "");
    }),
  );
  const isUsual = /^(ICRS|FK5|)$/.test(cards.text("RADESYS").trim()) &&
    Number(cards.values.get("EQUINOX") ?? 2000) === 2000;
  const keywords = [
    ...(kinds.has("sky") && !isUsual ? ["RADESYS", "EQUINOX"] : []),
    ...(kinds.has("frequency") ? ["SPECSYS", "RESTFRQ", "RESTFREQ", "RESTWAV"] : []),
    ...(kinds.has("time") ? ["TIMESYS", "MJDREF", "JDREF", "DATEREF"] : []),
  ];
  const said = keywords.flatMap((keyword) => {
    const value = cards.values.get(keyword) ?? "TOPOCENT";
    return value === "TOPOCENT" || value === "UTC" ? [] : [`${keyword} ${value}`]; // as it was measured
  });
  return said.length === 0 ? [] : [`Axes do not keep what coordinates are measured from: ${said.join(", ")}`];
}

/** The axis of rows: the first one is drawn at the bottom (section 5.1 of the first paper on FITS, and all viewers). */
const ROWS = 2;

/** A unit as we spell it: FITS has `u` for micro, and `nm-1` for `1/nm`. */
export function unitIn(text: string): string {
  const own = text.trim().replace(/^([A-Za-z]+)(\*\*|\^)?(-1|\(-1\))$/, "1/$1");
  return withMicro(own);
}
