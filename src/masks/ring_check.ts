/**
 * The check that a disk or ring has a pixel of the frame.
 *
 * @module
 */

import type { TilewiseError } from "../errors.ts";
import type { Shape } from "../space/shape.ts";
import { checkRadii, noPixel, type Radii } from "./geometry.ts";
import type { Centre } from "./options.ts";
import { eachRingRun } from "./ring_runs.ts";

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
  const where = ri === undefined ? `within ${ro} px of` : `from ${ri} to ${ro} px around`;
  return noPixel(what, shape, `${where} (${cy}, ${cx})`);
}
