/**
 * Predictions of the samples of WebP pictures with losses, from those above and to the left.
 *
 * Source: RFC 6386, section 12.
 *
 * @module
 */

import {
  ABOVE,
  DOWN_FLAT,
  LEFT,
  LEFT_DOWN,
  LEFT_LOW,
  MEAN,
  RIGHT_DOWN,
  RIGHT_LOW,
  SLOPE,
  UP_FLAT,
} from "./modes.ts";
import { placeOf, type Plane } from "./planes.ts";

/** Predicts `size` × `size` samples at `x`, `y`: 16 of luma or 8 of chroma. */
export function predictLarge(plane: Plane, x: number, y: number, size: number, mode: number): void {
  const at = placeOf(plane, x, y);
  if (mode === MEAN) fill(plane, at, size, meanOf(plane, at, size, y > 0, x > 0));
  else predictPlain(plane, at, size, mode);
}

/** The mean of what is above and to the left, as far as it belongs to the picture. */
function meanOf({ samples, stride }: Plane, at: number, size: number, above: boolean, left: boolean): number {
  const count = (above ? size : 0) + (left ? size : 0);
  if (count === 0) return 128;
  let sum = count >> 1;
  for (let i = 0; i < size; i++) {
    if (above) sum += samples[at - stride + i]!;
    if (left) sum += samples[at + i * stride - 1]!;
  }
  return Math.floor(sum / count);
}

function fill({ samples, stride }: Plane, at: number, size: number, value: number): void {
  for (let y = 0; y < size; y++) samples.fill(value, at + y * stride, at + y * stride + size);
}

/** Modes of blocks of any size that need no mean; samples keep to their range. */
function predictPlain({ samples, stride }: Plane, at: number, size: number, mode: number): void {
  const above = at - stride;
  for (let y = 0; y < size; y++, at += stride) {
    const left = samples[at - 1]!, step = left - samples[above - 1]!;
    if (mode === LEFT) samples.fill(left, at, at + size);
    else if (mode === ABOVE) samples.copyWithin(at, above, above + size);
    else for (let x = 0; x < size; x++) samples[at + x] = samples[above + x]! + step;
  }
}

/**
 * What the 16 samples of a block are in each of the other modes. The edge is one line: 1 to 4 are the samples to
 * the left, upwards, 5 is the corner, 6 to 13 are those above, and the ends are there twice: 0 and 14. A number `n`
 * is the mean of `n - 1`, `n` (twice) and `n + 1`; 16 + `n` is that of `n` and `n + 1`.
 */
const DIRECTIONS: Readonly<Record<number, readonly number[]>> = {
  [ABOVE]: [6, 7, 8, 9, 6, 7, 8, 9, 6, 7, 8, 9, 6, 7, 8, 9],
  [LEFT]: [4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1],
  [RIGHT_DOWN]: [5, 6, 7, 8, 4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5],
  [RIGHT_LOW]: [21, 22, 23, 24, 5, 6, 7, 8, 4, 21, 22, 23, 3, 5, 6, 7],
  [LEFT_DOWN]: [7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12, 10, 11, 12, 13],
  [LEFT_LOW]: [22, 23, 24, 25, 7, 8, 9, 10, 23, 24, 25, 11, 8, 9, 10, 12],
  [DOWN_FLAT]: [20, 5, 6, 7, 19, 4, 20, 5, 18, 3, 19, 4, 17, 2, 18, 3],
  [UP_FLAT]: [19, 3, 18, 2, 18, 2, 17, 1, 17, 1, 16, 16, 16, 16, 16, 16],
};

const EDGE = new Uint8Array(15), MEANS = new Uint8Array(32);

/**
 * Predicts the 4 × 4 samples at `x`, `y`, of `width` in a row. What is above and to the right may not be decoded
 * yet: then it comes from the row above the macroblock; behind the picture, from the last sample of that row.
 */
export function predictSmall(plane: Plane, x: number, y: number, width: number, mode: number): void {
  const { samples, stride } = plane, at = placeOf(plane, x, y);
  if (mode === SLOPE) return predictPlain(plane, at, 4, mode);
  if (mode === MEAN) return fill(plane, at, 4, meanOf(plane, at, 4, true, true));
  for (let i = 0; i < 4; i++) {
    EDGE[4 - i] = samples[at + i * stride - 1]!;
    EDGE[6 + i] = samples[at - stride + i]!;
  }
  EDGE[5] = samples[at - stride - 1]!;
  const right = placeOf(plane, x + 4, ((x & 15) === 12 ? y & ~15 : y) - 1),
    last = placeOf(plane, width - 1, (y & ~15) - 1);
  for (let i = 0; i < 4; i++) EDGE[10 + i] = samples[x + 4 < width ? right + i : last]!;
  EDGE[0] = EDGE[1]!;
  EDGE[14] = EDGE[13]!;
  const made = DIRECTIONS[mode]!;
  for (let n = 0; n < 14; n++) {
    if (n > 0) MEANS[n] = EDGE[n - 1]! + 2 * EDGE[n]! + EDGE[n + 1]! + 2 >> 2;
    MEANS[16 + n] = EDGE[n]! + EDGE[n + 1]! + 1 >> 1;
  }
  for (let i = 0; i < 16; i++) samples[at + (i >> 2) * stride + (i & 3)] = MEANS[made[i]!]!;
}
