/**
 * The rest of the measurement equation: terms, geometry, gridding, fits, and its kernels for hypercubes.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example One source, one antenna, half a turn
 * ```ts
 * import { createContext, run } from "@tilewise/tilewise";
 * import { asNumbers } from "@tilewise/tilewise/arrays";
 * import { hypercube, planTiles } from "@tilewise/tilewise/hypercube";
 * import { PHASE_ARRAYS, phaseKernel, SPEED_OF_LIGHT } from "@tilewise/tilewise/unstable/rime";
 * import { assertAlmostEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "1MiB", workers: 0 });
 * const cube = hypercube({ dimensions: { nsrc: 1, ntime: 1, na: 1, nchan: 1 }, arrays: PHASE_ARRAYS });
 * await run(planTiles(cube, { context, tile: ["nsrc"] }), {
 *   kernel: phaseKernel(),
 *   sources: {
 *     lm: () => Float64Array.of(0.6, 0),
 *     uvw: () => Float64Array.of(1, 0, 0),
 *     frequency: () => Float64Array.of(SPEED_OF_LIGHT / 1.2),
 *   },
 *   sinks: { complex_phase: ({ data }) => assertAlmostEquals(asNumbers(data.data)[0] ?? NaN, -1, 1e-9) },
 * });
 * ```
 *
 * @module
 */

export type { SimulateInput, SimulateOptions, Simulation } from "../../rime/equation/problem.ts";
export { simulate } from "../../rime/equation/simulate.ts";
export {
  type FitInput,
  type FitOptions,
  fitSources,
  type FitStep,
  type SourceFit,
} from "../../rime/fit/fit_sources.ts";
export type { FitParameter } from "../../rime/fit/parameters.ts";
export { antennaUvw, equatorialFromEcef, equatorialFromEnu } from "../../rime/geometry/antennas.ts";
export { type BaselineOptions, baselinePairs, type Baselines } from "../../rime/geometry/antennas.ts";
export { type PhaseConvention, SPEED_OF_LIGHT } from "../../rime/geometry/constants.ts";
export {
  type AntennaUvw,
  type BaselineRows,
  type DecomposeOptions,
  decomposeUvw,
} from "../../rime/geometry/decompose.ts";
export { type DirectionCosines, lmToRadec, radecToLm } from "../../rime/geometry/directions.ts";
export { hourAngle, parallacticAngle } from "../../rime/geometry/sky.ts";
export {
  degrid,
  type GriddedVisibilities,
  type ImagePixels,
  planDegrid,
  planPredictionByGridding,
  type PointSources,
  predictByGridding,
  type VisibilitiesPlan,
} from "../../rime/image/degrid.ts";
export type { ImagingPlan } from "../../rime/image/options.ts";
export { fitMainLobe, type MainLobe } from "../../rime/image/main_lobe.ts";
export type { ImageWeighting } from "../../rime/image/weighting.ts";
export type { ImagingOptions } from "../../rime/image/options.ts";
export type { ImagingRows, RowValues } from "../../rime/image/rows.ts";
export { type DirtyImagePlan, mainLobe, planDirtyImage, pointSpread } from "../../rime/image/dirty.ts";
export { beam, type BeamOptions } from "../../rime/terms/beam.ts";
export { feedRotation } from "../../rime/terms/feed.ts";
export {
  type JonesFunction,
  jonesFunction,
  type JonesFunctionOptions,
  type JonesSource,
} from "../../rime/terms/function.ts";
export { chiSquaredGradient, type ChiSquaredOptions } from "../../rime/terms/gradient/gradient.ts";
export type { GradientInput, GradientSky, SkyGradient } from "../../rime/terms/gradient/problem.ts";
export { jonesKernel, type JonesKernelOptions } from "../../rime/terms/kernel.ts";
export type { Feed, JonesTerm } from "../../rime/terms/term.ts";
export {
  type EquationOptions,
  type ObservedEquation,
  observedEquation,
} from "../../rime/observed/equation.ts";
export { compare, type Comparison } from "../../rime/observed/predict.ts";
export type { PlaneFacts } from "../../rime/observed/image_planes.ts";
export {
  type ColumnPart,
  type ColumnPlan,
  planColumn,
  type PredictColumnOptions,
} from "../../rime/observed/predict_column.ts";
export type { PredictionFacts, PredictObservationOptions } from "../../rime/observed/predict_observation.ts";
export { PHASE_ARRAYS, phaseArrays, phaseKernel, type PhaseOptions } from "../../rime/phase.ts";
export type { KernelSmearing, Smearing } from "../../rime/predict/smearing.ts";
export type { Correlation } from "../../rime/predict/correlations.ts";
export { predictKernel } from "../../rime/predict/kernel.ts";
export { type EvenChannels, predictArrays, type PredictKernelOptions } from "../../rime/predict/options.ts";
export type { PredictJones, PredictRows, SkyShapelets, SkySpectrum } from "../../rime/predict/problem.ts";
