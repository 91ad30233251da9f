/**
 * The rest of the analyses: short cuts that plan and run, and types of results.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example The sum of two frames
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { sumOverRoi } from "@tilewise/tilewise/unstable/analyses";
 * import { assertEquals } from "@std/assert";
 *
 * const scan = await open(Uint8Array.of(1, 2, 3, 4, 5, 6), { format: "raw", dtype: "uint8", nav: [3], sig: [1, 2] });
 * assertEquals([...(await sumOverRoi(scan, [[0], [2]])).data], [6, 8]);
 * ```
 *
 * @module
 */

export type { CentreTypes } from "../../udf/builtin/centre_of_mass.ts";
export type { ComRegression } from "../../udf/builtin/com/field.ts";
export type { DetectorTypes } from "../../udf/builtin/detectors.ts";
export type { FrameArrays } from "../../udf/builtin/expression/inputs.ts";
export type { Transforms } from "../../udf/builtin/fft_of.ts";
export type { FrameValue } from "../../udf/builtin/map/options.ts";
export type { MappedDType } from "../../udf/builtin/map_frames.ts";
export type { MaskGenerators, MaskModule, MaskRecipe, RingMask } from "../../udf/builtin/masks/mask.ts";
export type { MaskDType } from "../../udf/builtin/masks/mask.ts";
export type { MaskShifts } from "../../udf/builtin/masks/shifts.ts";
export { noop } from "../../udf/builtin/noop.ts";
export type { RadialTypes } from "../../udf/builtin/radial_fourier.ts";
export type { Statistics } from "../../udf/builtin/standard_deviation.ts";
export { localMaxima, type LocalMaximaOptions } from "../../udf/cluster/local_maxima.ts";
export { mapDataset, type MapDatasetOptions, pickFrame, sumOverRoi } from "../../udf/run/shortcuts.ts";
export type { Disk } from "../../udf/builtin/runs.ts";
