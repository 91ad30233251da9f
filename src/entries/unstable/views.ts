/**
 * The rest of views: plans of views and readers, tiles by loaders, kernels, reductions, sinks of one format.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example The corner of an image, with its edge repeated
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { arrayOf, planViews, ViewReader } from "@tilewise/tilewise/unstable/views";
 * import { assertEquals } from "@std/assert";
 *
 * const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6);
 * const image = await open(bytes, { format: "raw", dtype: "uint8", nav: [], sig: [2, 3] });
 * await using context = createContext({ memory: "1MiB", workers: 0 });
 * const plan = planViews(arrayOf(image), { tile: [1, 2], radius: 1, border: "edge", context });
 * await using views = await ViewReader.open(plan);
 * using view = await views.read([0, 0]);
 * assertEquals(view.data, Uint8Array.of(1, 1, 2, 3, 1, 1, 2, 3, 4, 4, 5, 6));
 * ```
 *
 * @module
 */

export type { Halo, HaloSides, Radius } from "../../space/halo.ts";
export type { AxisBorder, BorderMap, CustomBorder } from "../../space/border.ts";
export { type Grid, gridOf, tileBox } from "../../space/box.ts";
export type { TileOrder, Traversal, TraversalInput, TraversalOrder } from "../../space/traversal.ts";
export {
  arrayOf,
  type ArraySpec,
  type FrameArray,
  type JoinedArray,
  type PlainArray,
} from "../../views/array.ts";
export { borderFunction, type BorderFunctionOptions } from "../../views/extend.ts";
export type { ViewGeometry } from "../../views/geometry.ts";
export { arrayAt, joinArrays } from "../../views/joined_array.ts";
export type { BlockKind, BlockLayout } from "../../views/map/blocks.ts";
export type { AnySink, BlockFunction, StepFacts } from "../../views/map/map_plan.ts";
export type { MapMemory } from "../../views/map/memory.ts";
export { reduceViews, type ReduceViewsOptions } from "../../views/map/reduce.ts";
export { copySamples } from "../../views/operations/copy_samples.ts";
export type { DownSampling, SampledType } from "../../views/operations/down_sample.ts";
export type {
  ViewKernelCall,
  ViewKernelOptions,
  ViewScratch,
} from "../../views/operations/kernels/options.ts";
export { viewKernel } from "../../views/operations/kernels/view_kernel.ts";
export type { Nested } from "../../views/operations/filters/nested.ts";
export type { ResultType } from "../../views/operations/filters/separable_entry.ts";
export type { AxesInput } from "../../views/chain/dimensions.ts";
export type { Along, OperationFacts } from "../../views/operations/operation.ts";
export type { ReducedArray, TileResult, ViewReduction } from "../../views/operations/operation.ts";
export { type SampleRange, sampleRange } from "../../views/operations/sample_range.ts";
export type { FunctionParams } from "../../views/operations/view_function.ts";
export type {
  ViewBuffer,
  ViewBuffers,
  ViewBufferType,
  ViewEntries,
  ViewResults,
  ViewUdf,
  ViewUdfOptions,
} from "../../views/operations/udf/entries.ts";
export { defineViewUdf, type ViewResultsOf, viewUdf } from "../../views/operations/udf/view_udf.ts";
export { boxOnLevel, type LevelFacts, levelOfScale } from "../../views/tiles/pyramid.ts";
export { planViews, type ViewLayout, type ViewOptions, type ViewPlan } from "../../views/plan.ts";
export {
  bestTraversal,
  type CacheOptions,
  type CachePolicy,
  type PredictionOptions,
  predictMisses,
  type TraversalCost,
} from "../../views/prediction.ts";
export type { ChunkSinkOptions } from "../../sinks/chunks/chunk_options.ts";
export type { LevelCount } from "../../sinks/chunks/levels.ts";
export type { LevelReduction } from "../../sinks/chunks/reduce.ts";
export type { TiffOptions } from "../../sinks/tiff/target.ts";
export type { ZarrOptions } from "../../sinks/zarr/target.ts";
export type { LevelPlan } from "../../views/tiles/levels.ts";
export type { ViewsInput } from "../../views/tiles/loaders/origin.ts";
export {
  type TileLevel,
  type TileLoader,
  tileLoader,
  type TileLoaderModule,
  type TileLoaderOptions,
} from "../../views/tiles/loaders/tile_loader.ts";
export type { LoadingMemory } from "../../views/tiles/memory.ts";
export type { LoadingOptions } from "../../views/tiles/plan.ts";
export { planLoading } from "../../views/tiles/open.ts";
export type { LoadingStatistics, Stage } from "../../views/tiles/statistics.ts";
export { TiledView } from "../../views/tiles/tiled_view.ts";
export type { AllViewsOptions, Requested, ViewRequestOptions } from "../../views/tiles/views.ts";
export { View, ViewReader, type ViewReaderOptions } from "../../views/view.ts";
