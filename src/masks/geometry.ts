/**
 * The rules of geometry, for masks, detectors, analyses and forms alike; `ring_check.ts` has those that need a frame.
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

/** The rule for a place: beyond, numbers are not one pixel apart. */
export const place: OptionRule<number> = must(
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
export interface Radii {
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
