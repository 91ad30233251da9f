/**
 * The main lobe of a point spread function: the ellipse that restored images and fluxes are told by.
 *
 * As in CASA, a Gaussian of height 1 in the middle of the image is fitted by least squares to the samples of the main lobe: those
 * from 0.35 on that hang together with the middle.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { checkGrid, type ImageGrid } from "./grid.ts";

/**
 * The elliptical Gaussian of the main lobe: what FITS calls BMAJ, BMIN and BPA, in radians.
 * @category Measurement equation
 */
export interface MainLobe {
  /** Full width at half of the height, along the longer axis. */
  readonly major: number;
  /** Full width at half of the height, along the shorter axis. */
  readonly minor: number;
  /** Angle of the longer axis from north (growing m) to east (growing l), above −π/2 and up to π/2. */
  readonly positionAngle: number;
}

/** The least value of the main lobe. */
const LEAST = 0.35;

/** A sample: columns and rows from the middle, and its value. */
type Sample = readonly [x: number, y: number, value: number];

/** `x² a + 2 x y b + y² c`, the exponent of a Gaussian, in pixels. */
type Exponent = readonly [a: number, b: number, c: number];

/**
 * The Gaussian of the main lobe of a point spread function, whose phase centre is the pixel in the middle.
 *
 * Errors: `invalid` for a main lobe that reaches the border of the image, or has too few pixels; the text says which.
 *
 * @example Baselines in two directions, twice as long to the north
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { fitMainLobe, pointSpread } from "@tilewise/tilewise/unstable/rime";
 * import { assert } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const rows = { uvw: Float64Array.of(100, 0, 0, 0, 200, 0), frequency: Float64Array.of(1.4e9) };
 * const grid = { pixels: [32, 32], cell: [-1e-4, 1e-4] } as const;
 * const { image } = await pointSpread(rows, grid, { context });
 * const { major, minor, positionAngle } = fitMainLobe(image, grid);
 * assert(major > 1.5 * minor && Math.abs(Math.abs(positionAngle) - Math.PI / 2) < 0.01);
 * ```
 * @category Measurement equation
 */
export function fitMainLobe(psf: NDArray<"float64"> | NDArray<"float32">, grid: ImageGrid): MainLobe {
  const call = "fitMainLobe()";
  checkGrid(call, grid);
  const [nx, ny] = grid.pixels;
  if (psf.data.length !== nx * ny) {
    const text = `${call}: the image has ${psf.data.length} numbers, the grid ${nx * ny} pixels`;
    throw new TilewiseError("invalid", text, { found: psf.data.length, expected: nx * ny });
  }
  const samples = samplesOf(psf.data, grid.pixels);
  if (!samples) {
    const size = grid.pixels.join(" × ");
    throw cannot(
      `it is wider than ${size} pixels, or without an end, as that of baselines along one line is`,
    );
  }
  const exponent = fitted(samples);
  if (!exponent) {
    throw cannot(`it has only ${samples.length} pixels of at least ${LEAST}; smaller pixels would work`);
  }
  return ellipseOf(exponent, grid.cell);
}

function cannot(why: string): TilewiseError {
  return new TilewiseError("invalid", `Cannot fit the main lobe of a point spread function: ${why}`, {
    lacks: "main lobe",
  });
}

/** Whether the main lobe reaches the border of the image. */
export function reachesBorder(
  { data }: NDArray<"float64"> | NDArray<"float32">,
  { pixels }: ImageGrid,
): boolean {
  return samplesOf(data, pixels) === undefined;
}

/** The samples of the main lobe, from the middle outwards; absent where it reaches the border. */
function samplesOf(data: ArrayLike<number>, [nx, ny]: readonly [number, number]): Sample[] | undefined {
  const middle = (ny >> 1) * nx + (nx >> 1), peak = data[middle]!;
  if (!(Math.abs(peak - 1) < 0.1)) {
    throw cannot(
      `it is ${peak.toPrecision(3)} at the phase centre, in the middle of the image; it must be 1`,
    );
  }
  const seen = new Set([middle]);
  const samples: Sample[] = [];
  for (const at of seen) { // grows while it is walked through
    const [row, column] = [Math.floor(at / nx), at % nx];
    if (row === 0 || column === 0 || row === ny - 1 || column === nx - 1) return undefined;
    samples.push([column - (nx >> 1), row - (ny >> 1), data[at]!]);
    for (const next of [at - 1, at + 1, at - nx, at + nx]) if (data[next]! >= LEAST) seen.add(next);
  }
  return samples;
}

