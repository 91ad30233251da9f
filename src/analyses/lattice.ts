/**
 * Blob finding: diffraction disks, the lattice they form, strain.
 *
 * @module
 */

import type { CorrelateOptions } from "../udf/builtin/blobfinder/options/correlation.ts";
import type { RefineOptions, StrainOptions } from "../udf/builtin/blobfinder/options/strain.ts";
import { type Analysis, number, type Parameter, type ParametersOf, word } from "./analysis.ts";
import { LATTICE, PATTERN, WEIGHTS } from "./disk_parameters.ts";
import type { LATTICE_UDFS } from "./lattice_udfs.ts";

const CORRELATE: ParametersOf<Omit<CorrelateOptions, "pattern" | "peaks">> = {
  method: word("how: cut-outs, whole frames, or a few pixels only", ["fast", "full", "sparse"], "fast"),
  steps: number("of sparse: pixels looked at on each side", "search − outer or radius, at least 2"),
  upsample: {
    kinds: ["truth", "number"],
    meaning: "positions by interpolation, to 1 / N px; true is 20",
    preset: "false",
  },
  shifts: {
    kinds: ["vector", "array"],
    meaning: "moves all disks: y:x for all frames, or @FILE.npy of shape (…scan, 2); rounded",
    unit: "px",
    preset: "0:0",
  },
};

const PEAKS: Parameter = {
  kinds: ["points"],
  meaning: "where disks are expected, y:x;y:x;…",
  unit: "px",
  preset: "points of the lattice",
};

const REFINE: ParametersOf<Omit<RefineOptions, keyof CorrelateOptions | "zero" | "a" | "b">> = {
  indices: { kinds: ["points"], meaning: "points of the lattice, i:j;i:j;…", preset: "all in the frame" },
  match: word("fast leaves out disks far from the lattice, affine takes all", ["fast", "affine"], "fast"),
  tolerance: number(
    "largest distance of a disk from its lattice point",
    "3, or a sixth of the shorter vector if that is less",
  ),
  minWeight: number("disks with a smaller elevation do not count", "0.1", ""),
  minMatch: number("fewer disks are no lattice", "3", ""),
};

const STRAIN: ParametersOf<Omit<StrainOptions, keyof RefineOptions>> = {
  reference: {
    kinds: ["word", "points"],
    words: ["median", "mean"],
    meaning: "the unstrained lattice: a statistic of the map, or its vectors ay:ax;by:bx",
    preset: "median",
  },
  region: {
    kinds: ["ranges", "array"],
    meaning:
      "where the reference is taken from: start:stop for each scan dimension, or @FILE.npy with a mask",
    preset: "everywhere",
  },
  form: word("how strain is defined", ["polar", "infinitesimal"], "polar"),
};

const FOUND = {
  centers: "pixel of highest correlation: (…scan, disks, 2), y before x",
  refineds: "the same between pixels",
  peak_values: "the highest correlation",
  peak_elevations: "how it stands out",
} as const;

const FITTED = {
  ...FOUND,
  zero: "origin of the lattice: (…scan, 2), px",
  a: "its first vector",
  b: "its second vector",
  selector: "which disks belong to it",
  error: "their mean distance from it, px",
} as const;

const STRAINED = {
  e_xx: "extension along x",
  e_yy: "extension along y",
  e_xy: "shear",
  theta: "rotation from x towards y, in radians",
  ...FITTED,
} as const;

const NOTE = [
  "Without zero, a and b, a first pass adds up all frames and finds the lattice in the sum; it warns where a lattice",
  "would fit as many peaks if they were anywhere.",
];

const FIT_NOTE = [...NOTE, "After the run it warns where no more disks fit the lattice than by chance."];

/** Makes the UDF of an analysis, whose code is loaded then. */
function made(name: keyof typeof LATTICE_UDFS): NonNullable<Analysis["make"]> {
  return async (values, facts) => {
    const { LATTICE_UDFS } = await import("./lattice_udfs.ts");
    return await LATTICE_UDFS[name](values, facts);
  };
}

/** The analyses. */
export const LATTICES: readonly Analysis[] = [
  {
    name: "correlate_pattern",
    aliases: ["correlate"],
    group: "Lattice",
    help: "positions of diffraction disks in each frame",
    notes: NOTE,
    parameters: { ...PATTERN, peaks: PEAKS, ...LATTICE, ...CORRELATE },
    results: FOUND,
    example: "correlate_pattern:radius=5,peaks=64:64;64:84;44:64",
    make: made("correlate_pattern"),
  },
  {
    name: "refine_lattice",
    aliases: ["refinelattice"],
    group: "Lattice",
    help: "a lattice fitted to the disks of each frame",
    notes: FIT_NOTE,
    parameters: { ...PATTERN, ...LATTICE, ...CORRELATE, ...REFINE },
    results: FITTED,
    example: "refine_lattice:radius=5,zero=64:64,a=0:20,b=20:0",
    make: made("refine_lattice"),
  },
  {
    name: "strain_map",
    aliases: ["strainmap"],
    group: "Lattice",
    help: "strain and rotation of a crystal at each scan position",
    notes: FIT_NOTE,
    parameters: {
      ...PATTERN,
      ...LATTICE,
      ...CORRELATE,
      upsample: { ...CORRELATE.upsample, preset: "true; false with sparse" },
      ...REFINE,
      ...STRAIN,
    },
    results: STRAINED,
    example: "strain_map:radius=5,zero=64:64,a=0:20,b=20:0",
    make: made("strain_map"),
  },
  {
    name: "integrate_peaks",
    aliases: ["integrate"],
    group: "Lattice",
    help: "sum of each frame in disks at positions that differ from frame to frame",
    parameters: {
      ...WEIGHTS,
      positions: {
        kinds: ["array"],
        meaning: "@FILE.npy of shape (…scan, disks, 2), such as refineds",
        unit: "px",
      },
    },
    results: { integration: "one number per frame and disk: float64" },
    example: "integrate_peaks:radius=5,positions=@refineds.npy",
    make: made("integrate_peaks"),
  },
  {
    name: "feature_vector",
    aliases: ["featurevector"],
    group: "Lattice",
    help: "sum of each frame in disks at the same positions in all frames",
    notes: NOTE,
    parameters: { ...WEIGHTS, peaks: PEAKS, ...LATTICE },
    results: { intensity: "one number per frame and disk: float64" },
    example: "feature_vector:radius=5,peaks=64:64;64:84",
    make: made("feature_vector"),
  },
];
