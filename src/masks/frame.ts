/**
 * Functions for all mask generators: they check the shape of a frame, and visit its pixels.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { wrongValue } from "../options/rules.ts";
import { type NDArray, ndarray, zeroArray } from "../space/ndarray.ts";
import { type Shape, showShape } from "../space/shape.ts";

/** Height and width of frames of `shape`, for a generator that needs two dimensions. */
export function frameSides(shape: Shape, what: string): [height: number, width: number] {
  if (!Array.isArray(shape)) throw wrongValue(what, "shape", shape, "a list of sizes, such as [128, 128]");
  if (shape.length === 2) return [shape[0]!, shape[1]!];
  const text = `Cannot make ${what} for frames of ${showShape(shape)}: it needs 2 dimensions`;
  throw new TilewiseError("invalid", text, { expected: 2, found: shape.length });
}

/** A mask of truth values: 1 where `inside`. */
export function truthMask(
  sides: readonly [number, number],
  inside: (y: number, x: number) => boolean,
): NDArray<"bool"> {
  const data = new Uint8Array(sides[0] * sides[1]);
  eachPixel(sides, (y, x, i) => data[i] = inside(y, x) ? 1 : 0);
  return ndarray(data, sides, "bool");
}

/** A mask of floats: `value` at each pixel. */
export function floatMask<D extends "float32" | "float64">(
  sides: readonly [number, number],
  value: (y: number, x: number) => number,
  dtype: D,
): NDArray<D> {
  const mask = zeroArray(sides, dtype);
  eachPixel(sides, (y, x, i) => mask.data[i] = value(y, x));
  return mask;
}

/** Visits every pixel in row-major order. */
export function eachPixel(
  [height, width]: readonly [number, number],
  visit: (y: number, x: number, index: number) => void,
): void {
  let index = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) visit(y, x, index++);
  }
}

/** The nearest integer; halves are rounded to even, as in NumPy. */
export function roundHalfEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  return rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
}
