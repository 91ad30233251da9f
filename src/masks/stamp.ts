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
import { type SparseMasks, sparseMasks } from "./sparse.ts";

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
  const [rows, columns] = template.shape as [number, number];
  const masks: number[] = [], pixels: number[] = [], values: number[] = [];
  for (const stamp of stamps) {
    checkStamp(stamp);
    for (let i = 0; i < rows * columns; i++) {
      const y = Math.trunc(stamp.y) + Math.floor(i / columns);
      const x = Math.trunc(stamp.x) + i % columns;
      if (y < 0 || y >= height || x < 0 || x >= width) continue;
      masks.push(stamp.mask);
      pixels.push(y * width + x);
      values.push(Number(template.data[i]));
    }
  }
  const count = stamps.reduce((most, { mask }) => Math.max(most, mask + 1), 0);
  return sparseMasks([count, height, width], masks, pixels, Float64Array.from(values), "float64");
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
