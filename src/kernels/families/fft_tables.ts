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

import { TilewiseError } from "../../errors.ts";
import { cosine, sine } from "../../space/functions/functions.ts";

// The plain Fourier transform of one row of numbers, with the same tables and steps as the fast kernels.
//
// It processes one number at a time in the same order, so both give the same bits. Tests compare the result with the
// definition of the transform.

/** Complex numbers, with real and imaginary parts in separate arrays. */
export interface Complexes {
  /** Real parts. */
  readonly re: Float64Array;
  /** Imaginary parts. */
  readonly im: Float64Array;
}

/** Rounds to the type of the computation: `Math.fround`, or no change for f64. */
export type Round = (x: number) => number;

/** `n` zeros. */
export function complexes(n: number): Complexes {
  return { re: new Float64Array(n), im: new Float64Array(n) };
}

/** The transform of `z`, with the table of its length (see `fft_tables.ts`) in `table` from `at` on. */
export function transform(z: Complexes, table: ArrayLike<number>, round: Round, at = 0): Complexes {
  if (table[at + 1]! > 0) return bluestein(z, table, round, at);
  let [data, stride, rest] = [z, 1, table[at]!];
  let stage = at + 32;
  for (let f = 0; f < table[at + 2]!; f++) {
    const p = table[at + 4 + f]!;
    const roots = stage;
    if (p % 2 === 1) stage += 2 * p;
    rest /= p;
    data = pass({ data, p, stride, m: rest, roots, twiddles: stage, table, round });
    stage += 2 * rest * (p - 1);
    stride *= p;
  }
  return data;
}

interface Stage {
  readonly data: Complexes;
  /** The factor. */
  readonly p: number;
  /** Product of the earlier factors. */
  readonly stride: number;
  /** Product of the later factors. */
  readonly m: number;
  readonly roots: number;
  readonly twiddles: number;
  readonly table: ArrayLike<number>;
  readonly round: Round;
}

/** One stage of Stockham's algorithm: `out[r + s(pq + k)] = exp(−2πi qk/pm) Σ_j in[r + s(q + mj)] exp(−2πi jk/p)`. */
function pass(stage: Stage): Complexes {
  const { data, p, stride, m, twiddles, table, round } = stage;
  const out = complexes(p * stride * m);
  const a = complexes(p);
  for (let q = 0; q < m; q++) {
    for (let r = 0; r < stride; r++) {
      for (let j = 0; j < p; j++) {
        a.re[j] = data.re[r + stride * (q + m * j)]!;
        a.im[j] = data.im[r + stride * (q + m * j)]!;
      }
      const b = p === 4 ? butterfly4(a, round) : p === 2 ? butterfly2(a, round) : butterflyOdd(a, stage);
      for (let k = 0; k < p; k++) {
        const w = twiddles + 2 * (q * (p - 1) + k - 1);
        const turned = k === 0 || m === 1 // all twiddles of the last stage are 1
          ? [b.re[k]!, b.im[k]!] as const
          : times(b.re[k]!, b.im[k]!, table[w]!, table[w + 1]!, round);
        out.re[r + stride * (p * q + k)] = turned[0];
        out.im[r + stride * (p * q + k)] = turned[1];
      }
    }
  }
  return out;
}

/** The product of two complex numbers. */
function times(ar: number, ai: number, br: number, bi: number, round: Round): [number, number] {
  return [round(round(ar * br) - round(ai * bi)), round(round(ar * bi) + round(ai * br))];
}

function butterfly2({ re, im }: Complexes, round: Round): Complexes {
  const of = (x: Float64Array) => Float64Array.of(round(x[0]! + x[1]!), round(x[0]! - x[1]!));
  return { re: of(re), im: of(im) };
}

