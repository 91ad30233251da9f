/**
 * The mask over a scan, one byte per position, for each form of a region of interest.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { parseRanges, resolveRanges } from "../../space/ranges.ts";
import { sameShape, type Shape, showShape, sizeOf, stridesOf } from "../../space/shape.ts";
import type { Coordinate, NestedMask, RoiMask, SparseMask } from "./roi_input.ts";

/** A coordinate, and whether it is selected. */
export type Toggle = readonly [Coordinate, boolean];

/** The positions at which `data` is not 0. */
export function fromTruth({ data, shape, ...rest }: RoiMask, navShape: Shape): Uint8Array {
  const { stride } = rest as { readonly stride?: Shape };
  if (stride && !sameShape(stride, stridesOf(shape))) {
    throw new TilewiseError("invalid", "Cannot use a mask whose samples are not in row-major order");
  }
  checkSize(shape, data.length, navShape);
  const mask = new Uint8Array(data.length);
  for (let i = 0; i < mask.length; i++) if (data[i]) mask[i] = 1;
  return mask;
}

/** The positions at which nested lists are true. */
export function fromNested(lists: NestedMask, navShape: Shape): Uint8Array {
  const shape = shapeOf(lists);
  const isSize = sizeOf(shape) === sizeOf(navShape);
  const mask = new Uint8Array(isSize ? sizeOf(shape) : 0);
  const found = { next: 0, isRegular: true, isTruth: true };
  fill(mask, lists, shape, 0, found);
  const problem = !found.isRegular
    ? "its rows differ in length"
    : !found.isTruth
    ? "its entries are not all true or false"
    : undefined;
  if (problem) throw new TilewiseError("invalid", `Cannot use a nested mask: ${problem}`);
  checkSize(shape, sizeOf(shape), navShape);
  return mask;
}

function fill(
  mask: Uint8Array,
  list: readonly unknown[],
  shape: Shape,
  depth: number,
  found: { next: number; isRegular: boolean; isTruth: boolean },
): void {
  if (list.length !== shape[depth]) found.isRegular = false;
  const isLast = depth === shape.length - 1;
  for (const entry of list) {
    if (Array.isArray(entry) === isLast) found.isRegular = false;
    else if (!isLast) fill(mask, entry as readonly unknown[], shape, depth + 1, found);
    else if (entry === true) mask[found.next++] = 1; // writes beyond its end are ignored
    else if (entry === false) found.next++;
    else found.isTruth = false;
  }
}

function checkSize(shape: Shape, positions: number, navShape: Shape): void {
  const frames = sizeOf(navShape);
  if (sizeOf(shape) === frames && positions === frames) return;
  throw new TilewiseError(
    "invalid",
    `Cannot use a region of interest of ${showShape(shape)} on a scan of ${showShape(navShape)}: ` +
      `it has ${positions} positions, the scan has ${frames}`,
    { expected: showShape(navShape), found: showShape(shape) },
  );
}

/** The positions that a sparse mask lists. */
export function fromSparse({ shape, indices, coordinates }: SparseMask, navShape: Shape): Uint8Array {
  checkSize(shape, sizeOf(shape), navShape);
  if ((indices === undefined) === (coordinates === undefined)) {
    const text = "Cannot use a sparse mask: give it either indices or coordinates, beside its shape";
    throw new TilewiseError("invalid", text);
  }
  const mask = new Uint8Array(sizeOf(navShape));
  for (const at of coordinates ?? []) mask[flatPosition(at, shape)] = 1;
  for (let i = 0; i < (indices?.length ?? 0); i++) mask[flatPosition([indices![i]!], [mask.length])] = 1;
  return mask;
}

/** How many positions are in a product of ranges. */
export function countInRanges(text: string, navShape: Shape): number {
  const ranges = resolveRanges(parseRanges(text), navShape, "the scan");
  return ranges.reduce((count, { start, stop, step }) => count * Math.ceil((stop - start) / step), 1);
}

