/**
 * The rules of geometry, for masks, detectors, analyses and forms alike, and the pixels of rings.
 *
 * Places are finite numbers, also outside of the frame; radii are finite numbers from 0; the inner radius of a ring is less than
 * the outer one; and at least one pixel of the frame is left.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { OptionRule } from "../options.ts";
import { atLeast0, finite, must, positive, whole } from "../options/rules.ts";
import { type Shape, showShape } from "../space/shape.ts";

/**
 * A point of the frame in pixels; whole numbers are the centres of pixels.
 * @category Masks
 */
export interface Centre {
  /** Row. */
  readonly cy: number;
  /** Column. */
  readonly cx: number;
}

/** The rule for a place: beyond, numbers are not one pixel apart. */
const place: OptionRule<number> = must(
  "a finite number of pixels",
  (value) => Math.abs(value as number) <= Number.MAX_SAFE_INTEGER && typeof value === "number",
);

/** The rule for a radius, or a width that may be 0. */
const radius: OptionRule<number> = must(
  "a number from 0",
  (value) => Number.isFinite(value) && value as number >= 0,
);

/** The rule for a radius that may be without limit. */
export const reach: OptionRule<number> = atLeast0;

/** The rules of the numbers of geometry by their names. */
export const GEOMETRY = {
  cy: place,
  cx: place,
  r: radius,
  ri: radius,
  ro: radius,
  y: place,
  x: place,
  height: place,
  width: place,
  delta: radius,
  stretchY: positive,
  angle: finite,
  bins: whole(1),
  maxOrder: whole(0),
} as const satisfies Readonly<Record<string, OptionRule<number>>>;

/** The radii of a disk, or of a ring. */
interface Radii {
  /** Outer radius. */
  readonly ro: number;
  /** Inner radius. */
  readonly ri?: number;
}

/** Refuses rings whose inner radius is not less than the outer one; `outer` is how the outer radius is called. */
export function checkRadii(what: string, { ri, ro }: Radii, outer = "ro"): void {
  if (ri === undefined || ri < ro) return;
  const text = `Cannot make ${what} from ri = ${ri} to ${outer} = ${ro}: ri must be less than ${outer}`;
  throw new TilewiseError("invalid", text, { option: "ri", expected: `less than ${ro}`, found: String(ri) });
}

/** The error for a mask without a pixel. */
export function noPixel(what: string, shape: Shape, where: string): TilewiseError {
  const text = `Cannot make ${what}: frames of ${showShape(shape)} have no pixel ${where}`;
  return new TilewiseError("invalid", text, { expected: "one pixel at least", found: where });
}

// Disks and rings as runs of pixels `(y, x0, x1)`; only the ends of the runs of each row are computed.

/** Whether a point at the square root of `square` from the centre lies in a disk; with a negative radius no point does. */
export function inDisk(square: number, r: number): boolean {
  return r >= 0 && square <= r * r;
}

/** A ring of pixels: those of the disk of radius `ro` that are not in the disk of radius `ri`. */
export interface Ring extends Centre {
  /** Outer radius, included. */
  readonly ro: number;
  /** Inner radius, excluded. */
  readonly ri: number;
}

/** Bytes of a run. */
const RUN_BYTES = 12;

/** The pixels of a ring as runs; a row has at most two. */
export function ringRuns(size: readonly [number, number], ring: Ring): Int32Array {
  const [top, bottom] = rowsWithin(size[0], ring.cy, ring.ro);
  const runs = new Int32Array(6 * (bottom - top));
  let end = 0;
  eachRingRun(size, ring, (y, start, stop) => {
    runs[end++] = y;
    runs[end++] = start;
    runs[end++] = stop;
  });
  return runs.slice(0, end);
}

