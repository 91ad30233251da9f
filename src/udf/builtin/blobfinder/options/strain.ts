/**
 * The options of lattice refinements and strain maps, the parts of a match that they accept, and the rules for their
 * values.
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
 * A fitted lattice; all its numbers are NaN if there was no match.
 * @category Blob finding
 */
export interface LatticeMatch extends Lattice {
  /** Mean distance of the matching peaks from their lattice points, weighted, in pixels. */
  readonly error: number;
  /** One byte per peak: 1 if it belongs to the lattice, else 0. */
  readonly selector: Uint8Array;
  /** The indices of all peaks, i, j, i, j, …; whole numbers after {@link fastmatch}. */
  readonly indices: Float64Array;
  /** Number of peaks that belong to it. */
  readonly matched: number;
}

/**
 * A match whose peaks were chosen, and how likely it is without a lattice.
 * @category Blob finding
 */
export interface ChosenMatch extends LatticeMatch, MatchChance {}

/**
 * How likely a match is without a lattice.
 * @category Blob finding
 */
export interface MatchChance {
  /** Number of peaks that would fit by chance, if they were at random places. */
  readonly expected: number;
  /** The probability that as many peaks fit by chance. */
  readonly chance: number;
  /** A warning if that probability is not small: there may be no lattice. */
  readonly warning?: string;
}

/**
 * Parameters of {@link refineLattice}.
 * @category Blob finding
 */
export interface RefineOptions extends Omit<CorrelateOptions, "peaks">, Lattice, MatchOptions {
  /** Indices of the disks to search, pairs (i, j); {@link latticePoints} lists those inside of a frame. */
  readonly indices: PointsInput;
  /**
   * How the lattice is fitted: `fast` (default) ignores disks that are too far from their lattice point; `affine` uses
   * all disks, with their given indices.
   */
  readonly match?: "fast" | "affine";
}

/**
 * How strain is defined.
 * @category Blob finding
 */
export type StrainForm = "polar" | "infinitesimal";

/**
 * How a reference cell is computed from many.
 * @category Blob finding
 */
export type CellStatistic = "mean" | "median";

/**
 * The reference of a strain map: a cell, or how to compute it from the map itself.
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
  /** Which points are used for the reference, one entry each. Default: all. */
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
  /** Positions used for the reference: one entry per scan position, 0 to exclude it. Default: all. */
  readonly region?: NDArray;
  /** How strain is defined. Default `polar`. */
  readonly form?: StrainForm;
  /** Default true here: a centre of mass is biased towards whole pixels, by up to 0.1 px. Not for `sparse`. */
  readonly upsample?: boolean | number;
}

const { peaks: _, ...CORRELATION } = CORRELATE_OPTIONS;

/** Further properties of a lattice that was found before. */
const FOUND = {
  error: true,
  selector: true,
  matched: true,
  expected: true,
  chance: true,
  warning: true,
} as const;

/** Rules for a refinement; a lattice that was found before may be given with all its properties. */
// deno-fmt-ignore: written by `deno task build`
export const REFINE_OPTIONS: OptionNames<RefineOptions & Partial<Omit<ChosenMatch, keyof RefineOptions>>> = {
  ...CORRELATION, ...LATTICE, ...MATCH_OPTIONS, ...FOUND, indices: needed(points),
  match: oneOf("fast", "affine"),
};

const cell = inner<Partial<ChosenMatch> & Cell>({
  ...CELL,
  zero: vector,
  indices: true,
  ...FOUND,
});

const reference: OptionRule<StrainReference> = (call, option, value) => {
  if (typeof value === "string") return oneOf("mean", "median")(call, option, value);
  cell(call, option, value);
};

const form = oneOf("polar", "infinitesimal");

/** Of a strain map. */
// deno-fmt-ignore: written by `deno task build`
export const STRAIN_OPTIONS: OptionNames<StrainOptions & Partial<Omit<ChosenMatch, keyof StrainOptions>>> = {
  ...REFINE_OPTIONS, reference, region: arrayValue, form,
};

/** Of strain from vectors. */
export const STRAIN_ARRAYS_OPTIONS: OptionNames<StrainArraysOptions> = { reference, region: list, form };
