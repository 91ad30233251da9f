/**
 * Views: tiles of a large array with a halo of any radius, and operations over them, such as filters.
 *
 * @example The corner of an image, with its edge repeated
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { arrayOf, planViews, ViewReader } from "@tilewise/tilewise/views";
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

import "../threads.ts";

export type { ArrayOf, DType } from "../space/dtype.ts";
export type { Halo, HaloSides, Radius } from "../space/halo.ts";
export type { NDArray } from "../space/ndarray.ts";
export type { Shape } from "../space/shape.ts";
export {
  type AxisBorder,
  type Border,
  BORDER_ALIASES,
  type BorderInput,
  type BorderMap,
  BORDERS,
  type CustomBorder,
  parseBorder,
} from "../space/border.ts";
export { type Box, box } from "../space/box.ts";
export { type Grid, gridOf, tileBox, tileBoxes } from "../space/grid.ts";
export {
  type TileOrder,
  type Traversal,
  type TraversalInput,
  type TraversalOrder,
  TRAVERSALS,
} from "../space/traversal.ts";
export {
  type ArrayFacts,
  arrayOf,
  type ArraySpec,
  type FrameArray,
  type JoinedArray,
  type MapInput,
  type PlainArray,
} from "../views/array.ts";
export { borderFunction, type BorderFunctionOptions } from "../views/border_function.ts";
export { type ViewGeometry, viewGeometry, viewShape } from "../views/geometry.ts";
export { arrayAt, joinArrays } from "../views/joined_array.ts";
export { type BlockKind, type BlockLayout, type MapBlock } from "../views/map/blocks.ts";
export { type MapPlan, type StepFacts } from "../views/map/facts.ts";
export type { MapRun } from "../views/map/map_run.ts";
export { mapViews, type MapViewsOptions } from "../views/map/map_views.ts";
export { type MapMemory } from "../views/map/memory.ts";
export { npyFile } from "../views/map/rows_file.ts";
export { type MapPlanOptions, planMap } from "../views/map/plan.ts";
export { reduceViews, type ReduceViewsOptions } from "../views/map/reduce.ts";
export {
  type AnySink,
  type BlockFunction,
  type ChunkSink,
  type MapRunOptions,
  type MapSink,
  type ResultFacts,
  type WithSink,
} from "../views/map/sink.ts";
export {
  type Histogram,
  histogramOf,
  type HistogramOptions,
  otsu,
  otsuThreshold,
  percentiles,
} from "../views/measure/histogram.ts";
export { labelImage, type LabelOptions, type Labels } from "../views/measure/label_image.ts";
export { type LabelMeasures, measure, type MeasureOptions } from "../views/measure/measure.ts";
export { boxMean, type BoxMeanOptions } from "../views/operations/box_mean.ts";
export { chain, type ViewOperations } from "../views/operations/chain.ts";
export { convert, type ConvertOptions } from "../views/operations/convert.ts";
export { copySamples } from "../views/operations/copy_samples.ts";
export {
  downSample,
  type DownSampleOptions,
  type DownSampling,
  type SampledType,
} from "../views/operations/down_sample.ts";
export { viewExpression, type ViewExpressionOptions } from "../views/operations/expression.ts";
export { convolve, type ConvolveOptions, correlate } from "../views/operations/filters/convolve.ts";
export {
  gaussian,
  gaussianGradient,
  type GaussianOptions,
  type GaussianSumOptions,
  laplacianOfGaussian,
} from "../views/operations/filters/gaussian.ts";
export {
  type GradientOptions,
  laplacian,
  type LaplacianOptions,
  prewitt,
  scharr,
  sobel,
} from "../views/operations/filters/gradients.ts";
export { localThreshold, type LocalThresholdOptions } from "../views/operations/filters/local_threshold.ts";
export {
  localDeviation,
  localVariance,
  type LocalVarianceOptions,
} from "../views/operations/filters/local_variance.ts";
export {
  blackTopHat,
  closing,
  morphologicalGradient,
  type MorphologyOptions,
  opening,
  whiteTopHat,
} from "../views/operations/filters/morphology.ts";
export {
  type ViewKernelCall,
  type ViewKernelOptions,
  type ViewScratch,
} from "../views/operations/kernels/options.ts";
export { viewKernel } from "../views/operations/kernels/view_kernel.ts";
export { type Nested } from "../views/operations/filters/nested.ts";
export {
  median,
  type MedianOptions,
  percentile,
  type PercentileOptions,
} from "../views/operations/filters/rank.ts";
export { type ResultType } from "../views/operations/filters/separable_entry.ts";
export { unsharp, type UnsharpOptions } from "../views/operations/filters/unsharp.ts";
export { type LocalExtremeOptions, localMaximum, localMinimum } from "../views/operations/local_extremes.ts";
export type { AxesInput } from "../views/chain/dimensions.ts";
export { type Along, type OperationFacts, type ViewOperation } from "../views/operations/operation.ts";
export { type Neighbour, perSample } from "../views/operations/per_sample.ts";
export { type ReducedArray, type TileResult, type ViewReduction } from "../views/operations/reduction.ts";
export { type SampleRange, sampleRange } from "../views/operations/sample_range.ts";
export { threshold, type ThresholdOptions } from "../views/operations/threshold.ts";
export {
  type FunctionParams,
  type FunctionView,
  type ViewFunction,
  viewFunction,
  type ViewFunctionOptions,
} from "../views/operations/view_function.ts";
export {
  type ViewBuffer,
  type ViewBuffers,
  type ViewBufferType,
  type ViewEntries,
  type ViewResults,
  type ViewUdf,
  type ViewUdfOptions,
} from "../views/operations/udf/types.ts";
export { defineViewUdf, type ViewResultsOf, viewUdf } from "../views/operations/udf/view_udf.ts";
export { boxOnLevel, type LevelFacts, levelOfScale } from "../views/tiles/pyramid.ts";
export { planViews, type ViewLayout, type ViewOptions, type ViewPlan } from "../views/plan.ts";
export {
  bestTraversal,
  type CacheOptions,
  type CachePolicy,
  type PredictionOptions,
  predictMisses,
  type TraversalCost,
} from "../views/prediction.ts";
export { type ChunkSinkOptions } from "../sinks/chunks/chunk_options.ts";
export { type LevelCount } from "../sinks/chunks/levels.ts";
export { type Reduction } from "../sinks/chunks/reduce.ts";
export { fileSink, type FileSinkOptions } from "../views/sinks/registry.ts";
export { type TiffOptions } from "../sinks/tiff/target.ts";
export { omeTiffFile, tiffFile } from "../views/sinks/tiff_file.ts";
export { type ZarrOptions } from "../sinks/zarr/target.ts";
export { omeZarrFile, zarrFile } from "../views/sinks/zarr_file.ts";
export { type LevelPlan } from "../views/tiles/levels.ts";
export { type ViewsInput } from "../views/tiles/loaders/origin.ts";
export {
  type TileLevel,
  type TileLoader,
  tileLoader,
  type TileLoaderModule,
  type TileLoaderOptions,
} from "../views/tiles/loaders/tile_loader.ts";
export { type LoadingMemory } from "../views/tiles/memory.ts";
export { openViews, type OpenViewsOptions } from "../views/tiles/open.ts";
export { type LoadingOptions, type LoadingPlan, planLoading, type ViewsAs } from "../views/tiles/plan.ts";
export { type LoadingStatistics, type Stage } from "../views/tiles/statistics.ts";
export { TiledView } from "../views/tiles/tiled_view.ts";
export {
  type AllViewsOptions,
  type Requested,
  type ViewRequestOptions,
  Views,
} from "../views/tiles/views.ts";
export { View, ViewReader, type ViewReaderOptions } from "../views/view.ts";
