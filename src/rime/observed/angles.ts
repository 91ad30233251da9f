/**
 * Parallactic angles of the antennas of an observation.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { latitudeOf } from "../../observations/meaning/earth.ts";
import type { Observation } from "../../observations/observation.ts";
import { hourAngle, parallacticAngle } from "../geometry/sky.ts";

/** Antennas nearer to the centre of the Earth have no place on it, in metres. */
const GROUND = 6e6;

/**
 * The parallactic angles (ntime, na) of the phase centre. Precession is not applied: directions of the epoch J2000 are a third
 * of a degree off after 25 years. Errors: `invalid` for antennas that are not on Earth.
 */
export function parallacticAnglesOf({ antennas, times, field, source }: Observation): Float64Array {
  const [ra, dec] = field.phaseCentre;
  const places = antennas.map(({ name, position }) => {
    if (Math.hypot(...position) >= GROUND) return latitudeOf(position);
    const text = `Cannot compute parallactic angles for ${source}: the antenna ${name} is not on Earth, at ` +
      `${position.join(", ")} m; give parallactic_angles in termInputs`;
    throw new TilewiseError("invalid", text, { option: "termInputs.parallactic_angles" });
  });
  const angles = new Float64Array(times.length * antennas.length);
  times.forEach((time, t) => {
    places.forEach(([latitude, longitude], a) => {
      angles[t * antennas.length + a] = parallacticAngle(hourAngle(time, ra, longitude), dec, latitude);
    });
  });
  return angles;
}
