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

export { type CubePlan, type CubePlanOptions, type PlanStrategy, planTiles } from "./plan/budget.ts";
export { type CubeInit, Hypercube, hypercube, type Slice } from "./cube/cube.ts";
export type { DimensionInit, DimensionRule } from "./cube/derive.ts";
export { type Dimension, dimension, type DimensionChange, type Extent } from "./cube/dimension.ts";
export {
  type ArrayChunk,
  arrayIter,
  chunkCount,
  dimensionIter,
  extentIter,
  sliceIter,
  type Stride,
  tileIter,
} from "./cube/iterate.ts";
export type { DimensionQuery } from "./cube/names.ts";
export type { Property, PropertyInit } from "./cube/property.ts";
export type { ArrayDefault, ArrayRole, ArraySchema, DefaultContext } from "./cube/schema.ts";
export type {
  InitContext,
  ProviderContext,
  SinkContext,
  StartContext,
  StopContext,
} from "./providers/context.ts";
export type { HelpOptions } from "./providers/help.ts";
export type { DimensionUpdates, Provider, Sink, Sinks, Source, Sources } from "./providers/provider.ts";
export {
  type WorkerDimension,
  type WorkerSource,
  workerSource,
  type WorkerSourceContext,
  type WorkerSourceFunction,
  type WorkerSourceOptions,
} from "./providers/worker_source.ts";
export { cached, type CachedOptions, type CachedProvider } from "./providers/cached.ts";
export { fromArrays, type FromArraysOptions } from "./providers/arrays.ts";
export { fromDataset, type FromDatasetOptions } from "./providers/dataset.ts";
export { toNpy } from "./providers/sinks/npy.ts";
export { type ResumeOptions } from "./providers/sinks/resume.ts";
export { toZarr, type ToZarrOptions } from "./providers/sinks/zarr.ts";
export { type MemorySink, toMemory } from "./providers/sinks/memory.ts";
export type { CubeKernel, PreparedKernel } from "./run/kernel.ts";
export {
  type ArrayDTypes,
  type CubeFunction,
  cubeFunction,
  type CubeFunctionOptions,
  type CubeTile,
} from "./run/kernels/function.ts";
export type { NDArray } from "../space/ndarray.ts";
export { cubeKernel, type CubeKernelCall, type CubeKernelOptions } from "./run/kernels/assembly.ts";
export { cubeExpression, type CubeExpressionOptions } from "./run/kernels/expression.ts";
export type { CubeMerge, MergeFunction } from "./run/merge.ts";
export type { CubeReport } from "./run/report.ts";
export type { CubeProblem } from "./parts/problem.ts";
export type { CubeRunOptions } from "./run/run_cube.ts";
