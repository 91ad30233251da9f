/**
 * The sum over sources by the textbook formula, one number at a time: what the kernels must give, within rounding.
 *
 * @module
 */

import type { Brightness } from "../../src/observations/meaning/correlations.ts";
import { SPEED_OF_LIGHT } from "../../src/rime/geometry/constants.ts";
import type { PredictSettings } from "../../src/rime/predict/options.ts";
import type { PredictInput, PredictSizes, SkyModel } from "../../src/rime/predict/problem.ts";

type Complex = readonly [re: number, im: number];

/** The visibilities (nrow, nchan, correlations) as pairs; rows of a dense grid are those of time after time. */
export function predictPlain(
  input: PredictInput,
  sizes: PredictSizes,
  settings: PredictSettings,
): Float64Array {
  const { nrow, nchan } = sizes;
  const { correlations, brightness: how } = settings;
  const out: number[] = [];
  for (let row = 0; row < nrow; row++) {
    const [time, baseline] = baselineOf(input, sizes, row);
    for (let c = 0; c < nchan; c++) {
      const sums = correlations.map((): [number, number] => [0, 0]);
      for (let s = 0; s < sizes.nsrc; s++) {
        const seen = seenOf(input, sizes, settings, s, baseline, input.frequency[c]!);
        const stokes = stokesOf(input, sizes, settings, s, time, c);
        correlations.forEach((name, k) => {
          const [re, im] = times(brightness(name, stokes, how), seen);
          sums[k]![0] += re;
          sums[k]![1] += im;
        });
      }
      out.push(...sums.flat());
    }
  }
  return Float64Array.from(out);
}

/** Time and position of a row. */
function baselineOf(input: PredictInput, { nbl, na }: PredictSizes, row: number): [number, number[]] {
  const { uvw, antenna1, antenna2, timeIndex } = input;
  const at = (i: number) => [0, 1, 2].map((axis) => uvw[3 * i + axis]!);
  if (!antenna1 || !antenna2) return [timeIndex?.[row] ?? 0, at(row)];
  const time = timeIndex ? timeIndex[row]! : Math.floor(row / nbl);
  const k = timeIndex ? row : row % nbl;
  const [p, q] = [at(time * na + antenna1[k]!), at(time * na + antenna2[k]!)];
  return [time, p.map((x, axis) => x - q[axis]!)];
}

/** The phase of a source, times what is seen of its extent. */
function seenOf(
  { sky }: PredictInput,
  sizes: PredictSizes,
  { convention }: PredictSettings,
  s: number,
  uvw: readonly number[],
  frequency: number,
): Complex {
  const [l, m] = [sky.lm[2 * s]!, sky.lm[2 * s + 1]!];
  const [u, v, w] = uvw as [number, number, number];
  const n1 = -(l * l + m * m) / (1 + Math.sqrt(1 - l * l - m * m));
  const turns = (u * l + v * m + w * n1) * frequency / SPEED_OF_LIGHT;
  const angle = (convention === "fourier" ? -2 : 2) * Math.PI * (turns - Math.round(turns));
  const waves = [u, v].map((x) => x * frequency / SPEED_OF_LIGHT) as [number, number];
  const phase: Complex = [Math.cos(angle), Math.sin(angle)];
  if (s >= sizes.nsrc - sizes.nhsrc) {
    const [re, im] = shapeletOf(sky, sizes, s - (sizes.nsrc - sizes.nhsrc), ...waves);
    return times(phase, [re, convention === "fourier" ? im : -im]);
  }
  const taper = taperOf(sky, sizes, s, ...waves);
  return times(phase, [taper, 0]);
}

/** What is seen of a shapelet with phases `exp(−2πi …)`; u and v in wavelengths. */
function shapeletOf(
  { shapelets }: SkyModel,
  { nhsrc, nxorder, nyorder }: PredictSizes,
  s: number,
  u: number,
  v: number,
): Complex {
  const { shape, coefficients } = shapelets!;
  const [x, y, angle] = [0, 1, 2].map((i) => shape[i * nhsrc + s]!) as [number, number, number];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let sum: Complex = [0, 0];
  for (let j = 0; j < nxorder; j++) {
    for (let k = 0; k < nyorder; k++) {
      const c = coefficients[(s * nxorder + j) * nyorder + k]!;
      const value = c * hermiteOf(j, 2 * Math.PI * x * (u * cos - v * sin)) *
        hermiteOf(k, 2 * Math.PI * y * (u * sin + v * cos));
      const [re, im] = times(POWERS[(j + k) % 4]!, [value, 0]);
      sum = [sum[0] + re, sum[1] + im];
    }
  }
  return sum;
}

