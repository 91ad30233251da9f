/**
 * Which antenna baselines point to: writers of one format differ, so this is found from the places of the antennas.
 *
 * @module
 */

import type { Antenna, Observation } from "./observation.ts";

type Vector = readonly [number, number, number];

/** Sidereal angle of Greenwich in radians at a time in seconds, MJD · 86400, to a minute of arc. */
function siderealAngle(time: number): number {
  const days = time / 86400 - 51544.5;
  return (280.46061837 + 360.98564736629 * days) % 360 * Math.PI / 180;
}

/** u, v and w of a baseline that is `x`, `y`, `z` on Earth, at a time, for a direction; to a thousandth. */
export function roughUvw([x, y, z]: Vector, time: number, [ra, dec]: readonly [number, number]): Vector {
  const angle = siderealAngle(time) - ra; // hour angle at Greenwich
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const towards = c * x - s * y;
  return [
    s * x + c * y,
    -Math.sin(dec) * towards + Math.cos(dec) * z,
    Math.cos(dec) * towards + Math.sin(dec) * z,
  ];
}

/** Some rows of an observation. */
export interface SignRows {
  /** Times in seconds. */
  readonly times: ArrayLike<number>;
  /** First antennas. */
  readonly antenna1: ArrayLike<number>;
  /** Second antennas. */
  readonly antenna2: ArrayLike<number>;
  /** Baselines. */
  readonly uvw: ArrayLike<number>;
}

/** The sign of `uvw`, as far as the places of the antennas tell it; `undefined` if they do not. */
export function signOf(
  { times, antenna1, antenna2, uvw }: SignRows,
  antennas: readonly Antenna[],
  centre: readonly [number, number],
): Observation["uvwSign"] | undefined {
  let [product, own, expected] = [0, 0, 0];
  for (let row = 0; row < times.length; row++) {
    const [first, second] = [antennas[antenna1[row]!]?.position, antennas[antenna2[row]!]?.position];
    if (!first || !second) return undefined;
    const baseline: Vector = [second[0] - first[0], second[1] - first[1], second[2] - first[2]];
    roughUvw(baseline, times[row]!, centre).forEach((value, i) => {
      const found = uvw[3 * row + i]!;
      product += value * found;
      own += found * found;
      expected += value * value;
    });
  }
  const cosine = product / Math.sqrt(own * expected);
  if (cosine > 0.9) return "antenna2 - antenna1";
  if (cosine < -0.9) return "antenna1 - antenna2";
  return undefined;
}
