/**
 * Regions of interest: which positions of a scan are selected, and the number of a position among them.
 *
 * All steps after reading use compressed positions: the k-th selected position has number k.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import type { Coordinate, RoiInput, RoiMask } from "./roi_input.ts";
import {
  countInRanges,
  fromNested,
  fromPositions,
  fromRanges,
  fromSparse,
  fromToggles,
  fromTruth,
  isNestedMask,
  isRegular,
  shapeOf,
  type Toggle,
} from "./roi_masks.ts";
import { everything, MOST_POSITIONS, type Roi, roiOf } from "./selected.ts";

// Refuses ambiguous regions of interest, with both meanings in the message.
//
// Numbers in lists are coordinates; but lists of 0 and 1 in the shape of the scan look like a mask, as Python has them:
//
// ```
// [[0, 1], [1, 1]]     on a scan of 2 × 2: coordinates (0, 1) and (1, 1), or three positions of a mask
// ```

/** Refuses lists of 0 and 1 in the shape of the scan, unless they select the same as mask and as coordinates. */
function refuseMaskOfNumbers(input: readonly unknown[], navShape: Shape): void {
  const shape = shapeOf(input);
  const isLikeScan = sameShape(shape, navShape) || sameShape(shape, [sizeOf(navShape)]);
  if (!isLikeScan || !isRegular(input, shape)) return;
  const data = input.flat(Infinity as 1);
  if (data.length === 0 || !data.every((entry) => entry === 0 || entry === 1)) return;
  const rows = (shape.length === 1 ? [input] : input) as readonly Coordinate[];
  refuseIfDifferent({ data: data as number[], shape }, rows, navShape, input);
}

/** Refuses an array of numbers that could be a list of coordinates, with one row per position, as well as a mask. */
function refuseArrayOfPositions({ data, shape }: RoiMask, navShape: Shape): void {
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
