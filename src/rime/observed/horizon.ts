/**
 * The sky above an array: which directions are above the horizon at some time.
 *
 * @module
 */

import { latitudeOf } from "../../observations/meaning/earth.ts";
import { lonLatOf, type Vector, vectorOf } from "../../observations/meaning/frames.ts";
import type { Observation } from "../../observations/observation.ts";
import type { Direction } from "../geometry/directions.ts";
import { GROUND, zenithAt } from "./angles.ts";

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * Whether a direction in ICRS is above the horizon of some antenna at some time, without refraction. All are, where an antenna has no
 * place on Earth, and where the phase centre never is: then places or times are not those of a real observation.
 */
export function risingOver(
  { antennas, times, field }: Pick<Observation, "antennas" | "times" | "field">,
): (radec: Direction) => boolean {
  const all = () => true;
  if (antennas.length === 0 || antennas.some(({ position }) => !(Math.hypot(...position) >= GROUND))) {
    return all;
  }
  const zeniths = antennas.map(({ position }) => {
    const [latitude, longitude] = latitudeOf(position);
    return vectorOf([longitude, latitude]);
  });
  const [x, y, z] = [0, 1, 2].map((k) => zeniths.reduce((sum, own) => sum + own[k]!, 0)) as [
    number,
    number,
    number,
  ];
  const length = Math.hypot(x, y, z), middle: Vector = [x / length, y / length, z / length];
  const spread = Math.acos(Math.min(1, ...zeniths.map((own) => dot(own, middle))));
  const least = -Math.sin(Math.min(Math.PI / 2, spread)), place = lonLatOf(middle);
  const above = Array.from(times, (time) => vectorOf(zenithAt(time, place)));
  const rises = (radec: Direction) => {
    const direction = vectorOf(radec);
    return above.some((zenith) => dot(direction, zenith) > least);
  };
  return rises(field.phaseCentre) ? rises : all;
}
