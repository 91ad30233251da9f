/** The sum over sources as its formula says, one number at a time; not fast, and with no code of Tilewise. */

const C = 299792458;

/** A complex number. */
export type Complex = readonly [re: number, im: number];

/** A 2×2 matrix, row-major. */
export type Matrix = readonly [Complex, Complex, Complex, Complex];

export function times([a, b]: Complex, [c, d]: Complex): Complex {
  return [a * c - b * d, a * d + b * c];
}

export function plus(a: Complex, b: Complex): Complex {
  return [a[0] + b[0], a[1] + b[1]];
}

export function product([a, b, c, d]: Matrix, [e, f, g, h]: Matrix): Matrix {
  return [
    plus(times(a, e), times(b, g)),
    plus(times(a, f), times(b, h)),
    plus(times(c, e), times(d, g)),
    plus(times(c, f), times(d, h)),
  ];
}

export function adjoint([a, b, c, d]: Matrix): Matrix {
  const conj = ([re, im]: Complex): Complex => [re, -im];
  return [conj(a), conj(c), conj(b), conj(d)];
}

/** The matrix at place `i` of matrices as pairs. */
export function matrixAt(data: ArrayLike<number>, i: number): Matrix {
  return [0, 2, 4, 6].map((k): Complex => [data[8 * i + k]!, data[8 * i + k + 1]!]) as unknown as Matrix;
}

/** The brightness of Stokes parameters. */
export function brightness(feed: "linear" | "circular", [i, q, u, v]: readonly number[]): Matrix {
  const [a, b, c] = feed === "linear" ? [q!, u!, v!] : [v!, q!, u!];
  return [[i! + a, 0], [b, c], [b, -c], [i! - a, 0]];
}

/** What the sum needs; sizes follow from lengths. */
export interface Sum {
  readonly feed: "linear" | "circular";
  readonly lm: ArrayLike<number>;
  /** (nsrc, ntime, nchan, 4). */
  readonly stokes: ArrayLike<number>;
  /** Per antenna: (ntime, na, 3). */
  readonly uvw: ArrayLike<number>;
  readonly antennas: number;
  readonly antenna1: ArrayLike<number>;
  readonly antenna2: ArrayLike<number>;
  readonly frequency: ArrayLike<number>;
  /** A real factor of each (source, time, baseline, channel), if not 1. */
  readonly taper?: (source: number, time: number, baseline: number, channel: number) => number;
  /** Jones matrices without phase, (nsrc, ntime, na, nchan, 4) pairs; identities if not given. */
  readonly jones?: ArrayLike<number>;
  /** 1 or -1 for the other sign of the phase. */
  readonly sign?: 1 | -1;
}

/** The visibilities of all times, baselines and channels: (ntime, nbl, nchan, 4) pairs. */
export function plainSum(sum: Sum): Float64Array<ArrayBuffer> {
  const { feed, lm, stokes, uvw, antennas, antenna1, antenna2, frequency, taper, jones, sign = 1 } = sum;
  const [nsrc, ntime, nbl, nchan] = [
    lm.length / 2,
    uvw.length / 3 / antennas,
    antenna1.length,
    frequency.length,
  ];
  const out = new Float64Array(ntime * nbl * nchan * 8);
  for (let s = 0; s < nsrc; s++) {
    const [l, m] = [lm[2 * s]!, lm[2 * s + 1]!];
    const n1 = Math.sqrt(1 - l * l - m * m) - 1;
    for (let t = 0; t < ntime; t++) {
      for (let b = 0; b < nbl; b++) {
        const [p, q] = [t * antennas + antenna1[b]!, t * antennas + antenna2[b]!];
        const path = [l, m, n1].reduce((all, part, k) => all + part * (uvw[3 * p + k]! - uvw[3 * q + k]!), 0);
        for (let c = 0; c < nchan; c++) {
          const turns = path * frequency[c]! / C;
          const angle = -sign * 2 * Math.PI * (turns - Math.round(turns));
          const size = taper?.(s, t, b, c) ?? 1;
          const phase: Complex = [size * Math.cos(angle), size * Math.sin(angle)];
          const at = 4 * ((s * ntime + t) * nchan + c);
          let x = brightness(feed, [0, 1, 2, 3].map((k) => stokes[at + k]!));
          if (jones) {
            const place = (antenna: number) => matrixAt(jones, (s * ntime * antennas + antenna) * nchan + c);
            x = product(product(place(p), x), adjoint(place(q)));
          }
          const to = 8 * ((t * nbl + b) * nchan + c);
          x.forEach((one, k) => {
            const [re, im] = times(one, phase);
            out[to + 2 * k]! += re;
            out[to + 2 * k + 1]! += im;
          });
        }
      }
    }
  }
  return out;
}
