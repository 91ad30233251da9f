/**
 * The window by which samples are spread over cells: the exponential of a semicircle,
 * `φ(z) = exp(β (sqrt(1 − z²) − 1))` for |z| ≤ 1 (Barnett, Magland, af Klinteberg, SIAM J. Sci. Comput. 41, C479, 2019). With
 * `support` cells, the weight of a cell at distance d from the sample is `φ(2 d / support)`.
 *
 * A grid has twice as many cells as the image has pixels. For this, `SHAPES` has the β that keeps the aliases smallest, and
 * what is left of them: the root mean square, over half of the band, of all aliases relative to the transform of the window.
 *
 * @module
 */

/** Cells per pixel, along each axis. */
export const OVERSAMPLING = 2;

/** By support from 2 on: β per cell of support, and the relative size of the aliases along one axis. */
const SHAPES: readonly (readonly [betaPerCell: number, aliases: number])[] = [
  [1.793, 4.0e-2],
  [2.109, 4.7e-3],
  [2.209, 5.5e-4],
  [2.256, 6.3e-5],
  [2.283, 7.2e-6],
  [2.3, 8.2e-7],
  [2.311, 9.4e-8],
  [2.32, 1.05e-8],
  [2.325, 1.2e-9],
  [2.33, 1.3e-10],
  [2.333, 1.5e-11],
  [2.337, 1.45e-12],
  [2.34, 1.5e-13],
  [2.342, 1.6e-14],
];

/** A window. */
export interface Window {
  /** Cells along each axis. */
  readonly support: number;
  /** β. */
  readonly beta: number;
}

/** For small images, whose pixels are near the borders of the band more often. */
const MARGIN = 2.25;

/** The smallest window with an error of at most `epsilon` in all, along `axes` axes. */
export function windowFor(epsilon: number, axes: number): Window {
  const found = SHAPES.findIndex(([, aliases]) => MARGIN * aliases * Math.sqrt(axes) <= epsilon);
  const at = found < 0 ? SHAPES.length - 1 : found;
  return { support: at + 2, beta: SHAPES[at]![0] * (at + 2) };
}

function valueOf({ beta }: Window, z: number): number {
  return Math.exp(beta * (Math.sqrt(Math.max(0, 1 - z * z)) - 1));
}

/** Polynomials of the weights: see the kernel `grid_spread`. */
interface WindowTable {
  /** Degree of the polynomials. */
  readonly degree: number;
  /** Coefficients, the highest first; `support` numbers, and zeros up to a multiple of four, each. */
  readonly numbers: Float64Array;
}

/** Degrees above that of the support; more would not make the polynomials closer to the window. */
const MORE_DEGREES = 3;

/** The table of a window: polynomials through Chebyshev nodes. */
export function tableOf(window: Window): WindowTable {
  const { support } = window;
  const degree = support + MORE_DEGREES, padded = (support + 3) & ~3;
  const numbers = new Float64Array((degree + 1) * padded);
  for (let j = 0; j < support; j++) {
    const values = (t: number) => valueOf(window, 2 * (t + 0.5 + j) / support - 1);
    powersOf(chebyshev(values, 0.5, degree)).forEach((a, power) => {
      numbers[(degree - power) * padded + j] = a * 2 ** power; // of t, not of 2 t
    });
  }
  return { degree, numbers };
}

/** The Chebyshev coefficients of the polynomial through a function at nodes in [−half, half]. */
function chebyshev(f: (x: number) => number, half: number, degree: number): Float64Array {
  const n = degree + 1;
  const values = Array.from({ length: n }, (_, k) => f(half * Math.cos(Math.PI * (k + 0.5) / n)));
  return Float64Array.from({ length: n }, (_, i) => {
    const sum = values.reduce((all, value, k) => all + value * Math.cos(Math.PI * i * (k + 0.5) / n), 0);
    return sum * (i === 0 ? 1 : 2) / n;
  });
}

/** The same polynomial as coefficients of powers, from 0 on. */
function powersOf(coefficients: Float64Array): number[] {
  const powers = new Array<number>(coefficients.length).fill(0);
  let before: number[] = [], now: number[] = [1];
  for (const coefficient of coefficients) {
    now.forEach((value, i) => powers[i]! += coefficient * value);
    const next = [0, ...now.map((value) => (before.length === 0 ? 1 : 2) * value)];
    before.forEach((value, i) => next[i]! -= value);
    [before, now] = [now, next];
  }
  return powers;
}

/** Nodes and weights of Gauss and Legendre's quadrature over [0, 1]. */
function quadrature(n: number): { readonly nodes: Float64Array; readonly weights: Float64Array } {
  const nodes = new Float64Array(n), weights = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let x = Math.cos(Math.PI * (i + 0.75) / (n + 0.5)), slope = 1;
    for (let round = 0; round < 8; round++) {
      let [p, q] = [1, 0];
      for (let k = 1; k <= n; k++) [p, q] = [((2 * k - 1) * x * p - (k - 1) * q) / k, p];
      slope = n * (x * p - q) / (x * x - 1);
      x -= p / slope;
    }
    nodes[i] = (1 + x) / 2;
    weights[i] = 1 / ((1 - x * x) * slope * slope);
  }
  return { nodes, weights };
}

/** The Fourier transform of the window at a frequency in turns per cell, as a function: a sum over nodes. */
function transformOf(window: Window): (frequency: number) => number {
  const { support } = window;
  const { nodes, weights } = quadrature(16 + 2 * support);
  const values = nodes.map((z, i) => support * weights[i]! * valueOf(window, z));
  return (frequency) => {
    let sum = 0;
    for (let i = 0; i < nodes.length; i++) {
      sum += values[i]! * Math.cos(Math.PI * frequency * support * nodes[i]!);
    }
    return sum;
  };
}

/** What undoes the window for `count` pixels of a grid of `cells`: one factor each. */
export function correctionsOf(window: Window, count: number, cells: number): Float64Array {
  const transform = transformOf(window);
  return Float64Array.from({ length: count }, (_, i) => 1 / transform((i - (count >> 1)) / cells));
}

/** Coefficients of the series of {@link correctionSeries}, at most, and their least size relative to the first. */
const MOST_TERMS = 16, LEAST_TERM = 1e-17;

/** What undoes the window at any frequency f up to a quarter turn per cell: an even function, as a Chebyshev series in 4 f. */
export function correctionSeries(window: Window): Float64Array {
  const transform = transformOf(window);
  const all = chebyshev((frequency) => 1 / transform(frequency), 1 / (2 * OVERSAMPLING), 2 * MOST_TERMS - 1);
  const even = all.filter((_, i) => i % 2 === 0);
  const terms = even.findIndex((value) => Math.abs(value) < LEAST_TERM * even[0]!);
  return terms < 0 ? even : even.slice(0, terms);
}

/** The value of such a series at a frequency: `T_2k(x) = T_k(2 x² − 1)`. */
export function correctionAt(series: Float64Array, frequency: number): number {
  const x = 2 * OVERSAMPLING * frequency, y = 2 * x * x - 1;
  let b1 = 0, b2 = 0;
  for (let i = series.length - 1; i > 0; i--) {
    const next = 2 * y * b1 - b2 + series[i]!;
    b2 = b1;
    b1 = next;
  }
  return y * b1 - b2 + series[0]!;
}
