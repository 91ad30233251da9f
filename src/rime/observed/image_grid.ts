/**
 * The pixels of an image of an observation, unless they are given: they follow from the longest baseline.
 *
 * @module
 */

import { cannot } from "../../errors.ts";
import type { Observation } from "../../observations/observation.ts";
import { SPEED_OF_LIGHT } from "../geometry/constants.ts";
import { ARCSECOND } from "../../skies/angles.ts";
import type { ImageGrid } from "../image/grid.ts";
import type { Extent } from "./extent.ts";

/** Pixels in the width of the smallest fringe: λ / longest baseline. */
const PER_FRINGE = 4;

/** Pixels along each side. */
const PIXELS = 512;

/** The largest l and m of an image: at the corners, l² + m² is 1. */
const WIDEST = Math.SQRT1_2;

/** Pixels as they were asked for. */
interface AskedGrid {
  /** Pixels along l and m. Default 512, or as many as the sky has. */
  readonly pixels?: readonly [nx: number, ny: number];
  /** The side of a pixel in radians. Default: a quarter of λ / longest baseline, for the shortest wavelength. */
  readonly cell?: number;
}

/** The grid of an image, east to the left. Errors: `invalid` for an observation without baselines. */
export function gridFor(
  { frequencies, source, rows }: Observation,
  { longest }: Extent,
  { pixels, cell: asked }: AskedGrid,
): ImageGrid {
  if (!(longest > 0)) {
    throw cannot("image", source, "invalid", `none of its ${rows} rows has a baseline`, { found: rows });
  }
  const wavelength = SPEED_OF_LIGHT / frequencies.reduce((most, one) => Math.max(most, one), 0);
  const cell = asked ?? rounded(wavelength / longest / PER_FRINGE);
  const most = 2 * Math.floor(WIDEST / cell); // an even number of pixels begins one pixel further out
  const side = Math.max(2, Math.min(PIXELS, most - 2));
  return { pixels: pixels ?? [side, side], cell: [-cell, cell] };
}

/** Two digits of arc seconds, downwards. */
function rounded(radians: number): number {
  const seconds = radians / ARCSECOND;
  const digit = 10 ** (Math.floor(Math.log10(seconds)) - 1);
  return Number((Math.floor(seconds / digit * (1 + 1e-12)) * digit).toPrecision(2)) * ARCSECOND;
}
