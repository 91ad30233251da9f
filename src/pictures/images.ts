/**
 * Chooses which images of a result are shown (of the scan or of the frame), and their colours.
 *
 * @module
 */

import type { AxisFacts } from "../space/axes.ts";
import type { TypedArray } from "../space/dtype.ts";
import { type NDArray, ndarray } from "../space/ndarray.ts";
import { sameShape, type Shape, sizeOf } from "../space/shape.ts";
import type { PictureOptions } from "./picture.ts";
import { denseData, numberBlocks } from "../sinks/arrays/numbers.ts";

/** Largest number of images on a sheet; more are not useful to look at. */
const MOST_IMAGES = 64;

/** The shapes that say which dimensions are a scan and which a frame. */
export interface ScanShapes {
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Shape of a frame. */
  readonly sigShape: Shape;
  /** The axes of scan and frame. */
  readonly axes?: readonly AxisFacts[];
}

/** The array as images of the scan or of the frame, if it has such images: as they are drawn, from the top to the bottom. */
export function imagesOf(array: NDArray, shapes: ScanShapes): NDArray | undefined {
  const images = storedImages(array, shapes);
  return images && (growsUpwards(images, shapes) ? upsideDown(images) : images);
}

/** Whether the rows of images of a scan or of frames grow upwards. */
function growsUpwards({ shape }: NDArray, { navShape, sigShape, axes = [] }: ScanShapes): boolean {
  const isLike = (whole: Shape) => whole.length > 1 && sameShape(shape.slice(-2), whole.slice(-2));
  const own = isLike(sigShape) ? axes : isLike(navShape) ? axes.slice(0, navShape.length) : [];
  return own.at(-2)?.upwards === true;
}

/** The images with their last row first, copied. */
export function upsideDown<T extends NDArray>(images: T): T {
  const { shape, dtype, valid } = images;
  const [rows = 1, columns = 1] = shape.slice(-2), count = sizeOf(shape);
  const data = denseData(images).slice();
  turn(data, rows, columns * data.length / Math.max(1, count));
  if (!valid) return { ...ndarray(data, shape, dtype) } as T;
  const each = count / valid.length;
  const mask = Uint8Array.from({ length: count }, (_, i) => valid[Math.floor(i / each)]!);
  turn(mask, rows, columns);
  return { ...ndarray(data, shape, dtype), valid: mask } as T;
}

/** Turns the rows of all images in place. */
function turn(data: TypedArray, rows: number, width: number): void {
  for (let first = 0; first < data.length; first += rows * width) {
    for (let low = 0, high = rows - 1; low < high; low++, high--) {
      const [a, b] = [first + low * width, first + high * width];
      const row = data.slice(a, a + width);
      data.copyWithin(a, b, b + width);
      data.set(row as never, b);
    }
  }
}

function storedImages(array: NDArray, { navShape, sigShape }: ScanShapes): NDArray | undefined {
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
