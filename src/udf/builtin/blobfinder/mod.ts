/**
 * Blob finding: diffraction disks in the frames of a scan, the lattice they form, and the strain of the crystal.
 *
 * From a picture to a strain map: {@link findPeaks} and {@link findLattices} on the sum of all frames give a lattice,
 * {@link latticePoints} its points, {@link strainMap} the strain at every scan position. Positions and vectors are in
 * pixels, y before x.
 *
 * @example The disks of one picture
 * ```ts
 * import { circularPattern, findPeaks } from "@tilewise/tilewise/unstable/blobs";
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { assertEquals } from "@std/assert";
 *
 * const picture = new Float32Array(32 * 32);
 * const disks: [y: number, x: number][] = [[8, 8], [8, 22], [22, 8]];
 * for (const [y, x] of disks) {
 *   for (let p = 0; p < picture.length; p++) {
 *     if (Math.hypot(Math.floor(p / 32) - y, p % 32 - x) <= 3) picture[p] = 100;
 *   }
 * }
 * const { positions } = await findPeaks(ndarray(picture, [32, 32], "float32"), { pattern: circularPattern({ radius: 3 }), count: 3 });
 * assertEquals(positions.length, 3);
 * ```
 *
 * @module
 */

export { correlatePattern, type CorrelateTypes } from "./correlate_pattern.ts";
export { featureVector } from "./feature_vector.ts";
export { findPeaks, type PicturePeaks } from "./find_peaks.ts";
export { fitWarnings } from "./fit_warnings.ts";
export { findLattices } from "./full_match.ts";
export { integratePeaks, type IntegrateTypes } from "./integrate_peaks.ts";
export { type LatticePoints, latticePoints } from "./lattice.ts";
export { affinematch, fastmatch } from "./match.ts";
export type {
  CorrelateOptions,
  FeatureOptions,
  FindPeaksOptions,
  IntegrateOptions,
  PeakShifts,
} from "./options/correlation.ts";
export type {
  Cell,
  FullMatchOptions,
  Lattice,
  LatticeRange,
  MatchOptions,
  PeakList,
  PointsInput,
  Vector,
} from "./options/lattice.ts";
export type {
  BackgroundOptions,
  BackgroundSubtractionPattern,
  CircularPattern,
  DiskOptions,
  GradientBackgroundOptions,
  GradientBackgroundPattern,
  MatchPattern,
  RadialGradientPattern,
  TemplateOptions,
  TemplatePattern,
} from "./options/patterns.ts";
export type {
  CellStatistic,
  ChosenMatch,
  LatticeMatch,
  MatchChance,
  RefineOptions,
  StrainArraysOptions,
  StrainForm,
  StrainOptions,
  StrainReference,
} from "./options/strain.ts";
export {
  backgroundSubtractionPattern,
  circularPattern,
  patternMask,
  radialGradientBackgroundSubtractionPattern,
  radialGradientPattern,
  userTemplate,
} from "./patterns.ts";
export { refineLattice, type RefineTypes } from "./refine_lattice.ts";
export { type Strain, type StrainArrays, strainArrays, strainOf } from "./strain_map.ts";
export { strainMap, type StrainTypes } from "./strain_map.ts";
