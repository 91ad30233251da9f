/**
 * Blob finding: diffraction disks, the lattice they form, strain.
 *
 * @module
 */

import { defined } from "../options.ts";
import { normalizeRoi } from "../dataset/roi/roi.ts";
import { ndarray } from "../space/ndarray.ts";
import { correlatePattern } from "../udf/builtin/blobfinder/correlate_pattern.ts";
import { featureVector } from "../udf/builtin/blobfinder/feature_vector.ts";
import { integratePeaks } from "../udf/builtin/blobfinder/integrate_peaks.ts";
import { fitWarnings } from "../udf/builtin/blobfinder/fit_warnings.ts";
import type { CorrelateOptions, IntegrateOptions } from "../udf/builtin/blobfinder/options/correlation.ts";
import type { Vector } from "../udf/builtin/blobfinder/options/lattice.ts";
import type { RefineOptions, StrainOptions } from "../udf/builtin/blobfinder/options/strain.ts";
import { refineLattice } from "../udf/builtin/blobfinder/refine_lattice.ts";
import { strainMap } from "../udf/builtin/blobfinder/strain_map.ts";
import { WordError } from "./word_error.ts";
import {
  type Analysis,
  type AnalysisContext,
  asRead,
  type Made,
  number,
  type Parameter,
  type ParametersOf,
  type Value,
  type Values,
  warn,
  word,
} from "./analysis.ts";
import { expectedDisks, LATTICE, PATTERN, patternOf, WEIGHTS } from "./disks.ts";

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
    async make(values, facts) {
      const { pattern, rest } = patternOf("correlate_pattern", values);
      const { peaks, rest: options } = await peaksOf("correlate_pattern", rest, facts, pattern);
      return { ref: correlatePattern({ pattern, peaks, ...options }) };
    },
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
    async make(values, facts) {
      const options = await fitOptions("refine_lattice", values, facts);
      return { ref: refineLattice(options), ...judged("refine_lattice", FITTED, options, facts) };
    },
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
    async make(values, facts) {
      const { reference, region, form, ...rest } = values;
      const options = await fitOptions("strain_map", rest, facts);
      const given = defined({ reference: cell(reference), region: maskOf(region, facts), form }) as object;
      return { ref: strainMap({ ...options, ...given }), ...judged("strain_map", STRAINED, options, facts) };
    },
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
    make(values) {
      const { pattern, rest } = patternOf("integrate_peaks", values, WEIGHTS);
      return { ref: integratePeaks({ pattern, positions: rest.positions as IntegrateOptions["positions"] }) };
    },
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
    async make(values, facts) {
      const { pattern, rest } = patternOf("feature_vector", values, WEIGHTS);
      return {
        ref: featureVector({ pattern, peaks: (await peaksOf("feature_vector", rest, facts, pattern)).peaks }),
      };
    },
  },
];

type Pattern = ReturnType<typeof patternOf>["pattern"];

/** Peaks as given, or the points of the lattice. */
async function peaksOf(
  analysis: string,
  { peaks, ...rest }: Values,
  facts: AnalysisContext,
  pattern: Pattern,
) {
  if (peaks === undefined) {
    const { peaks, rest: options } = await expectedDisks(analysis, pattern, rest, facts);
    return { peaks, rest: options };
  }
  const odd = Object.keys(LATTICE).find((name) => name in rest);
  if (odd !== undefined) {
    throw new WordError(`${analysis} takes either peaks or a lattice, but ${odd} is given, too`);
  }
  return { peaks: asRead<readonly Vector[]>(peaks), rest };
}

/** The options of a lattice fit. */
async function fitOptions(analysis: string, values: Values, facts: AnalysisContext): Promise<RefineOptions> {
  const { pattern, rest: { indices, ...rest } } = patternOf(analysis, values);
  const { lattice, indices: all, rest: options } = await expectedDisks(analysis, pattern, rest, facts);
  return {
    pattern,
    ...lattice,
    indices: asRead<readonly Vector[]>(indices ?? all),
    ...options,
  };
}

/** Warns after a run in which no more disks fit than by chance; the results stay as they are. */
function judged(
  analysis: string,
  results: object,
  options: RefineOptions,
  facts: AnalysisContext,
): Pick<Made, "finish" | "names"> {
  return {
    names: Object.keys(results),
    finish(result) {
      for (const warning of fitWarnings(result, options)) warn(facts, analysis, warning);
      return result;
    },
  };
}

/** The mask of a region: an array as it is, ranges as one byte per scan position. */
function maskOf(region: Value | undefined, { dataset: { navShape } }: AnalysisContext): Value | undefined {
  if (typeof region !== "string") return region;
  const { mask } = normalizeRoi({ range: region }, navShape);
  return ndarray(mask!, navShape, "bool");
}

/** The vectors of a reference, or the word for a statistic. */
function cell(reference: Value | undefined): Value | undefined | { a: Vector; b: Vector } {
  if (!Array.isArray(reference)) return reference;
  const [a, b] = asRead<Vector[]>(reference);
  if (reference.length === 2) return { a: a!, b: b! };
  throw new WordError("strain_map: the reference needs two vectors, reference=ay:ax;by:bx");
}
