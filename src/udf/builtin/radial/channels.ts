/**
 * Real values from Fourier coefficients along rings: amplitude, phase, share of the mean, the dominant order.
 *
 * @module
 */

import { angleOf } from "../../../space/functions/functions.ts";

/** Real channels of a list of complex numbers in groups of `orders`, and the dominant order per group. */
export interface RadialChannels {
  /** |c|, float32. */
  readonly absolute: Float32Array;
  /** Angle of c in radians, float32. */
  readonly phase: Float32Array;
  /** |c| divided by |c| of order 0, or by 1 if that is less; float32. */
  readonly normalised: Float32Array;
  /** The order from 1 on with the largest |c|; 0 if none reaches a fifth of the largest |c| of its bin over the scan. */
  readonly dominant: Uint16Array;
}

/** The channels of coefficients `[frame][bin][order]`. */
export function radialChannels(complex: Float64Array, bins: number, orders: number): RadialChannels {
  const count = complex.length / 2;
  const absolute = new Float32Array(count),
    phase = new Float32Array(count),
    normalised = new Float32Array(count);
  const strongest = new Float64Array(count / orders), dominant = new Uint16Array(count / orders);
  const limits = new Float64Array(bins);
  for (let group = 0; group < count / orders; group++) {
    for (let order = 0; order < orders; order++) {
      const i = group * orders + order;
      const [re, im] = [complex[2 * i]!, complex[2 * i + 1]!];
      const size = Math.sqrt(re * re + im * im);
      absolute[i] = size;
      phase[i] = angleOf(im, re);
      normalised[i] = size / Math.max(1, order === 0 ? size : absolute[group * orders]!);
      if (order === 0 || !(size > strongest[group]!)) continue;
      strongest[group] = size;
      dominant[group] = order;
    }
    limits[group % bins] = Math.max(limits[group % bins]!, 0.2 * strongest[group]!);
  }
  strongest.forEach((size, group) => {
    if (size < limits[group % bins]!) dominant[group] = 0;
  });
  return { absolute, phase, normalised, dominant };
}
