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
} from "./coefficients.ts";
import type { LoopFilter, Segments } from "./header.ts";

// Planes of samples of WebP pictures with losses, whole macroblocks, with the borders that predictions start from.

/** A plane: one row above and one column to the left of the picture are there, too. */
export interface Plane {
  readonly samples: Uint8ClampedArray;
  /** Samples of a row. */
  readonly stride: number;
}

/** Makes a plane of `width` × `height` samples. */
export function makePlane(width: number, height: number): Plane {
  const stride = width + 1, samples = new Uint8ClampedArray(stride * (height + 1));
  samples.fill(127, 0, stride);
  for (let at = stride; at < samples.length; at += stride) samples[at] = 129;
  return { samples, stride };
}

/** Where the sample `x`, `y` is. */
export function placeOf({ stride }: Plane, x: number, y: number): number {
  return (y + 1) * stride + x + 1;
}

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

// The loop filter of WebP pictures with losses, which smooths the edges of blocks.
//
// ```
// across an edge   p3 p2 p1 p0 | q0 q1 q2 q3
// ```
// Source: RFC 6386, section 15.

/** How the edges of a macroblock are filtered. */
interface Strength {
  /** Most that samples may differ across an edge inside; 0: there is nothing to filter. */
  readonly limit: number;
  /** Most that neighbours on the same side may differ. */
  readonly inner: number;
  /** From which difference on a side has an edge of its own. */
  readonly edge: number;
}

/** The filter of each segment: usual macroblocks, and those with fine modes. */
export function strengths({ isUsed, isAbsolute, levels }: Segments, filter: LoopFilter): Strength[] {
  return levels.flatMap((own) => {
    const level = !isUsed ? filter.level : isAbsolute ? own : filter.level + own;
    return [0, filter.forFine].map((more) => strength(level + filter.forKey + more, filter.sharpness));
  });
}

function strength(wanted: number, sharpness: number): Strength {
  const level = Math.max(0, Math.min(63, wanted));
  if (level === 0) return { limit: 0, inner: 0, edge: 0 };
  const most = sharpness > 4 ? level >> 2 : sharpness > 0 ? level >> 1 : level;
  const inner = Math.max(1, sharpness > 0 ? Math.min(most, 9 - sharpness) : most);
  return { limit: 2 * level + inner, inner, edge: level >= 40 ? 2 : level >= 15 ? 1 : 0 };
}

/** Filters the macroblock `x`, `y` (counted in macroblocks): the edges inside only if `isWhole`. */
export function smooth(
  planes: readonly Plane[],
  x: number,
  y: number,
  strength: Strength,
  isSimple: boolean,
  isWhole: boolean,
): void {
  const { limit } = strength;
  if (limit === 0) return;
  for (const [i, plane] of (isSimple ? planes.slice(0, 1) : planes).entries()) {
    const size = i === 0 ? 16 : 8, at = placeOf(plane, x * size, y * size), { stride } = plane;
    for (const [across, along, isThere] of [[1, stride, x > 0], [stride, 1, y > 0]] as const) {
      const edge = (from: number, most: number, isOuter: boolean) => {
        for (let k = 0; k < size; k++) {
          if (isSimple) simple(plane.samples, from + k * along, across, 2 * most + 1);
          else normal(plane.samples, from + k * along, across, 2 * most + 1, strength, isOuter);
        }
      };
      if (isThere) edge(at, limit + 4, true);
      for (let n = 4; isWhole && n < size; n += 4) edge(at + n * across, limit, false);
    }
  }
}

const clip = (x: number) => x < -128 ? -128 : x > 127 ? 127 : x;
const small = (x: number) => x < -16 ? -16 : x > 15 ? 15 : x;

function simple(s: Uint8ClampedArray, at: number, step: number, most: number): void {
  const p1 = s[at - 2 * step]!, p0 = s[at - step]!, q0 = s[at]!, q1 = s[at + step]!;
  if (4 * Math.abs(p0 - q0) + Math.abs(p1 - q1) > most) return;
  move(s, at, step, 3 * (q0 - p0) + clip(p1 - q1));
}

/** Moves the two samples next to the edge towards each other; returns by how much. */
function move(s: Uint8ClampedArray, at: number, step: number, by: number): number {
  const moved = small(by + 4 >> 3);
  s[at - step] = s[at - step]! + small(by + 3 >> 3);
  s[at] = s[at]! - moved;
  return moved;
}

function normal(
  s: Uint8ClampedArray,
  at: number,
  step: number,
  most: number,
  { inner, edge }: Strength,
  isOuter: boolean,
): void {
  const p1 = s[at - 2 * step]!, p0 = s[at - step]!, q0 = s[at]!, q1 = s[at + step]!;
  if (4 * Math.abs(p0 - q0) + Math.abs(p1 - q1) > most) return;
  const p3 = s[at - 4 * step]!, p2 = s[at - 3 * step]!, q2 = s[at + 2 * step]!, q3 = s[at + 3 * step]!;
  const left = Math.abs(p1 - p0), right = Math.abs(q1 - q0);
  if (left > inner || Math.abs(p3 - p2) > inner || Math.abs(p2 - p1) > inner) return;
  if (right > inner || Math.abs(q3 - q2) > inner || Math.abs(q2 - q1) > inner) return;
  if (left > edge || right > edge) move(s, at, step, 3 * (q0 - p0) + clip(p1 - q1));
  else if (isOuter) {
    const by = clip(3 * (q0 - p0) + clip(p1 - q1));
    for (let n = 0; n < 3; n++) {
      const moved = (27 - 9 * n) * by + 63 >> 7;
      s[at - (n + 1) * step] = s[at - (n + 1) * step]! + moved;
      s[at + n * step] = s[at + n * step]! - moved;
    }
  } else {
    const moved = move(s, at, step, 3 * (q0 - p0)) + 1 >> 1;
    s[at - 2 * step] = p1 + moved;
    s[at + step] = q1 - moved;
  }
}
