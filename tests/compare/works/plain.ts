/**
 * Forms in a frame, plainly: what bounds are computed from.
 *
 * @module
 */

/** One number for each pixel of a frame. */
export function overPixels(
  [height = 1, width = 1]: readonly number[],
  value: (y: number, x: number) => number,
): Float64Array {
  return Float64Array.from({ length: height * width }, (_, i) => value(Math.floor(i / width), i % width));
}

/** 1 inside of a ring with its outer edge and without its inner one; a disk without `ri`. */
export function ringWeights(
  sig: readonly number[],
  { cy, cx, ro, ri = -1 }: {
    readonly cy: number;
    readonly cx: number;
    readonly ro: number;
    readonly ri?: number;
  },
): Float64Array {
  return overPixels(sig, (y, x) => {
    const distance = Math.hypot(y - cy, x - cx);
    return distance <= ro + 1e-9 && !(distance < ri - 1e-9) ? 1 : 0;
  });
}