/** The positions in a product of ranges, such as `0:8, 4:`. */
export function fromRanges(text: string, navShape: Shape): Uint8Array {
  const ranges = resolveRanges(parseRanges(text), navShape, "the scan");
  const mask = new Uint8Array(sizeOf(navShape));
  const select = (d: number, base: number): void => {
    const { start, stop, step } = ranges[d]!;
    const isLast = d === ranges.length - 1;
    if (isLast && step === 1) return void mask.fill(1, base + start, base + stop);
    for (let at = start; at < stop; at += step) {
      if (isLast) mask[base + at] = 1;
      else select(d + 1, (base + at) * navShape[d + 1]!);
    }
  };
  if (ranges.length > 0) select(0, 0);
  else mask.fill(1);
  return mask;
}

/** The positions with these coordinates. */
export function fromPositions(positions: readonly Coordinate[], navShape: Shape): Uint8Array {
  const mask = new Uint8Array(sizeOf(navShape));
  for (const at of positions) mask[flatPosition(at, navShape)] = 1;
  return mask;
}

/** The positions that a list switches on and off one by one; if its first entry is off, all positions start as selected. */
export function fromToggles<T>(
  list: readonly T[],
  toggleOf: (entry: T) => Toggle,
  navShape: Shape,
): Uint8Array {
  const startsOff = list.length > 0 && toggleOf(list[0]!)[1] === false;
  const mask = new Uint8Array(sizeOf(navShape)).fill(startsOff ? 1 : 0);
  for (const entry of list) {
    const [at, on] = toggleOf(entry);
    mask[flatPosition(at, navShape)] = on ? 1 : 0;
  }
  return mask;
}

function flatPosition(at: Coordinate, navShape: Shape): number {
  let flat = 0;
  let isInside = Array.isArray(at) && at.length === navShape.length;
  for (let d = 0; isInside && d < navShape.length; d++) {
    const [c, size] = [at[d]!, navShape[d]!];
    const place = c < 0 ? c + size : c;
    isInside = Number.isInteger(place) && place >= 0 && place < size;
    flat = flat * size + place;
  }
  if (isInside) return flat;
  const shown = `(${Array.isArray(at) ? at.join(", ") : String(at)})`;
  throw new TilewiseError("invalid", `Position ${shown} is not in a scan of ${showShape(navShape)}`, {
    expected: showShape(navShape),
    found: shown,
  });
}

/** Nested lists as samples and shape; `invalid` where their rows differ in length, or `isSample` says no to one. */
export function flattened<T>(lists: readonly unknown[], isSample: (entry: unknown) => entry is T): {
  data: T[];
  shape: number[];
} {
  const shape = shapeOf(lists);
  const data = lists.flat(Infinity as 1);
  const problem = isRegular(lists, shape)
    ? data.every(isSample) ? undefined : "its entries are not all true or false"
    : "its rows differ in length";
  if (problem === undefined) return { data: data as T[], shape };
  throw new TilewiseError("invalid", `Cannot use a nested mask: ${problem}`);
}

/** The shape of nested lists by their first entries. */
export function shapeOf(lists: readonly unknown[]): number[] {
  const shape: number[] = [];
  for (let level: unknown = lists; Array.isArray(level); level = level[0]) shape.push(level.length);
  return shape;
}

/** Whether nested lists have `shape` all over. */
export function isRegular(level: unknown, shape: Shape): boolean {
  if (!Array.isArray(level)) return shape.length === 0;
  return level.length === shape[0] && level.every((inner) => isRegular(inner, shape.slice(1)));
}

/** Whether nested lists begin with a truth value: they are a mask then. */
export function isNestedMask(input: readonly unknown[]): input is NestedMask {
  const first = input[0];
  if (typeof first === "boolean") return true;
  // [[coordinate], true] pairs have a list in front of their truth value.
  return Array.isArray(first) && isNestedMask(first);
}
