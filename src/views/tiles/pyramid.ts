/**
 * Levels of a pyramid: the one for a scale, and the same part of the image on another one.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type Box, box, boxEnd } from "../../space/box.ts";
import { type Shape, showShape } from "../../space/shape.ts";

/**
 * What is known of a level of a pyramid: data sets, plans of views and tile loaders have it.
 * @category Views
 */
export interface LevelFacts {
  /** Samples per dimension. */
  readonly shape: Shape;
  /** Samples of level 0 per sample, per dimension. */
  readonly scale: readonly number[];
}

/** Scales of levels are ratios of whole sizes: `4001 / 1001` is meant to be 4. */
const TOLERANCE = 0.01;

/**
 * The number of the coarsest level that still has all details at `scale` samples of level 0 per sample, one number for all
 * dimensions or one per dimension: what a picture of that size needs. Level 0 if none is fine enough.
 *
 * Errors: `invalid` for scales that are not numbers above 0, and lists of another length than the levels have dimensions.
 *
 * @example
 * ```ts
 * import { levelOfScale } from "@tilewise/tilewise/unstable/views";
 * import { assertEquals } from "@std/assert";
 * const levels = [1, 2, 4].map((n) => ({ shape: [900 / n, 600 / n], scale: [n, n] }));
 * assertEquals([0.5, 1, 3, 4, 100].map((scale) => levelOfScale(levels, scale)), [0, 0, 1, 2, 2]);
 * assertEquals(levelOfScale(levels, [8, 2]), 1);
 * ```
 * @category Views
 */
export function levelOfScale(
  levels: readonly LevelFacts[],
  scale: number | readonly number[],
): number {
  const rank = levels[0]?.scale.length ?? 0;
  const wanted = typeof scale === "number" ? Array.from({ length: rank }, () => scale) : scale;
  if (!Array.isArray(wanted) || wanted.length !== rank || !wanted.every((one) => one > 0)) {
    const text =
      `levelOfScale(): the scale is ${String(scale)}; it must be a number above 0, or one for each of ` +
      `the ${rank} dimensions`;
    throw new TilewiseError("invalid", text, { option: "scale", expected: rank, found: String(scale) });
  }
  const size = (one: readonly number[]) => one.reduce((product, n) => product * n, 1);
  const fine = [...levels.keys()].filter((level) =>
    levels[level]!.scale.every((one, d) => one <= wanted[d]! * (1 + TOLERANCE))
  );
  return fine.reduce(
    (best, level) => size(levels[level]!.scale) > size(levels[best]!.scale) ? level : best,
    0,
  );
}

/**
 * The smallest box of level `to` that covers `part`, a box of level `from`: the same part of the image.
 *
 * Errors: `invalid` for boxes that are not inside of `from`, and levels of another number of dimensions.
 *
 * @example
 * ```ts
 * import { boxOnLevel } from "@tilewise/tilewise/unstable/views";
 * import { box } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const [full, half] = [{ shape: [7, 9], scale: [1, 1] }, { shape: [4, 5], scale: [2, 2] }];
 * assertEquals(boxOnLevel(box([2, 3], [3, 4]), full, half), box([1, 1], [2, 3]));
 * assertEquals(boxOnLevel(box([3, 0], [1, 5]), half, full), box([6, 0], [1, 9]));
 * ```
 * @category Views
 */
export function boxOnLevel(part: Box, from: LevelFacts, to: LevelFacts): Box {
  const rank = from.shape.length;
  const end = boxEnd(part);
  const fits = part.origin.length === rank && part.shape.length === rank && to.shape.length === rank &&
    part.origin.every((o, d) =>
      Number.isSafeInteger(o) && Number.isSafeInteger(end[d]) && o >= 0 && end[d]! >= o &&
      end[d]! <= from.shape[d]!
    );
  if (!fits) {
    const found = `${showShape(part.shape)} at (${part.origin.join(", ")})`;
    const text =
      `boxOnLevel(): the box of ${found} is not inside of a level of ${showShape(from.shape)}, or the ` +
      `other level, ${showShape(to.shape)}, has other dimensions`;
    throw new TilewiseError("invalid", text, { option: "part", expected: showShape(from.shape), found });
  }
  const sides = part.origin.map((o, d) => {
    const times = from.scale[d]! / to.scale[d]!;
    const [n, m] = [from.shape[d]!, to.shape[d]!];
    return sideOn(o, end[d]!, times >= 1 ? wholeRatio(m, n, times) : 1 / wholeRatio(n, m, 1 / times), m);
  });
  return box(sides.map(([start]) => start), sides.map(([start, stop]) => stop - start));
}

/**
 * How many of `many` samples make one of `few`: scales come from sizes, and 101 samples that were halved three times, to 13, have
 * the scale 7.77. Powers of two come first, then the nearest whole number that fits.
 */
function wholeRatio(many: number, few: number, ratio: number): number {
  const power = Math.log2(ratio);
  const all = [2 ** Math.floor(power), 2 ** Math.ceil(power), Math.round(ratio)];
  return all.find((n) => Math.ceil(many / n) === few) ?? ratio;
}

/** One dimension; a part with samples has samples on every level. */
function sideOn(start: number, stop: number, ratio: number, size: number): [start: number, stop: number] {
  const near = (n: number) => Math.abs(n - Math.round(n)) < TOLERANCE ? Math.round(n) : n;
  const first = Math.min(Math.floor(near(start * ratio)), Math.max(0, size - 1));
  if (start === stop) return [first, first];
  return [first, Math.min(size, Math.max(first + 1, Math.ceil(near(stop * ratio))))];
}
