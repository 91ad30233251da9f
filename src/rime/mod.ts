/**
 * The measurement equation of radio interferometry: visibilities of sources, as a kernel of a hypercube or in one call.
 *
 * @example One source, one antenna, half a turn
 * ```ts
 * import { createContext, run } from "@tilewise/tilewise";
 * import { asNumbers } from "@tilewise/tilewise/arrays";
 * import { hypercube, planTiles } from "@tilewise/tilewise/hypercube";
 * import { PHASE_ARRAYS, phaseKernel, SPEED_OF_LIGHT } from "@tilewise/tilewise/rime";
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

export type { SimulateInput, SimulateOptions, Simulation } from "./equation/problem.ts";
export { simulate } from "./equation/simulate.ts";
export {
  type FitInput,
  type FitOptions,
  fitSources,
  type FitStep,
  type SourceFit,
} from "./fit/fit_sources.ts";
export type { FitParameter } from "./fit/parameters.ts";
export { antennaUvw, equatorialFromEcef, equatorialFromEnu } from "./geometry/antennas.ts";
export { type BaselineOptions, baselinePairs, type Baselines } from "./geometry/baselines.ts";
export { EARTH_ROTATION, type PhaseConvention, SPEED_OF_LIGHT } from "./geometry/constants.ts";
export {
  type AntennaUvw,
  type BaselineRows,
  type BaselineUvw,
  chooseUvw,
  type DecomposeOptions,
  decomposeUvw,
} from "./geometry/decompose.ts";
export {
  checkDirections,
  type Direction,
  type DirectionCosines,
  lmToRadec,
  radecToLm,
} from "./geometry/directions.ts";
export { hourAngle, parallacticAngle } from "./geometry/sky.ts";
export {
  degrid,
  type DirtyImage,
  dirtyImage,
  type DirtyImageOptions,
  fitMainLobe,
  type ImageGrid,
  type ImageWeighting,
  type ImagingInput,
  type ImagingOptions,
  type ImagingRows,
  type MainLobe,
  mainLobe,
  type PointSources,
  pointSpread,
  predictByGridding,
  type RowValues,
} from "./image/mod.ts";
export { beam, type BeamOptions } from "./terms/beam.ts";
export { feedRotation } from "./terms/feed.ts";
export {
  type JonesFunction,
  jonesFunction,
  type JonesFunctionOptions,
  type JonesSource,
} from "./terms/function.ts";
export { chiSquaredGradient, type ChiSquaredOptions } from "./terms/gradient/gradient.ts";
export type { GradientInput, GradientSky, GradientSpectrum, SkyGradient } from "./terms/gradient/problem.ts";
export { jonesKernel, type JonesKernelOptions } from "./terms/kernel.ts";
export type { Feed, JonesTerm } from "./terms/term.ts";
export { type EquationOptions, type ObservedEquation, observedEquation } from "./observed/equation.ts";
export {
  compare,
  type Comparison,
  type ObservedOptions,
  predict,
  type Visibilities,
} from "./observed/predict.ts";
export {
  type ImagePlane,
  imagePlanes,
  type ImagePlanesOptions,
  type PlaneFacts,
} from "./observed/image_planes.ts";
export {
  type ColumnPart,
  type ColumnPlan,
  type ColumnRunSettings,
  planColumn,
  type PredictColumnOptions,
} from "./observed/predict_column.ts";
export type { PredictionFacts, PredictObservationOptions } from "./observed/predict_observation.ts";
export { skyModel } from "./observed/sky_model.ts";
export { defaultInputs } from "./defaults.ts";
export { PHASE_ARRAYS, phaseArrays, phaseKernel, type PhaseOptions } from "./phase.ts";
export type { KernelSmearing, Smearing } from "./predict/smearing.ts";
export type { Correlation } from "./predict/correlations.ts";
export { predictKernel } from "./predict/kernel.ts";
export { type EvenChannels, predictArrays, type PredictKernelOptions } from "./predict/options.ts";
export { planPredict, type PredictOptions, type PredictPlan } from "./predict/predict.ts";
export type {
  PredictInput,
  PredictJones,
  PredictRows,
  SkyModel,
  SkyShapelets,
  SkySpectrum,
} from "./predict/problem.ts";
