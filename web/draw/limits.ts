/**
 * The values of the first and the last colour: given, or percentiles of the numbers.
 *
 * @module
 */

import {
  type Colormap,
  COLORMAPS,
  isDiverging,
  type Limits,
  limitsIn,
  type Plane,
  planeRows,
} from "../../src/pictures/mod.ts";
import type { Display } from "../state/state.ts";
import { LABELS } from "./maps.ts";
import type { Planes } from "./numbers.ts";

/** With more numbers than this, percentiles use an even selection, so that a new image is shown without a pause. */
const MOST_SORTED = 1 << 16;

/** The colour map of a display; `viridis` for names that are unknown, as an address may have any. */
export function colormapOf({ colormap }: Pick<Display, "colormap">): Colormap {
  const known = COLORMAPS.some((name) => name === colormap.replace(/_r$/, ""));
  return known ? colormap as Colormap : "viridis";
}

/** The limits of values, and of lengths, which begin at 0; with maps for both signs they are symmetric. */
export function limitsOf(planes: Planes, display: Display): Limits {
  const [first, second] = planes.parts;
  const { range } = display;
  if (display.colormap === LABELS) return [0, 255];
  if (range?.every(Number.isFinite) && range[0] <= range[1]) return range;
  const percentile = percentileOf(display);
  if (second) return [0, limitsOfPlane(lengths(first, second), percentile, false)[1]];
  return limitsOfPlane(first, percentile, isDiverging(colormapOf(display)));
}

/** Where nearly all numbers are the same, as in patterns with few counts, percentiles may be one number: then all are shown. */
function limitsOfPlane(plane: Plane, percentile: Limits, symmetric: boolean): Limits {
  const limits = percentilesOf(plane, { percentile, symmetric });
  return limits[0] < limits[1] ? limits : percentilesOf(plane, { percentile: [0, 100], symmetric });
}

function percentilesOf(
  plane: Plane,
  options: { readonly percentile: Limits; readonly symmetric: boolean },
): Limits {
  const every = strideOf(plane);
  if (every === 1 || isWhole(options.percentile)) {
    return limitsIn(planeRows(plane), plane.width * plane.height, options);
  }
  const few = selection(plane, every);
  return limitsIn([few], few.length, options);
}

function isWhole([low, high]: Limits): boolean {
  return low === 0 && high === 100;
}

/** Percentiles from 0 to 100, rising, whatever an address had. */
export function percentileOf({ percentile: [low, high] }: Pick<Display, "percentile">): Limits {
  const inside = (percent: number) => Math.max(0, Math.min(100, Number.isFinite(percent) ? percent : 0));
  return inside(low) <= inside(high) ? [inside(low), inside(high)] : [0, 100];
}

/** How many numbers lie between two that are selected: odd, so that columns are not always the same. */
function strideOf({ width, height }: Plane): number {
  const every = Math.ceil(width * height / MOST_SORTED);
  return every > 1 ? every | 1 : 1;
}

function selection(plane: Plane, every: number): Float64Array {
  const chosen = new Float64Array(Math.ceil(plane.width * plane.height / every));
  const line = new Float64Array(plane.width);
  let [next, kept] = [0, 0];
  for (let y = 0; y < plane.height; y++) {
    const end = (y + 1) * plane.width;
    if (next < end) plane.row(y, line);
    for (; next < end; next += every) chosen[kept++] = line[next - y * plane.width]!;
  }
  return chosen.subarray(0, kept);
}

/** The lengths of vectors. */
export function lengths(down: Plane, right: Plane): Plane {
  const other = new Float64Array(right.width);
  return {
    ...down,
    row(y, into) {
      down.row(y, into);
      right.row(y, other);
      for (let i = 0; i < into.length; i++) into[i] = Math.hypot(into[i]!, other[i]!);
    },
  };
}
