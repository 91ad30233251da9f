/**
 * The plain Fourier transform of one row of numbers, with the same tables and steps as the fast kernels.
 *
 * It processes one number at a time in the same order, so both give the same bits. Tests compare the result with the
 * definition of the transform.
 *
 * @module
 */

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
export function times(ar: number, ai: number, br: number, bi: number, round: Round): [number, number] {
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
export function bluesteinSpectrum(pairs: Float64Array, table: Float64Array): Float64Array {
  const z = complexes(pairs.length / 2);
  pairs.forEach((value, i) => (i % 2 ? z.im : z.re)[i >> 1] = value);
  const { re, im } = transform(z, table, (x) => x);
  return pairs.map((_, i) => (i % 2 ? im : re)[i >> 1]!);
}
