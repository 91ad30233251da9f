/**
 * The rest of hypercubes: dimensions, iteration, kernels in AssemblyScript and as expressions, types of sources and sinks.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example A dimension by itself
 * ```ts
 * import { dimension } from "@tilewise/tilewise/unstable/hypercube";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(dimension("ntime", 10).name, "ntime");
 * ```
 *
 * @module
 */

export type { PlanStrategy } from "../../hypercube/plan/budget.ts";
export type { Slice } from "../../hypercube/cube/cube.ts";
export type { DimensionInit, DimensionRule } from "../../hypercube/cube/derive.ts";
export {
  type Dimension,
  dimension,
  type DimensionChange,
  type Extent,
} from "../../hypercube/cube/dimension.ts";
export {
  type ArrayChunk,
  arrayIter,
  chunkCount,
  dimensionIter,
  extentIter,
  sliceIter,
  type Stride,
  tileIter,
} from "../../hypercube/cube/iterate.ts";
export type { DimensionQuery } from "../../hypercube/cube/describe.ts";
export type { Property, PropertyInit } from "../../hypercube/cube/property.ts";
export type { ArrayDefault, ArrayRole, ArraySchema, DefaultContext } from "../../hypercube/cube/schema.ts";
export type { ProviderContext, SinkContext } from "../../hypercube/providers/context.ts";
export type { HelpOptions } from "../../hypercube/providers/context.ts";
export type { DimensionUpdates, Sink, Sinks, Source, Sources } from "../../hypercube/providers/provider.ts";
export {
  type WorkerDimension,
  type WorkerSource,
  workerSource,
  type WorkerSourceContext,
  type WorkerSourceOptions,
} from "../../hypercube/providers/worker_source.ts";
export { cached, type CachedOptions, type CachedProvider } from "../../hypercube/providers/cached.ts";
export type { PreparedKernel } from "../../hypercube/run/kernel.ts";
export type { ArrayDTypes } from "../../hypercube/run/kernels/function.ts";
export {
  cubeKernel,
  type CubeKernelCall,
  type CubeKernelOptions,
} from "../../hypercube/run/kernels/assembly.ts";
export { cubeExpression, type CubeExpressionOptions } from "../../hypercube/run/kernels/expression.ts";
export type { CubeMerge, MergeFunction } from "../../hypercube/run/merge.ts";
export type { CubeProblem } from "../../hypercube/parts/problem.ts";
