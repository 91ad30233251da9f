/**
 * The names of the options of blob finding, with the rules for their values.
 *
 * @module
 */

import { checkOptionNames, type OptionNames, type OptionRule } from "../../../options.ts";
import { either, inner, list, must, needed, number, oneOf, truth } from "../../../options/rules.ts";
import { arrayValue, shapeFrom } from "../../../space/rules.ts";
import type { CorrelateOptions } from "./correlator.ts";
import type { FeatureOptions } from "./feature_vector.ts";
import type { FindPeaksOptions } from "./find_peaks.ts";
import type { FullMatchOptions } from "./full_match.ts";
import type { IntegrateOptions } from "./integrate_peaks.ts";
import type { Lattice, LatticeRange } from "./lattice.ts";
import type { ChosenMatch, MatchOptions, PeakList } from "./match.ts";
import type {
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
} from "./patterns.ts";
import type { RefineOptions } from "./refine_lattice.ts";
import type { Cell, StrainArraysOptions } from "./strain.ts";
import type { StrainOptions } from "./strain_map.ts";

/** Of disks and radial gradients. */
export const DISK_OPTIONS: OptionNames<DiskOptions> = { radius: needed(number), search: number };

/** Of disks on a background. */
export const BACKGROUND_OPTIONS: OptionNames<BackgroundOptions> = { ...DISK_OPTIONS, outer: number };

/** Of radial gradients on a background. */
export const GRADIENT_OPTIONS: OptionNames<GradientBackgroundOptions> = {
  ...BACKGROUND_OPTIONS,
  delta: number,
  radiusMap: arrayValue,
};

/** Of templates. */
export const TEMPLATE_OPTIONS: OptionNames<TemplateOptions> = {
  template: needed(arrayValue),
  search: number,
};

const KIND = { kind: true } as const;
const DISK_NAMES: OptionNames<CircularPattern | RadialGradientPattern> = { ...KIND, ...DISK_OPTIONS };
const RING_NAMES: OptionNames<BackgroundSubtractionPattern> = { ...KIND, ...BACKGROUND_OPTIONS };
const GRADIENT_NAMES: OptionNames<GradientBackgroundPattern> = { ...KIND, ...GRADIENT_OPTIONS };
const TEMPLATE_NAMES: OptionNames<TemplatePattern> = { ...KIND, ...TEMPLATE_OPTIONS };

/** What patterns have, by their kind. */
const PATTERNS: Readonly<Record<MatchPattern["kind"], object>> = {
  circular: DISK_NAMES,
  "radial-gradient": DISK_NAMES,
  "background-subtraction": RING_NAMES,
  "radial-gradient-background-subtraction": GRADIENT_NAMES,
  template: TEMPLATE_NAMES,
};

/** Match patterns: plain data that say which kind they are. */
export const pattern: OptionRule = (call, option, value) => {
  const { kind } = (value ?? {}) as Partial<MatchPattern>;
  const known = kind === undefined || !Object.hasOwn(PATTERNS, kind) ? undefined : PATTERNS[kind];
  if (known) return checkOptionNames(call, value as object, known as OptionNames<object>, option);
  must("a match pattern, as blobs.circular({ radius }) makes it", () => false)(call, option, value);
};

const isPair = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every((n) => typeof n === "number");

/** Points and vectors. */
const vector: OptionRule = must("a pair of numbers [y, x]", isPair);

const points = either("a list of pairs [y, x], or an array (…, 2)", list, arrayValue);

const perFrame = either(
  "an array (…scan, …, 2), or what auxData() gives",
  arrayValue,
  inner({
    kind: true,
    data: true,
    dtype: true,
    extraShape: true,
  }),
);

const shifts = either(
  "a pair of numbers [y, x], an array (…scan, 2), or what auxData() gives",
  vector,
  perFrame,
);

/** Of the correlation. */
export const CORRELATE_OPTIONS: OptionNames<CorrelateOptions> = {
  pattern: needed(pattern),
  peaks: needed(points),
  method: true,
  steps: number,
  upsample: either("true, false or a number", truth, number),
  shifts,
};

/** Of feature vectors. */
export const FEATURE_OPTIONS: OptionNames<FeatureOptions> = {
  pattern: needed(pattern),
  peaks: needed(points),
};

/** Of the integration of peaks. */
export const INTEGRATE_OPTIONS: OptionNames<IntegrateOptions> = {
  pattern: needed(pattern),
  positions: needed(perFrame),
};

/** Of the search for peaks. */
export const PEAKS_OPTIONS: OptionNames<FindPeaksOptions> = {
  pattern: needed(pattern),
  count: number,
  distance: number,
  threshold: number,
};

/** Of lists of peaks. */
export const PEAK_LIST: OptionNames<PeakList> = { positions: needed(points), weights: list };

/** Of a match. */
export const MATCH_OPTIONS: OptionNames<MatchOptions> = {
  tolerance: number,
  minWeight: number,
  minMatch: number,
};

/** Of the search for lattices. */
export const FULL_MATCH_OPTIONS: OptionNames<FullMatchOptions> = {
  ...MATCH_OPTIONS,
  minLength: number,
  maxLength: number,
  minAngle: number,
  candidates: number,
  lattices: number,
};

/** Of lists of lattice points. */
export const RANGE_OPTIONS: OptionNames<LatticeRange> = {
  frame: needed(shapeFrom(0, "[256, 256]")),
  margin: number,
  maxRadius: number,
  minRadius: number,
};

const CELL: OptionNames<Cell> = { a: needed(vector), b: needed(vector) };

const LATTICE: OptionNames<Lattice> = { zero: needed(vector), ...CELL };

const { peaks: _, ...CORRELATION } = CORRELATE_OPTIONS;

/** What is known of a lattice that was found before. */
const FOUND = {
  error: true,
  selector: true,
  matched: true,
  expected: true,
  chance: true,
  warning: true,
} as const;

/** Of a refinement; a lattice that was found before may be given with all that is known of it. */
export const REFINE_OPTIONS: OptionNames<RefineOptions & Partial<ChosenMatch>> = {
  ...CORRELATION,
  ...LATTICE,
  ...MATCH_OPTIONS,
  indices: needed(points),
  match: true,
  ...FOUND,
};

const cell = inner<Partial<ChosenMatch> & Cell>({
  ...CELL,
  zero: vector,
  indices: true,
  ...FOUND,
});

const reference: OptionRule = (call, option, value) => {
  if (typeof value === "string") return oneOf("mean", "median")(call, option, value);
  cell(call, option, value);
};

const form = oneOf("polar", "infinitesimal");

/** Of a strain map. */
export const STRAIN_OPTIONS: OptionNames<StrainOptions & Partial<ChosenMatch>> = {
  ...REFINE_OPTIONS,
  reference,
  region: arrayValue,
  form,
};

/** Of strain from vectors. */
export const STRAIN_ARRAYS_OPTIONS: OptionNames<StrainArraysOptions> = { reference, region: list, form };
