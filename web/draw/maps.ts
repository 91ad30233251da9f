/**
 * The colour maps, in the order in which they are offered: those in which equal steps look equal come first.
 *
 * @module
 */

import type { COLORMAPS } from "../../src/pictures/mod.ts";

/** Maps for one purpose. */
export interface MapGroup {
  /** What they are for. */
  readonly title: string;
  /** Their names. */
  readonly names: readonly (typeof COLORMAPS[number])[];
}

/** All maps. */
export const MAP_GROUPS: readonly MapGroup[] = [
  {
    title: "Even steps, safe for colour blindness",
    names: ["viridis", "cividis", "magma", "inferno", "plasma", "gray"],
  },
  { title: "Both signs", names: ["signed", "coolwarm", "RdBu"] },
  { title: "Angles", names: ["twilight"] },
  { title: "Many hues, with uneven steps", names: ["turbo"] },
];
