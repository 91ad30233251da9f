/**
 * Units as tables and attributes write them, and by what values are multiplied to have ours.
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
