/**
 * How the stacks of two images are linked: by depth and time where both know them, else by number.
 *
 * @module
 */

import { ratioOfUnits } from "../../../draw/scale_bar.ts";
import { unitText } from "../../../draw/words.ts";
import { positionIn, type StackAxis } from "../stack_axis.ts";

/** Positions along dimensions, by their labels. */
type Positions = Readonly<Record<string, number>>;

/** Where the second image is in its stack, and how that is known. */
export interface StackLink {
  readonly stack: Positions;
  /** For people; empty where there is no dimension that both have. */
  readonly text: string;
}

/** What dimensions are called. */
const NAMES: Readonly<Record<string, string>> = { z: "depth", t: "time" };

/** The positions of the second image that belong to those of the first, along the dimensions that both have. */
export function stackLink(
  first: readonly StackAxis[],
  second: readonly StackAxis[],
  stack: Positions,
): StackLink {
  const found: Record<string, number> = {};
  const texts: string[] = [];
  for (const other of second) {
    const one = first.find(({ label }) => label === other.label);
    if (!one) continue;
    const at = positionIn(stack, one);
    const place = placeIn(one, other, at);
    found[other.label] = Math.max(0, Math.min(other.size - 1, Math.round(place ?? at)));
    const name = NAMES[other.label];
    if (name) texts.push(`${name} by ${place === undefined ? "number" : unitText(one.place!.unit)}`);
  }
  const text = texts.join(", ");
  return { stack: { ...stack, ...found }, text: text && `${text[0]!.toUpperCase()}${text.slice(1)}.` };
}

/** Where a position of the first is among those of the second, with fractions; undefined if one does not know its places. */
function placeIn({ place: one }: StackAxis, { place: other }: StackAxis, at: number): number | undefined {
  const ratio = one && other && ratioOfUnits(other.unit, one.unit);
  return ratio && ((one.offset + at * one.scale) * ratio - other.offset) / other.scale;
}
