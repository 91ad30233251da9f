/**
 * Regions of interest: which positions of a scan take part, and where a position lies among them.
 *
 * Everything downstream of reading counts in compressed positions: the k-th selected position has number k.
 *
 * @module
 */

import { lowerBound } from "../space/search.ts";
import { TilewiseError } from "../errors.ts";
import { type Box, box } from "../space/box.ts";
import { ravel, type Shape, showShape, sizeOf } from "../space/shape.ts";

/** A mask as samples and shape: an `NdArray` will do. */
export interface RoiMask {
  /** One entry a position, in row-major order; anything but 0 and `false` selects. */
  readonly data: ArrayLike<number | boolean | bigint>;
  /** Its shape; only the number of positions must be that of the scan. */
  readonly shape: Shape;
}

/** A mask by the positions that it selects: flat `indices` or `coordinates`, in the order of its `shape`. */
export interface SparseMask {
  /** Its shape; only the number of positions must be that of the scan. */
  readonly shape: Shape;
  /** Flat positions that are selected, in any order. */
  readonly indices?: ArrayLike<number>;
  /** Coordinates that are selected, in any order. */
  readonly coordinates?: readonly Coordinate[];
}

/** A mask as nested lists of truth values. */
export type NestedMask = readonly (boolean | NestedMask)[];

/** A position of the scan; negative coordinates count from the end. */
export type Coordinate = readonly number[];

/**
 * What people write to select positions: a mask in four forms, one coordinate, a list of coordinates, or a
 * list of coordinates with a truth value each (if the first is false, all other positions are selected).
 */
export type RoiInput =
  | RoiMask
  | SparseMask
  | Uint8Array
  | NestedMask
  | Coordinate
  | readonly Coordinate[]
  | readonly (readonly [Coordinate, boolean])[];

/** A region of interest, checked; plain data that `postMessage` can carry. */
export interface Roi {
  /** Positions of the scan. */
  readonly frames: number;
  /** Positions that are selected. */
  readonly count: number;
  /** One byte a position, 1 for selected; `null` when all are and nobody asked. */
  readonly mask: Uint8Array | null;
  /** The selected positions in ascending order; `null` with `mask`. */
  readonly indices: Uint32Array | null;
}

/**
 * The region of interest that `input` means on a scan of `navShape`; no input selects everything.
 *
 * @example Three ways to the same two positions of a 2 × 3 scan
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const roi = normalizeRoi([[0, 1], [-1, -1]], [2, 3]);
 * assertEquals([...roi.indices!], [1, 5]);
 * assertEquals(normalizeRoi([[false, true, false], [false, false, true]], [2, 3]), roi);
 * assertEquals(normalizeRoi([[[0, 1], true], [[1, 2], true]], [2, 3]), roi);
 * ```
 */
export function normalizeRoi(input: RoiInput | undefined, navShape: Shape): Roi {
  const frames = sizeOf(navShape);
  if (input === undefined) return { frames, count: frames, mask: null, indices: null };
  const mask = maskOf(input, navShape, frames);
  const indices = new Uint32Array(mask.reduce((n, on) => n + on, 0));
  let next = 0;
  for (let i = 0; i < frames; i++) if (mask[i]) indices[next++] = i;
  return { frames, count: indices.length, mask, indices };
}

function maskOf(input: RoiInput, navShape: Shape, frames: number): Uint8Array {
  if (input instanceof Uint8Array) return truth({ data: input, shape: [input.length] }, navShape, frames);
  if ("data" in input) return truth(input, navShape, frames);
  if ("shape" in input) return fromSparse(input, navShape, frames);
  if (isNestedMask(input)) return truth(flatten(input), navShape, frames);
  if (input.every((entry) => typeof entry === "number") && (input.length > 0 || navShape.length === 0)) {
    return fromCoordinates([[input as Coordinate, true]], navShape, frames);
  }
  const entries = input as readonly (Coordinate | readonly [Coordinate, boolean])[];
  return fromCoordinates(entries.map(asToggle), navShape, frames);
}

function truth({ data, shape }: RoiMask, navShape: Shape, frames: number): Uint8Array {
  checkSize(shape, data.length, navShape, frames);
  return Uint8Array.from(data, (on) => on ? 1 : 0);
}

function checkSize(shape: Shape, positions: number, navShape: Shape, frames: number): void {
  if (sizeOf(shape) === frames && positions === frames) return;
  throw new TilewiseError(
    "invalid",
    `Cannot use a region of interest of ${showShape(shape)} on a scan of ${showShape(navShape)}: ` +
      `it has ${positions} positions, the scan has ${frames}`,
    { expected: showShape(navShape), found: showShape(shape) },
  );
}

