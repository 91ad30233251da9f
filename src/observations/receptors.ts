/**
 * Which way the receptors of antennas point: angles belong to types, in whatever order a source lists them.
 *
 * @module
 */

import type { Antenna, Receptor } from "./observation.ts";

/** The types of the two receptors of a feed. */
export const FEEDS: Readonly<Record<"linear" | "circular", readonly [string, string]>> = {
  linear: ["X", "Y"],
  circular: ["R", "L"],
};

/** Angles nearer to each other are equal. */
const EQUAL = 1e-6;

/** How a feed is turned. */
export interface FeedAngles {
  /** Position angle in radians of the receptor X or R, or of the first one where types are unknown. */
  readonly angle: number;
  /** By how much the angle of Y is more than that of X and a quarter turn, or that of L more than that of R. */
  readonly skew: number;
}

/**
 * The angles of an antenna. Linear receptors with equal angles, such as 0 and 0, are perpendicular: then the angle is that of the
 * whole feed, as many Measurement Sets have it.
 */
export function feedAnglesOf({ receptors = [] }: Antenna): FeedAngles {
  for (const [first, second] of Object.values(FEEDS)) {
    const [a, b] = [angleOf(receptors, first), angleOf(receptors, second)];
    if (a === undefined) continue;
    const isLinear = first === "X";
    if (b === undefined || (isLinear && Math.abs(b - a) < EQUAL)) return { angle: a, skew: 0 };
    const skew = isLinear ? b - a - Math.PI / 2 : b - a;
    return { angle: a, skew: Math.abs(skew) < EQUAL ? 0 : skew };
  }
  return { angle: receptors[0]?.angle ?? 0, skew: 0 };
}

function angleOf(receptors: readonly Receptor[], type: string): number | undefined {
  return receptors.find(({ polarization }) => polarization.toUpperCase() === type)?.angle;
}

/** The kind of the feeds of antennas; `undefined` if sources do not say, or differ. */
export function feedOf(antennas: readonly Antenna[]): "linear" | "circular" | undefined {
  const kinds = new Set(
    antennas.map(({ receptors = [] }) =>
      (["linear", "circular"] as const).find((kind) =>
        FEEDS[kind].some((type) => angleOf(receptors, type) !== undefined)
      )
    ),
  );
  return kinds.size === 1 ? [...kinds][0] : undefined;
}
