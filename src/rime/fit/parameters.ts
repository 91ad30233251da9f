/**
 * The parameters of a fit as a vector, in units in which χ² is equally bent along all of them.
 *
 * @module
 */

import { SPEED_OF_LIGHT } from "../geometry/constants.ts";
import type { PredictInput, SkyModel } from "../predict/problem.ts";
import { rowsOf } from "../predict/sizes.ts";
import type { SkyGradient } from "../terms/gradient/problem.ts";

/**
 * What is fitted of a source: `lm`, its direction, or a Stokes parameter.
 * @category Measurement equation
 */
export type FitParameter = "lm" | "I" | "Q" | "U" | "V";

/** All of them. */
export const PARAMETERS: readonly FitParameter[] = ["lm", "I", "Q", "U", "V"];

/** A vector of parameters: offsets from the start. */
export interface ParameterVector {
  /** Its length. */
  readonly length: number;
  /** The sky at a place. */
  skyAt(x: Float64Array): SkyModel;
  /** The gradient by the parameters, from that by all arrays of the sky. */
  gradientOf(gradient: SkyGradient): Float64Array;
}

/** One number of an array of the sky. */
interface Parameter {
  readonly array: "lm" | "stokes";
  readonly place: number;
  /** What an offset of 1 adds to it. */
  readonly unit: number;
}

/** The vector for a problem; its weights are those of χ², with a weight for each of four correlations. */
export function parameterVector(
  input: PredictInput & { readonly weight?: Float64Array },
  names: readonly FitParameter[],
): ParameterVector {
  const { sky } = input;
  const moments = momentsOf(input);
  const list = [...parametersOf(sky, names, moments)];
  return {
    length: list.length,
    skyAt(x) {
      const moved = { lm: sky.lm.slice(), stokes: sky.stokes.slice() };
      list.forEach(({ array, place, unit }, i) => moved[array][place]! += unit * x[i]!);
      return { ...sky, ...moved };
    },
    gradientOf: (gradient) =>
      Float64Array.from(list, ({ array, place, unit }) => unit * gradient[array][place]!),
  };
}

function* parametersOf(
  { lm, stokes }: SkyModel,
  names: readonly FitParameter[],
  { weights, squares }: Moments,
): Generator<Parameter> {
  const sources = lm.length / 2;
  const unitOf = (bend: number) => bend > 0 ? 1 / Math.sqrt(bend) : 1;
  for (let s = 0; s < sources; s++) {
    const each = stokes.length / sources;
    const own = stokes.subarray(s * each, (s + 1) * each);
    const flux = Math.hypot(...own) / Math.sqrt(each / 4) || 1;
    for (const name of PARAMETERS.filter((one) => names.includes(one))) {
      if (name === "lm") {
        // V = S exp(i k u l) bends χ² by 2 w (S k u)² along l
        for (const axis of [0, 1] as const) {
          yield { array: "lm", place: 2 * s + axis, unit: unitOf(2 * flux ** 2 * squares[axis]) };
        }
      } else {
        const k = PARAMETERS.indexOf(name) - 1;
        for (let at = k; at < each; at += 4) {
          yield { array: "stokes", place: s * each + at, unit: unitOf(2 * weights * 4 / each) };
        }
      }
    }
  }
}

/** Sums over all samples. */
interface Moments {
  /** Of the weights. */
  readonly weights: number;
  /** Of the weights times (2π u ν / c)², and the same with v. */
  readonly squares: readonly [number, number];
}

/** The weights of two of the four correlations count: each parameter is in two. Rows of antennas have the mean of their squares. */
function momentsOf(input: PredictInput & { readonly weight?: Float64Array }): Moments {
  const { frequency, weight } = input, nchan = frequency.length;
  const wave = frequency.reduce((sum, one) => sum + (2 * Math.PI * one / SPEED_OF_LIGHT) ** 2, 0) / nchan;
  const { uvw } = rowsOf(input), count = uvw.length / 3;
  let [u, v] = [0, 0];
  for (let i = 0; i < uvw.length; i += 3) {
    u += uvw[i]! ** 2;
    v += uvw[i + 1]! ** 2;
  }
  const all = weight ? weight.reduce((sum, one) => sum + one, 0) / 2 : 2 * count * nchan;
  return {
    weights: all,
    squares: [all * wave * u / Math.max(1, count), all * wave * v / Math.max(1, count)],
  };
}
