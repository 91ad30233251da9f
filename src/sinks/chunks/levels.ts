/**
 * The levels of a pyramid: arrays that have half the samples of the one before along some dimensions.
 *
 * All levels have chunks of one shape. Each chunk, once it is made, leaves a half for the next level: itself at half the
 * size. Up to two halves per halved dimension make a chunk of the next level:
 *
 * ```
 * level 0   | chunk 0 | chunk 1 | chunk 2 |        a chunk is made of the view of a tile
 * halves      half 0   half 1   half 2
 * level 1   |      chunk 0      |      chunk 1 …   a chunk is made of halves
 * ```
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type Shape, showShape } from "../../space/shape.ts";

/** Most levels: 2^31 samples become one. */
export const MOST_LEVELS = 32;

/** One level. */
export interface LevelGrid {
  /** Its shape. */
  readonly shape: Shape;
  /** Chunks per dimension. */
  readonly counts: Shape;
  /** How many times smaller the next level is, per dimension: 1 or 2. */
  readonly factors: Shape;
}

/**
 * The levels of a pyramid: a number of them, full size included, or `auto`: until a level is one chunk along the dimensions
 * that are halved.
 * @category Views
 */
export type LevelCount = number | "auto";

/**
 * The levels of an array of `shape` in chunks of `chunk`, halved along the dimensions `halved`; `invalid` for chunks that
 * cannot be halved.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const levels = levelsOf([3, 100, 70], [1, 32, 32], [1, 2], "auto");
 * assertEquals(levels.map(({ shape }) => shape), [[3, 100, 70], [3, 50, 35], [3, 25, 18]]);
 * ```
 */
export function levelsOf(
  shape: Shape,
  chunk: Shape,
  halved: readonly number[],
  count: LevelCount,
): LevelGrid[] {
  const levels: LevelGrid[] = [];
  const most = count === "auto" ? MOST_LEVELS : count;
  for (let now = shape; levels.length < most; now = halfOf(now, levels.at(-1)!.factors)) {
    const counts = now.map((n, d) => Math.ceil(n / chunk[d]!));
    const factors = now.map((n, d) => halved.includes(d) && n > 1 ? 2 : 1);
    levels.push({ shape: now, counts, factors });
    if (factors.every((factor) => factor === 1)) break;
    if (count === "auto" && halved.every((d) => now[d]! <= chunk[d]!)) break;
  }
  for (const { counts, factors } of levels.slice(0, -1)) mustHalve(chunk, counts, factors);
  return levels;
}

/** The shape of what is left of `shape` at the next level. */
export function halfOf(shape: Shape, factors: Shape): number[] {
  return shape.map((n, d) => Math.ceil(n / factors[d]!));
}

function mustHalve(chunk: Shape, counts: Shape, factors: Shape): void {
  if (chunk.every((n, d) => factors[d] === 1 || counts[d]! <= 1 || n % 2 === 0)) return;
  const text =
    `Cannot make levels with chunks of ${showShape(chunk)}: chunks must have even sizes along the ` +
    "dimensions that are halved";
  throw new TilewiseError("invalid", text, { option: "chunk", found: showShape(chunk) });
}
