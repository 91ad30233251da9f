/**
 * Chooses which images of a result are shown (of the scan or of the frame), and their colours.
 *
 * @module
 */

import type { NDArray } from "../space/ndarray.ts";
import { sameShape, type Shape, sizeOf } from "../space/shape.ts";
import type { PictureOptions } from "./picture.ts";
import { numberBlocks } from "./numbers.ts";

/** Largest number of images on a sheet; more are not useful to look at. */
const MOST_IMAGES = 64;

/** The shapes that say which dimensions are a scan and which a frame. */
export interface ScanShapes {
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Shape of a frame. */
  readonly sigShape: Shape;
}

/** The array as images of the scan or of the frame, if it has such images. */
export function imagesOf(array: NDArray, { navShape, sigShape }: ScanShapes): NDArray | undefined {
  const { shape } = array;
  const count = sizeOf(shape.slice(0, -2));
  const entry = shape.slice(navShape.length);
  const isNav = entry.length > 0 && sameShape(shape.slice(0, navShape.length), navShape);
  if (shape.length === 0 || sizeOf(shape) <= 1) return undefined;
  if (isNav && navShape.length === 2 && !sameShape(entry, sigShape)) return perEntry(array, navShape, entry);
  return count <= MOST_IMAGES ? array : undefined;
}

/** An array with several entries per scan position as one image of the scan per entry; samples are not copied. */
function perEntry(array: NDArray, navShape: Shape, entry: Shape): NDArray | undefined {
  if (sizeOf(entry) > MOST_IMAGES) return undefined;
  const turned = (values: readonly number[]) => [
    ...values.slice(navShape.length),
    ...values.slice(0, navShape.length),
  ];
  const { data, dtype, valid, shape, stride } = array;
  const images = { data, dtype, shape: turned(shape), stride: turned(stride) };
  return valid ? { ...images, valid: turnedMask(valid, sizeOf(navShape), sizeOf(entry)) } : images;
}

/** The mask of an array of `positions × entries`, transposed to `entries × positions`. */
function turnedMask(valid: Uint8Array, positions: number, entries: number): Uint8Array {
  const each = positions * entries / valid.length;
  const out = new Uint8Array(positions * entries);
  for (let p = 0; p < positions; p++) {
    for (let e = 0; e < entries; e++) out[e * positions + p] = valid[Math.floor((p * entries + e) / each)]!;
  }
  return out;
}

/** Options for a picture: values of both signs are shown symmetric around zero. */
export function lookOf(array: NDArray): PictureOptions {
  let [below, above] = [false, false];
  for (const block of numberBlocks(array)) {
    below ||= block.some((v) => v < 0);
    above ||= block.some((v) => v > 0);
    if (below && above) return { colormap: "signed" };
  }
  return { colormap: "viridis" };
}
