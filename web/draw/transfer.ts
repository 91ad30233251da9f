/**
 * From a value to its place on the scale of colours, 0 to 1, and back.
 *
 * Between the limits, u is the share of the range. A logarithmic scale is t = ln(1 + 1000 u) / ln 1001, as in SAOImage DS9: it
 * has a place for zero and for negative values. Gamma is an exponent: t = u^gamma.
 *
 * @module
 */

import type { Limits } from "../../src/pictures/mod.ts";
import type { Display } from "../state/state.ts";

/** The steepness of the logarithmic scale. */
export const LOG_FACTOR = 1000;

/** What the scale is made of. */
export type Transfer = Pick<Display, "scale" | "gamma">;

/** The share of the range below `value`, from 0 to 1; NaN stays NaN. As in pictures of files. */
export function shareOf(value: number, [low, high]: Limits): number {
  if (!(high > low)) return Number.isNaN(value) ? NaN : value > high ? 1 : 0;
  const share = (value - low) / (high - low);
  return share < 0 ? 0 : share > 1 ? 1 : share;
}

/** The place of a share on the scale of colours. */
export function placeOf(share: number, { scale, gamma }: Transfer): number {
  const t = scale === "log" ? Math.log1p(LOG_FACTOR * share) / Math.log1p(LOG_FACTOR) : share;
  return gamma === 1 ? t : t ** gamma;
}

/** The share at a place: the inverse of {@link placeOf}. */
export function shareAt(place: number, { scale, gamma }: Transfer): number {
  const t = gamma === 1 ? place : place ** (1 / gamma);
  return scale === "log" ? Math.expm1(t * Math.log1p(LOG_FACTOR)) / LOG_FACTOR : t;
}

/** Gamma as it may be used: an address may have any number. */
export function gammaOf({ gamma }: Pick<Display, "gamma">): number {
  return Number.isFinite(gamma) ? Math.max(0.05, Math.min(20, gamma)) : 1;
}
