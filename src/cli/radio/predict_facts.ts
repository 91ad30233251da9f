/**
 * Facts about the work of a prediction.
 *
 * @module
 */

import type { Observation } from "../../observations/observation.ts";
import type { Sky } from "../../skies/component.ts";

/** A number of source visibilities per second, as text. */
export function speed(count: number, seconds: number): string {
  const rate = count / Math.max(seconds, 1e-9);
  return rate >= 1e8 ? `${(rate / 1e9).toFixed(2)} · 10⁹` : `${(rate / 1e6).toFixed(2)} · 10⁶`;
}

/** A measure of the work that says whether threads are worth their start: as many bytes take about as long to filter. */
export function workOf({ points, gaussians, sersics }: Sky, { rows, frequencies }: Observation): number {
  const sources = points.length + gaussians.length + sersics.length;
  return sources * rows * frequencies.length;
}
