/**
 * The colour maps, in the order in which they are offered: those in which equal steps look equal come first; and those that are
 * used by what numbers mean, unless the user has chosen one.
 *
 * @module
 */

import type { COLORMAPS } from "../../src/pictures/mod.ts";
import type { Display } from "../state/state.ts";
import type { ShownImage, ShownVectors } from "./image.ts";

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

const BY_MEANING = { signed: "RdBu_r", angle: "twilight" } as const;

/** The display of an image: both signs differ in hue around zero, angles have colours that begin again. */
export function displayOf(image: ShownImage | ShownVectors | undefined, display: Display): Display {
  if (display.colormap !== "auto") return display;
  return { ...display, colormap: image?.meaning ? BY_MEANING[image.meaning] : "viridis" };
}
