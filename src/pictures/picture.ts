/**
 * From an array to a picture: one image, a line of values, or a sheet of many images.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { NdArray } from "../space/ndarray.ts";
import { showShape, sizeOf } from "../space/shape.ts";
import { type Colormap, colourTable, isDiverging } from "./colormap.ts";
import { withLegend } from "./legend.ts";
import type { Raster } from "./png.ts";
import { limitsOf, numbersOf, scaled, type ScaleOptions } from "./scale.ts";

/** How an array is shown. */
export interface PictureOptions extends ScaleOptions {
  /** Default `viridis`; those for values of both signs make the limits symmetric unless a range is given. */
  readonly colormap?: Colormap;
  /** Puts a colour bar with the lowest and the highest value at the right. Default false. */
  readonly legend?: boolean;
}

/** A plane of numbers: what is drawn once a sheet is laid out. */
interface Plane {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
}

/** The most pixels a picture may have. */
const MOST_PIXELS = 2 ** 27;

/**
 * The picture of an array as RGBA; NaN and entries that are not valid are transparent.
 *
 * The last two dimensions are rows and columns; with more dimensions the images are laid out on a sheet, side by
 * side; an array of one dimension is one row.
 *
 * @example
 * ```ts
 * import { ndarray } from "../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * const image = picture(ndarray(Float64Array.of(0, NaN, 1, 2), [2, 2], "float64"), { colormap: "gray" });
 * assertEquals([...image.data.subarray(0, 8)], [0, 0, 0, 255, 0, 0, 0, 0]);
 * ```
 */
export function picture(array: NdArray, options: PictureOptions = {}): Raster {
  const plane = sheet(array);
  const map = options.colormap ?? "viridis";
  const symmetric = options.symmetric ?? (isDiverging(map) && !options.range);
  const limits = limitsOf(plane.values, { ...options, symmetric });
  const table = colourTable(map);
  const data = new Uint8Array(4 * plane.values.length);
  for (let i = 0; i < plane.values.length; i++) {
    const t = scaled(plane.values[i]!, limits);
    if (Number.isNaN(t)) continue;
    const colour = 3 * Math.round(255 * t);
    for (let c = 0; c < 3; c++) data[4 * i + c] = table[colour + c]!;
    data[4 * i + 3] = 255;
  }
  const raster: Raster = { width: plane.width, height: plane.height, channels: 4, data };
  return options.legend ? withLegend(raster, limits, map) : raster;
}

/** The picture of an array in 16-bit gray, with alpha where some entries show nothing. */
export function grayPicture(array: NdArray, options: ScaleOptions = {}): Raster {
  const { width, height, values } = sheet(array);
  const limits = limitsOf(values, options);
  const hasHoles = values.some(Number.isNaN);
  const channels = hasHoles ? 2 : 1;
  const data = new Uint16Array(channels * values.length);
  values.forEach((value, i) => {
    if (Number.isNaN(value)) return;
    data[channels * i] = Math.round(65535 * scaled(value, limits));
    if (hasHoles) data[2 * i + 1] = 65535;
  });
  return { width, height, channels, data };
}

/** The raster without its alpha channel, when it is 8-bit and all of it is opaque; otherwise the raster itself. */
export function withoutAlpha(raster: Raster): Raster {
  const { width, height, channels, data } = raster;
  if (channels !== 4 || data instanceof Uint16Array) return raster;
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return raster;
  const opaque = new Uint8Array(data.length / 4 * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    for (let c = 0; c < 3; c++) opaque[to + c] = data[from + c]!;
  }
  return { width, height, channels: 3, data: opaque };
}

function sheet(array: NdArray): Plane {
  if (sizeOf(array.shape) === 0) {
    throw new TilewiseError(
      "invalid",
      `Cannot show an array of ${showShape(array.shape)}: it has no samples`,
    );
  }
  const values = numbersOf(array);
  const [height, width] = array.shape.length < 2
    ? [1, values.length]
    : array.shape.slice(-2) as [number, number];
  const images = values.length / (width * height);
  if (images === 1) return checked({ width, height, values });
  return layOut(values, images, width, height);
}

/** Images side by side on a sheet that is as square as possible, one transparent pixel between them. */
function layOut(values: Float64Array, images: number, width: number, height: number): Plane {
  const columns = Math.min(images, Math.max(1, Math.round(Math.sqrt(images * height / width))));
  const rows = Math.ceil(images / columns);
  const [sheetWidth, sheetHeight] = [columns * (width + 1) - 1, rows * (height + 1) - 1];
  checked({ width: sheetWidth, height: sheetHeight, values });
  const out = new Float64Array(sheetWidth * sheetHeight).fill(NaN);
  for (let row = 0; row < images * height; row++) {
    const image = Math.floor(row / height);
    const y = Math.floor(image / columns) * (height + 1) + row % height;
    out.set(values.subarray(row * width, (row + 1) * width), y * sheetWidth + image % columns * (width + 1));
  }
  return { width: sheetWidth, height: sheetHeight, values: out };
}

function checked(plane: Plane): Plane {
  if (plane.width * plane.height <= MOST_PIXELS) return plane;
  const text = `Cannot show ${plane.width} × ${plane.height} pixels; at most ${MOST_PIXELS} fit a picture`;
  throw new TilewiseError("overflow", text, { expected: MOST_PIXELS, found: plane.width * plane.height });
}
