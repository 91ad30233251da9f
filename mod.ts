/**
 * Tilewise computes on arrays larger than memory, tile by tile, at the speed of the storage.
 *
 * @example From frames to a picture
 * ```ts
 * import { annularDetector, open, plan, run, save, sumFrames } from "@tilewise/tilewise";
 *
 * // A path such as "scan.mib", a URL, a File, a Blob, or bytes; here: 4 × 4 frames of 16 × 16 pixels.
 * const frames = Uint8Array.from({ length: 4 * 4 * 16 * 16 }, (_, i) => i % 251);
 * const scan = await open(frames, { format: "raw", dtype: "uint8", nav: [4, 4], sig: [16, 16] });
 *
 * const job = await plan(scan, { dp: sumFrames(), haadf: annularDetector({ ri: 4, ro: 8 }) });
 * console.log(job.explain()); // tiles, bytes to read, peak memory, and why
 *
 * const { haadf } = await run(job);
 * const folder = await Deno.makeTempDir();
 * await save(haadf.intensity, `${folder}/haadf.png`);
 * await Deno.remove(folder, { recursive: true });
 * ```
 *
 * @module
 */

import "./src/threads.ts";

export * from "./src/errors.ts";
export * from "./src/space/dtype.ts";
export {
  type ArrayFunctions,
  asNumbers,
  combineInto,
  copyNumbers,
  type FloatArray,
  isBig,
  type NumberArray,
} from "./src/space/numbers.ts";
export * from "./src/space/ndarray.ts";
export * from "./src/space/valid.ts";
export { type Shape } from "./src/space/shape.ts";
export { type Box, box } from "./src/space/box.ts";
export { formatBytes, parseBytes } from "./src/space/size.ts";

export * as masks from "./src/masks/mod.ts";
export type * from "./src/masks/mod.ts";
export { Arena, type ArenaOptions, type Lease } from "./src/memory/arena.ts";
export { useWorker } from "./src/executor/threads.ts";
export { inlineExecutor } from "./src/executor/inline.ts";
export { type StartUp, type WorkerPool, workerPool, type WorkerPoolOptions } from "./src/executor/pool.ts";
export type * from "./src/executor/task.ts";

export { type Backend, type DeviceClass, type SparseBackend } from "./src/dataset/backend.ts";
export type { Detection } from "./src/dataset/facts.ts";
export {
  type Axis,
  type AxisFacts,
  Dataset,
  type DatasetInit,
  type Instrument,
} from "./src/dataset/dataset.ts";
export { type Corrections } from "./src/dataset/corrections.ts";
export { type ChunkFilterSpec, type ChunkLayout } from "./src/dataset/layout/chunks.ts";
export { type FileSpan, type FrameLayout } from "./src/dataset/layout/layout.ts";
export {
  type ChunkStorage,
  type CodecSpec,
  type ContiguousStorage,
  type Piece,
  type PieceStorage,
  type ScanFirstStorage,
  type SectorStorage,
  type SparseStorage,
  type Storage,
} from "./src/dataset/layout/storage.ts";
export { type Partition } from "./src/dataset/tiling/partition.ts";
export * as roi from "./src/dataset/roi/region.ts";
export type { NestedTruth } from "./src/dataset/roi/region.ts";
export { type Roi } from "./src/dataset/roi/roi.ts";
export type * from "./src/dataset/roi/roi_input.ts";
export { type SuppliedCorrections } from "./src/dataset/supplied.ts";
export { type TilingScheme } from "./src/dataset/tiling/tiling_scheme.ts";
export { open, openAll, type OpenInput, type OpenOptions } from "./src/formats/open.ts";
export {
  type Arrangement,
  type ArrayInput,
  type CooInput,
  type CsrInput,
  type IndexList,
  type MemoryInput,
} from "./src/formats/memory/inputs.ts";
export { type HttpOptions } from "./src/io/http/link.ts";
export { type Fetch } from "./src/io/http/exchange.ts";
export { type Patience } from "./src/io/source/watch.ts";
export { type RetryOptions } from "./src/io/source/retry.ts";
export { type SourceInput } from "./src/io/open.ts";
export {
  type BlobSpec,
  type ByteSource,
  type BytesSpec,
  type FileSpec,
  type HttpSpec,
  type JoinedPart,
  type JoinedSpec,
  type SourceSpec,
  type UnpackedSpec,
} from "./src/io/source/source.ts";

