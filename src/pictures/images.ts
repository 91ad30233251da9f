/**
 * What of a result is shown as a picture: images of the scan or of the frame, and the colours that suit them.
 *
 * @module
 */

import type { NdArray } from "../space/ndarray.ts";
import { sameShape, type Shape, sizeOf, stridesOf } from "../space/shape.ts";
import type { PictureOptions } from "./picture.ts";
import { numbersOf } from "./scale.ts";

/** Images of a sheet beyond which nobody looks. */
const MOST_IMAGES = 64;

/** The shapes that tell which dimensions are a scan and which a frame. */
export interface ScanShapes {
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Shape of a frame. */
  readonly sigShape: Shape;
}

/** The array as images of the scan or of the frame, if that is what one would want to see. */
export function imagesOf(array: NdArray, { navShape, sigShape }: ScanShapes): NdArray | undefined {
  const { shape } = array;
  const count = sizeOf(shape.slice(0, -2));
  const entry = shape.slice(navShape.length);
  const isNav = entry.length > 0 && sameShape(shape.slice(0, navShape.length), navShape);
  if (shape.length === 0 || sizeOf(shape) <= 1 || sizeOf(shape) > 2 ** 26) return undefined;
  if (isNav && navShape.length === 2 && !sameShape(entry, sigShape)) return perEntry(array, navShape, entry);
  return count <= MOST_IMAGES ? array : undefined;
}

/** An array of entries per scan position as one image of the scan per number of the entry. */
function perEntry(array: NdArray, navShape: Shape, entry: Shape): NdArray | undefined {
  if (sizeOf(entry) > MOST_IMAGES) return undefined;
  const strides = stridesOf(array.shape);
  const stride = [...strides.slice(navShape.length), ...strides.slice(0, navShape.length)];
  return { data: numbersOf(array), shape: [...entry, ...navShape], stride, dtype: "float64" };
}

/** Values of both signs are shown around zero. */
export function lookOf(array: NdArray): PictureOptions {
  const values = numbersOf(array);
  const hasBoth = values.some((v) => v < 0) && values.some((v) => v > 0);
  return { colormap: hasBoth ? "signed" : "viridis" };
}
