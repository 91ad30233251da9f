/**
 * Directions of lists of sources as the baselines of an observation see them, and back: baselines lie along the axes of the frame
 * of the field.
 *
 * @module
 */

import { systemOf } from "../../observations/fields.ts";
import { converted, vectorOf } from "../../observations/meaning/frames.ts";
import type { Field } from "../../observations/observation.ts";
import { type Direction, lmToRadec, radecToLm } from "../geometry/directions.ts";

/** The frame of a field and its centre there. */
function ownOf(field: Field): { readonly frame: string; readonly centre: Direction } {
  const { frame = systemOf(field), direction = field.phaseCentre } = field;
  return { frame, centre: direction };
}

/** Direction cosines of a right ascension and declination. Errors: those of `radecToLm()`. */
export function lmIn(field: Field, radec: Direction): Float64Array {
  const { frame, centre } = ownOf(field);
  return radecToLm(converted(radec, systemOf(field), frame), centre).lm;
}

/** Whether a right ascension and declination is less than 90° from the centre: it has direction cosines there. */
export function isVisible(field: Field, radec: Direction): boolean {
  const { frame, centre } = ownOf(field);
  const [a, b] = [vectorOf(converted(radec, systemOf(field), frame)), vectorOf(centre)];
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > 0;
}

/** Right ascension and declination of direction cosines. */
export function radecIn(field: Field, lm: ArrayLike<number>): Direction {
  const { frame, centre } = ownOf(field);
  const [longitude, latitude] = lmToRadec(lm, centre);
  return converted([longitude!, latitude!], frame, systemOf(field));
}
