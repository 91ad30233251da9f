/**
 * Disks and rings that are small in their frames, without a look at all of the frame.
 *
 * @module
 */

import type { Shape } from "../space/shape.ts";
import type { Centre } from "./options.ts";

/** A disk, or a ring where there is an inner radius. */
export interface DiskOrRing extends Centre {
  /** Outer radius. */
  readonly ro: number;
  /** Inner radius. */
  readonly ri?: number;
}

/** Whether a pixel belongs to a disk, edge included, or to a ring, its inner edge excluded. */
export function insideOf({ cy, cx, ro, ri }: DiskOrRing): (y: number, x: number) => boolean {
  if (ri === undefined) return (y, x) => (y - cy) ** 2 + (x - cx) ** 2 <= ro * ro;
  return (y, x) => {
    const square = (y - cy) ** 2 + (x - cx) ** 2;
    return square <= ro * ro && square > ri * ri;
  };
}

/** Rings in boxes of more than this share of the frame are not small. */
const SMALL = 1 / 16;

/**
 * The pixels of a disk or ring that are 1 in `circular` or `ring`, ascending, where it is small; only the box
 * around it is looked at. Nothing for others, also for those that are refused.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...smallRing([64, 64], { cy: 1, cx: 2, ro: 1 })!], [2, 65, 66, 67, 130]);
 * ```
 */
export function smallRing(shape: Shape, disk: DiskOrRing): Uint32Array | undefined {
  const [height, width] = shape;
  const { cy, cx, ro } = disk;
  const reach = Math.abs(ro) + 1;
  if (shape.length !== 2 || !(4 * (reach + 1) ** 2 <= SMALL * height! * width!)) return undefined;
  if (!Object.values(disk).every(Number.isFinite)) return undefined;
  const [inside, pixels] = [insideOf(disk), [] as number[]];
  const range = (centre: number, size: number) =>
    [Math.max(0, Math.floor(centre - reach)), Math.min(size - 1, Math.ceil(centre + reach))] as const;
  const [[top, bottom], [left, right]] = [range(cy, height!), range(cx, width!)];
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) if (inside(y, x)) pixels.push(y * width! + x);
  }
  return Uint32Array.from(pixels);
}
