/**
 * Angles of a source in the sky of an observer: hour angle and parallactic angle.
 *
 * @module
 */

import { mustBeNumber } from "./check.ts";

/** Seconds of a day. */
const DAY = 86400;

/** The modified Julian date of the epoch 2000 January 1, 12 h. */
const EPOCH = 51544.5;

/**
 * The hour angle in radians, from -π to π, of a right ascension for an observer at a longitude (radians, east positive),
 * at a time in seconds: modified Julian date · 86400, as in Measurement Sets.
 *
 * It is the Earth rotation angle (IERS Conventions 2010, equation 5.15) plus longitude minus right ascension. The right
 * ascension is therefore that of the date, counted from the celestial intermediate origin; precession, nutation and the
 * difference of UTC and UT1 are not applied. Positions of another epoch, such as J2000, must be converted before.
 *
 * @example The sky turns once in a sidereal day
 * ```ts
 * import { hourAngle } from "@tilewise/tilewise/unstable/rime";
 * import { assertAlmostEquals } from "@std/assert";
 * const time = 60000 * 86400, day = 86164.0989;
 * assertAlmostEquals(hourAngle(time + day, 1, 0.3), hourAngle(time, 1, 0.3), 1e-6);
 * ```
 * @category Measurement equation
 */
export function hourAngle(time: number, rightAscension: number, longitude: number): number {
  for (const [name, value] of Object.entries({ time, rightAscension, longitude })) {
    mustBeNumber("hourAngle()", name, value);
  }
  const days = time / DAY - EPOCH;
  const turns = days % 1 + 0.779057273264 + 0.00273781191135448 * days;
  const angle = 2 * Math.PI * (turns % 1) + longitude - rightAscension;
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/**
 * The parallactic angle in radians, from -π to π: the angle at the source from the direction of the celestial pole to
 * that of the zenith, positive after the source has passed the meridian in the south.
 *
 * `tan q = cos φ sin H / (sin φ cos δ - cos φ sin δ cos H)` (Meeus, "Astronomical Algorithms", equation 14.1), with the
 * quadrant by the signs of both parts.
 *
 * @example On the meridian, south of the zenith
 * ```ts
 * import { parallacticAngle } from "@tilewise/tilewise/unstable/rime";
 * import { assert, assertEquals } from "@std/assert";
 * assertEquals(parallacticAngle(0, 0.1, 0.9), 0);
 * assert(parallacticAngle(0.5, 0.1, 0.9) > 0);
 * ```
 * @category Measurement equation
 */
export function parallacticAngle(hourAngle: number, declination: number, latitude: number): number {
  for (const [name, value] of Object.entries({ hourAngle, declination, latitude })) {
    mustBeNumber("parallacticAngle()", name, value);
  }
  return Math.atan2(
    Math.cos(latitude) * Math.sin(hourAngle),
    Math.sin(latitude) * Math.cos(declination) -
      Math.cos(latitude) * Math.sin(declination) * Math.cos(hourAngle),
  );
}
