/**
 * Geometry that leaves no pixel of the frame: we refuse it, the peer computes with nothing.
 *
 * @module
 */

import type { NDArray } from "../../../src/space/ndarray.ts";
import { numbersOf } from "../compare.ts";
import { product } from "../data/spec.ts";
import { ringWeights } from "../works/plain.ts";
import type { Difference, Found } from "./excuses.ts";

/** The row. */
export const NO_PIXEL: Difference = {
  name: "geometry without a pixel",
  reason:
    "masks, rings, holes and shifts that leave no pixel of the frame are refused; LiberTEM computes with nothing, which gives 0 or NaN",
  covers: (found) => {
    const { mismatch: { what, code, text }, theirs } = found;
    const isGeometry = /frames of .* have no pixel|: ri must be less than|no pixel of them is left in frames/
      .test(text);
    if (what !== "refused" || code !== "invalid" || !isGeometry || !theirs) return false;
    return /make a hole/.test(text) ? isIdleHole(found) : namedResults(theirs).some(hasEmptyFrame(found));
  },
};

/** What shows that nothing was added up: of a centre of mass the shifts, of others everything. */
function namedResults(theirs: NonNullable<Found["theirs"]>): readonly NDArray[] {
  const told = theirs.raw_shifts ?? theirs.magnitude ?? theirs.mask ?? theirs.intensity;
  return told ? [told] : [];
}

/** Whether the peer has nothing: of a stack of stamps one that is empty is enough, of others all must be. */
function hasEmptyFrame({ at: { params } }: Found): (array: NDArray) => boolean {
  const isStack = /^stamp/.test(String(params.name));
  return (array) => {
    const numbers = numbersOf(array);
    const size = isStack ? product(array.shape.slice(-2)) : numbers.length;
    const frames = Array.from(
      { length: numbers.length / size },
      (_, i) => numbers.subarray(i * size, (i + 1) * size),
    );
    return frames.some((frame) => frame.every((value) => value === 0 || Number.isNaN(value)));
  };
}

/** Whether a hole takes no pixel of the frame, or all. */
function isIdleHole({ at: { params, data } }: Found): boolean {
  const { cy, cx, r } = params.real as { readonly cy: number; readonly cx: number; readonly r: number };
  const inside = ringWeights(data.sig, { cy, cx, ro: r });
  return inside.every((weight) => weight === inside[0]);
}
