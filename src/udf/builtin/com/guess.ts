/**
 * Guesses centre, rotation and flip for a centre of mass from an uncorrected result.
 *
 * An electrostatic field has no curl. Rotating a field by θ mixes its curl C and divergence D,
 *
 *   curl(θ) = C cos θ + D sin θ, hence mean curl² = ⟨C²⟩ cos² θ + 2 ⟨CD⟩ cos θ sin θ + ⟨D²⟩ sin² θ,
 *
 * which is least at 2θ = atan2(2⟨CD⟩, ⟨C²⟩ − ⟨D²⟩) + π. No search over angles is needed, and the angle is not rounded
 * to degrees. A field and its mirror image have different minima; the lower one says whether y is flipped.
 * The curl is the same at θ and θ + 180°: nuclei attract electrons, so divergence is strongest where it is negative.
 *
 * @module
 */

import { angleOf } from "../../../space/functions/functions.ts";
import { asNumbers } from "../../../space/numbers.ts";
import { TilewiseError } from "../../../errors.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { showShape } from "../../../space/shape.ts";
import type { UdfResult } from "../../interface/buffer_types.ts";
import { curl, divergence, type GridShape, hasDerivatives, turned, type VectorField } from "./field.ts";

/**
 * The result of {@link guessCorrections}: parameters of `centreOfMass`.
 * @category Analyses
 */
export interface ComCorrections {
  /** Mean row of the centres, in pixels. */
  readonly cy: number;
  /** Mean column of the centres, in pixels. */
  readonly cx: number;
  /** Rotation between scan and detector, in degrees, above −180 and up to 180. */
  readonly scanRotation: number;
  /** Whether y has the wrong sign. */
  readonly flipY: boolean;
}

/**
 * Guesses the parameters of `centreOfMass` from its results without corrections. With the guessed parameters the curl
 * is least, the mean field is 0, and divergence has its longer tail on the negative side. Meant for electric fields at
 * atomic resolution. The last row and column of the scan and positions without a value are ignored.
 *
 * `result`: the results of a centre of mass, or its `raw_com`, shape (rows, columns, 2). If it contains other
 * corrections or shifts, the guess is relative to those.
 *
 * @param result results of a centre of mass, or its `raw_com`
 * @returns rotation, flip and reference centre, as options of `centreOfMass`
 *
 * @example
 * ```ts
 * import { guessCorrections } from "@tilewise/tilewise";
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { assertAlmostEquals } from "@std/assert";
 * // a field towards the middle of the scan, seen by a detector rotated by 90°
 * const field = Array.from({ length: 81 }, (_, i) => {
 *   const [y, x] = [Math.floor(i / 9) - 4, i % 9 - 4];
 *   const strength = Math.exp(-(y * y + x * x) / 4);
 *   return [8 + x * strength, 8 - y * strength];
 * });
 * const { scanRotation } = guessCorrections(ndarray(Float64Array.from(field.flat()), [9, 9, 2], "float64"));
 * assertAlmostEquals(Math.abs(scanRotation), 90, 1e-9);
 * ```
 * @category Analyses
 */
export function guessCorrections(result: UdfResult | NDArray): ComCorrections {
  const { field, shape } = centresOf(result);
  const counts = (i: number) => Math.floor(i / shape[1]) < shape[0] - 1 && i % shape[1] < shape[1] - 1;
  const candidates = [false, true].map((flipY) => ({
    flipY,
    ...leastCurl(turned(field, 0, flipY), shape, counts),
  }));
  const [plain, flipped] = candidates as [Candidate, Candidate];
  const { flipY, angle } = flipped.curl < plain.curl ? flipped : plain;
  const degrees = angle * 180 / Math.PI;
  const values = divergence(turned(field, degrees, flipY), shape).filter((value, i) =>
    counts(i) && isFinite(value)
  );
  const scanRotation = wrapped(isUpsideDown(values) ? degrees + 180 : degrees);
  return {
    cy: mean(field.y.filter((_, i) => counts(i))),
    cx: mean(field.x.filter((_, i) => counts(i))),
    scanRotation,
    flipY,
  };
}

interface Candidate {
  readonly flipY: boolean;
  /** Angle in radians. */
  readonly angle: number;
  /** Mean squared curl at this angle. */
  readonly curl: number;
}

function leastCurl(field: VectorField, shape: GridShape, counts: (i: number) => boolean) {
  const [c, d] = [curl(field, shape), divergence(field, shape)];
  let [cc, cd, dd, n] = [0, 0, 0, 0];
  c.forEach((value, i) => {
    if (!counts(i) || !isFinite(value + d[i]!)) return;
    cc += value * value;
    cd += value * d[i]!;
    dd += d[i]! * d[i]!;
    n++;
  });
  if (n === 0) {
    throw new TilewiseError("invalid", "Cannot guess corrections: no position of the scan has a curl");
  }
  const [even, odd] = [(cc - dd) / 2, cd];
  const angle = even === 0 && odd === 0 ? 0 : (angleOf(odd, even) + Math.PI) / 2;
  return { angle, curl: ((cc + dd) / 2 - Math.hypot(even, odd)) / n };
}

/** Whether fewer values lie in the most negative of five bins, symmetric around 0, than in the most positive bin. */
function isUpsideDown(values: Float64Array): boolean {
  const range = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const count = (inside: (value: number) => boolean) => values.filter(inside).length;
  return range > 0 && count((value) => value < -0.6 * range) < count((value) => value >= 0.6 * range);
}

/** The same angle in degrees, above −180 and up to 180. */
function wrapped(degrees: number): number {
  const turns = degrees - 360 * Math.floor(degrees / 360);
  return turns > 180 ? turns - 360 : turns;
}

function mean(values: Float64Array): number {
  const valid = values.filter(Number.isFinite);
  return valid.reduce((sum, value) => sum + value, 0) / valid.length;
}

function centresOf(result: UdfResult | NDArray): { field: VectorField; shape: GridShape } {
  const centres = isArray(result) ? result : result.raw_com;
  const shape = centres?.shape.slice(0, 2) ?? [];
  if (!centres || centres.shape.length !== 3 || centres.shape[2] !== 2 || !hasDerivatives(shape)) {
    const found = centres ? `an array of ${showShape(centres.shape)}` : "results without raw_com";
    const text =
      `Cannot guess corrections from ${found}: it takes centres of mass of a scan, rows × columns × 2`;
    throw new TilewiseError("invalid", text, { found });
  }
  const numbers = asNumbers(centres.data);
  const part = (first: number) =>
    Float64Array.from({ length: numbers.length / 2 }, (_, i) => {
      return centres.valid && !centres.valid[i] ? NaN : numbers[2 * i + first]!;
    });
  return { field: { y: part(0), x: part(1) }, shape };
}

function isArray(result: UdfResult | NDArray): result is NDArray {
  return "dtype" in result && typeof result.dtype === "string";
}