function fromSparse(
  { shape, indices, coordinates }: SparseMask,
  navShape: Shape,
  frames: number,
): Uint8Array {
  checkSize(shape, sizeOf(shape), navShape, frames);
  if ((indices === undefined) === (coordinates === undefined)) {
    const text = "Cannot use a sparse mask: give it either indices or coordinates, beside its shape";
    throw new TilewiseError("invalid", text);
  }
  const mask = new Uint8Array(frames);
  for (const at of coordinates ?? []) mask[flatPosition(at, shape)] = 1;
  for (let i = 0; i < (indices?.length ?? 0); i++) mask[flatPosition([indices![i]!], [frames])] = 1;
  return mask;
}

function isNestedMask(input: readonly unknown[]): input is NestedMask {
  const first = input[0];
  if (typeof first === "boolean") return true;
  // [[coordinate], true] pairs have a list in front of their truth value.
  return Array.isArray(first) && isNestedMask(first);
}

function flatten(mask: NestedMask): RoiMask {
  const shape: number[] = [];
  for (let level: boolean | NestedMask = mask; typeof level !== "boolean"; level = level[0] ?? false) {
    shape.push(level.length);
  }
  const data = mask.flat(Infinity as 1) as unknown[];
  if (data.every((on) => typeof on === "boolean") && isRegular(mask, shape)) return { data, shape };
  throw new TilewiseError("invalid", "Cannot use a nested mask whose rows differ in length");
}

function isRegular(level: boolean | NestedMask, shape: Shape): boolean {
  if (typeof level === "boolean" || shape.length === 0) {
    return typeof level === "boolean" && shape.length === 0;
  }
  return level.length === shape[0] && level.every((inner) => isRegular(inner, shape.slice(1)));
}

type Toggle = readonly [Coordinate, boolean];

function asToggle(entry: Coordinate | Toggle): Toggle {
  if (entry.length === 2 && Array.isArray(entry[0]) && typeof entry[1] === "boolean") return entry as Toggle;
  return [entry as Coordinate, true];
}

function fromCoordinates(toggles: readonly Toggle[], navShape: Shape, frames: number): Uint8Array {
  const mask = new Uint8Array(frames).fill(toggles[0]?.[1] === false ? 1 : 0);
  for (const [at, on] of toggles) mask[flatPosition(at, navShape)] = on ? 1 : 0;
  return mask;
}

function flatPosition(at: Coordinate, navShape: Shape): number {
  const wrapped = Array.isArray(at) && at.length === navShape.length
    ? at.map((c, d) => c < 0 ? c + navShape[d]! : c)
    : undefined;
  if (wrapped?.every((c, d) => Number.isInteger(c) && c >= 0 && c < navShape[d]!)) {
    return ravel(wrapped, navShape);
  }
  const shown = `(${Array.isArray(at) ? at.join(", ") : String(at)})`;
  throw new TilewiseError("invalid", `Position ${shown} is not in a scan of ${showShape(navShape)}`, {
    expected: showShape(navShape),
    found: shown,
  });
}

/** How many selected positions lie before `position`: its compressed number, if it is selected. */
export function selectedBefore({ frames, indices }: Roi, position: number): number {
  if (!indices) return Math.max(0, Math.min(position, frames));
  return lowerBound(indices, position);
}

/** The selected positions in `[start, stop)`, ascending. Only for regions that somebody asked for. */
export function selectedIn(roi: Roi, start: number, stop: number): Uint32Array {
  const indices = roi.indices ?? Uint32Array.from({ length: roi.frames }, (_, i) => i);
  return indices.subarray(selectedBefore(roi, start), selectedBefore(roi, stop));
}

/**
 * A box whose first dimension is the flat scan, in compressed positions: its origin becomes the number of selected
 * positions before it, its size the number inside.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const roi = normalizeRoi([false, true, false, true, true], [5]);
 * const frames = { origin: [2, 0, 0], shape: [3, 8, 8] };
 * assertEquals(adjustForRoi(frames, roi), { origin: [1, 0, 0], shape: [2, 8, 8] });
 * ```
 */
export function adjustForRoi({ origin, shape }: Box, roi: Roi): Box {
  const before = selectedBefore(roi, origin[0]!);
  const inside = selectedBefore(roi, origin[0]! + shape[0]!) - before;
  return box([before, ...origin.slice(1)], [inside, ...shape.slice(1)]);
}
