/**
 * Times and directions as people write them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { LonLat } from "./frames.ts";

/** A time in seconds, MJD · 86400, as ISO 8601; empty for what is not a time. */
export function isoTime(time: number | undefined): string {
  const date = new Date(((time ?? NaN) - 40587 * 86400) * 1000);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

/** A right ascension in hours, to a hundredth of a second. */
export function hours(radians: number): string {
  const turn = 24 * 3600;
  const hundredths = Math.round(((radians / (2 * Math.PI) * turn % turn + turn) % turn) * 100) % (turn * 100);
  const [whole, rest] = [Math.floor(hundredths / 100), hundredths % 100];
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return `${two(h)}h${two(m)}m${two(s)}.${two(rest)}s`;
}

/** A declination in degrees, to a tenth of an arc second. */
export function declination(radians: number): string {
  const tenths = Math.round(Math.abs(radians) * 180 / Math.PI * 36000);
  const [whole, rest] = [Math.floor(tenths / 10), tenths % 10];
  const [d, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return `${radians < 0 ? "−" : "+"}${two(d)}°${two(m)}′${two(s)}.${rest}″`;
}

/** A right ascension and a declination; directions that are not fixed are said to be so. */
export function directionText([ra, dec]: LonLat): string {
  return Number.isFinite(ra + dec) ? `${hours(ra)} ${declination(dec)}` : "not fixed";
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** The number of a field in rows, by that number or by its name. Errors: `not-found`. */
export function fieldNumber(
  fields: ReadonlyMap<number, { readonly name: string }>,
  asked: string | number,
  file: string,
): number {
  const number = typeof asked === "number"
    ? asked
    : [...fields].find(([, { name }]) => name === asked)?.[0] ?? -1;
  if (fields.has(number)) return number;
  const known = [...fields].map(([id, { name }]) => `${id} "${name}"`).join(", ");
  const wanted = typeof asked === "number" ? asked : `"${asked}"`;
  const text = `There is no field ${wanted} in ${file}; it has ${known}`;
  throw new TilewiseError("not-found", text, { file, option: "field", found: asked });
}
