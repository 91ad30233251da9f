/**
 * The rest of the analyses, and types of results.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example The brightest pixels that are apart from each other
 * ```ts
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { localMaxima } from "@tilewise/tilewise/unstable/analyses";
 * import { assertEquals } from "@std/assert";
 *
 * const image = ndarray(Float32Array.of(0, 0, 0, 0, 5, 0, 0, 0, 0), [3, 3], "float32");
 * assertEquals(localMaxima(image), [[1, 1]]);
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
export type { Disk } from "../../udf/builtin/runs.ts";
