/**
 * Stamps templates: their weights are counted first and then stored.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { NDArray } from "../space/ndarray.ts";
import type { Shape } from "../space/shape.ts";
import { circular } from "./disks.ts";
import { frameSides } from "./frame.ts";
import { checkRing, noPixel } from "./geometry.ts";
import type { SparseMasks } from "./sparse.ts";

/** The same as `stampTemplates`, without weights of 0. */
export function stampWeights(shape: Shape, template: NDArray, stamps: readonly Stamp[]): SparseMasks {
  return stamped(shape, template, stamps, (weight) => weight !== 0);
}

/** Stamps the weights of a template that are kept; they are counted first. */
function stamped(
  shape: Shape,
  template: NDArray,
  stamps: readonly Stamp[],
  isKept: (weight: number) => boolean,
): SparseMasks {
  const [height, width] = frameSides(shape, "a stack of stamps");
  checkTemplate(template, "a stack of stamps");
  const { rows, columns, weights } = keptOf(template, isKept);
  const each = (stamp: Stamp, visit: (mask: number, pixel: number, weight: number) => void) => {
    const [top, left] = [Math.trunc(stamp.y), Math.trunc(stamp.x)];
    for (let k = 0; k < weights.length; k++) {
      const y = top + rows[k]!, x = left + columns[k]!;
      if (y >= 0 && y < height && x >= 0 && x < width) visit(stamp.mask, y * width + x, weights[k]!);
    }
  };
  let count = 0;
  for (const stamp of stamps) {
    checkStamp(stamp);
    if (stampedPixels([height, width], template.shape, [stamp]) === 0) {
      throw noPixel("a stamp", shape, `of the template at (${stamp.y}, ${stamp.x})`);
    }
    each(stamp, () => count++);
  }
  const masks = new Uint32Array(count), pixels = new Uint32Array(count);
  const values = new Float64Array(count);
  let next = 0;
  const put = (mask: number, pixel: number, weight: number) => {
    masks[next] = mask;
    pixels[next] = pixel;
    values[next++] = weight;
  };
  stamps.forEach((stamp) => each(stamp, put));
  return { shape: [countOf(stamps), height, width], dtype: "float64", masks, pixels, values };
}

/** The places of the weights of a template that are kept. */
function keptOf({ data, shape }: NDArray, isKept: (weight: number) => boolean) {
  let count = 0;
  for (let i = 0; i < data.length; i++) if (isKept(Number(data[i]))) count++;
  const [rows, columns] = [new Uint32Array(count), new Uint32Array(count)];
  const weights = new Float64Array(count);
  for (let i = 0, next = 0; next < count; i++) {
    const weight = Number(data[i]);
    if (!isKept(weight)) continue;
    rows[next] = Math.floor(i / shape[1]!);
    columns[next] = i % shape[1]!;
    weights[next++] = weight;
  }
  return { rows, columns, weights };
}

/** Number of masks of these stamps. */
export function countOf(stamps: readonly Stamp[]): number {
  return stamps.reduce((most, { mask }) => Math.max(most, mask + 1), 0);
}

/** Number of pixels of a frame that templates of these sides cover. */
export function stampedPixels(
  frame: readonly [height: number, width: number],
  sides: Shape,
  stamps: readonly Stamp[],
): number {
  const covered = (at: number, size: number, side: number) =>
    Math.max(0, Math.min(size, Math.trunc(at) + side) - Math.max(0, Math.trunc(at)));
  return stamps.reduce(
    (sum, { y, x }) => sum + covered(y, frame[0], sides[0]!) * covered(x, frame[1], sides[1]!),
    0,
  );
}

/** A disk as a template, and the places to stamp it for disks around `centres`. */
export function diskStamps(
  shape: Shape,
  r: number,
  centres: readonly Stamp[],
): [template: NDArray, stamps: Stamp[]] {
  frameSides(shape, "a stack of disks");
  centres.forEach(checkStamp);
  for (const { y, x } of centres) checkRing("a disk", shape, { cy: Math.trunc(y), cx: Math.trunc(x), ro: r });
  const reach = Math.ceil(r);
  const side = 2 * reach + 1;
  const template = circular([side, side], { cy: reach, cx: reach, r });
  return [template, cornersOf(reach, centres)];
}

/** The corners of squares that extend `reach` from `centres`, whose fractions are cut off. */
export function cornersOf(reach: number, centres: readonly Stamp[]): Stamp[] {
  const corner = (at: number) => Math.trunc(at) - reach;
  return centres.map(({ mask, y, x }) => ({ mask, y: corner(y), x: corner(x) }));
}

/** Refuses a template that is not one image of real numbers. */
function checkTemplate({ shape, dtype }: NDArray, what: string): void {
  frameSides(shape, what);
  if (!dtype.startsWith("complex")) return;
  throw new TilewiseError("invalid", `Cannot make ${what}: the template is ${dtype}; it must be real`);
}

function checkStamp({ mask, y, x }: Stamp): void {
  if (Number.isInteger(mask) && mask >= 0 && Number.isFinite(y) && Number.isFinite(x)) return;
  const text = `Cannot stamp mask ${mask} at (${y}, ${x}): masks count from 0, places are finite numbers`;
  throw new TilewiseError("invalid", text);
}

/**
 * The place of a template.
 * @category Masks
 */
export interface Stamp {
  /** Number of the mask to which it is added. */
  readonly mask: number;
  /** Row: of the first row of the template, or of the centre of the disk (fractions are cut off). */
  readonly y: number;
  /** Column. */
  readonly x: number;
}

// Templates stamped at many places: one mask per lattice point, or several points per mask.

/**
 * A sparse stack with `template` at every place; parts outside of the frame are dropped, and overlapping parts are
 * added. A template without a pixel of the frame is refused.
 *
 * @example
 * ```ts
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { denseMasks } from "./sparse.ts";
 * import { assertEquals } from "@std/assert";
 * const template = ndarray(Float64Array.of(1, 2), [1, 2], "float64");
 * const stack = stampTemplates([1, 3], template, [{ mask: 0, y: 0, x: 0 }, { mask: 1, y: 0, x: 2 }]);
 * assertEquals([...denseMasks(stack).data], [1, 2, 0, 0, 0, 1]);
 * ```
 * @category Masks
 */
export function stampTemplates(shape: Shape, template: NDArray, stamps: readonly Stamp[]): SparseMasks {
  return stamped(shape, template, stamps, () => true);
}

/**
 * A sparse stack with disks of radius `r` around every place; fractions of places are cut off.
 * @category Masks
 */
export function stampDisks(shape: Shape, r: number, centres: readonly Stamp[]): SparseMasks {
  return stampTemplates(shape, ...diskStamps(shape, r, centres));
}
