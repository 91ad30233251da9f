/**
 * A region of the image of a scan as positions of the scan.
 *
 * @module
 */

import type { Region } from "../state/state.ts";

/** Whether row `y` and column `x` lie in the region; edges belong to it as to those of detectors. */
export function isInside(region: Region, y: number, x: number): boolean {
  switch (region.kind) {
    case "point":
      return y === Math.round(region.y) && x === Math.round(region.x);
    case "disk":
      return Math.hypot(y - region.cy, x - region.cx) <= region.r;
    case "ring": {
      const distance = Math.hypot(y - region.cy, x - region.cx);
      return distance > region.ri && distance <= region.ro;
    }
    case "rectangle":
      return y >= region.y && y <= region.y + region.height && x >= region.x && x <= region.x + region.width;
  }
}

/**
 * One byte per position of a scan: 1 in the region. The last two dimensions are rows and columns; all others are selected
 * whole.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const mask = maskOf({ kind: "disk", cy: 0, cx: 1, r: 1 }, [2, 3]);
 * assertEquals([...mask], [1, 1, 1, 0, 1, 0]);
 * ```
 */
export function maskOf(region: Region, navShape: readonly number[]): Uint8Array<ArrayBuffer> {
  const rows = navShape.at(-2) ?? 1;
  const columns = navShape.at(-1) ?? 1;
  const planes = navShape.slice(0, -2).reduce((product, n) => product * n, 1);
  const mask = new Uint8Array(planes * rows * columns);
  for (let i = 0; i < rows * columns; i++) {
    if (isInside(region, Math.floor(i / columns), i % columns)) mask[i] = 1;
  }
  for (let plane = 1; plane < planes; plane++) mask.copyWithin(plane * rows * columns, 0, rows * columns);
  return mask;
}
