/**
 * Angles as component lists write them.
 *
 * @module
 */

const DEGREE = Math.PI / 180;

/** Radians of an arcsecond. */
export const ARCSECOND: number = DEGREE / 3600;

const NUMBER = "(\\d+(?:\\.\\d*)?(?:e[+-]?\\d+)?)";

/** Hours, minutes and seconds: `08:28:05.15`, `8h28m5.15s`. */
const HOURS = new RegExp(`^([+-]?)(\\d+)[:h](\\d+)[:m]${NUMBER}s?$`, "i");
/** Degrees, minutes and seconds: `39.35.08.511`, `-39d35m08.5s`, `39:35:08.5`. */
const DEGREES = new RegExp(`^([+-]?)(\\d+)[.d°](\\d+)[.m'](\\d+(?:\\.\\d*)?)(?:s|")?$`, "i");
const COLONS = new RegExp(`^([+-]?)(\\d+):(\\d+):${NUMBER}$`);
const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(deg|rad)?$/i;

/**
 * Radians of a right ascension or declination: sexagesimal, or a number of degrees (`deg`, or without a unit) or radians
 * (`rad`); `undefined` if it is not an angle.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(["06:00:00", "90", "90deg"].map((text) => angleOf(text, "ra")), [Math.PI / 2, Math.PI / 2, Math.PI / 2]);
 * assertEquals(angleOf("-45.30.00", "dec"), -45.5 * Math.PI / 180);
 * assertEquals(angleOf("north", "dec"), undefined);
 * ```
 */
export function angleOf(text: string, what: "ra" | "dec"): number | undefined {
  const trimmed = text.trim();
  const plain = PLAIN.exec(trimmed);
  if (plain) {
    const value = parseFloat(trimmed) * (plain[1]?.toLowerCase() === "rad" ? 1 : DEGREE);
    return inRange(value, what);
  }
  const isHours = what === "ra" && HOURS.test(trimmed);
  const parts = (isHours ? HOURS : what === "dec" ? DEGREES : /$^/).exec(trimmed) ??
    DEGREES.exec(trimmed) ?? (what === "dec" ? COLONS.exec(trimmed) : null);
  if (!parts) return undefined;
  const [, sign, whole, minutes, seconds] = parts;
  if (Number(minutes) >= 60 || Number(seconds) > 60) return undefined; // 60.000 is a rounded 59.9996
  const value = Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600;
  return inRange((sign === "-" ? -1 : 1) * value * (isHours ? 15 : 1) * DEGREE, what);
}

/** Declinations beyond the poles are invalid. */
function inRange(value: number, what: "ra" | "dec"): number | undefined {
  return what === "dec" && Math.abs(value) > Math.PI / 2 + 1e-12 ? undefined : value;
}