/** Steps of a fit at most, and the change of the exponent after which it ends. */
const MOST_STEPS = 100, LEAST_STEP = 1e-12;

/** The exponent with the least squares, by Levenberg and Marquardt's steps; absent if it is not an ellipse. */
function fitted(samples: readonly Sample[]): Exponent | undefined {
  let found = solved(samples, (value) => [Math.max(LEAST, value), -Math.log(value)]); // of logarithms, as a start
  if (!found || !isEllipse(found)) return undefined;
  let damping = 1e-3, error = errorOf(samples, found);
  for (let step = 0; step < MOST_STEPS && damping < 1e12; step++) {
    const at: Exponent = found;
    const change = solved(samples, (value, x, y) => {
      const model = Math.exp(-quadratic(at, x, y));
      return [model, (model - value) / model];
    }, damping);
    const next = change?.map((delta, i) => at[i]! + delta) as unknown as Exponent | undefined;
    const nextError = next && isEllipse(next) ? errorOf(samples, next) : Infinity;
    if (!(nextError <= error)) {
      damping *= 10;
      continue;
    }
    found = next!;
    if (error - nextError <= LEAST_STEP * error) break;
    [error, damping] = [nextError, damping / 10];
  }
  return found;
}

function quadratic([a, b, c]: Exponent, x: number, y: number): number {
  return a * x * x + 2 * b * x * y + c * y * y;
}

function isEllipse([a, b, c]: Exponent): boolean {
  return a > 0 && c > 0 && a * c - b * b > 1e-12 * a * c;
}

function errorOf(samples: readonly Sample[], exponent: Exponent): number {
  return samples.reduce(
    (sum, [x, y, value]) => sum + (Math.exp(-quadratic(exponent, x, y)) - value) ** 2,
    0,
  );
}

/** The quadratic form that is closest to targets with weights; absent if the samples do not tell. */
function solved(
  samples: readonly Sample[],
  of: (value: number, x: number, y: number) => readonly [weight: number, target: number],
  damping = 0,
): Exponent | undefined {
  const m = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]];
  for (const [x, y, value] of samples) {
    const [weight, target] = of(value, x, y);
    const terms = [x * x, 2 * x * y, y * y, target];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 4; j++) m[i]![j]! += weight * weight * terms[i]! * terms[j]!;
    }
  }
  for (let i = 0; i < 3; i++) m[i]![i]! *= 1 + damping;
  return eliminated(m);
}

/** The solution of three equations, by elimination of a positive matrix. */
function eliminated(m: number[][]): Exponent | undefined {
  const sizes = m.map((row, i) => row[i]!);
  for (let i = 0; i < 3; i++) {
    const row = m[i]!, pivot = row[i]!;
    if (!(pivot > 1e-9 * sizes[i]!)) return undefined;
    for (const other of m) {
      if (other === row) continue;
      const factor = other[i]! / pivot;
      for (let j = i; j < 4; j++) other[j]! -= factor * row[j]!;
    }
  }
  return m.map((row, i) => row[3]! / row[i]!) as unknown as Exponent;
}

/** The ellipse at half of the height. */
function ellipseOf([a, b, c]: Exponent, [dl, dm]: readonly [number, number]): MainLobe {
  const [xx, xy, yy] = [a / (dl * dl), b / (dl * dm), c / (dm * dm)];
  const middle = (xx + yy) / 2, half = Math.hypot((xx - yy) / 2, xy);
  const width = (lambda: number) => 2 * Math.sqrt(Math.LN2 / lambda);
  const angle = Math.atan2(-2 * xy, xx - yy) / 2; // of the axis along which the exponent grows least, from m to l
  return {
    major: width((xx * yy - xy * xy) / (middle + half)), // the lesser value, without a difference
    minor: width(middle + half),
    positionAngle: half === 0 ? 0 : angle,
  };
}
