/**
 * The tables of a Fourier transform of any length: its factors, its twiddles, and the arrays for Bluestein's algorithm.
 *
 * A table is one array of numbers that describes one length `n` completely, so that it can be placed anywhere and needs
 * only its address:
 *
 * ```
 * [0] n   [1] length of the padded convolution, 0 where n has small factors only   [2] number of factors
 * [3] numbers in this table   [4 …] factors   [32 …] the stages, one after another
 *   a stage: for an odd factor p the p pairs cos, sin of 2πj/p; then for each q < m the p − 1 pairs exp(−2πi qk / pm)
 * or, where n has a large prime factor: n pairs exp(−πi j²/n), then the spectrum of its inverse, then the table of [1]
 * ```
 *
 * @module
 */

import { cosine, sine } from "../../space/functions/functions.ts";
import { TilewiseError } from "../../errors.ts";
import { bluesteinSpectrum } from "./fft_row.ts";

/** The types in which transforms compute. */
export type FftDType = "float32" | "float64";

/** Numbers at the head of a table. */
export const FFT_HEADER = 32;

/** The largest prime factor with its own stage; lengths with a larger one use Bluestein's algorithm. */
export const LARGEST_FACTOR = 13;

const MOST = 2 ** 22;

/** The largest length with a large prime factor: the tables of longer ones take many seconds. */
const MOST_BLUESTEIN = 2 ** 16;

/**
 * The smallest length that is at least `n` and has a fast transform: a product of 2, 3 and 5.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([7, 61, 96, 121, 0].map(fftLength), [8, 64, 96, 125, 1]);
 * ```
 */
export function fftLength(n: number): number {
  for (let length = Math.max(1, n);; length++) {
    let rest = length;
    for (const p of [2, 3, 5]) while (rest % p === 0) rest /= p;
    if (rest === 1) return length;
  }
}

/**
 * The table for transforms of length `n`, to be computed in `dtype`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...fftTables(96, "float32").subarray(0, 8)], [96, 0, 4, 228, 4, 4, 2, 3]);
 * ```
 */
export function fftTables(n: number, dtype: FftDType): Float32Array | Float64Array {
  if (!Number.isInteger(n) || n < 0 || n > MOST) {
    throw new TilewiseError(
      "invalid",
      `Cannot transform ${n} samples: lengths are whole numbers up to ${MOST}`,
    );
  }
  if (n > MOST_BLUESTEIN && !factorsOf(n)) {
    const text = `Cannot transform ${n} samples: lengths above ${MOST_BLUESTEIN} need prime factors up to ` +
      `${LARGEST_FACTOR}; the next such length is ${fftLength(n)}`;
    throw new TilewiseError("invalid", text, { expected: fftLength(n), found: n });
  }
  const numbers = doubleTables(n);
  return dtype === "float32" ? Float32Array.from(numbers) : numbers;
}

/**
 * Numbers of scratch for transforms in two dimensions: `columns` columns between the two passes, one stack of input
 * rows, and twice the size of the largest stack of rows or columns during its transform.
 */
export function fftScratch(height: number, width: number, columns: number, dtype: FftDType): number {
  const lanes = dtype === "float32" ? 4 : 2;
  const room = (n: number) => factorsOf(n) ? n : 2 * fftLength(2 * n - 1);
  return 2 * lanes * (Math.ceil(columns / lanes) * height + width + Math.max(room(width), room(height)));
}

/** The factors of `n` in the order of the stages, or undefined if one is too large. */
function factorsOf(n: number): number[] | undefined {
  const factors: number[] = [];
  let rest = n;
  for (const p of [4, 2, 3, 5, 7, 11, LARGEST_FACTOR]) {
    for (; rest > 1 && rest % p === 0; rest /= p) factors.push(p);
  }
  return rest > 1 ? undefined : factors;
}

function doubleTables(n: number): Float64Array {
  const factors = factorsOf(n);
  const body = factors ? stages(n, factors) : bluestein(n);
  const padded = factors ? 0 : fftLength(2 * n - 1);
  const table = new Float64Array(FFT_HEADER + body.length);
  table.set([n, padded, factors?.length ?? 0, table.length, ...(factors ?? [])]);
  table.set(body, FFT_HEADER);
  return table;
}

function stages(n: number, factors: readonly number[]): Float64Array {
  const numbers: number[] = [];
  let rest = n;
  for (const p of factors) {
    const m = rest / p;
    if (p % 2 === 1) { for (let j = 0; j < p; j++) numbers.push(cosOfTurn(j, p), sinOfTurn(j, p)); }
    for (let q = 0; q < m; q++) {
      for (let k = 1; k < p; k++) numbers.push(cosOfTurn(q * k, rest), -sinOfTurn(q * k, rest));
    }
    rest = m;
  }
  return Float64Array.from(numbers);
}

function bluestein(n: number): Float64Array {
  const padded = fftLength(2 * n - 1);
  const chirp = new Float64Array(2 * n);
  const inverse = new Float64Array(2 * padded);
  for (let j = 0; j < n; j++) {
    const turn = (j * j) % (2 * n); // j² stays exact: n is small enough
    const [re, im] = [cosOfTurn(turn, 2 * n), -sinOfTurn(turn, 2 * n)];
    chirp.set([re, im], 2 * j);
    for (const at of [j, (padded - j) % padded]) inverse.set([re / padded, -im / padded], 2 * at);
  }
  const table = doubleTables(padded);
  const spectrum = bluesteinSpectrum(inverse, table);
  const numbers = new Float64Array(chirp.length + spectrum.length + table.length);
  numbers.set(chirp);
  numbers.set(spectrum, chirp.length);
  numbers.set(table, chirp.length + spectrum.length);
  return numbers;
}

/** cos of `a / n` turns; the angle is first reduced to at most an eighth of a turn, so that symmetric values are equal. */
function cosOfTurn(a: number, n: number): number {
  const eighths = 8 * Math.min(a % n, n - a % n);
  const folded = Math.min(eighths, 4 * n - eighths);
  const value = folded > n ? sine(eighth(2 * n - folded, n)) : cosine(eighth(folded, n));
  return eighths > 2 * n ? -value : value;
}

function sinOfTurn(a: number, n: number): number {
  const eighths = 8 * Math.min(a % n, n - a % n);
  const folded = Math.min(eighths, 4 * n - eighths);
  const value = folded > n ? cosine(eighth(2 * n - folded, n)) : sine(eighth(folded, n));
  return 2 * (a % n) > n ? -value : value;
}

/** The angle of `x / n` eighths of a turn. */
function eighth(x: number, n: number): number {
  return Math.PI * x / (4 * n);
}
