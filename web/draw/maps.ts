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

/** The colours of labels: one hue for each, see `labelColour`. */
export const LABELS = "labels";

/** A whole turn by its unit: the colours of angles begin again there, whatever part of it an image has. */
const TURNS: Readonly<Record<string, number>> = { rad: 2 * Math.PI, deg: 360, "°": 360 };

const BY_MEANING = { signed: "RdBu_r", angle: "twilight", label: LABELS } as const;

/** The display of an image: both signs differ in hue around zero, angles have colours that begin again, labels one each. */
export function displayOf(image: ShownImage | ShownVectors | undefined, display: Display): Display {
  if (display.colormap !== "auto") return display;
  const colormap = image?.meaning ? BY_MEANING[image.meaning] : "viridis";
  const turn = image?.meaning === "angle" && TURNS[image.unit ?? "rad"];
  return { ...display, colormap, ...(turn && !display.range ? { range: [-turn / 2, turn / 2] } : {}) };
}
