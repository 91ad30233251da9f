/**
 * The loop filter of WebP pictures with losses, which smooths the edges of blocks.
 *
 * ```
 * across an edge   p3 p2 p1 p0 | q0 q1 q2 q3
 * ```
 * Source: RFC 6386, section 15.
 *
 * @module
 */

import type { LoopFilter, Segments } from "./header.ts";
import { placeOf, type Plane } from "./planes.ts";

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
