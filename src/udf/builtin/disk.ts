/**
 * A disk of a frame, as an option.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import { GEOMETRY } from "../../masks/geometry.ts";
import { needed } from "../../options/rules.ts";

/**
 * A disk of pixels, `(y − cy)² + (x − cx)² ≤ r²`.
 * @category Analyses
 */
export interface Disk {
  /** Row of the centre. */
  readonly cy: number;
  /** Column of the centre. */
  readonly cx: number;
  /** Radius, included. */
  readonly r: number;
}

/** The names of the options of a disk. */
// deno-fmt-ignore: written by `deno task build`
export const DISK_NAMES: OptionNames<Disk> = {
  cy: needed(GEOMETRY.cy), cx: needed(GEOMETRY.cx), r: needed(GEOMETRY.r),
};
