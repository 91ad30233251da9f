/**
 * Directions: right ascension and declination, and direction cosines about a phase centre (the SIN projection).
 *
 * With `a` the difference of right ascension, `d` the declination and `d0` that of the phase centre:
 *
 * ```text
 * l = cos d sin a      m = sin d cos d0 - cos d sin d0 cos a      n = sin d sin d0 + cos d cos d0 cos a
 * ```
 *
 * (Thompson, Moran, Swenson, "Interferometry and Synthesis in Radio Astronomy", section 3.1.) Computed as written, `m`
 * and `n - 1` are differences of numbers near 1. The forms used here have half angles in place of `cos a`, and lose no
 * digits near the phase centre.
 *
 * @module
 */

import { directionText } from "../../observations/meaning/shown.ts";
import { TilewiseError } from "../../errors.ts";
import { countOf, mustBeFinite } from "./check.ts";

/**
 * Right ascension and declination in radians.
 * @category Measurement equation
 */
export type Direction = readonly [rightAscension: number, declination: number];

/**
 * Direction cosines of some directions.
 * @category Measurement equation
 */
export interface DirectionCosines {
  /** `l` (to the east) and `m` (to the north) of each direction: shape (n, 2). */
  readonly lm: Float64Array<ArrayBuffer>;
  /** `n - 1` of each direction, from 0 at the phase centre to -1 at the horizon: shape (n). */
  readonly nMinus1: Float64Array<ArrayBuffer>;
}

/**
 * The direction cosines of directions about a phase centre, in radians: `radec` has the shape (n, 2).
 *
 * Errors: `invalid` for a direction behind the horizon, which has the same `l` and `m` as one before it, and for numbers
 * that are not finite.
 *
 * @example A source one degree north of the phase centre
 * ```ts
 * import { radecToLm } from "@tilewise/tilewise/unstable/rime";
 * import { assertAlmostEquals } from "@std/assert";
 * const degree = Math.PI / 180;
 * const { lm } = radecToLm([2, -0.5 + degree], [2, -0.5]);
 * assertAlmostEquals(lm[1] ?? NaN, Math.sin(degree), 1e-15);
 * ```
 * @category Measurement equation
 */
export function radecToLm(radec: ArrayLike<number>, phaseCentre: Direction): DirectionCosines {
  const count = countOf("radecToLm()", "radec", radec, 2);
  mustBeFinite("radecToLm()", "radec", radec, 2);
  mustBeFinite("radecToLm()", "phaseCentre", phaseCentre);
  const lm = new Float64Array(2 * count), nMinus1 = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const [l, m, n1] = projected(radec[2 * i]!, radec[2 * i + 1]!, phaseCentre);
    if (n1 < -1) throw behind(i, [radec[2 * i]!, radec[2 * i + 1]!], phaseCentre);
    lm.set([l, m], 2 * i);
    nMinus1[i] = n1;
  }
  return { lm, nMinus1 };
}

function projected(ra: number, dec: number, [ra0, dec0]: Direction): [l: number, m: number, n1: number] {
  const half = Math.sin((ra - ra0) / 2), halfDec = Math.sin((dec - dec0) / 2);
  const bent = 2 * Math.cos(dec) * half * half; // cos d (1 - cos a)
  return [
    Math.cos(dec) * Math.sin(ra - ra0),
    Math.sin(dec - dec0) + Math.sin(dec0) * bent,
    -2 * halfDec * halfDec - Math.cos(dec0) * bent,
  ];
}

function behind(index: number, found: Direction, centre: Direction): TilewiseError {
  const text = `radecToLm(): direction ${index} (${
    directionText(found)
  }) is more than 90° from the phase centre (${
    directionText(centre)
  }); it has no direction cosines in the SIN projection`;
  return new TilewiseError("invalid", text, { option: "radec", index, found: directionText(found) });
}

/**
 * Right ascension and declination of direction cosines about a phase centre: the inverse of {@link radecToLm}. Right
 * ascensions are from 0 to 2π. Shape (n, 2), as that of `lm`.
 *
 * Errors: those of {@link checkDirections}.
 *
 * @example There and back
 * ```ts
 * import { lmToRadec, radecToLm } from "@tilewise/tilewise/unstable/rime";
 * import { assertAlmostEquals } from "@std/assert";
 * const [ra = NaN, dec = NaN] = lmToRadec(radecToLm([6.2, 0.3], [0.1, 0.2]).lm, [0.1, 0.2]);
 * assertAlmostEquals(ra, 6.2, 1e-12);
 * assertAlmostEquals(dec, 0.3, 1e-12);
 * ```
 * @category Measurement equation
 */
export function lmToRadec(lm: ArrayLike<number>, phaseCentre: Direction): Float64Array<ArrayBuffer> {
  checkDirections(lm, "lmToRadec()");
  mustBeFinite("lmToRadec()", "phaseCentre", phaseCentre);
  const [ra0, dec0] = phaseCentre;
  const [sin, cos] = [Math.sin(dec0), Math.cos(dec0)];
  const radec = new Float64Array(lm.length);
  for (let at = 0; at < lm.length; at += 2) {
    const [l, m] = [lm[at]!, lm[at + 1]!];
    const n = Math.sqrt(1 - l * l - m * m);
    const toEquator = n * cos - m * sin;
    radec[at] = turned(ra0 + Math.atan2(l, toEquator));
    radec[at + 1] = Math.atan2(m * cos + n * sin, Math.hypot(l, toEquator));
  }
  return radec;
}

/** An angle from 0 to 2π. */
function turned(angle: number): number {
  const rest = angle % (2 * Math.PI);
  return rest < 0 ? rest + 2 * Math.PI : rest;
}

/**
 * Refuses direction cosines that no direction has: `l² + m² > 1`, or numbers that are not finite. `lm` has the shape
 * (n, 2); `call` begins the message.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * checkDirections([0.6, 0.8]);
 * assertThrows(() => checkDirections([0, 0, 0.8, 0.8]), Error, "lm[1]");
 * ```
 * @category Measurement equation
 */
export function checkDirections(
  lm: ArrayLike<number>,
  call: string = "checkDirections()",
): void {
  checkDirectionsFrom(0, lm, call);
}

/** The same for directions of which `first` have come before. */
export function checkDirectionsFrom(first: number, lm: ArrayLike<number>, call: string): void {
  const count = countOf(call, "lm", lm, 2);
  for (let i = 0; i < count; i++) {
    const [l, m] = [lm[2 * i]!, lm[2 * i + 1]!];
    mustBeFinite(call, `lm[${first + i}]`, [l, m]);
    const square = l * l + m * m;
    if (square <= 1) continue;
    const text =
      `${call}: lm[${
        first + i
      }] is (${l}, ${m}), and l² + m² is ${square}; direction cosines have at most 1. ` +
      "Right ascension and declination become direction cosines by radecToLm()";
    throw new TilewiseError("invalid", text, { option: "lm", index: first + i, found: square, expected: 1 });
  }
}
