/**
 * What of a result is shown as a picture: images of the scan or of the frame, and the colours that suit them.
 *
 * @module
 */

import type { NDArray } from "../space/ndarray.ts";
import { sameShape, type Shape, sizeOf } from "../space/shape.ts";
import type { PictureOptions } from "./picture.ts";
import { numberBlocks } from "./numbers.ts";

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
export function imagesOf(array: NDArray, { navShape, sigShape }: ScanShapes): NDArray | undefined {
  const { shape } = array;
  const count = sizeOf(shape.slice(0, -2));
  const entry = shape.slice(navShape.length);
  const isNav = entry.length > 0 && sameShape(shape.slice(0, navShape.length), navShape);
  if (shape.length === 0 || sizeOf(shape) <= 1) return undefined;
  if (isNav && navShape.length === 2 && !sameShape(entry, sigShape)) return perEntry(array, navShape, entry);
  return count <= MOST_IMAGES ? array : undefined;
}

/** An array of entries per scan position as one image of the scan per number of the entry; the samples stay where they are. */
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

/** The mask of an array of `positions × entries` for one of `entries × positions`. */
function turnedMask(valid: Uint8Array, positions: number, entries: number): Uint8Array {
  const each = positions * entries / valid.length;
  const out = new Uint8Array(positions * entries);
  for (let p = 0; p < positions; p++) {
    for (let e = 0; e < entries; e++) out[e * positions + p] = valid[Math.floor((p * entries + e) / each)]!;
  }
  return out;
}

/** Values of both signs are shown around zero. */
export function lookOf(array: NDArray): PictureOptions {
  let [below, above] = [false, false];
  for (const block of numberBlocks(array)) {
    below ||= block.some((v) => v < 0);
    above ||= block.some((v) => v > 0);
    if (below && above) return { colormap: "signed" };
  }
  return { colormap: "viridis" };
}
