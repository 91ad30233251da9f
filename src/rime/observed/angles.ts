/**
 * Parallactic angles of the antennas of an observation.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { latitudeOf, type LonLat, lonLatOf, vectorOf } from "../../observations/meaning/frames.ts";
import type { Observation } from "../../observations/observation.ts";
import { hourAngle, parallacticAngle } from "../geometry/sky.ts";

/** Antennas nearer to the centre of the Earth have no place on it, in metres. */
export const GROUND = 6e6;

/** Mounts that count as alt-azimuth; the others are unknown. */
const ALT_AZIMUTH = ["altaz", "", "other", "bizarre", "unknown"];

const DEGREE = Math.PI / 180, ARCSECOND = DEGREE / 3600;
/** The modified Julian date of J2000.0, and days of a century. */
const EPOCH = 51544.5, CENTURY = 36525;

/**
 * A direction of the date, counted from the celestial intermediate origin, in ICRS: precession and the two largest terms of
 * nutation, to a second of arc in this century. Source: IERS Conventions 2010, 5.4.4, 5.5.4.
 */
function ofDate(time: number, direction: LonLat): LonLat {
  const t = (time / 86400 - EPOCH) / CENTURY;
  const node = (125.04455501 - 1934.1362891 * t) * DEGREE, sun = 2 * (280.4665 + 36000.7698 * t) * DEGREE;
  const x = (-0.016617 + t * (2004.191898 - t * (0.4297829 + 0.19861834 * t)) - 6.844318 * Math.sin(node) -
    0.523908 * Math.sin(sun)) * ARCSECOND;
  const y = (-0.006951 - t * (0.025896 + t * (22.4072747 - 0.00190059 * t)) + 9.205236 * Math.cos(node) +
    0.573033 * Math.cos(sun)) * ARCSECOND;
  const z = Math.sqrt(1 - x * x - y * y), a = 1 / (1 + z);
  const [longitude, latitude] = direction;
  const [u, v, w] = vectorOf([longitude - x * y / 2, latitude]); // s = −XY / 2
  return lonLatOf([
    (1 - a * x * x) * u - a * x * y * v + x * w,
    -a * x * y * u + (1 - a * y * y) * v + y * w,
    -x * u - y * v + z * w,
  ]);
}

/** The zenith of a place on Earth, its longitude and latitude given, in ICRS. */
export function zenithAt(time: number, [longitude, latitude]: LonLat): LonLat {
  return ofDate(time, [hourAngle(time, 0, longitude), latitude]);
}

/**
 * The parallactic angles (ntime, na) of the phase centre. They are from north in ICRS, by which sources are
 * polarised, to the zenith of the date; aberration is left out: they are right to 25 seconds of arc divided by the sine of the
 * zenith distance. Antennas on equatorial mounts do not turn: 0; those whose mount is unknown count as alt-azimuth. Errors:
 * `invalid` for antennas that are not on Earth, `unsupported` for other mounts.
 */
export function parallacticAnglesOf({ antennas, times, field, source }: Observation): Float64Array {
  const [ra, dec] = field.phaseCentre;
  const places = antennas.map(({ name, position, mount = "" }) => {
    const kind = mount.toLowerCase().replace(/[^a-z+]/g, "");
    if (kind === "equatorial") return undefined;
    if (!ALT_AZIMUTH.includes(kind)) {
      const text =
        `Cannot compute parallactic angles for ${source}: the mount of antenna ${name} is ${mount}; ` +
        "alt-az and equatorial are read; give parallactic_angles in termInputs";
      throw new TilewiseError("unsupported", text, {
        option: "termInputs.parallactic_angles",
        found: mount,
        expected: "alt-az, equatorial",
      });
    }
    if (Math.hypot(...position) >= GROUND) return latitudeOf(position);
    const text = `Cannot compute parallactic angles for ${source}: the antenna ${name} is not on Earth, at ` +
      `${position.join(", ")} m; give parallactic_angles in termInputs`;
    throw new TilewiseError("invalid", text, { option: "termInputs.parallactic_angles" });
  });
  const angles = new Float64Array(times.length * antennas.length);
  times.forEach((time, t) => {
    places.forEach((place, a) => {
      if (!place) return;
      const [latitude, longitude] = place;
      const [right, up] = zenithAt(time, [longitude, latitude]);
      angles[t * antennas.length + a] = parallacticAngle(right - ra, dec, up);
    });
  });
  return angles;
}
