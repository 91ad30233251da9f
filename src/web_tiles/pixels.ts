/**
 * Arrays as pixels of a canvas.
 *
 * @module
 */

import { checkOptionNames, type OptionNames, type OptionRule } from "../options.ts";
import { must, truth } from "../options/rules.ts";
import { type Colormap, colormapRule } from "../pictures/colours/colormap.ts";
import { picture } from "../pictures/picture.ts";
import type { Limits, ScaleOptions } from "../pictures/scale.ts";
import type { NDArray } from "../space/ndarray.ts";

/**
 * Options of {@link pixelsOf}.
 * @category Tiles for pages
 */
export interface PixelOptions extends ScaleOptions {
  /** The colours. Default `viridis`. */
  readonly colormap?: Colormap;
}

/**
 * Pixels as canvases take them: `new ImageData(data, width)`.
 * @category Tiles for pages
 */
export interface Pixels {
  /** Red, green, blue and alpha, row by row. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  /** Pixels per row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

/** Two numbers, the lower one first. */
export const limitsRule: OptionRule<Limits> = must(
  "two numbers, the lower one first",
  (value) => Array.isArray(value) && value.length === 2 && value[0] <= value[1],
);

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<PixelOptions> = {
  range: limitsRule, percentile: limitsRule, symmetric: truth, colormap: colormapRule,
};

/**
 * An array through a colour map: rows and columns are its last two dimensions. NaN and entries that are not valid are
 * transparent.
 *
 * Errors: `invalid` for options that are wrong and arrays without samples.
 *
 * @example
 * ```ts
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { pixelsOf } from "@tilewise/tilewise/unstable/web";
 * import { assertEquals } from "@std/assert";
 * const { data, width } = pixelsOf(ndarray(Float64Array.of(0, NaN, 1, 2), [2, 2], "float64"), { colormap: "gray" });
 * assertEquals([width, ...data.subarray(0, 8)], [2, 0, 0, 0, 255, 0, 0, 0, 0]);
 * ```
 * @category Tiles for pages
 */
export function pixelsOf(array: NDArray, options: PixelOptions = {}): Pixels {
  checkOptionNames("pixelsOf()", options, OPTIONS);
  const { data, width, height } = picture(array, options);
  return { data: new Uint8ClampedArray(data), width, height };
}
