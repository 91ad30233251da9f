/**
 * Refuses ambiguous regions of interest, with both meanings in the message.
 *
 * Numbers in lists are coordinates; but lists of 0 and 1 in the shape of the scan look like a mask, as Python has them:
 *
 * ```
 * [[0, 1], [1, 1]]     on a scan of 2 × 2: coordinates (0, 1) and (1, 1), or three positions of a mask
 * ```
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../space/shape.ts";
import type { Coordinate, RoiMask } from "./roi_input.ts";
import { fromPositions, fromTruth, isRegular, shapeOf } from "./roi_masks.ts";

/** Refuses lists of 0 and 1 in the shape of the scan, unless they select the same as mask and as coordinates. */
export function refuseMaskOfNumbers(input: readonly unknown[], navShape: Shape): void {
  const shape = shapeOf(input);
  const isLikeScan = sameShape(shape, navShape) || sameShape(shape, [sizeOf(navShape)]);
  if (!isLikeScan || !isRegular(input, shape)) return;
  const data = input.flat(Infinity as 1);
  if (data.length === 0 || !data.every((entry) => entry === 0 || entry === 1)) return;
  const rows = (shape.length === 1 ? [input] : input) as readonly Coordinate[];
  refuseIfDifferent({ data: data as number[], shape }, rows, navShape, input);
}

/** Refuses an array of numbers that could be a list of coordinates, with one row per position, as well as a mask. */
export function refuseArrayOfPositions({ data, shape }: RoiMask, navShape: Shape): void {
  if (shape.length !== 2 || shape[1] !== navShape.length) return;
  if (isTruth(data)) return;
  const values = Array.from(data, Number);
  const rows = Array.from({ length: shape[0]! }, (_, i) => values.slice(i * shape[1]!, (i + 1) * shape[1]!));
  if (asCoordinates(rows, navShape)) refuseIfDifferent({ data, shape }, rows, navShape, rows);
}

function isTruth(data: RoiMask["data"]): boolean {
  for (let i = 0; i < data.length; i++) {
    const value = Number(data[i]);
    if (value !== 0 && value !== 1) return false;
  }
  return true;
}

function refuseIfDifferent(
  mask: RoiMask,
  rows: readonly Coordinate[],
  navShape: Shape,
  shown: readonly unknown[],
): void {
  const [masked, listed] = [fromTruth(mask, navShape), asCoordinates(rows, navShape)];
  if (listed?.every((on, i) => on === masked[i])) return;
  const text = short(JSON.stringify(shown));
  const problem = listed
    ? `as a mask it selects ${counted(masked)}, as coordinates ${counted(listed)}`
    : "it looks like a mask, but numbers in lists are coordinates";
  const message =
    `Cannot use ${text} as region of interest of a scan of ${showShape(navShape)}: ${problem}; ` +
    "write roi.mask(…) for the mask, or roi.positions(…) for the coordinates";
  throw new TilewiseError("invalid", message, { expected: "roi.mask(…) or roi.positions(…)", found: text });
}

function asCoordinates(rows: readonly Coordinate[], navShape: Shape): Uint8Array | undefined {
  try {
    return fromPositions(rows, navShape);
  } catch (error) {
    if (error instanceof TilewiseError) return undefined;
    throw error;
  }
}

function counted(mask: Uint8Array): string {
  const count = mask.reduce((sum, on) => sum + on, 0);
  return count === 1 ? "1 position" : `${count} positions`;
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