export { type RunSettings } from "./src/runner/runner.ts";
export { type TileProgress } from "./src/runner/tiles.ts";
export { type CorrectionsInput } from "./src/udf/plan/corrections.ts";
export { type Context, type ContextOptions, createContext, defaultContext } from "./src/runner/context.ts";
export { type BackendFacts, BACKENDS, type BackendTable, type Conversion } from "./src/udf/plan/backends.ts";
export {
  type BackendGroup,
  type BackendSide,
  type ExecutionPlan,
  executionPlan,
  type ExecutionRequest,
} from "./src/udf/plan/execution_plan.ts";
export { type UdfInput } from "./src/udf/plan/given.ts";
export { type CountedWishes } from "./src/udf/buffers/declarations.ts";
export type { Plan } from "./src/udf/plan/plan_facts.ts";
export { plan, type PlanOptions } from "./src/udf/plan/plan.ts";
export { type PlanProgress } from "./src/udf/interface/making.ts";
export { type PlannedUdf } from "./src/udf/plan/plan_udf.ts";
export { run } from "./src/run.ts";
export { dryRun, type Run, type RunOptions as RunUdfOptions } from "./src/udf/run/run.ts";
export { type BufferInfo, inspect, type InspectOptions, type UdfInfo } from "./src/udf/plan/inspect.ts";
export { type PrepareOptions } from "./src/udf/plan/prepare.ts";
export { type Part } from "./src/udf/run/run_state.ts";
export { type ParamPatches } from "./src/udf/run/versions.ts";
export { type Progress } from "./src/udf/run/progress.ts";
export * from "./src/udf/interface/buffer_types.ts";
export { type Params, type ParamValue } from "./src/udf/interface/params.ts";
export type * from "./src/udf/interface/sparse_tile.ts";
export { type Convert, type RawSamples, Tile, type TileInit } from "./src/udf/interface/tile.ts";
export { auxData, type AuxOptions, type AuxSpec } from "./src/udf/interface/aux_data.ts";
export type { ObjectPlan } from "./src/udf/interface/buffer_plan.ts";
export type { AllBuffers } from "./src/udf/buffers/object_buffers.ts";
export { type JsonValue, ObjectRows } from "./src/udf/interface/objects.ts";
export { objectsOf } from "./src/udf/results/object_results.ts";
export type { ObjectArray } from "./src/udf/interface/object_array.ts";
export { type Masked, type ResultValue, withMask } from "./src/udf/interface/with_mask.ts";
export { type MergeRule, type NumberRule } from "./src/udf/interface/merge_rules.ts";
export type { BufferPlan, SetPlan } from "./src/udf/interface/buffer_plan.ts";
export type { MemoryForecast } from "./src/udf/plan/plan_facts.ts";
export type { Culling } from "./src/udf/plan/plan_facts.ts";
export { type Selection } from "./src/udf/buffers/positions.ts";
export { instantiateKernels, type Kernels } from "./src/kernels/wasm.ts";
export { kernel } from "./src/kernels/registry.ts";
export type * from "./src/kernels/families/families.ts";
export type * from "./src/kernels/families/filters.ts";
export { type KernelExports } from "./src/kernels/kernels_types.ts";
export type * from "./src/udf/interface/udf.ts";
export { type DeclaredUdf, defineUdf, type PartsOf } from "./src/udf/interface/define_udf.ts";
export {
  type ExportTypes,
  type Named,
  udf,
  type UdfOptions,
  type UdfRef,
  type UdfTypes,
} from "./src/udf/interface/udf_ref.ts";
export type {
  Derivation,
  DerivedBuffer,
  DerivedDType,
  DerivedTypes,
  DerivedValue,
  DerivedValues,
  DeriveOptions,
} from "./src/udf/interface/derivation.ts";
export { derive } from "./src/udf/interface/derive.ts";
export { type PlannedDerivation } from "./src/udf/plan/derived_plan.ts";
export {
  checkKernel,
  type KernelCheck,
  type KernelCheckOptions,
} from "./src/udf/testing/kernels/check_kernel.ts";
export { type InputNames } from "./src/expr/language/analysis.ts";
export {
  type CompiledExpression,
  compileExpression,
  type ExpressionData,
  type ExpressionOptions,
  type ExpressionResults,
} from "./src/expr/expression.ts";
export { type Precision } from "./src/expr/program/precision.ts";
export { kernelUdf } from "./src/udf/kernel_udf/kernel_udf.ts";
export type * from "./src/udf/kernel_udf/options.ts";
export { testUdf, type UdfTest, type UdfTestOptions } from "./src/udf/testing/test_udf.ts";
export type { MaskDType, MaskOptions } from "./src/udf/builtin/masks/options.ts";
export { applyMasks } from "./src/udf/builtin/apply_masks.ts";
export * as blobs from "./src/udf/builtin/blobfinder/mod.ts";
export {
  centreOfMass,
  type CentreOfMassOptions,
  type CentreTypes,
} from "./src/udf/builtin/centre_of_mass.ts";
export { type ComRegression } from "./src/udf/builtin/com/field.ts";
export { type ComCorrections, guessCorrections } from "./src/udf/builtin/com/guess.ts";
export {
  annularDetector,
  type AnnularDetectorOptions,
  type DetectorCentre,
  type DetectorTypes,
  diskDetector,
  type DiskDetectorOptions,
  pointDetector,
  rectangularDetector,
  type RectangularDetectorOptions,
} from "./src/udf/builtin/detectors.ts";
export { crystallinity, type CrystallinityOptions } from "./src/udf/builtin/crystallinity.ts";
export { fftOfFrames, fftOfSum, type FftOptions, type Transforms } from "./src/udf/builtin/fft_of.ts";
export { fluctuation } from "./src/udf/builtin/fluctuation.ts";
export { expression, type ExpressionInputs, type ExpressionTypes } from "./src/udf/builtin/expression/udf.ts";
export { type FrameArrays } from "./src/udf/builtin/expression/arrays.ts";
export { logSum } from "./src/udf/builtin/log_sum.ts";
export {
  type FrameFunction,
  type FrameInfo,
  mapFrames,
  type MapOptions,
  type MappedDType,
} from "./src/udf/builtin/map_frames.ts";
export { type FrameValue } from "./src/udf/builtin/map/values.ts";
export type * from "./src/udf/builtin/masks/mask.ts";
export { type MaskShifts } from "./src/udf/builtin/masks/shifts.ts";
export { noop } from "./src/udf/builtin/noop.ts";
export { pickFrames } from "./src/udf/builtin/pick_frames.ts";
export { pixelValues, type PixelValuesOptions } from "./src/udf/builtin/pixel_values.ts";
export { type Disk } from "./src/udf/builtin/runs.ts";
export {
  radialFourier,
  type RadialFourierOptions,
  type RadialTypes,
} from "./src/udf/builtin/radial_fourier.ts";
export { standardDeviation, type Statistics } from "./src/udf/builtin/standard_deviation.ts";
export { sumFrames } from "./src/udf/builtin/sum_frames.ts";
export { sumPixels } from "./src/udf/builtin/sum_pixels.ts";

