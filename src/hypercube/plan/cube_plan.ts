/**
 * What a plan of a cube is.
 *
 * @module
 */

import type { Planned } from "../../runner/plan.ts";
import type { Hypercube } from "../cube/cube.ts";
import type { Stride } from "../cube/iterate.ts";
import type { PlanStrategy } from "./options.ts";

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