function butterfly4({ re, im }: Complexes, round: Round): Complexes {
  const sums = (x: Float64Array) =>
    [round(x[0]! + x[2]!), round(x[0]! - x[2]!), round(x[1]! + x[3]!), round(x[1]! - x[3]!)] as const;
  const [er, dr, or, gr] = sums(re);
  const [ei, di, oi, gi] = sums(im);
  return {
    re: Float64Array.of(round(er + or), round(dr + gi), round(er - or), round(dr - gi)),
    im: Float64Array.of(round(ei + oi), round(di - gr), round(ei - oi), round(di + gr)),
  };
}

/** The factors of numbers j and p − j have equal cosines, and sines that differ only in sign. */
function butterflyOdd({ re, im }: Complexes, { p, roots, table, round }: Stage): Complexes {
  const b = complexes(p);
  const half = (p - 1) / 2;
  const sum = (x: Float64Array, j: number) => round(x[j]! + x[p - j]!);
  const difference = (x: Float64Array, j: number) => round(x[j]! - x[p - j]!);
  for (const [x, out] of [[re, b.re], [im, b.im]] as const) {
    out[0] = x[0]!;
    for (let j = 1; j <= half; j++) out[0] = round(out[0]! + sum(x, j));
  }
  for (let k = 1; k <= half; k++) {
    const cosines = (x: Float64Array) => {
      let c = x[0]!;
      for (let j = 1; j <= half; j++) c = round(c + round(sum(x, j) * table[roots + 2 * (j * k % p)]!));
      return c;
    };
    const sines = (x: Float64Array) => {
      let s = round(difference(x, 1) * table[roots + 2 * k + 1]!);
      for (let j = 2; j <= half; j++) {
        s = round(s + round(difference(x, j) * table[roots + 2 * (j * k % p) + 1]!));
      }
      return s;
    };
    const [cr, ci, sr, si] = [cosines(re), cosines(im), sines(re), sines(im)];
    b.re[k] = round(cr + si);
    b.im[k] = round(ci - sr);
    b.re[p - k] = round(cr - si);
    b.im[p - k] = round(ci + sr);
  }
  return b;
}

/** A transform of any length as a convolution with a chirp: `X = w · (x w ∗ conj w)`, `w[j] = exp(−πi j²/n)`. */
function bluestein(z: Complexes, table: ArrayLike<number>, round: Round, at: number): Complexes {
  const [n, padded] = [table[at]!, table[at + 1]!];
  const chirp = at + 32;
  const spectrum = chirp + 2 * n;
  const inner = spectrum + 2 * padded;
  const x = complexes(padded);
  for (let j = 0; j < n; j++) {
    const c = chirp + 2 * j;
    [x.re[j], x.im[j]] = times(z.re[j]!, z.im[j]!, table[c]!, table[c + 1]!, round);
  }
  const y = transform(x, table, round, inner);
  for (let j = 0; j < padded; j++) {
    const c = spectrum + 2 * j;
    [x.im[j], x.re[j]] = times(y.re[j]!, y.im[j]!, table[c]!, table[c + 1]!, round); // swapped: the inverse transform
  }
  const back = transform(x, table, round, inner);
  const out = complexes(n);
  for (let k = 0; k < n; k++) {
    const c = chirp + 2 * k;
    [out.re[k], out.im[k]] = times(back.im[k]!, back.re[k]!, table[c]!, table[c + 1]!, round);
  }
  return out;
}

/** The transform of pairs re, im as pairs, in f64: the spectrum stored in a table. */
function bluesteinSpectrum(pairs: Float64Array, table: Float64Array): Float64Array {
  const z = complexes(pairs.length / 2);
  pairs.forEach((value, i) => (i % 2 ? z.im : z.re)[i >> 1] = value);
  const { re, im } = transform(z, table, (x) => x);
  return pairs.map((_, i) => (i % 2 ? im : re)[i >> 1]!);
}

/** The types in which transforms compute. */
export type FftDType = "float32" | "float64";

/** Numbers at the head of a table. */
const FFT_HEADER = 32;

/** The largest prime factor with its own stage; lengths with a larger one use Bluestein's algorithm. */
const LARGEST_FACTOR = 13;

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
  const body = factors ? stages(n, factors) : bluesteinTable(n);
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

function bluesteinTable(n: number): Float64Array {
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
