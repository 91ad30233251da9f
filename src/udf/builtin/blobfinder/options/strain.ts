/**
 * The options of lattice refinements and strain maps, what they may be given of a match, and the rules for their values.
 *
 * @module
 */

import type { OptionNames, OptionRule } from "../../../../options.ts";
import { inner, list, needed, oneOf } from "../../../../options/rules.ts";
import type { NDArray } from "../../../../space/ndarray.ts";
import { arrayValue } from "../../../../space/rules.ts";
import { CORRELATE_OPTIONS, type CorrelateOptions } from "./correlation.ts";
import {
  CELL,
  type Cell,
  LATTICE,
  type Lattice,
  MATCH_OPTIONS,
  type MatchOptions,
  points,
  type PointsInput,
  vector,
} from "./lattice.ts";

/**
 * A lattice as it was fitted; all its numbers are NaN where there was no match.
 * @category Blob finding
 */
export interface LatticeMatch extends Lattice {
  /** Mean distance of the matching peaks from their lattice points, weighted, in pixels. */
  readonly error: number;
  /** One byte a peak: whether it belongs to the lattice. */
  readonly selector: Uint8Array;
  /** The indices of all peaks, i, j, i, j, …; whole numbers after {@link fastmatch}. */
  readonly indices: Float64Array;
  /** How many peaks belong to it. */
  readonly matched: number;
}

/**
 * A match whose peaks were chosen, and how likely it is where there is no lattice.
 * @category Blob finding
 */
export interface ChosenMatch extends LatticeMatch, MatchChance {}

/**
 * How likely a match is where there is no lattice.
 * @category Blob finding
 */
export interface MatchChance {
  /** How many of the peaks would fit by chance, if they were anywhere. */
  readonly expected: number;
  /** The probability that as many fit by chance. */
  readonly chance: number;
  /** Says so where that is no small probability: there may be no lattice. */
  readonly warning?: string;
}

/**
 * Parameters of {@link refineLattice}.
 * @category Blob finding
 */
export interface RefineOptions extends Omit<CorrelateOptions, "peaks">, Lattice, MatchOptions {
  /** Indices of the disks to look at, pairs (i, j); {@link latticePoints} lists those inside of a frame. */
  readonly indices: PointsInput;
  /**
   * How the lattice is fitted: `fast` (default) leaves out disks that are too far from their lattice point; `affine`
   * takes all, with the indices as they are.
   */
  readonly match?: "fast" | "affine";
}

/**
 * How strain is defined.
 * @category Blob finding
 */
export type StrainForm = "polar" | "infinitesimal";

/**
 * How a reference cell is made from many.
 * @category Blob finding
 */
export type CellStatistic = "mean" | "median";

/**
 * The reference of a strain map: a cell, or how it follows from the map itself.
 * @category Blob finding
 */
export type StrainReference = Cell | CellStatistic;

/**
 * Options of {@link strainArrays}.
 * @category Blob finding
 */
export interface StrainArraysOptions {
  /** The unstrained cell: its vectors, or the mean or median of the points. Default `median`. */
  readonly reference?: StrainReference;
  /** Which points make the reference, one entry each. Default: all. */
  readonly region?: ArrayLike<number | bigint>;
  /** How strain is defined. Default `polar`. */
  readonly form?: StrainForm;
}

/**
 * Parameters of {@link strainMap}.
 * @category Blob finding
 */
export interface StrainOptions extends RefineOptions {
  /** The unstrained cell: its vectors, or the mean or median of the map. Default `median`. */
  readonly reference?: StrainReference;
  /** Where the reference is taken from, one entry a scan position, 0: not from here. Default: everywhere. */
  readonly region?: NDArray;
  /** How strain is defined. Default `polar`. */
  readonly form?: StrainForm;
  /** Here true by default: a centre of mass is drawn to whole pixels, by up to 0.1 px. Not for `sparse`. */
  readonly upsample?: boolean | number;
}

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
