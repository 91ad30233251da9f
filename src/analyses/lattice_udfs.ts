/**
 * The UDFs behind the analyses of lattices, loaded when one of them is made.
 *
 * @module
 */

import { normalizeRoi } from "../dataset/roi/roi.ts";
import { defined } from "../options.ts";
import { ndarray } from "../space/ndarray.ts";
import { correlatePattern } from "../udf/builtin/blobfinder/correlate_pattern.ts";
import { featureVector } from "../udf/builtin/blobfinder/feature_vector.ts";
import { fitWarnings } from "../udf/builtin/blobfinder/fit_warnings.ts";
import { integratePeaks } from "../udf/builtin/blobfinder/integrate_peaks.ts";
import type { IntegrateOptions } from "../udf/builtin/blobfinder/options/correlation.ts";
import type { Vector } from "../udf/builtin/blobfinder/options/lattice.ts";
import type { RefineOptions } from "../udf/builtin/blobfinder/options/strain.ts";
import { refineLattice } from "../udf/builtin/blobfinder/refine_lattice.ts";
import { strainMap } from "../udf/builtin/blobfinder/strain_map.ts";
import { type AnalysisContext, asRead, type Made, type Value, type Values, warn } from "./analysis.ts";
import { LATTICE, WEIGHTS } from "./disk_parameters.ts";
import { expectedDisks, patternOf } from "./disks.ts";
import { WordError } from "./word_error.ts";

/** How the UDF of an analysis is made. */
type Make = (values: Values, facts: AnalysisContext) => Made | Promise<Made>;

/** Those of lattices by their names. */
export const LATTICE_UDFS = {
  async correlate_pattern(values, facts) {
    const { pattern, rest } = patternOf("correlate_pattern", values);
    const { peaks, rest: options } = await peaksOf("correlate_pattern", rest, facts, pattern);
    return { ref: correlatePattern({ pattern, peaks, ...options }) };
  },
  async refine_lattice(values, facts) {
    const options = await fitOptions("refine_lattice", values, facts);
    return { ref: refineLattice(options), ...judged("refine_lattice", options, facts) };
  },
  async strain_map(values, facts) {
    const { reference, region, form, ...rest } = values;
    const options = await fitOptions("strain_map", rest, facts);
    const given = defined({ reference: cell(reference), region: maskOf(region, facts), form }) as object;
    return { ref: strainMap({ ...options, ...given }), ...judged("strain_map", options, facts) };
  },
  integrate_peaks(values) {
    const { pattern, rest } = patternOf("integrate_peaks", values, WEIGHTS);
    return { ref: integratePeaks({ pattern, positions: rest.positions as IntegrateOptions["positions"] }) };
  },
  async feature_vector(values, facts) {
    const { pattern, rest } = patternOf("feature_vector", values, WEIGHTS);
    return {
      ref: featureVector({ pattern, peaks: (await peaksOf("feature_vector", rest, facts, pattern)).peaks }),
    };
  },
} satisfies Readonly<Record<string, Make>>;

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
function judged(analysis: string, options: RefineOptions, facts: AnalysisContext): Pick<Made, "judge"> {
  return {
    judge(result) {
      for (const warning of fitWarnings(result, options)) warn(facts, analysis, warning);
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