/** The powers of −i. */
const POWERS: readonly Complex[] = [[1, 0], [0, -1], [-1, 0], [0, 1]];

/** `H_n(x) exp(−x²/2) / sqrt(2^n n!)`. */
function hermiteOf(n: number, x: number): number {
  let [before, here, scale] = [0, 1, 1];
  for (let k = 0; k < n; k++) {
    [before, here] = [here, 2 * x * here - 2 * k * before];
    scale *= 2 * (k + 1);
  }
  return here * Math.exp(-x * x / 2) / Math.sqrt(scale);
}

/** What is seen of the extent of a source; u and v in wavelengths. */
function taperOf(
  sky: SkyModel,
  { nsrc, ngsrc, nssrc, nhsrc }: PredictSizes,
  s: number,
  u: number,
  v: number,
): number {
  const disk = s - (nsrc - nhsrc - nssrc), gaussian = s - (nsrc - nhsrc - nssrc - ngsrc);
  if (disk >= 0) {
    const [e1, e2, scale] = [0, 1, 2].map((i) => sky.sersicShape![i * nssrc + disk]!) as [
      number,
      number,
      number,
    ];
    const k = 2 * Math.PI * scale / (1 - e1 * e1 - e2 * e2);
    const [a, b] = [(u * (1 + e1) + v * e2) * k, (u * e2 + v * (1 - e1)) * k];
    return (1 + a * a + b * b) ** -1.5;
  }
  if (gaussian < 0) return 1;
  const [l, m, ratio] = [0, 1, 2].map((i) => sky.gaussianShape![i * ngsrc + gaussian]!) as [
    number,
    number,
    number,
  ];
  const k = Math.SQRT2 * Math.PI / Math.sqrt(Math.log(256));
  const [a, b] = [(u * m - v * l) * ratio * k, (u * l + v * m) * k];
  return Math.exp(-(a * a + b * b));
}

/** I, Q, U and V of a source at a time and in a channel. */
function stokesOf(
  { sky, frequency }: PredictInput,
  { nchan, ntime, nterm }: PredictSizes,
  { stokesAxes, polarised }: PredictSettings,
  s: number,
  time: number,
  c: number,
): number[] {
  let at = s;
  if (stokesAxes.includes("ntime")) at = at * ntime + time;
  if (stokesAxes.includes("nchan")) at = at * nchan + c;
  const stokes = [0, 1, 2, 3].map((i) => i === 0 || polarised ? sky.stokes[4 * at + i]! : 0);
  if (!sky.spectrum) return stokes;
  const { kind, referenceFrequency, terms } = sky.spectrum;
  const x = frequency[c]! / referenceFrequency[s]!;
  const own = [...terms.subarray(s * nterm, (s + 1) * nterm)];
  if (kind === "log") {
    const power = own.reduce((sum, t, i) => sum + t * Math.log10(x) ** i, 0);
    return stokes.map((value) => value * x ** power);
  }
  stokes[0]! += own.reduce((sum, t, i) => sum + t * (x - 1) ** (i + 1), 0);
  return stokes;
}

function brightness(
  name: string,
  [i, q, u, v]: readonly number[],
  { conjugated = false, halved = false }: Brightness,
): Complex {
  const all: Record<string, Complex> = {
    XX: [i! + q!, 0],
    XY: [u!, v!],
    YX: [u!, -v!],
    YY: [i! - q!, 0],
    RR: [i! + v!, 0],
    RL: [q!, u!],
    LR: [q!, -u!],
    LL: [i! - v!, 0],
    I: [i!, 0],
    Q: [q!, 0],
    U: [u!, 0],
    V: [v!, 0],
  };
  const [re, im] = all[name]!, factor = halved && name.length === 2 ? 0.5 : 1;
  return [factor * re, conjugated ? -factor * im : factor * im];
}

function times([a, b]: Complex, [c, d]: Complex): Complex {
  return [a * c - b * d, a * d + b * c];
}
