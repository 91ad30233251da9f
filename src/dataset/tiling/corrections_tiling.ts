/**
 * Tile sizes whose borders stay clear of excluded pixels.
 *
 * A pixel is patched from its neighbours, which must lie in the same tile. A border at `b` parts `b − 1` from
 * `b`; so for an excluded coordinate `c` no border may be at `c` or `c + 1`. Each dimension is solved alone:
 * a tile size `m` is clear if none of its multiples inside the frame is forbidden.
 *
 * @module
 */

import type { Shape } from "../../space/shape.ts";

/**
 * The clear size nearest to `target` among multiples of `base`, searched in a zigzag: the rounded target, then one step
 * in the direction in which the target was not rounded, one step in the other direction, two steps … When the zigzag
 * ends, the first multiple of `base` beyond all forbidden borders (at most `sig`) is certainly clear.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(clearSize([31, 32], 64, 8, 16), 24); // 8 and 16 have the multiple 32
 * ```
 */
export function clearSize(forbidden: readonly number[], sig: number, base: number, target: number): number {
  const last = Math.max(0, ...forbidden);
  const steps = Math.floor(last / base) + 1;
  const start = base * roundHalfEven(target / base);
  const borders = new Set(forbidden);
  let sign = start >= target ? -1 : 1;
  for (let i = 0; i < steps; i++) {
    const size = start + base * sign * Math.ceil(i / 2);
    if (i > 0) sign = -sign;
    if (size > 0 && isClear(size, sig, borders)) return size;
  }
  return Math.min(steps * base, sig);
}

/**
 * `tile` with every dimension changed that would let a border touch an excluded pixel.
 *
 * `tile`, `sigShape`, `base` and each of the `excluded` coordinates have one entry per signal dimension.
 */
export function adjustForExcluded(
  tile: Shape,
  sigShape: Shape,
  base: Shape,
  excluded: readonly (readonly number[])[],
): number[] {
  return tile.map((size, d) => {
    const sig = sigShape[d]!;
    if (sig <= 1 || excluded.length === 0) return size;
    const coordinates = new Set(excluded.map((at) => at[d]!));
    if (coordinates.size > sig / 3) return sig;
    const adjusted = adjustSize(size, sig, base[d]!, coordinates);
    return adjusted <= 0 || adjusted > sig ? sig : adjusted;
  });
}

function adjustSize(size: number, sig: number, base: number, coordinates: Set<number>): number {
  // The end of the frame is not a tile border, but it counts for the length of the search.
  const forbidden = [...coordinates].flatMap((c) => [c, c + 1]).filter((b) => b > 0 && b <= sig);
  const clear = Math.min(sig, clearSize(forbidden, sig, base, size));
  return size < clear || size % clear !== 0 ? clear : size;
}

/** Whether no border of tiles of `size` is forbidden. */
function isClear(size: number, sig: number, borders: Set<number>): boolean {
  for (let border = size; border < sig; border += size) if (borders.has(border)) return false;
  return true;
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  if (x - floor !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Whether no border of tiles of `tile` touches an excluded pixel. */
export function bordersAreClear(
  tile: Shape,
  sigShape: Shape,
  excluded: readonly (readonly number[])[],
): boolean {
  return tile.every((size, d) => {
    const borders = new Set(excluded.flatMap((at) => [at[d]!, at[d]! + 1]));
    return sigShape[d]! <= 1 || isClear(size, sigShape[d]!, borders);
  });
}
