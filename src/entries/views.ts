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

export * from "../space/border.ts";
export { type Box, box } from "../space/box.ts";
export { type Grid, gridOf, tileBox, tileBoxes } from "../space/grid.ts";
export type { NDArray } from "../space/ndarray.ts";
export { type Traversal } from "../space/traversal.ts";
export {
  type ArrayFacts,
  arrayOf,
  type ArraySpec,
  type FrameArray,
  type PlainArray,
} from "../views/array.ts";
export { type ViewGeometry, viewGeometry, viewShape } from "../views/geometry.ts";
export { type BlockKind, type BlockLayout, type MapBlock } from "../views/map/blocks.ts";
export { type MapPlan } from "../views/map/facts.ts";
export { type MapRun, mapViews, type MapViewsOptions } from "../views/map/map_views.ts";
export { type MapMemory } from "../views/map/memory.ts";
export { npyFile } from "../views/map/npy_file.ts";
export { type MapPlanOptions, planMap } from "../views/map/plan.ts";
export { type MapRunOptions } from "../views/map/run.ts";
export {
  type AnySink,
  type BlockFunction,
  type MapSink,
  type ResultFacts,
  type WithSink,
} from "../views/map/sink.ts";
export { boxMean, type BoxMeanOptions } from "../views/operations/box_mean.ts";
export { convolve, type ConvolveOptions, correlate } from "../views/operations/convolve.ts";
export {
  gaussian,
  gaussianGradient,
  type GaussianOptions,
  type GaussianSumOptions,
  laplacianOfGaussian,
} from "../views/operations/gaussian.ts";
export {
  type GradientOptions,
  laplacian,
  type LaplacianOptions,
  prewitt,
  scharr,
  sobel,
} from "../views/operations/gradients.ts";
export { type LocalExtremeOptions, localMaximum, localMinimum } from "../views/operations/local_extremes.ts";
export { type OperationFacts, type Radius, type ViewOperation } from "../views/operations/operation.ts";
export { type Neighbour, perSample } from "../views/operations/per_sample.ts";
export {
  localDeviation,
  localThreshold,
  type LocalThresholdOptions,
  localVariance,
  type LocalVarianceOptions,
} from "../views/operations/local_statistics.ts";
export { morphologicalGradient } from "../views/operations/morphology.ts";
export { type Nested } from "../views/operations/nested.ts";
export { median, type MedianOptions, percentile, type PercentileOptions } from "../views/operations/rank.ts";
export { type ResultType } from "../views/operations/separable_entry.ts";
export { unsharp, type UnsharpOptions } from "../views/operations/unsharp.ts";
export {
  type FunctionParams,
  type FunctionView,
  type ViewFunction,
  viewFunction,
  type ViewFunctionOptions,
} from "../views/operations/view_function.ts";
export { planViews, type ViewLayout, type ViewOptions, type ViewPlan } from "../views/plan.ts";
export { View, ViewReader, type ViewReaderOptions } from "../views/view.ts";
