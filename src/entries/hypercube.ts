/**
 * Hypercubes: named dimensions, arrays over them, a budget that determines the tiles, sources and sinks as functions.
 *
 * @example Tiles of a cube within a budget
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { hypercube, planTiles } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 *
 * const cube = hypercube({
 *   dimensions: { ntime: 10, nchan: 64 },
 *   arrays: [{ name: "vis", shape: ["ntime", "nchan"], dtype: "complex128", role: "output" }],
 * });
 * await using context = createContext({ memory: 30_000, workers: 0 });
 * const plan = planTiles(cube, { context, tile: ["ntime", "nchan"] });
 * assertEquals([plan.strides, plan.tiles], [[["ntime", 5], ["nchan", 64]], 2]);
 * ```
 *
 * @module
 */

export type { CubePlanOptions, TilePlan } from "../hypercube/plan/budget.ts";
export { planTiles } from "../hypercube/run/run_cube.ts";
export { type CubeInit, Hypercube, hypercube } from "../hypercube/cube/cube.ts";
export type { Provider } from "../hypercube/providers/provider.ts";
export { fromArrays, type FromArraysOptions } from "../hypercube/providers/arrays.ts";
export { fromDataset, type FromDatasetOptions } from "../hypercube/providers/dataset.ts";
export { toNpy } from "../hypercube/providers/sinks/npy.ts";
export type { ResumeOptions } from "../hypercube/providers/sinks/resume.ts";
export { toZarr, type ToZarrOptions } from "../hypercube/providers/sinks/zarr.ts";
export { type MemorySink, toMemory } from "../hypercube/providers/sinks/memory.ts";
export type { CubeKernel } from "../hypercube/run/kernel.ts";
export {
  type CubeFunction,
  cubeFunction,
  type CubeFunctionOptions,
  type CubeTile,
} from "../hypercube/run/kernels/function.ts";
export type { NDArray } from "../space/ndarray.ts";
export type { CubePlan, CubeReport, CubeRunOptions } from "../hypercube/run/options.ts";
export type { InitContext, StartContext, StopContext } from "../hypercube/providers/context.ts";
