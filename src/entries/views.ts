/**
 * Operations over images and volumes larger than memory: filters, labels, measures, in chains, to files or to memory.
 *
 * @example The mean of three neighbours in a line
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { boxMean, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 *
 * const image = await open({ data: Uint8Array.of(3, 6, 9, 12), shape: [2, 2] });
 * const { data } = await mapViews(image, boxMean({ radius: [0, 1] }), { border: "reflect" });
 * assertEquals(data, Float32Array.of(5, 4, 11, 10));
 * ```
 *
 * @module
 */

export type { ArrayOf, DType } from "../space/dtype.ts";
export type { NDArray } from "../space/ndarray.ts";
export type { Shape } from "../space/shape.ts";
export type { Border, BorderInput } from "../space/border.ts";
export { type Box, box } from "../space/box.ts";
export type { ArrayFacts, MapInput } from "../views/array.ts";
export type {
  ChunkSink,
  MapPlan,
  MapRun,
  MapRunOptions,
  MapSink,
  ResultFacts,
  WithSink,
} from "../views/map/map_plan.ts";
export { mapViews, type MapViewsOptions } from "../views/map/map_views.ts";
export { type MapPlanOptions, planMap } from "../views/map/plan.ts";
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
export { downSample, type DownSampleOptions } from "../views/operations/down_sample.ts";
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
  median,
  type MedianOptions,
  percentile,
  type PercentileOptions,
} from "../views/operations/filters/rank.ts";
export { unsharp, type UnsharpOptions } from "../views/operations/filters/unsharp.ts";
export { type LocalExtremeOptions, localMaximum, localMinimum } from "../views/operations/local_extremes.ts";
export type { ViewOperation } from "../views/operations/operation.ts";
export { type Neighbour, perSample } from "../views/operations/per_sample.ts";
export { threshold, type ThresholdOptions } from "../views/operations/threshold.ts";
export {
  type FunctionView,
  type ViewFunction,
  viewFunction,
  type ViewFunctionOptions,
} from "../views/operations/view_function.ts";
export { fileSink, type FileSinkOptions } from "../views/sinks/registry.ts";
export { type LoadingPlan, openViews, type OpenViewsOptions } from "../views/tiles/open.ts";
export type { LoadingFacts, ViewsAs } from "../views/tiles/plan.ts";
export { Views } from "../views/tiles/views.ts";
export type { MapBlock } from "../views/map/blocks.ts";