export { clusterFrames, type ClusterOptions, type FrameClusters } from "./src/udf/cluster/cluster_frames.ts";
export { exportDataset, type Exported, type ExportOptions } from "./src/udf/run/export_dataset.ts";
export { localMaxima, type LocalMaximaOptions } from "./src/udf/cluster/local_maxima.ts";
export { read, type ReadSelection } from "./src/udf/run/read.ts";
export {
  type AnalysisOptions,
  mapDataset,
  type MapDatasetOptions,
  pickFrame,
  sumOverRoi,
} from "./src/udf/run/shortcuts.ts";
export { wardClusters } from "./src/udf/cluster/ward.ts";

export { arrayDigest, type Glance } from "./src/udf/results/digest.ts";
export {
  type ManifestCommand,
  type ManifestOptions,
  type ManifestResult,
  type ManifestUdf,
  type PartialRun,
  type RunManifest,
  runManifest,
} from "./src/udf/results/manifest.ts";
export { VERSION } from "./src/version.ts";
export { save, saveAll, type SaveOptions, saveVectors } from "./src/pictures/save.ts";
export { type PictureOptions } from "./src/pictures/picture.ts";
export { type PngOptions } from "./src/pictures/png.ts";
export { type Limits, type ScaleOptions } from "./src/pictures/scale.ts";
export { type Colormap, COLORMAPS } from "./src/pictures/colormap.ts";

