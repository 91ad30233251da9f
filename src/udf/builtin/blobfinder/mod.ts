/**
 * Blob finding: diffraction disks in the frames of a scan, the lattice they form, and the strain of the crystal.
 *
 * From a picture to a strain map: {@link findPeaks} and {@link findLattices} on the sum of all frames give a lattice,
 * {@link latticePoints} its points, {@link strainMap} the strain at every scan position. Positions and vectors are in
 * pixels, y before x.
 *
 * @module
 */

export { correlate } from "./correlate.ts";
export { type CorrelateOptions } from "./correlator.ts";
export { type FeatureOptions, featureVector } from "./feature_vector.ts";
export { fitWarnings } from "./fit_warnings.ts";
export { findPeaks, type FindPeaksOptions, type PicturePeaks } from "./find_peaks.ts";
export { findLattices, type FullMatchOptions } from "./full_match.ts";
export { type IntegrateOptions, integratePeaks } from "./integrate_peaks.ts";
export {
  type Lattice,
  type LatticePoints,
  latticePoints,
  type LatticeRange,
  type PointsInput,
  type Vector,
} from "./lattice.ts";
export { type MatchChance } from "./chance.ts";
export {
  affinematch,
  type ChosenMatch,
  fastmatch,
  type LatticeMatch,
  type MatchOptions,
  type PeakList,
} from "./match.ts";
export {
  type BackgroundOptions,
  backgroundSubtraction,
  type BackgroundSubtractionPattern,
  circular,
  type CircularPattern,
  type DiskOptions,
  type GradientBackgroundOptions,
  type GradientBackgroundPattern,
  type MatchPattern,
  patternMask,
  radialGradient,
  radialGradientBackgroundSubtraction,
  type RadialGradientPattern,
  type TemplateOptions,
  type TemplatePattern,
  userTemplate,
} from "./patterns.ts";
export { refineLattice, type RefineOptions } from "./refine_lattice.ts";
export { type PeakShifts } from "./shifts.ts";
export {
  type Cell,
  type CellStatistic,
  type Strain,
  type StrainArrays,
  strainArrays,
  type StrainArraysOptions,
  type StrainForm,
  strainOf,
  type StrainReference,
} from "./strain.ts";
export { strainMap, type StrainOptions } from "./strain_map.ts";
