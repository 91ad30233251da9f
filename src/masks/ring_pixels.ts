/**
 * How many pixels rings have, estimated.
 *
 * @module
 */

import type { Shape } from "../space/shape.ts";
import type { Centre } from "./options.ts";

/** Largest number of rows of a frame that are used to estimate its pixels. */
const MOST_ROWS = 1024;

/**
 * Estimates the number of pixels between two radii, from all rows or some of them; it is never far too high.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * const count = ringPixels([64, 64], { cy: 32, cx: 32, ro: 20, ri: 10 });
 * assert(Math.abs(count - Math.PI * 300) < 50);
 * ```
 */
export function ringPixels(
  [height = 1, width = 1]: Shape,
  { cy, cx, ro, ri = 0 }: Centre & { readonly ro: number; readonly ri?: number },
): number {
  const step = Math.max(1, Math.floor(height / MOST_ROWS));
  const within = (dy: number, r: number) => {
    const half = Math.sqrt(Math.max(0, r * r - dy * dy));
    return Math.max(0, Math.min(width, cx + half) - Math.max(0, cx - half));
  };
  const reach = Math.abs(ro);
  const bottom = Math.min(height, cy + reach + 1);
  let pixels = 0;
  for (let y = step * Math.floor(Math.max(0, cy - reach) / step); y < bottom; y += step) {
    pixels += step * Math.max(0, within(y - cy, ro) - within(y - cy, ri)); // no pixels if the inner radius is larger
  }
  return pixels;
}
