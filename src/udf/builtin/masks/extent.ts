/**
 * The rows in which masks have weights: rows outside are skipped, and need not be read.
 *
 * @module
 */

import { type Box, box } from "../../../space/box.ts";
import type { UdfMeta } from "../../interface/udf.ts";
import type { Part } from "./multiply.ts";
import { type MaskRow, unitsOf } from "./rows.ts";

/** A range of rows of a frame, counted through all its planes: the first row, and one past the last. */
export type RowRange = readonly [first: number, end: number];

/** The smallest range that contains the rows of `one` and `other`; a mask without weights has the empty range `[0, 0]`. */
export function joined(one: RowRange, other: RowRange): RowRange {
  if (other[1] === 0) return one;
  return one[1] === 0 ? other : [Math.min(one[0], other[0]), Math.max(one[1], other[1])];
}

/** The range of rows in which a mask has a weight; `[0, 0]` if it has none. */
export function extentOf(mask: MaskRow, { nativeDType, sigShape }: UdfMeta): RowRange {
  const width = (sigShape.at(-1) ?? 1) * unitsOf(nativeDType);
  const [low, high] = mask.list ? ends(mask.list.pixels) : spanOf(mask.values);
  return low === high ? [0, 0] : [Math.floor(low / width), Math.ceil(high / width)];
}

/** The index of the first non-zero weight, and one past the last. */
function spanOf(weights: ArrayLike<number>): RowRange {
  let low = 0;
  while (low < weights.length && weights[low] === 0) low++;
  if (low === weights.length) return [0, 0];
  let high = weights.length;
  while (weights[high - 1] === 0) high--;
  return [low, high];
}

function ends(pixels: Uint32Array): RowRange {
  return pixels.length === 0 ? [0, 0] : [pixels[0]!, pixels.at(-1)! + 1];
}

/** The part of a frame with these rows; frames of one dimension are one row, which is never cut. */
export function partWith([first, end]: RowRange, { sigShape, pixels }: UdfMeta): Box | undefined {
  if (sigShape.length < 2) return undefined;
  const [planes, ...rest] = sigShape as [number, ...number[]];
  const each = pixels / sigShape.at(-1)! / planes;
  const origin = Math.floor(first / each);
  return box([origin, ...rest.map(() => 0)], [Math.max(1, Math.ceil(end / each) - origin), ...rest]);
}

/** The rows of `part` that are in the range; `undefined` if there are none. */
export function clipped(part: Part, [first, end]: RowRange, { sigShape }: UdfMeta): Part | undefined {
  const row = Math.floor(part.mask / (sigShape.at(-1) ?? 1));
  const top = Math.max(0, first - row);
  const rows = Math.min(part.rows, end - row) - top;
  if (rows <= 0) return undefined;
  const skipped = top * part.rowLength;
  return { ...part, pixel: part.pixel + skipped, mask: part.mask + skipped, rows };
}
