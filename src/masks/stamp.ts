/**
 * Templates stamped to many places: one mask a lattice point, or several points a mask.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { NdArray } from "../space/ndarray.ts";
import type { Shape } from "../space/shape.ts";
import { circular } from "./disks.ts";
import { frameSides } from "./frame.ts";
import type { SparseMasks } from "./sparse.ts";

/** Where a template goes. */
export interface Stamp {
  /** Number of the mask that it becomes a part of. */
  readonly mask: number;
  /** Row: of the template's first row, or of the disk's centre (fractions are cut off). */
  readonly y: number;
  /** Column. */
  readonly x: number;
}

/**
 * A sparse stack with `template` at every place; what lies outside of the frame is left out, what overlaps adds up.
 *
 * @example
 * ```ts
 * import { masks, ndarray } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const template = ndarray(Float64Array.of(1, 2), [1, 2], "float64");
 * const stack = masks.stampTemplates([1, 3], template, [{ mask: 0, y: 0, x: 0 }, { mask: 1, y: 0, x: 2 }]);
 * assertEquals([...masks.denseMasks(stack).data], [1, 2, 0, 0, 0, 1]);
 * ```
 */
export function stampTemplates(shape: Shape, template: NdArray, stamps: readonly Stamp[]): SparseMasks {
  const [height, width] = frameSides(shape, "a stack of stamps");
  checkTemplate(template, "a stack of stamps");
  const places = stamps.map((stamp) => {
    checkStamp(stamp);
    return boxOf([height, width], template.shape, stamp);
  });
  const weights = places.reduce((sum, box) => sum + pixelsIn(box), 0);
  const masks = new Uint32Array(weights), pixels = new Uint32Array(weights);
  const values = new Float64Array(weights);
  const columns = template.shape[1]!;
  let next = 0;
  places.forEach(({ top, bottom, left, right, y, x }, s) => {
    masks.fill(stamps[s]!.mask, next, next + pixelsIn({ top, bottom, left, right }));
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        pixels[next] = row * width + column;
        values[next++] = Number(template.data[(row - y) * columns + column - x]);
      }
    }
  });
  return { shape: [countOf(stamps), height, width], dtype: "float64", masks, pixels, values };
}

/** How many masks stamps make. */
export function countOf(stamps: readonly Stamp[]): number {
  return stamps.reduce((most, { mask }) => Math.max(most, mask + 1), 0);
}

/** How many weights {@link stampTemplates} makes of a template of these sides. */
export function stampedPixels(
  frame: readonly [height: number, width: number],
  sides: Shape,
  stamps: readonly Stamp[],
): number {
  return stamps.reduce((sum, stamp) => sum + pixelsIn(boxOf(frame, sides, stamp)), 0);
}

/** Where a template lies in a frame: its first row and column, and the part of the frame that it covers. */
function boxOf([height, width]: readonly [number, number], [rows, columns]: Shape, stamp: Stamp) {
  const [y, x] = [Math.trunc(stamp.y), Math.trunc(stamp.x)];
  const top = Math.min(height, Math.max(0, y)), left = Math.min(width, Math.max(0, x));
  const bottom = Math.max(top, Math.min(height, y + rows!)),
    right = Math.max(left, Math.min(width, x + columns!));
  return { y, x, top, bottom, left, right };
}

function pixelsIn(box: Record<"top" | "bottom" | "left" | "right", number>): number {
  return (box.bottom - box.top) * (box.right - box.left);
}

/** A sparse stack with disks of radius `r` around every place, whose fractions are cut off. */
export function stampDisks(shape: Shape, r: number, centres: readonly Stamp[]): SparseMasks {
  const reach = Math.ceil(r);
  const side = 2 * reach + 1;
  const template = circular([side, side], { cy: reach, cx: reach, r });
  const corner = (at: number) => Math.trunc(at) - reach;
  return stampTemplates(
    shape,
    template,
    centres.map(({ mask, y, x }) => ({ mask, y: corner(y), x: corner(x) })),
  );
}

/** Refuses a template that is not one image of real numbers. */
function checkTemplate({ shape, dtype }: NdArray, what: string): void {
  frameSides(shape, what);
  if (!dtype.startsWith("complex")) return;
  throw new TilewiseError("invalid", `Cannot make ${what}: the template is ${dtype}; it must be real`);
}

function checkStamp({ mask, y, x }: Stamp): void {
  if (Number.isInteger(mask) && mask >= 0 && Number.isFinite(y) && Number.isFinite(x)) return;
  const text = `Cannot stamp mask ${mask} at (${y}, ${x}): masks count from 0, places are finite numbers`;
  throw new TilewiseError("invalid", text);
}
