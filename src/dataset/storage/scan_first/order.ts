/**
 * The order of samples where those of one pixel lie together: ranks of images, and columns of pixels.
 *
 * @module
 */

import { type Box, boxSize } from "../../../space/box.ts";
import { type Shape, stridesOf, unravel } from "../../../space/shape.ts";
import type { ScanFirstStorage } from "../../layout/storage.ts";

/** Strides of an array whose first dimension is the fastest. */
export function fortranStrides(shape: Shape): number[] {
  return stridesOf([...shape].reverse()).reverse();
}

/** Pixels of a box that follow each other in the file: those along the dimension that is the fastest there. */
export interface Column {
  /** Rank in the file of the first. */
  readonly rank: number;
  /** Row-major place of the first in the box. */
  readonly place: number;
  /** Distance of two of them in the box. */
  readonly step: number;
  /** How many. */
  readonly rows: number;
}

/** The columns of `box`, in row-major order. */
export function columnsOf({ origin, shape }: Box, sigShape: Shape, order: ScanFirstStorage): Column[] {
  const inFile = order.pixels === "C" ? stridesOf(sigShape) : fortranStrides(sigShape);
  const inBox = stridesOf(shape);
  const fast = order.pixels === "C" ? shape.length - 1 : 0;
  if (shape.length === 0) return [{ rank: 0, place: 0, step: 1, rows: 1 }]; // frames of one value
  const outer = shape.with(fast, 1);
  return Array.from({ length: boxSize({ origin, shape: outer }) }, (_, c) => {
    const at = unravel(c, outer);
    const rank = at.reduce((sum, x, d) => sum + (x + origin[d]!) * inFile[d]!, 0);
    const place = at.reduce((sum, x, d) => sum + x * inBox[d]!, 0);
    return { rank, place, step: inBox[fast]!, rows: shape[fast]! };
  });
}

/** Images that follow each other in the file. */
export interface ImageRun {
  /** Rank of the first. */
  readonly rank: number;
  /** Its place in the block. */
  readonly slot: number;
  /** Distance of two of them in the block. */
  readonly step: number;
  /** How many. */
  readonly count: number;
}

/** Images that lie near to each other. */
export interface ImageGroup {
  /** The lowest rank. */
  readonly low: number;
  /** The highest rank. */
  readonly high: number;
  /** The images, in the order of the file. */
  readonly runs: readonly ImageRun[];
}

/** Limits for joining images to groups. */
export interface GroupLimits {
  /** Most samples between two images of a group. */
  readonly gap: number;
  /** Most samples of a group. */
  readonly most: number;
}

/**
 * The groups of `images`, which are cut where gaps are long or a group would have too many samples.
 *
 * @example A scan of 2 × 3 positions; the file has those of one column together
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(stretchesOf([0, 1, 3, 4], [2, 3], { gap: 8, most: 8 }), [{
 *   low: 0,
 *   high: 3,
 *   runs: [{ rank: 0, slot: 0, step: 2, count: 2 }, { rank: 2, slot: 1, step: 2, count: 2 }],
 * }]);
 * ```
 */
export function imageGroups(images: ArrayLike<number>, navShape: Shape, limits: GroupLimits): ImageGroup[] {
  const strides = fortranStrides(navShape);
  const rankOf = (image: number) =>
    unravel(image, navShape).reduce((rank, c, d) => rank + c * strides[d]!, 0);
  const ranks = Float64Array.from(images, rankOf);
  const slots = Uint32Array.from(images, (_, i) => i).sort((a, b) => ranks[a]! - ranks[b]!);
  const found: ImageGroup[] = [];
  for (let from = 0; from < slots.length;) {
    const low = ranks[slots[from]!]!;
    let [high, to] = [low, from + 1];
    for (; to < slots.length; to++) {
      const rank = ranks[slots[to]!]!;
      if (rank - high > limits.gap || rank - low >= limits.most) break;
      high = rank;
    }
    found.push({ low, high, runs: runsOf(ranks, slots.subarray(from, to)) });
    from = to;
  }
  return found;
}

/** Runs of images with neighbouring ranks and regular places. */
function runsOf(ranks: Float64Array, slots: Uint32Array): ImageRun[] {
  const runs: ImageRun[] = [];
  for (let k = 0; k < slots.length;) {
    const [slot, rank] = [slots[k]!, ranks[slots[k]!]!];
    const isNext = (count: number, step: number) =>
      k + count < slots.length && slots[k + count] === slot + count * step &&
      ranks[slots[k + count]!] === rank + count;
    const step = k + 1 < slots.length ? slots[k + 1]! - slot : 1;
    let count = 1;
    while (isNext(count, step)) count++;
    runs.push({ rank, slot, step: count === 1 ? 1 : step, count });
    k += count;
  }
  return runs;
}
