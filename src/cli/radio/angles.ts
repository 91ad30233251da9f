/**
 * Angles as they are typed and shown.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { ARCSECOND } from "../../skies/angles.ts";

/** Units, by the names that other programs use. */
const UNITS: Readonly<Record<string, number>> = {
  deg: 3600 * ARCSECOND,
  amin: 60 * ARCSECOND,
  arcmin: 60 * ARCSECOND,
  asec: ARCSECOND,
  arcsec: ARCSECOND,
  mas: ARCSECOND / 1000,
  rad: 1,
};

/**
 * Radians of an angle with its unit. Errors: `invalid` for others, and for 0.
 *
 * @example
 * ```ts
 * import { assertAlmostEquals } from "@std/assert";
 * assertAlmostEquals(arcs("2asec"), 2 * Math.PI / 180 / 3600, 1e-18);
 * assertAlmostEquals(arcs("0.5 deg"), Math.PI / 360, 1e-15);
 * ```
 */
export function arcs(text: string): number {
  const [, number, unit] = /^\s*((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]+)\s*$/i.exec(text) ?? [];
  const angle = Number(number) * (UNITS[unit?.toLowerCase() ?? ""] ?? NaN);
  if (angle > 0 && Number.isFinite(angle)) return angle;
  throw new TilewiseError("invalid", "write an angle such as 2asec, 0.5amin or 0.01deg", { found: text });
}

/** An angle in the unit in which it is short. */
export function angleText(radians: number): string {
  const [scale, name] = unitFor(radians);
  return `${Number((radians / scale).toPrecision(4))} ${name}`;
}

/** The unit in which an angle of this size is shown: radians of it, and its name. */
export function unitFor(radians: number): [scale: number, name: string] {
  const seconds = Math.abs(radians) / ARCSECOND;
  if (seconds >= 3 * 3600) return [3600 * ARCSECOND, "deg"];
  if (seconds >= 3 * 60) return [60 * ARCSECOND, "arcmin"];
  if (seconds >= 0.3) return [ARCSECOND, "arcsec"];
  return [ARCSECOND / 1000, "mas"];
}
