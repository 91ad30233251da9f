/**
 * How the tiles of a cube are cut into parts: ranges of them, in their order.
 *
 * @module
 */

import type { Cut } from "../../runner/parts.ts";
import { cutEvenly } from "../../runner/cut_evenly.ts";
import type { ArraySchema, Hypercube } from "../cube/cube.ts";
import type { TilePlan } from "./cube_plan.ts";

/** The schemas of the outputs of a cube. */
export function outputsOf({ arrays }: Hypercube): ArraySchema[] {
  return [...arrays.values()].filter(({ role }) => role === "output");
}

/** The cut of a cube. */
export function tileCut({ cube, tiles, moved }: Pick<TilePlan, "cube" | "tiles" | "moved">): Cut {
  const bytes = outputsOf(cube).reduce((sum, { name }) => sum + cube.arrayBytes(name), 0);
  return cutEvenly(tiles, Math.max(1, Math.ceil(bytes / Math.max(1, tiles))), 1, moved);
}