export * from "./src/space/border.ts";
export { type Grid, gridOf, tileBox, tileBoxes } from "./src/space/grid.ts";
export { type ViewGeometry, viewGeometry, viewShape } from "./src/views/geometry.ts";
export {
  type ArrayFacts,
  arrayOf,
  type ArraySpec,
  type FrameArray,
  type PlainArray,
} from "./src/views/array.ts";
export { planViews, type ViewLayout, type ViewOptions, type ViewPlan } from "./src/views/plan.ts";
export { View, ViewReader, type ViewReaderOptions } from "./src/views/view.ts";
export { type BlockKind, type BlockLayout, type MapBlock } from "./src/views/map/blocks.ts";
export { type MapPlan } from "./src/views/map/facts.ts";
export { type MapMemory } from "./src/views/map/memory.ts";
export { type MapPlanOptions, planMap } from "./src/views/map/plan.ts";
export { type MapRunOptions } from "./src/views/map/run.ts";
export { type MapRun, mapViews, type MapViewsOptions } from "./src/views/map/map_views.ts";
export { npyFile } from "./src/views/map/npy_file.ts";
export { type OperationFacts, type Radius, type ViewOperation } from "./src/views/operations/operation.ts";
export { boxMean, type BoxMeanOptions } from "./src/views/operations/box_mean.ts";
export {
  type LocalExtremeOptions,
  localMaximum,
  localMinimum,
} from "./src/views/operations/local_extremes.ts";
export { type Neighbour, perSample } from "./src/views/operations/per_sample.ts";
export {
  type FunctionParams,
  type FunctionView,
  type ViewFunction,
  viewFunction,
  type ViewFunctionOptions,
} from "./src/views/operations/view_function.ts";
export {
  type AnySink,
  type BlockFunction,
  type MapSink,
  type ResultFacts,
  type WithSink,
} from "./src/views/map/sink.ts";
export { type Traversal } from "./src/space/traversal.ts";

export {
  type ArrayRole,
  type ArraySchema,
  type CubeInit,
  type Extent,
  Hypercube,
  hypercube,
} from "./src/hypercube/cube.ts";
export { type Dimension, dimension, type DimensionChange } from "./src/hypercube/dimension.ts";
export { type CubePlan, type CubePlanOptions, planTiles } from "./src/hypercube/budget.ts";
export { chunkCount, extentIter, type Stride, tileIter } from "./src/hypercube/iterate.ts";
export { type ProviderContext, type Sink, type SinkContext, type Source } from "./src/hypercube/provider.ts";
export { type CubeKernel, solve, type SolveOptions } from "./src/hypercube/solve.ts";
export { PHASE_ARRAYS, type PhaseConvention, phaseKernel, type PhaseOptions } from "./src/rime/phase.ts";
