/**
 * Regions of interest given by ranges, by a mask, or by positions. They are plain data, so they can be sent to workers.
 *
 * @category Regions of interest
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { parseRanges } from "../../space/ranges.ts";
import type { Coordinate, MaskRegion, PositionsRegion, RangeRegion, RoiMask } from "./roi_input.ts";
import { flattened, fromTruth } from "./roi_masks.ts";

/**
 * Nested lists of truth values, or of 0 and 1.
 * @category Regions of interest
 */
export type NestedTruth = readonly (boolean | number | NestedTruth)[];

/**
 * The positions in a range of each dimension of the scan, as Python writes them: `start:stop`, `start:stop:step`,
 * negative numbers from the end, `:` for all. `first+size` is another way to write `start:stop`. What lies outside of
 * the scan is refused when the region is used, not clipped.
 *
 * @param text one range per dimension of the scan, slowest first
 * @example Two of three rows, all columns
 * ```ts
 * import { open, plan, roi, run, sumPixels } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6);
 * const scan = await open(bytes, { format: "raw", dtype: "uint8", nav: [3, 2], sig: [1, 1] });
 * const { bright } = await run(await plan(scan, { bright: sumPixels() }, { roi: roi.range("0:2, :") }));
 * assertEquals([...bright.intensity.data], [1, 2, 3, 4, NaN, NaN]);
 * ```
 */
export function range(text: string): RangeRegion {
  if (typeof text !== "string") {
    const message = `Cannot read ranges from ${JSON.stringify(text)}; write text such as "0:8, 4:"`;
    throw new TilewiseError("invalid", message);
  }
  parseRanges(text);
  return { range: text };
}

/**
 * The positions at which a mask is true, or not 0: nested lists, one byte per position, or an array with its shape. It is
 * copied.
 *
 * @param array in the shape of the scan, or with as many positions
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { mask: copy } = mask([[0, 1], [1, 1]]);
 * assertEquals(copy, { data: Uint8Array.of(0, 1, 1, 1), shape: [2, 2] });
 * assertEquals(mask([[false, true], [true, true]]).mask, copy);
 * ```
 */
export function mask(array: NestedTruth | Uint8Array | RoiMask): MaskRegion {
  const given = masked(array);
  return { mask: { data: fromTruth(given, given.shape), shape: [...given.shape] } };
}

function masked(array: NestedTruth | Uint8Array | RoiMask): RoiMask {
  if (array instanceof Uint8Array) return { data: array, shape: [array.length] };
  if (Array.isArray(array)) return flattened(array, isTruth);
  if (typeof array === "object" && array !== null && "data" in array && "shape" in array) return array;
  const text =
    "Cannot make a mask: give it nested lists of true and false, or of 0 and 1, a Uint8Array, or " +
    "{ data, shape }";
  throw new TilewiseError("invalid", text);
}

function isTruth(entry: unknown): entry is number | boolean {
  return typeof entry === "boolean" || entry === 0 || entry === 1;
}

/**
 * Single positions of the scan by their coordinates; negative ones count from the end.
 *
 * @param list one coordinate per position, each with one number per dimension of the scan
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(positions([[0, 1], [-1, -1]]), { positions: [[0, 1], [-1, -1]] });
 * ```
 */
export function positions(list: readonly Coordinate[]): PositionsRegion {
  const isCoordinate = (at: unknown) => Array.isArray(at) && at.every(Number.isInteger);
  if (Array.isArray(list) && list.every(isCoordinate)) return { positions: list.map((at) => [...at]) };
  const text = "Cannot make positions: give a list of coordinates, each a list of whole numbers, as in " +
    "roi.positions([[0, 1], [2, 3]])";
  throw new TilewiseError("invalid", text);
}
