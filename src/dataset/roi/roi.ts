/**
 * Regions of interest: which positions of a scan are selected, and the number of a position among them.
 *
 * All steps after reading use compressed positions: the k-th selected position has number k.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { refuseArrayOfPositions, refuseMaskOfNumbers } from "./roi_doubt.ts";
import type { Coordinate, RoiInput } from "./roi_input.ts";
import {
  countInRanges,
  fromNested,
  fromPositions,
  fromRanges,
  fromSparse,
  fromToggles,
  fromTruth,
  isNestedMask,
  type Toggle,
} from "./roi_masks.ts";

import { everything, MOST_POSITIONS, type Roi, roiOf } from "./selected.ts";

export type * from "./roi_input.ts";
export * from "./selected.ts";

/**
 * The region of interest for `input` on a scan of `navShape`; no input selects everything.
 *
 * Errors: `invalid`; `over-budget` where its mask and indices need more than `memory` bytes (default: no limit), before
 * they are made.
 *
 * @example Three ways to the same two positions of a 2 × 3 scan
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const roi = normalizeRoi([[0, 1], [-1, -1]], [2, 3]);
 * assertEquals(roi.indices, Uint32Array.of(1, 5));
 * assertEquals(normalizeRoi([[false, true, false], [false, false, true]], [2, 3]), roi);
 * assertEquals(normalizeRoi([[[0, 1], true], [[1, 2], true]], [2, 3]), roi);
 * ```
 */
export function normalizeRoi(
  input: RoiInput | undefined,
  navShape: Shape,
  memory: number = Infinity,
): Roi {
  if (input === undefined) return everything(navShape);
  const isRange = typeof input === "object" && input !== null && "range" in input;
  checkRoom(navShape, isRange ? countInRanges(input.range, navShape) : 0, memory);
  const mask = maskOf(input, navShape);
  return roiOf(mask, (count) => checkRoom(navShape, count, memory));
}

function checkRoom(navShape: Shape, count: number, memory: number): void {
  const frames = sizeOf(navShape);
  if (frames > MOST_POSITIONS) {
    const text = `Cannot select positions of a scan of ${showShape(navShape)}: it has ${frames} positions, ` +
      `at most ${MOST_POSITIONS} can be told apart`;
    throw new TilewiseError("invalid", text, { option: "roi", expected: MOST_POSITIONS, found: frames });
  }
  const needed = frames + count * Uint32Array.BYTES_PER_ELEMENT;
  if (needed <= memory) return;
  const text = `Cannot select positions of a scan of ${showShape(navShape)} in ${formatBytes(memory)}: ` +
    `the list of its positions alone needs ${formatBytes(needed)}`;
  throw new TilewiseError("over-budget", text, { option: "memory", expected: needed, found: memory });
}

function maskOf(input: RoiInput, navShape: Shape): Uint8Array {
  if (input instanceof Uint8Array) return fromTruth({ data: input, shape: [input.length] }, navShape);
  if (Array.isArray(input)) return fromLists(input, navShape);
  if (typeof input !== "object" || input === null || ArrayBuffer.isView(input)) throw unknownForm(input);
  if ("range" in input) return fromRanges(input.range, navShape);
  if ("mask" in input) return fromTruth(input.mask, navShape);
  if ("positions" in input) return fromPositions(input.positions, navShape);
  if (!("shape" in input) || !Array.isArray(input.shape)) throw unknownForm(input);
  if (!("data" in input)) return fromSparse(input, navShape);
  refuseArrayOfPositions(input, navShape);
  return fromTruth(input, navShape);
}

function fromLists(input: readonly unknown[], navShape: Shape): Uint8Array {
  if (isNestedMask(input)) return fromNested(input, navShape);
  refuseMaskOfNumbers(input, navShape);
  if (input.every((entry) => typeof entry === "number") && (input.length > 0 || navShape.length === 0)) {
    return fromPositions([input as Coordinate], navShape);
  }
  return fromToggles(input, asToggle, navShape);
}

function asToggle(entry: unknown): Toggle {
  const [at, on] = Array.isArray(entry) ? entry : [];
  return entry instanceof Array && entry.length === 2 && Array.isArray(at) && typeof on === "boolean"
    ? [at, on]
    : [entry as Coordinate, true];
}

function unknownForm(input: unknown): TilewiseError {
  const found = typeof input === "string"
    ? JSON.stringify(input)
    : ArrayBuffer.isView(input)
    ? `a ${input.constructor.name}`
    : typeof input === "object" && input !== null
    ? `an object with ${Object.keys(input).join(", ") || "nothing in it"}`
    : String(input);
  const text = `Cannot use ${found} as region of interest; write roi.range("0:8,4:"), roi.mask(array) or ` +
    "roi.positions([[0, 1], [2, 3]])";
  return new TilewiseError("invalid", text, { found });
}
