/** Images with known values for the tests of drawing. */

import { ndarray } from "@tilewise/tilewise/arrays";
import type { NDArray } from "@tilewise/tilewise";
import type { ShownImage } from "../../../web/draw/image.ts";
import type { Display } from "../../../web/state/state.ts";

const AXIS = { name: "y", step: 1, unit: "px" } as const;

/** Titles and axes around an array. */
export function shown(array: NDArray, step: number = 1, unit: string = "px"): ShownImage {
  return { array, title: "Made", axes: [{ ...AXIS, step, unit }, { name: "x", step, unit }] };
}

/** An image of 64-bit floats. */
export function floats(rows: number, columns: number, value: (y: number, x: number) => number): NDArray {
  const data = Float64Array.from(
    { length: rows * columns },
    (_, i) => value(Math.floor(i / columns), i % columns),
  );
  return ndarray(data, [rows, columns], "float64");
}

/** A display with all values in range. */
export const WHOLE: Display = { colormap: "viridis", scale: "linear", gamma: 1, percentile: [0, 100] };
