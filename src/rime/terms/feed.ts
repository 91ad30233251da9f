/**
 * The term L: feeds that turn against the sky.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { needed, oneOf } from "../../options/rules.ts";
import { kernel } from "../../kernels/registry.ts";
import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import {
  ANGLES,
  arrayOf,
  eachAngle,
  type Feed,
  type JonesTerm,
  matrixBytes,
  numbersIn,
  pairsIn,
  realOf,
  type TermEntry,
} from "./term.ts";

/** What the term is made with. */
interface FeedUse {
  readonly feed: Feed;
  /** Whether second receptors have angles of their own, `feed_skews` (na). */
  readonly skewed?: boolean;
  /** Whether samples are conjugates of those of Measurement Sets: then circular feeds turn the other way. */
  readonly conjugated?: boolean;
}

/** Angles of second receptors. */
const SKEWS: ArraySchema = {
  name: "feed_skews",
  shape: ["na"],
  dtype: "float64",
  role: "input",
  description: "from the perpendicular of X to Y, or from R to L",
  units: "rad",
};

/** The matrices of all times and antennas of a tile. */
const ROTATION = "feed_rotation";

/**
 * The term L: the rotation of feeds by ψ = parallactic angle + feed angle, for each time and antenna. Linear feeds:
 * `[[cos ψ, sin ψ], [−sin ψ, cos ψ]]`; circular feeds: `diag(exp(−iψ), exp(iψ))`.
 *
 * The correlations must be those of the same feeds. It needs `parallactic_angles` (ntime, na) and `feed_angles` (na) in radians.
 *
 * @example
 * ```ts
 * import { feedRotation } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 * const inputs = feedRotation("linear").arrays.filter(({ role }) => role === "input");
 * assertEquals(inputs.map(({ name }) => name), ["parallactic_angles", "feed_angles"]);
 * ```
 * @category Measurement equation
 */
export function feedRotation(feed: Feed): JonesTerm {
  checkOptionNames("feedRotation()", { feed }, FEED_NAMES);
  return {
    name: ROTATION,
    term: "feedRotation",
    arrays: [...ANGLES, {
      name: ROTATION,
      shape: ["ntime", "na", 4],
      dtype: "complex128",
      role: "temporary",
    }],
    params: { feed },
    feed,
  };
}

/** The same term for the feeds of an observation; other terms as they are. */
export function rotatedBy(term: JonesTerm, use: Omit<FeedUse, "feed">): JonesTerm {
  if (term.term !== "feedRotation") return term;
  const arrays = use.skewed ? [...term.arrays, SKEWS] : term.arrays;
  return { ...term, arrays, params: { ...term.params, ...use } };
}

const FEED_NAMES: OptionNames<Pick<FeedUse, "feed">> = { feed: needed(oneOf("linear", "circular")) };

/** See {@link feedRotation}. */
export const FEED_ROTATION: TermEntry<FeedUse> = {
  start({ params: { feed, skewed, conjugated }, kernels, precision }) {
    const multiply = kernel(kernels, "multiply_jones", realOf(precision));
    const matrix = feed === "linear" ? linear : circular;
    const turn = conjugated && feed === "circular" ? -1 : 1;
    return (tile) => {
      const { times, antennas, channels } = tile;
      const place = arrayOf(tile, ROTATION);
      const matrices = pairsIn(kernels.memory, place);
      const skews = skewed ? numbersIn(kernels.memory, arrayOf(tile, SKEWS.name)) : undefined;
      eachAngle(kernels.memory, tile, (angle, i) => {
        matrices.set(matrix(turn * angle, skews ? turn * skews[i % antennas]! : 0), 8 * i);
      });
      return ({ jones, sources }) => {
        multiply(jones, place.pointer, sources, times * antennas, channels, matrixBytes(precision), 0);
      };
    };
  },
};

/** Each receptor sees the field along its own direction. */
function linear(angle: number, skew: number): number[] {
  const second = angle + skew;
  return [Math.cos(angle), 0, Math.sin(angle), 0, -Math.sin(second), 0, Math.cos(second), 0];
}

function circular(angle: number, skew: number): number[] {
  const second = angle + skew;
  return [Math.cos(angle), -Math.sin(angle), 0, 0, 0, 0, Math.cos(second), Math.sin(second)];
}
