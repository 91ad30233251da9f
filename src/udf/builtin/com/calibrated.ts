/**
 * Shifts on the detector in its unit, where the file knows it.
 *
 * @module
 */

import { cosine, sine } from "../../../space/functions/functions.ts";
import type { UdfMeta } from "../../interface/udf.ts";
import type { VectorField } from "./derivatives.ts";
import { turned } from "./field.ts";

/** The unit of both axes of a frame, and how much of it a pixel is along y and x. */
export interface Calibration {
  readonly unit: string;
  readonly y: number;
  readonly x: number;
}

/** The calibration of frames; `undefined`: the file does not say both scales, in one unit. */
export function calibrationOf(
  { axes, navShape }: Pick<UdfMeta, "axes" | "navShape">,
): Calibration | undefined {
  const [y, x] = axes.slice(navShape.length);
  if (!y?.scale || !x?.scale || !y.unit || y.unit !== x.unit || y.unit === "px") return undefined;
  return { unit: y.unit, y: y.scale, x: x.scale };
}

/**
 * A field in pixels, in the unit of the detector: it is turned back to the axes of the detector, whose pixels may not be square, and
 * turned again.
 */
export function calibrated(
  field: VectorField,
  { y, x }: Calibration,
  degrees: number,
  flipY: boolean,
): VectorField {
  const scaled = ({ y: along, x: across }: VectorField) => ({
    y: along.map((value) => value * y),
    x: across.map((value) => value * x),
  });
  if (y === x) return scaled(field);
  return turned(scaled(turnedBack(field, degrees, flipY)), degrees, flipY);
}

/** The inverse of {@link turned}. */
function turnedBack({ y, x }: VectorField, degrees: number, flipY: boolean): VectorField {
  const angle = degrees * Math.PI / 180;
  const [cos, sin] = [cosine(angle), sine(angle)];
  const sign = flipY ? -1 : 1;
  return {
    y: y.map((value, i) => sign * (cos * value - sin * x[i]!)),
    x: x.map((value, i) => sin * y[i]! + cos * value),
  };
}
