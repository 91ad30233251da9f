/**
 * All analyses that come with Tilewise, with the types of their options and results.
 *
 * Functions here make a UDF for `plan`; `clusterFrames` plans and runs without further calls.
 *
 * @example The options of an analysis have a named type, for functions that pass them on
 * ```ts
 * import { open, plan, run } from "@tilewise/tilewise";
 * import { annularDetector, type AnnularDetectorOptions } from "@tilewise/tilewise/analyses";
 * import { assertEquals } from "@std/assert";
 *
 * const ring: AnnularDetectorOptions = { cy: 0, cx: 0, ri: 0.5, ro: 1 };
 * const scan = await open(Uint8Array.of(1, 2, 4, 8), { format: "raw", dtype: "uint8", nav: [1], sig: [2, 2] });
 * const { ring: found } = await run(await plan(scan, { ring: annularDetector(ring) }));
 * assertEquals([...found.intensity.data], [6]);
 * ```
 *
 * @module
 */

export { applyMasks } from "../udf/builtin/apply_masks.ts";
export { centreOfMass, type CentreOfMassOptions } from "../udf/builtin/centre_of_mass.ts";
export { type ComCorrections, guessCorrections } from "../udf/builtin/com/guess.ts";
export { crystallinity, type CrystallinityOptions } from "../udf/builtin/crystallinity.ts";
export {
  annularDetector,
  type AnnularDetectorOptions,
  type DetectorCentre,
  diskDetector,
  type DiskDetectorOptions,
  pointDetector,
  rectangularDetector,
  type RectangularDetectorOptions,
} from "../udf/builtin/detectors.ts";
export { expression, type ExpressionInputs } from "../udf/builtin/expression.ts";
export { fftOfFrames, fftOfSum, type FftOptions } from "../udf/builtin/fft_of.ts";
export { fluctuation } from "../udf/builtin/fluctuation.ts";
export { logSum } from "../udf/builtin/log_sum.ts";
export { type FrameFunction, type FrameInfo, mapFrames, type MapOptions } from "../udf/builtin/map_frames.ts";
export type { Mask } from "../udf/builtin/masks/mask.ts";
export type { MaskOptions } from "../udf/builtin/masks/mask.ts";
export { pickFrames } from "../udf/builtin/pick_frames.ts";
export { pixelValues, type PixelValuesOptions } from "../udf/builtin/pixel_values.ts";
export { radialFourier, type RadialFourierOptions } from "../udf/builtin/radial_fourier.ts";
export { standardDeviation } from "../udf/builtin/standard_deviation.ts";
export { sumFrames } from "../udf/builtin/sum_frames.ts";
export { sumPixels } from "../udf/builtin/sum_pixels.ts";
export { clusterFrames, type ClusterOptions, type FrameClusters } from "../udf/cluster/cluster_frames.ts";
export type { AnalysisOptions } from "../udf/run/read.ts";
export type { Progress } from "../udf/plan/plan_facts.ts";
