/**
 * Makes a picture from an array: one image, a line of values, or a sheet of many images.
 *
 * @module
 */

import type { NDArray } from "../space/ndarray.ts";
import { type Colormap, colourTable, isDiverging } from "./colours/colormap.ts";
import { withLegend } from "./legend.ts";
import {
  checkPixels,
  type Plane,
  planeOf,
  planeRows,
  reducedPlane,
  reductionOf,
  someRow,
  turned,
} from "./plane.ts";
import { type PixelRows, type Raster, rasterOf } from "../sinks/png/raster.ts";
import { type Limits, limitsIn, scaled, scaleOf, type ScaleOptions } from "./scale.ts";

/**
 * How an array is shown.
 * @category Results
 */
export interface PictureOptions extends ScaleOptions {
  /**
   * The colour map, such as `viridis`, `gray`, `turbo` or `signed`, and each in reverse, such as `viridis_r`. Maps for values of
   * both signs make the limits symmetric unless a range is given. Default `viridis`.
   */
  readonly colormap?: Colormap;
  /** Adds a colour bar with the lowest and the highest value at the right. Default false. */
  readonly legend?: boolean;
}

/**
 * The picture of an array as RGBA; NaN and entries that are not valid are transparent.
 *
 * The last two dimensions are rows and columns. With more dimensions, the images are placed side by side on a sheet; an
 * array of one dimension is one row.
 *
 * @param most largest number of pixels; beyond it, pixels are means over blocks of samples. Default: every sample is a
 * pixel
 *
 * @example
 * ```ts
 * import { ndarray } from "../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * const image = picture(ndarray(Float64Array.of(0, NaN, 1, 2), [2, 2], "float64"), { colormap: "gray" });
 * assertEquals([...image.data.subarray(0, 8)], [0, 0, 0, 255, 0, 0, 0, 0]);
 * ```
 */
export function picture(array: NDArray, options: PictureOptions = {}, most?: number): Raster {
  return rasterOf(colourRows(array, options, most));
}

/** A picture whose colours stand for values. */
interface ColourRows extends PixelRows {
  /** The values of the first and of the last colour. */
  readonly limits: Limits;
}

/**
 * The rows of {@link picture}, painted when they are requested: it needs memory for only a few rows. `upwards`: the first row
 * of the array is the lowest.
 */
export function colourRows(
  array: NDArray,
  options: PictureOptions = {},
  most?: number,
  upwards: boolean = false,
): ColourRows {
  const plane = shownPlane(array, most, upwards);
  const map = options.colormap ?? "viridis";
  const symmetric = options.symmetric ?? (isDiverging(map) && !options.range);
  const { limits, opaque } = survey(plane, { ...options, symmetric });
  const line = new Float64Array(plane.width);
  const table = colourTable(map);
  const rows: PixelRows = {
    ...sizeOfPlane(plane),
    channels: 4,
    bits: 8,
    opaque,
    fewColours: map.replace(/_r$/, "") !== "gray",
    row(y, into) {
      plane.row(y, line);
      paint(into, line, limits, table);
    },
  };
  return { ...(options.legend ? withLegend(rows, limits, map) : rows), limits };
}

/** The largest number below one half: adding it before truncation rounds like `Math.round`, in a third of the time. */
const HALF = 0.49999999999999994;

function paint(into: Uint8Array, values: Float64Array, limits: Limits, table: Uint8Array): void {
  into.fill(0);
  const [low, high] = limits;
  const span = high - low;
  for (let i = 0, to = 0; i < values.length; i++, to += 4) {
    let t = span > 0 ? (values[i]! - low) / span : scaled(values[i]!, limits);
    if (t !== t) continue; // NaN
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const colour = 3 * (255 * t + HALF | 0);
    into[to] = table[colour]!;
    into[to + 1] = table[colour + 1]!;
    into[to + 2] = table[colour + 2]!;
    into[to + 3] = 255;
  }
}

/** The rows of a picture of the array in 16-bit gray, with alpha if some entries are transparent. */
export function grayRows(array: NDArray, options: ScaleOptions = {}, most?: number): PixelRows {
  const plane = shownPlane(array, most);
  const { limits, opaque } = survey(plane, options);
  const line = new Float64Array(plane.width);
  const channels = opaque ? 1 : 2;
  return {
    ...sizeOfPlane(plane),
    channels,
    bits: 16,
    opaque,
    row(y, into) {
      plane.row(y, line);
      into.fill(0);
      const view = new DataView(into.buffer, into.byteOffset, into.byteLength);
      const scale = scaleOf(limits);
      for (let i = 0; i < line.length; i++) {
        if (Number.isNaN(line[i]!)) continue;
        view.setUint16(2 * channels * i, Math.round(65535 * scale(line[i]!)));
        if (!opaque) view.setUint16(4 * i + 2, 65535);
      }
    },
  };
}

function shownPlane(array: NDArray, most: number | undefined, upwards: boolean = false): Plane {
  const plane = upwards ? turned(planeOf(array)) : planeOf(array);
  if (most !== undefined) return reducedPlane(plane, reductionOf(array.shape, most));
  checkPixels(plane);
  return plane;
}

function sizeOfPlane({ width, height }: Plane): Pick<Plane, "width" | "height"> {
  return { width, height };
}

/** The limits of a plane, and whether all of its pixels are opaque; both come from one pass. */
function survey(plane: Plane, options: ScaleOptions): { limits: Limits; opaque: boolean } {
  let opaque = true;
  function* watched(): Generator<Float64Array> {
    for (const line of planeRows(plane)) {
      opaque &&= !hasNaN(line);
      yield line;
    }
  }
  const limits = limitsIn(watched(), plane.width * plane.height, options);
  if (options.range) opaque = !someRow(plane, hasNaN);
  return { limits, opaque };
}

function hasNaN(line: Float64Array): boolean {
  for (let i = 0; i < line.length; i++) if (line[i] !== line[i]) return true; // a loop for speed: it visits all pixels
  return false;
}
