/**
 * Parameters of a source and its visibilities: brightness, taper, and the rules by which derivatives of visibilities become
 * derivatives by parameters.
 *
 * @module
 */

import { SPEED_OF_LIGHT } from "../../geometry/constants.ts";
import type { Brightness } from "../../../observations/meaning/correlations.ts";
import type { Feed } from "../term.ts";

/** Ten sums of a channel, as the kernel `misfit_gradient` gives them. */
type Sums = Float64Array;

/** Four numbers of a brightness matrix `[[b0, b1 + i b2], [b1 − i b2, b3]]`. */
export function brightnessOf(
  feed: Feed,
  [i, q, u, v]: readonly [number, number, number, number],
  how: Brightness,
): number[] {
  const four = feed === "linear" ? [i + q, u, v, i - q] : [i + v, q, u, i - v];
  return four.map((value, k) => factorOf(how, k) * value);
}

/** By what a number of the brightness matrix is multiplied. */
function factorOf({ conjugated = false, halved = false }: Brightness, k: number): number {
  return (halved ? 0.5 : 1) * (conjugated && k === 2 ? -1 : 1);
}

/** Derivatives of χ² by I, Q, U and V, from those by the numbers of the brightness. */
export function byStokes(
  feed: Feed,
  b: ArrayLike<number>,
  how: Brightness,
): [number, number, number, number] {
  const [first, one, two, last] = [0, 1, 2, 3].map((k) => 2 * factorOf(how, k) * b[k]!) as [
    number,
    number,
    number,
    number,
  ];
  const [sum, difference] = [first + last, first - last];
  return feed === "linear" ? [sum, difference, one, two] : [sum, one, two, difference];
}

/** A spectrum: how brightness depends on frequency. */
export interface Spectrum {
  /** `log`: `(ν/ν0)^(t0 + t1 lg(ν/ν0) + …)` times all Stokes parameters; `linear`: I plus `t0 (ν/ν0 − 1) + …`. */
  readonly kind: "log" | "linear";
  /** ν/ν0. */
  readonly x: number;
  /** The coefficients. */
  readonly terms: ArrayLike<number>;
}

/** The factor of all Stokes parameters, and what is added to I. */
export function spectrumAt({ kind, x, terms }: Spectrum): { readonly factor: number; readonly more: number } {
  const polynomial = (y: number) => Array.from(terms).reduceRight((sum, term) => sum * y + term, 0);
  if (kind === "log") return { factor: x ** polynomial(Math.log10(x)), more: 0 };
  return { factor: 1, more: (x - 1) * polynomial(x - 1) };
}

/** Derivatives by the coefficients, from Stokes parameters at the frequency and derivatives by them. */
export function byTerms(
  { kind, x, terms }: Spectrum,
  stokes: readonly number[],
  derivatives: readonly number[],
): number[] {
  const whole = stokes.reduce((sum, value, k) => sum + value * derivatives[k]!, 0);
  return Array.from(
    terms,
    (_, i) =>
      kind === "log" ? whole * Math.log(x) * Math.log10(x) ** i : derivatives[0]! * (x - 1) ** (i + 1),
  );
}

/** Derivatives of χ² by l and m, from the sums of one channel; `sign` is that of the phase. */
export function byDirection(
  [l, m]: readonly [number, number],
  frequency: number,
  sign: 1 | -1,
  sums: Sums,
): [number, number] {
  const n = Math.sqrt(1 - l * l - m * m);
  const factor = -4 * Math.PI * sign * frequency / SPEED_OF_LIGHT;
  return [factor * (sums[4]! - sums[6]! * l / n), factor * (sums[5]! - sums[6]! * m / n)];
}

/** The shape of an extended source: its kind and three parameters. */
export interface SourceShape {
  /** Gaussian, or exponential disk. */
  readonly kind: "gaussian" | "sersic";
  /** `lproj`, `mproj`, `ratio`; or `e1`, `e2`, scale. */
  readonly values: readonly [number, number, number];
}

/** A quadratic form `uu u² + uv u v + vv v²`. */
type Form = readonly [uu: number, uv: number, vv: number];

/** The constant that goes with `ν/c`: from FWHM to the exponent, or 2π. */
const SCALE = { gaussian: Math.PI * Math.SQRT2 / Math.sqrt(Math.log(256)), sersic: 2 * Math.PI } as const;

/** `(scale ν / c)²` of a kind of shape. */
export function squareOfScale({ kind }: SourceShape, frequency: number): number {
  return (SCALE[kind] * frequency / SPEED_OF_LIGHT) ** 2;
}

/** The form of a shape in u and v. */
export function formOf({ kind, values: [x, y, z] }: SourceShape): Form {
  if (kind === "gaussian") return [z * z * y * y + x * x, 2 * x * y * (1 - z * z), z * z * x * x + y * y];
  const k = z / (1 - x * x - y * y);
  return [k * k * ((1 + x) ** 2 + y * y), 4 * k * k * y, k * k * ((1 - x) ** 2 + y * y)];
}

/** What a baseline sees of a shape whose form times the square of its scale is `q`, and how that depends on `q`. */
export function taperOf(kind: SourceShape["kind"], q: number): readonly [taper: number, slope: number] {
  if (kind === "sersic") return [(1 + q) ** -1.5, -1.5 * (1 + q) ** -2.5];
  const taper = Math.exp(-q);
  return [taper, -taper];
}

/** Derivatives of χ² by the three parameters of a shape, from the sums of one channel. */
export function byShape(shape: SourceShape, frequency: number, sums: Sums): number[] {
  const factor = 2 * squareOfScale(shape, frequency);
  return derivativesOf(shape).map((form) =>
    factor * form.reduce((all, part, i) => all + part * sums[7 + i]!, 0)
  );
}

/** Derivatives of the form by each parameter. */
function derivativesOf(shape: SourceShape): readonly [Form, Form, Form] {
  const { kind, values: [x, y, z] } = shape;
  if (kind === "gaussian") {
    const rest = 2 * (1 - z * z);
    return [
      [2 * x, rest * y, 2 * z * z * x],
      [2 * z * z * y, rest * x, 2 * y],
      [2 * z * y * y, -4 * x * y * z, 2 * z * x * x],
    ];
  }
  const d = 1 - x * x - y * y, k = z / d;
  const [uu, uv, vv] = formOf(shape);
  const grown = (e: number, [a, b, c]: Form): Form => { // k grows as well: its derivative is k · 2 e / d
    const factor = 4 * e / d;
    return [factor * uu + k * k * a, factor * uv + k * k * b, factor * vv + k * k * c];
  };
  const more = 2 / z;
  return [
    grown(x, [2 * (1 + x), 0, -2 * (1 - x)]),
    grown(y, [2 * y, 4, 2 * y]),
    z === 0 ? [0, 0, 0] : [more * uu, more * uv, more * vv],
  ];
}
