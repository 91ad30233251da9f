/**
 * Plans of cubes, with their run.
 *
 * @module
 */

import type { Hypercube } from "../cube/cube.ts";
import { type CubePlanOptions, tilePlan } from "../plan/budget.ts";
import type { CubePlan, CubeReport, CubeRunOptions } from "./options.ts";
import { runCube } from "./run_cube.ts";

/**
 * Plans the tiles of `cube`; `over-budget`, with the sum, if the least tile is too large.
 *
 * @param cube what to cut
 * @param options the context, and the dimensions to cut along
 * @returns the plan, which explains itself and is run by `run`
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { hypercube, planTiles } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { ntime: 10, nchan: 64 },
 *   arrays: [{ name: "vis", shape: ["ntime", "nchan"], dtype: "complex128", role: "output" }],
 * });
 * const context = createContext({ memory: 30_000 });
 * const plan = planTiles(cube, { context, tile: ["ntime", "nchan"] });
 * assertEquals([plan.strides, plan.tiles, plan.memory.total], [[["ntime", 5], ["nchan", 64]], 2, 4 * 5 * 1024]);
 * ```
 * @category Hypercubes
 */
export function planTiles(cube: Hypercube, options: CubePlanOptions = {}): CubePlan {
  return Object.assign(tilePlan(cube, options), { run: runThis });
}

/** The run of the plan, or of a copy of it with other facts, whose method it is. */
function runThis(this: CubePlan, options: CubeRunOptions): Promise<CubeReport> {
  return runCube("run()", this, options);
}