/** Visits the runs of a ring; only the ends of the runs of each row are computed. */
export function eachRingRun(
  [height, width]: readonly [number, number],
  { cy, cx, ro, ri }: Ring,
  visit: (y: number, start: number, stop: number) => void,
): void {
  const [top, bottom] = rowsWithin(height, cy, ro);
  for (let y = top; y < bottom; y++) {
    const start = startWithin(y, width, cy, cx, ro);
    const stop = stopWithin(y, width, cy, cx, ro, start);
    const from = ri >= 0 ? startWithin(y, width, cy, cx, ri) : width;
    const to = ri >= 0 ? stopWithin(y, width, cy, cx, ri, from) : width;
    if (from >= to) {
      if (start < stop) visit(y, start, stop);
      continue;
    }
    if (start < Math.min(stop, from)) visit(y, start, Math.min(stop, from));
    if (Math.max(start, to) < stop) visit(y, Math.max(start, to), stop);
  }
}

/** Fewest bytes of the runs of a ring: most rows have two runs, but some may have one. */
export function leastRingBytes([height]: readonly [number, number], { cy, ro }: Ring): number {
  const [top, bottom] = rowsWithin(height, cy, ro);
  return RUN_BYTES * (bottom - top);
}

/** The rows that a disk can reach. */
function rowsWithin(height: number, cy: number, r: number): [top: number, bottom: number] {
  if (!(r >= 0)) return [0, 0];
  const reach = r + marginOf(r);
  if (!Number.isFinite(reach + cy)) return [0, height];
  const top = Math.min(height, Math.max(0, Math.floor(cy - reach)));
  return [top, Math.max(top, Math.min(height, Math.ceil(cy + reach) + 1))];
}

/** The first pixel of a row that is in a disk, or the width; {@link inDisk} decides at the end. */
function startWithin(y: number, width: number, cy: number, cx: number, r: number): number {
  const square = (y - cy) ** 2;
  const least = cx - Math.sqrt(Math.max(0, r * r - square)) - marginOf(r);
  let start = Number.isFinite(least) ? Math.min(width, Math.max(0, Math.floor(least))) : 0;
  const end = Number.isFinite(least)
    ? Math.min(width, Math.max(start, Math.ceil(2 * cx - least) + 1))
    : width;
  while (start < end && !inDisk(square + (start - cx) ** 2, r)) start++;
  return start === end ? width : start;
}

/** One past the last pixel of a row that is in a disk, from `start` on. */
function stopWithin(y: number, width: number, cy: number, cx: number, r: number, start: number): number {
  const square = (y - cy) ** 2;
  const most = cx + Math.sqrt(Math.max(0, r * r - square)) + marginOf(r);
  let stop = Number.isFinite(most) ? Math.min(width, Math.max(start, Math.ceil(most) + 1)) : width;
  while (stop > start && !inDisk(square + (stop - 1 - cx) ** 2, r)) stop--;
  return stop;
}

/** Upper bound of how far rounding may move the edge of a disk. */
function marginOf(r: number): number {
  return 1 + 1e-7 * Math.abs(r);
}

/** A disk, or a ring if it has an inner radius. */
export type DiskOrRing = Centre & Radii;

/** Refuses disks and rings that have no pixel of frames of `shape`, and rings as {@link checkRadii} does. */
export function checkRing(
  what: string,
  shape: Shape,
  ring: DiskOrRing,
  { outer = "ro" }: { readonly outer?: string } = {},
): void {
  checkRadii(what, ring, outer);
  const { cy, cx, ro, ri } = ring;
  let some = false;
  eachRingRun(shape as readonly [number, number], { cy, cx, ro, ri: ri ?? -1 }, () => some = true);
  if (!some) throw noRing(what, shape, ring);
}

/** The error for a disk or ring without a pixel. */
export function noRing(what: string, shape: Shape, { cy, cx, ro, ri }: DiskOrRing): TilewiseError {
  const from = ro === Infinity ? `farther than ${ri} px from` : `from ${ri} to ${ro} px around`;
  const where = ri === undefined ? `within ${ro} px of` : from;
  return noPixel(what, shape, `${where} (${cy}, ${cx})`);
}
