/**
 * Shapes and strides: plain lists of sizes, slowest dimension first, and their checked products.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

/**
 * Sizes of an array, slowest dimension first.
 * @category Arrays
 */
export type Shape = readonly number[];

/**
 * The product of `factors`, refused beyond `limit` (at most 2^53 − 1, where numbers stop being exact).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(checkedProduct([256, 256, 2], "a frame"), 131072);
 * assertEquals(checkedProduct([], "nothing"), 1);
 * ```
 */
export function checkedProduct(
  factors: Shape,
  what: string,
  limit: number = Number.MAX_SAFE_INTEGER,
): number {
  let product = 1;
  for (const factor of factors) {
    if (!Number.isSafeInteger(factor) || factor < 0) {
      throw new TilewiseError("overflow", `Cannot size ${what}: ${factor} is not a count`, { found: factor });
    }
    product *= factor;
  }
  if (factors.includes(0)) return 0; // also where the others alone would be too many
  if (product <= limit) return product;
  throw new TilewiseError("overflow", `Cannot size ${what}: ${factors.join(" × ")} is more than ${limit}`, {
    expected: limit,
    found: product,
  });
}

/** Number of samples in `shape`; 1 for the empty shape. */
export function sizeOf(shape: Shape): number {
  return checkedProduct(shape, "an array");
}

/** Strides in samples of a dense row-major array. */
export function stridesOf(shape: Shape): number[] {
  const strides = new Array<number>(shape.length).fill(1);
  for (let d = shape.length - 2; d >= 0; d--) strides[d] = strides[d + 1]! * shape[d + 1]!;
  return strides;
}

/** The position of flat index `flat` in a row-major array of `shape`. */
export function unravel(flat: number, shape: Shape): number[] {
  const position = new Array<number>(shape.length);
  for (let d = shape.length - 1; d >= 0; d--) {
    position[d] = flat % shape[d]!;
    flat = Math.floor(flat / shape[d]!);
  }
  return position;
}

/** The flat index of `position` in a row-major array of `shape`. */
export function ravel(position: Shape, shape: Shape): number {
  return position.reduce((flat, p, d) => flat * shape[d]! + p, 0);
}

/** Whether two shapes are the same. */
export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((n, d) => n === b[d]);
}

/** A shape as people write it: `256 × 256`; `scalar` for the empty shape. */
export function showShape(shape: Shape): string {
  return shape.length === 0 ? "scalar" : shape.join(" × ");
}

/** The shape in text such as `256x256`, `256×256` or `256,256`. */
export function parseShape(text: string, what = "shape"): number[] {
  const sizes = text.split(/[x×,]/i).map((part) => part.trim());
  if (sizes.every((part) => /^\d+$/.test(part))) return sizes.map(Number);
  throw new TilewiseError("invalid", `Cannot read ${what} "${text}"; write sizes like 256x256`, {
    found: text,
  });
}
