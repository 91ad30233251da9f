/**
 * The pixels of disks and rings, without a look at all of the frame.
 *
 * @module
 */

import type { Shape } from "../space/shape.ts";
import type { Centre } from "./frame.ts";
import { ringRuns } from "./ring_runs.ts";

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

/** Rings with more than this share of the pixels of a frame are not small. */
const SMALL = 1 / 8;

/** A ring: one of both. */
export interface RingPixels {
  /** The pixels that are 1, ascending, where it is small. */
  readonly pixels?: Uint32Array;
  /** All pixels of the frame. */
  readonly frame?: Uint8Array;
}

/**
 * The pixels of a disk or ring that are 1 in `circular` or `ring`. Nothing for those that are refused there.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...ringOf([64, 64], { cy: 1, cx: 2, ro: 1 })!.pixels!], [2, 65, 66, 67, 130]);
 * ```
 */
export function ringOf(shape: Shape, disk: DiskOrRing): RingPixels | undefined {
  if (shape.length !== 2 || !Object.values(disk).every(Number.isFinite)) return undefined;
  const [height, width] = shape as readonly [number, number];
  const { cy, cx, ro, ri } = disk;
  const runs = ringRuns([height, width], {
    cy,
    cx,
    ro: Math.abs(ro),
    ri: ri === undefined ? -1 : Math.abs(ri),
  });
  let count = 0;
  for (let r = 0; r < runs.length; r += 3) count += runs[r + 2]! - runs[r + 1]!;
  const isSmall = count <= SMALL * height * width;
  const pixels = new Uint32Array(isSmall ? count : 0);
  const frame = new Uint8Array(isSmall ? 0 : height * width);
  let next = 0;
  for (let r = 0; r < runs.length; r += 3) {
    const row = runs[r]! * width;
    if (!isSmall) frame.fill(1, row + runs[r + 1]!, row + runs[r + 2]!);
    else for (let x = runs[r + 1]!; x < runs[r + 2]!; x++) pixels[next++] = row + x;
  }
  return isSmall ? { pixels } : { frame };
}
