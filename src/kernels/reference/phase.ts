/**
 * Reference kernel of the complex phase of radio interferometry.
 *
 * The steps are the same as in the fast kernel, one number at a time, so both give the same bits. Tests compare them
 * with `Math` and with independent values.
 *
 * @module
 */

import type { KernelFamilies } from "../families/families.ts";
import { doubles } from "./samples.ts";

/** `out[s][r][c] = exp(2πi · (u l + v m + w (n − 1)) / speed · frequency[c])`. */
export function complexPhase(memory: WebAssembly.Memory): KernelFamilies["complex_phase"] {
  const { get, set } = doubles(memory);
  return (out, lm, uvw, frequency, sources, rows, channels, speed) => {
    for (let s = 0; s < sources; s++) {
      const [l, m] = [get(lm + 16 * s), get(lm + 16 * s + 8)];
      const square = l * l + m * m;
      const n1 = -square / (1 + Math.sqrt(1 - square));
      for (let r = 0; r < rows; r++) {
        const at = uvw + 24 * r;
        const delay = (get(at) * l + get(at + 8) * m + get(at + 16) * n1) / speed;
        for (let c = 0; c < channels; c++, out += 16) {
          const [re, im] = expOfTurns(delay * get(frequency + 8 * c));
          set(out, re);
          set(out + 8, im);
        }
      }
    }
  };
}

/** Odd polynomial for `sin(2πx)`: interpolated in x² at the Chebyshev nodes of `[0, 1/16]`. */
const SINE = [
  6.283185307179586,
  -41.341702240399755,
  81.60524927607362,
  -76.70585975282492,
  42.058693925428685,
  -15.0946416761179,
  3.8199280942271643,
  -0.7177337921413454,
  0.10089695501646812,
] as const;

/**
 * Cosine and sine of `turns` full turns.
 *
 * @example
 * ```ts
 * import { assertAlmostEquals } from "@std/assert";
 * const [re, im] = expOfTurns(1e6 + 0.125);
 * assertAlmostEquals(re, Math.SQRT1_2, 1e-15);
 * assertAlmostEquals(im, Math.SQRT1_2, 1e-15);
 * ```
 */
export function expOfTurns(turns: number): [cos: number, sin: number] {
  const rest = turns - nearest(turns);
  const size = Math.abs(rest);
  const half = 0.5 - size;
  const sin = sine(half < size ? half : size);
  return [sine(0.25 - size), rest < 0 ? -sin : sin];
}

/** `sin(2πx)` for x in [−1/4, 1/4]. */
function sine(x: number): number {
  return SINE.reduceRight((sum, coefficient) => sum * (x * x) + coefficient, 0) * x;
}

/** The nearest integer, ties to even. */
function nearest(x: number): number {
  const up = Math.round(x);
  return up - x === 0.5 && up % 2 !== 0 ? up - 1 : up;
}
