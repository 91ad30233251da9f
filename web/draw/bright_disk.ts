/**
 * The bright disk in a pattern: how large disks are, for a first look at analyses that must know it.
 *
 * @module
 */

import type { NDArray } from "@tilewise/tilewise";

/** Pixels brighter than this share of the brightest one belong to its disk. */
const SHARE = 0.5;

/**
 * The radius, in pixels with one decimal, of the disk that the brightest pixel lies in: of a disk with as many pixels as hang
 * together with it by their sides and have more than half of its value. Nothing where there is no such disk: in an empty pattern,
 * or if it would cover more than half of the pattern.
 */
export function brightDisk({ data, shape: [height = 0, width = 0] }: NDArray): number | undefined {
  const pixels = data as ArrayLike<number>;
  let brightest = 0;
  for (let i = 1; i < height * width; i++) if (pixels[i]! > pixels[brightest]!) brightest = i;
  const least = SHARE * pixels[brightest]!;
  if (!(least > 0) || least === Infinity) return undefined;
  const area = countTogether(brightest, [height, width], (i) => pixels[i]! > least);
  return 2 * area > height * width ? undefined : Number(Math.sqrt(area / Math.PI).toFixed(1));
}

/** How many pixels that are `inside` hang together with the first one. */
function countTogether(
  first: number,
  [height, width]: readonly [number, number],
  inside: (index: number) => boolean,
): number {
  const seen = new Uint8Array(height * width);
  const open = [first];
  seen[first] = 1;
  let count = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    count++;
    const [y, x] = [Math.floor(at / width), at % width];
    for (const [dy, dx] of [[-1, 0], [1, 0], [0, -1], [0, 1]] as const) {
      const next = at + dy * width + dx;
      if (y + dy < 0 || y + dy >= height || x + dx < 0 || x + dx >= width || seen[next] || !inside(next)) {
        continue;
      }
      seen[next] = 1;
      open.push(next);
    }
  }
  return count;
}
