/**
 * The spectrum to multiply with the spectrum of a cut-out; the product is the spectrum of its correlation with a
 * pattern.
 *
 * `correlation[p] = Σ_q image[q] · pattern[q − p + centre]`: it is largest where the pattern, centred on p, fits best.
 * A product of spectra without conjugation is a convolution, which mirrors the pattern; both are the same for patterns
 * that are symmetric about their centre.
 *
 * @module
 */

import { cosine, sine } from "../../../space/functions/functions.ts";
import { centredSpectrum } from "../../../kernels/spectrum.ts";
import type { LanesPlan } from "../../../kernels/families/lanes_plan.ts";
import type { MatchPattern } from "./options/patterns.ts";
import { halfSize, patternMask } from "./patterns.ts";

/**
 * The patterns of cut-outs with a longer side, in pixels, are transformed by an FFT; otherwise it would take many
 * seconds.
 */
const LARGE = 1024;

/** Whether cut-outs of `side` pixels are transformed by an FFT. */
export function isLarge(side: number): boolean {
  return side > LARGE;
}

/** Pairs (re, im) in the order of `lanes_fft` along both axes, divided by the number of samples. */
export function lanesSpectrum(pattern: MatchPattern, { n, order }: LanesPlan): Float32Array {
  const half = halfSize(pattern);
  const weights = patternMask(pattern, [n, n]).data;
  if (isLarge(n)) return largeSpectrum(weights, { n, order });
  const turns = Float64Array.from({ length: n }, (_, j) => 2 * Math.PI * j / n);
  const [cos, sin] = [turns.map(cosine), turns.map(sine)];
  const rows = new Float64Array(2 * n * n); // rows are transformed, frequencies in order
  for (let y = 0; y < n; y++) {
    for (let i = 0; i < n; i++) {
      let re = 0, im = 0;
      for (let x = 0; x < n; x++) {
        const turn = mod(order[i]! * (x - half), n);
        re += weights[y * n + x]! * cos[turn]!;
        im += weights[y * n + x]! * sin[turn]!; // +: conjugated
      }
      rows.set([re, im], 2 * (y * n + i));
    }
  }
  const spectrum = new Float32Array(2 * n * n);
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      let re = 0, im = 0;
      for (let y = 0; y < n; y++) {
        const turn = mod(order[k]! * (y - half), n);
        const [r, m] = [rows[2 * (y * n + i)]!, rows[2 * (y * n + i) + 1]!];
        re += r * cos[turn]! - m * sin[turn]!;
        im += r * sin[turn]! + m * cos[turn]!;
      }
      spectrum.set([re / (n * n), im / (n * n)], 2 * (k * n + i));
    }
  }
  return spectrum;
}

/**
 * The same as {@link lanesSpectrum}, by an FFT of all weights. The centre is pixel n / 2, so that moving it to pixel 0
 * only changes signs.
 */
export function largeSpectrum(
  weights: Float64Array,
  { n, order }: Pick<LanesPlan, "n" | "order">,
): Float32Array {
  const centred = centredSpectrum(weights, n, n);
  const spectrum = new Float32Array(2 * n * n);
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      const [y, x] = [mod(order[k]! + n / 2, n), mod(order[i]! + n / 2, n)];
      const scale = ((order[k]! + order[i]!) % 2 ? -1 : 1) / (n * n);
      const from = 2 * (y * n + x), to = 2 * (k * n + i);
      spectrum[to] = scale * centred[from]!;
      spectrum[to + 1] = -scale * centred[from + 1]!; // conjugated
    }
  }
  return spectrum;
}

/** The weights of a pattern on a whole frame, with its centre at pixel (0, 0) and the rest wrapped into the corners. */
export function wrappedMask(pattern: MatchPattern, [height, width]: readonly [number, number]): Float32Array {
  const weights = patternMask(pattern, [height, width]).data;
  const [cy, cx] = [Math.floor(height / 2), Math.floor(width / 2)];
  const out = new Float32Array(height * width);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      out[mod(y - cy, height) * width + mod(x - cx, width)] = weights[y * width + x]!;
    }
  }
  return out;
}

/** The remainder of a floor division: never negative. */
export function mod(i: number, n: number): number {
  return ((i % n) + n) % n;
}
