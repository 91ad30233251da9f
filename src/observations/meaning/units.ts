/**
 * Units as tables and attributes write them, and by what values are multiplied to have ours; scales of time.
 *
 * @module
 */

/** Units that values have here. */
export type Unit = "s" | "m" | "rad" | "Hz" | "Jy";

/** By what values of a unit are multiplied, and the unit that they have then. */
const KNOWN: Readonly<Record<string, readonly [Unit, number]>> = {
  s: ["s", 1],
  min: ["s", 60],
  h: ["s", 3600],
  hr: ["s", 3600],
  d: ["s", 86400],
  day: ["s", 86400],
  m: ["m", 1],
  rad: ["rad", 1],
  deg: ["rad", Math.PI / 180],
  arcmin: ["rad", Math.PI / 180 / 60],
  arcsec: ["rad", Math.PI / 180 / 3600],
  Hz: ["Hz", 1],
  Jy: ["Jy", 1],
};

/** Units that may have a prefix. */
const PREFIXED = ["s", "m", "rad", "deg", "arcsec", "Hz", "Jy"];

/** Powers of ten. */
const PREFIXES: Readonly<Record<string, number>> = {
  T: 12,
  G: 9,
  M: 6,
  k: 3,
  c: -2,
  m: -3,
  u: -6,
  "µ": -6,
  n: -9,
};

/** The units that are read, for messages and documents. */
export function unitsFor(unit: Unit): string[] {
  return Object.keys(KNOWN).filter((name) => KNOWN[name]![0] === unit);
}

/** By what values in `text` are multiplied to be in `unit`; `undefined` if it is not a unit of that kind. */
export function factorOf(text: string, unit: Unit): number | undefined {
  const name = text.trim();
  const known = KNOWN[name];
  if (known) return known[0] === unit ? known[1] : undefined;
  const base = PREFIXED.find((one) => name.endsWith(one) && name.slice(0, -one.length) in PREFIXES);
  if (base === undefined || KNOWN[base]![0] !== unit) return undefined;
  const power = PREFIXES[name.slice(0, -base.length)]!;
  return KNOWN[base]![1] * (power < 0 ? 1 / 10 ** -power : 10 ** power);
}

// Scales of time: what is stored in others becomes UTC.
//
// Source: IERS Bulletin C, the days on which TAI − UTC changed.

/** Modified Julian dates from which on TAI − UTC is 10 s, 11 s, …. */
const LEAPS: readonly number[] = [
  ...[41317, 41499, 41683, 42048, 42413, 42778, 43144, 43509, 43874, 44239, 44786, 45151, 45516, 46247],
  ...[47161, 47892, 48257, 48804, 49169, 49534, 50083, 50630, 51179, 53736, 54832, 56109, 57204, 57754],
];

/** TAI − UTC from the first of these days on, in seconds. */
const FIRST = 10;

/** TT − TAI in seconds. */
const TERRESTRIAL = 32.184;

/** Seconds by which a scale is ahead of TAI; TDB is never more than 2 ms from TT. */
const AHEAD: Readonly<Record<string, number>> = {
  TAI: 0,
  IAT: 0,
  TT: TERRESTRIAL,
  TDT: TERRESTRIAL,
  ET: TERRESTRIAL,
  TDB: TERRESTRIAL,
};

/** The scales that are read. */
export const CLOCKS: readonly string[] = ["UTC", ...Object.keys(AHEAD)];

/**
 * What makes times of a scale, in seconds (MJD · 86400), times of UTC; `undefined` for scales that are not read. Before 1972,
 * TAI − UTC counts as 10 s.
 */
export function toUtc(scale: string): ((time: number) => number) | undefined {
  const name = scale.toUpperCase();
  if (name === "UTC") return (time) => time;
  const ahead = AHEAD[name];
  if (ahead === undefined) return undefined;
  return (time) => {
    const atomic = time - ahead;
    const leaps = LEAPS.findLastIndex((day, i) => atomic >= day * 86400 + FIRST + i);
    return atomic - FIRST - Math.max(0, leaps);
  };
}
