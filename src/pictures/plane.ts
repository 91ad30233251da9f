/**
 * Planes of numbers that are drawn row by row: an image, a sheet of many images, or block means of either.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { NDArray } from "../space/ndarray.ts";
import { type Shape, showShape, sizeOf } from "../space/shape.ts";
import { numberReader } from "../sinks/arrays/numbers.ts";

/** A plane to draw, one row at a time. */
export interface Plane {
  /** Numbers per row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** Fills `into`, of `width` numbers, with row `y`; NaN is transparent. */
  row(y: number, into: Float64Array): void;
}

/** Largest number of pixels of a picture that is the only file of an array: most programs cannot open larger ones. */
const MOST_PIXELS = 2 ** 27;

/**
 * Largest number of pixels of a picture beside a file of the array: 4096 × 4096, as of the largest detectors in use.
 * More are not useful to look at, and compressing them takes seconds.
 */
export const MOST_BESIDE: number = 2 ** 24;

/** The array as a plane: the image itself, or a sheet of its images. Errors: `invalid` for an array without samples. */
export function planeOf(array: NDArray): Plane {
  const { shape } = array;
  if (sizeOf(shape) === 0) {
    throw new TilewiseError("invalid", `Cannot show an array of ${showShape(shape)}: it has no samples`);
  }
  const read = numberReader(array);
  const { height, width, images, columns, rows } = layoutOf(shape);
  if (images === 1) return { width, height, row: (y, into) => read(y * width, into) };
  return {
    width: columns * (width + 1) - 1,
    height: rows * (height + 1) - 1,
    row(y, into) {
      into.fill(NaN);
      const line = y % (height + 1);
      if (line === height) return;
      const first = Math.floor(y / (height + 1)) * columns;
      for (let c = 0; c < columns && first + c < images; c++) {
        const at = c * (width + 1);
        read(((first + c) * height + line) * width, into.subarray(at, at + width));
      }
    },
  };
}

/** Images side by side on a sheet that is as square as possible, with one transparent pixel between them. */
function layoutOf(shape: Shape) {
  const [height, width] = shape.length < 2 ? [1, sizeOf(shape)] : shape.slice(-2) as [number, number];
  const images = sizeOf(shape) / (width * height);
  const columns = Math.min(images, Math.max(1, Math.round(Math.sqrt(images * height / width))));
  return { height, width, images, columns, rows: Math.ceil(images / columns) };
}

/** Refuses planes with more pixels than a picture can have; `overflow`. */
export function checkPixels({ width, height }: Plane): void {
  if (width * height <= MOST_PIXELS) return;
  const text = `Cannot show ${width} × ${height} pixels; at most ${MOST_PIXELS} fit a picture`;
  throw new TilewiseError("overflow", text, { expected: MOST_PIXELS, found: width * height });
}

/**
 * The `n` for which means over `n × n` samples make a picture of at most `most` pixels from an array of this shape; 1
 * if all its samples fit.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([reductionOf([4096, 4096]), reductionOf([6000, 6000])], [1, 2]);
 * ```
 */
export function reductionOf(shape: Shape, most: number = MOST_BESIDE): number {
  if (sizeOf(shape) === 0) return 1;
  const { height, width, columns, rows } = layoutOf(shape);
  const sides = rows * columns === 1 ? [width, height] : [columns * (width + 1) - 1, rows * (height + 1) - 1];
  let n = 1;
  while (Math.ceil(sides[0]! / n) * Math.ceil(sides[1]! / n) > most) n++;
  return n;
}

/** The plane with its last row first. */
export function turned(plane: Plane): Plane {
  return { ...plane, row: (y, into) => plane.row(plane.height - 1 - y, into) };
}

/** Means over blocks of `n × n` numbers, smaller ones at the ends; NaN is ignored, and blocks without numbers are NaN. */
export function reducedPlane(plane: Plane, n: number): Plane {
  if (n === 1) return plane;
  const width = Math.ceil(plane.width / n);
  const line = new Float64Array(plane.width);
  const counts = new Uint32Array(width);
  return {
    width,
    height: Math.ceil(plane.height / n),
    row(y, into) {
      into.fill(0);
      counts.fill(0);
      for (let from = y * n; from < Math.min(plane.height, (y + 1) * n); from++) {
        plane.row(from, line);
        addBlocks(into, counts, line, n);
      }
      for (let x = 0; x < width; x++) into[x]! /= counts[x]!; // 0 / 0 is NaN
    },
  };
}

function addBlocks(sums: Float64Array, counts: Uint32Array, line: Float64Array, n: number): void {
  for (let x = 0, at = 0; at < line.length; x++) {
    for (const end = Math.min(line.length, at + n); at < end; at++) {
      const value = line[at]!;
      if (Number.isNaN(value)) continue;
      sums[x]! += value;
      counts[x]!++;
    }
  }
}

/** Whether `holds` is true for a row of a plane. */
export function someRow(plane: Plane, holds: (row: Float64Array) => boolean): boolean {
  for (const row of planeRows(plane)) if (holds(row)) return true;
  return false;
}

/** All rows of a plane, from the top; the memory of a row is reused for the next one. */
export function* planeRows(plane: Plane): Generator<Float64Array> {
  const line = new Float64Array(plane.width);
  for (let y = 0; y < plane.height; y++) {
    plane.row(y, line);
    yield line;
  }
}
