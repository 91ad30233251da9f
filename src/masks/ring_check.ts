/**
 * The check that a disk or ring has a pixel of the frame.
 *
 * @module
 */

import type { Shape } from "../space/shape.ts";
import { checkRadii, noPixel, type Radii } from "./geometry.ts";
import type { Centre } from "./options.ts";
import { eachRingRun } from "./ring_runs.ts";

/** A disk, or a ring if it has an inner radius. */
export type DiskOrRing = Centre & Radii;

/**
 * Refuses disks and rings that have no pixel of frames of `shape`, and rings as {@link checkRadii} does. `fade`: how far weights
 * reach beyond both radii.
 */
export function checkRing(
  what: string,
  shape: Shape,
  ring: DiskOrRing,
  { outer = "ro", fade = 0 }: { readonly outer?: string; readonly fade?: number } = {},
): void {
  checkRadii(what, ring, outer);
  const { cy, cx, ro, ri } = ring;
  const reached = { cy, cx, ro: ro + fade, ri: (ri ?? -1) - fade };
  let some = false;
  eachRingRun(shape as readonly [number, number], reached, () => some = true);
  const where = ri === undefined ? `within ${ro} px of` : `from ${ri} to ${ro} px around`;
  if (!some) throw noPixel(what, shape, `${where} (${cy}, ${cx})`);
}
