/**
 * What a plan of a cube is.
 *
 * @module
 */

import type { Planned } from "../../runner/plan.ts";
import type { ArraySchema, Hypercube } from "../cube/cube.ts";
import type { Stride } from "../cube/iterate.ts";
import type { PlanStrategy } from "./options.ts";
import { type Cut, cutEvenly } from "../../runner/parts.ts";

/**
 * Tiles of a cube, and their memory; what kernels, merged outputs and providers need is added when it is run.
 * @category Hypercubes
 */
export interface TilePlan extends Planned {
  /** The cube. */
  readonly cube: Hypercube;
  /** How the extents were found. */
  readonly strategy: PlanStrategy;
  /** The reductions that were made, in their order; none for the strategy `joint`. */
  readonly steps: readonly Stride[];
  /** The tiled dimensions and the extent of a full tile along each. */
  readonly strides: readonly Stride[];
  /** Number of tiles. */
  readonly tiles: number;
  /** Number of tiles in flight. */
  readonly inFlight: number;
  /** Arrays that exist once: inputs that do not depend on a tiled dimension. */
  readonly once: readonly string[];
  /** Arrays that exist once per tile in flight. */
  readonly each: readonly string[];
  /** Bytes of the arrays that exist once. */
  readonly onceBytes: number;
  /** Bytes of a full tile. */
  readonly tileBytes: number;
  /** Bytes that sources and sinks move in the whole run; inputs that several tiles need count once per tile. */
  readonly moved: number;
}

/** The schemas of the outputs of a cube. */
export function outputsOf({ arrays }: Hypercube): ArraySchema[] {
  return [...arrays.values()].filter(({ role }) => role === "output");
}

/** The cut of a cube. */
export function tileCut({ cube, tiles, moved }: Pick<TilePlan, "cube" | "tiles" | "moved">): Cut {
  const bytes = outputsOf(cube).reduce((sum, { name }) => sum + cube.arrayBytes(name), 0);
  return cutEvenly(tiles, Math.max(1, Math.ceil(bytes / Math.max(1, tiles))), 1, moved);
}
