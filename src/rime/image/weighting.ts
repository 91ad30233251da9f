/**
 * How the weights of samples depend on those of others.
 *
 * @module
 */

import type { OptionRule } from "../../options.ts";
import { must } from "../../options/rules.ts";

/**
 * How samples count. `natural`: as their weights say. `uniform`: the samples in one cell of the grid of u and v, which has as many
 * cells as the image has pixels, have the weight 1 together. `briggs`: between both, by a number from −2 (nearly uniform) to 2
 * (nearly natural); the weight of a sample is `w / (1 + W f²)`, where W is the sum of the weights in its cell and
 * `f² = (5 · 10^−briggs)² · Σ W / Σ W²` over all cells.
 *
 * Source: D. S. Briggs, High fidelity deconvolution of moderately resolved sources, 1995, section 3; as in CASA and WSClean.
 * @category Measurement equation
 */
export type ImageWeighting = "natural" | "uniform" | {
  /** Briggs' robustness, from −2 to 2. */
  readonly briggs: number;
};

function isRobust(value: unknown): boolean {
  return typeof value === "number" && value >= -2 && value <= 2;
}

/** Its rule. */
export const weighting: OptionRule<ImageWeighting> = must(
  '"natural", "uniform" or { briggs: a number from −2 to 2 }',
  (value) =>
    value === "natural" || value === "uniform" || isRobust((value as { briggs?: unknown } | null)?.briggs),
);

/** From the sums of weights W of cells to the divisors `1 + W f²` of {@link ImageWeighting}, in place. */
export function soften(cells: Float64Array, briggs: number): void {
  let [sum, squares] = [0, 0];
  for (const weight of cells) [sum, squares] = [sum + weight, squares + weight * weight];
  const factor = squares > 0 ? (5 * 10 ** -briggs) ** 2 * sum / squares : 0;
  for (let k = 0; k < cells.length; k++) cells[k] = 1 + cells[k]! * factor;
}
