/**
 * Pictures of vector fields: the hue is the direction, the lightness the length.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { NDArray } from "../space/ndarray.ts";
import { sameShape, showShape } from "../space/shape.ts";
import { oklab } from "./colours/oklab.ts";
import { type Plane, planeOf, planeRows, reducedPlane, reductionOf, someRow } from "./plane.ts";
import { type PixelRows, type Raster, rasterOf } from "../sinks/png/raster.ts";
import { type Limits, limitsIn, scaled } from "./scale.ts";

/** Number of directions that have a colour of their own, from right by down. */
export const HUES = 120;

/** Number of lengths that have a colour of their own, from 0 to the longest. */
export const LENGTHS = 64;

let colours: Uint8Array | undefined;

/** The colours of vectors: red, green, blue of {@link LENGTHS} lengths for each of {@link HUES} directions. */
export function vectorColours(): Uint8Array {
  return colours ??= makeTable();
}

/**
 * The picture of the field with components `y` (down) and `x` (right), as RGBA: dark where the field is 0, transparent
 * where a component is NaN or not valid. Right is red, down yellow-green, left cyan, up violet.
 *
 * @param longest the length that is brightest; default: the longest vector
 *
 * @example
 * ```ts
 * import { ndarray } from "../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * const at = (v: number) => ndarray(Float64Array.of(v, NaN), [1, 2], "float64");
 * const { data } = vectorPicture(at(0), at(1));
 * assertEquals([data[3], data[7]], [255, 0]);
 * ```
 */
export function vectorPicture(y: NDArray, x: NDArray, longest?: number): Raster {
  return rasterOf(vectorRows(y, x, longest));
}

/**
 * The rows of {@link vectorPicture}, painted when they are requested.
 *
 * @param most largest number of pixels; beyond it, pixels are means over blocks of vectors. Default: every vector is a
 * pixel
 */
export function vectorRows(y: NDArray, x: NDArray, longest?: number, most: number = Infinity): PixelRows {
  if (y.shape.length !== 2 || !sameShape(y.shape, x.shape)) {
    const text = `Cannot show vectors of ${showShape(y.shape)} and ${
      showShape(x.shape)
    }; both need the same two dimensions`;
    throw new TilewiseError("invalid", text);
  }
  const n = reductionOf(y.shape, most);
  const [down, right] = [reducedPlane(planeOf(y), n), reducedPlane(planeOf(x), n)];
  const { width, height } = down;
  const lengths = lengthsOf(down, right);
  const limits = [0, longest ?? limitsIn(planeRows(lengths), width * height)[1]] as const;
  const [vy, vx] = [new Float64Array(width), new Float64Array(width)];
  return {
    width,
    height,
    channels: 4,
    bits: 8,
    opaque: !someRow(lengths, (row) => row.some(Number.isNaN)),
    row(line, into) {
      down.row(line, vy);
      right.row(line, vx);
      paint(into, vy, vx, limits);
    },
  };
}

/** The components along y and x of an array of vectors, a plane of them; `undefined` for all other arrays. Samples are not copied. */
export function componentsOf(
  { data, dtype, shape, stride, valid, values }: NDArray,
): [y: NDArray, x: NDArray] | undefined {
  const [height, width, count] = shape;
  if (values?.kind !== "vector" || shape.length !== 3 || count !== 2) return undefined;
  const isEach = valid?.length === height! * width! * 2;
  const component = (c: number): NDArray => ({
    data: data.subarray(c * stride[2]!),
    dtype,
    shape: shape.slice(0, 2),
    stride: stride.slice(0, 2),
    ...(valid ? { valid: isEach ? valid.filter((_, i) => i % 2 === c) : valid } : {}),
  });
  return [component(0), component(1)];
}

function lengthsOf(down: Plane, right: Plane): Plane {
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

function paint(into: Uint8Array, down: Float64Array, right: Float64Array, limits: Limits): void {
  const table = vectorColours();
  into.fill(0);
  down.forEach((y, i) => {
    const length = Math.hypot(y, right[i]!);
    if (Number.isNaN(length)) return;
    const turn = Math.atan2(y, right[i]!) / (2 * Math.PI);
    const hue = Math.round((turn + 1) * HUES) % HUES;
    const entry = 3 * (hue * LENGTHS + Math.round(scaled(length, limits) * (LENGTHS - 1)));
    into.set(table.subarray(entry, entry + 3), 4 * i);
    into[4 * i + 3] = 255;
  });
}

/** Lightness and chroma grow together, so that short vectors are not too prominent. */
function makeTable(): Uint8Array {
  const table = new Uint8Array(3 * HUES * LENGTHS);
  for (let hue = 0; hue < HUES; hue++) {
    for (let length = 0; length < LENGTHS; length++) {
      const share = length / (LENGTHS - 1);
      const colour = oklab(0.16 + 0.6 * share, 0.16 * Math.sqrt(share), 29 + hue * 360 / HUES);
      table.set(colour, 3 * (hue * LENGTHS + length));
    }
  }
  return table;
}
