/**
 * Types of lattices, vectors and lists of peaks, and the rules for the options that take them.
 *
 * @module
 */

import type { OptionNames, OptionRule } from "../../../../options.ts";
import {
  atLeast0,
  either,
  finite,
  limit,
  list,
  must,
  needed,
  positive,
  whole,
} from "../../../../options/rules.ts";
import type { NDArray } from "../../../../space/ndarray.ts";
import { arrayValue, shapeFrom } from "../../../../space/rules.ts";

/**
 * A point or vector in a frame in pixels, row first.
 * @category Blob finding
 */
export type Vector = readonly [y: number, x: number];

/**
 * A lattice: the points `zero + i a + j b`.
 * @category Blob finding
 */
export interface Lattice {
  /** The point with both indices 0. */
  readonly zero: Vector;
  /** The vector of the first index. */
  readonly a: Vector;
  /** The vector of the second index. */
  readonly b: Vector;
}

/**
 * Points as pairs, as an array of shape (points, 2), or as flat numbers y, x, y, x, ….
 * @category Blob finding
 */
export type PointsInput = readonly Vector[] | NDArray | Float64Array | Float32Array | Int32Array;

/**
 * Which points of a lattice {@link latticePoints} lists.
 * @category Blob finding
 */
export interface LatticeRange {
  /** The shape of a frame: only points inside of it are listed. */
  readonly frame: readonly [height: number, width: number];
  /** Smallest distance of a point from the edge of the frame. At least 0. Default 0. */
  readonly margin?: number;
  /** Largest distance of a point from `zero`. At least 0. Default: no limit. */
  readonly maxRadius?: number;
  /** Smallest distance of a point from `zero`. At least 0. Default 0. */
  readonly minRadius?: number;
}

/**
 * The two vectors of a lattice.
 * @category Blob finding
 */
export type Cell = Pick<Lattice, "a" | "b">;

/**
 * Peaks that were found in a frame.
 * @category Blob finding
 */
export interface PeakList {
  /** Their positions. */
  readonly positions: PointsInput;
  /** Their weights, such as their elevations. Default 1 each. */
  readonly weights?: ArrayLike<number>;
}

/**
 * Conditions of a match.
 * @category Blob finding
 */
export interface MatchOptions {
  /**
   * Largest distance of a peak from its lattice point, in pixels; it grows with the square root of the index. Above
   * 0. Default: 3, or a sixth of the shorter vector if that is less, so that peaks at random places do not fit small
   * cells.
   */
  readonly tolerance?: number;
  /** Peaks with a smaller weight are ignored. Finite. Default 0.1. */
  readonly minWeight?: number;
  /** Smallest number of matching peaks. Whole, at least 1. Default 3. */
  readonly minMatch?: number;
}

/**
 * Parameters of {@link findLattices}, in addition to those of a match.
 * @category Blob finding
 */
export interface FullMatchOptions extends MatchOptions {
  /**
   * Length of the shortest vector of a lattice, at least, in pixels. At least 0. Default: twice the tolerance, 6
   * without one.
   */
  readonly minLength?: number;
  /** Length of the longest vector, at most. Above 0 or infinite. Default: no limit. */
  readonly maxLength?: number;
  /** Smallest angle between two vectors in degrees. At least 0. Default 18. */
  readonly minAngle?: number;
  /** Number of candidates for vectors. Whole, at least 2. Default 12. */
  readonly candidates?: number;
  /** Largest number of lattices. Whole, at least 1. Default: all that have `minMatch` peaks. */
  readonly lattices?: number;
}

const isPair = (value: unknown) =>
  Array.isArray(value) && value.length === 2 &&
  value.every((n) => typeof n === "number" && Math.abs(n) <= Number.MAX_SAFE_INTEGER);

/** Points and vectors. */
export const vector: OptionRule<Vector> = must("a pair of finite numbers of pixels [y, x]", isPair);

/** Several points. */
export const points = either("a list of pairs [y, x], or an array (…, 2)", list, arrayValue);

/** Of lists of peaks. */
export const PEAK_LIST: OptionNames<PeakList> = { positions: needed(points), weights: list };

/** Of a match. */
// deno-fmt-ignore: written by `deno task build`
export const MATCH_OPTIONS: OptionNames<MatchOptions> = {
  tolerance: positive, minWeight: finite, minMatch: whole(1),
};

/** Of the search for lattices. */
// deno-fmt-ignore: written by `deno task build`
export const FULL_MATCH_OPTIONS: OptionNames<FullMatchOptions> = {
  ...MATCH_OPTIONS, minLength: atLeast0, maxLength: limit, minAngle: atLeast0, candidates: whole(2),
  lattices: whole(1),
};

/** Of lists of lattice points. */
// deno-fmt-ignore: written by `deno task build`
export const RANGE_OPTIONS: OptionNames<LatticeRange> = {
  frame: needed(shapeFrom(0, "[256, 256]")), margin: atLeast0, maxRadius: atLeast0, minRadius: atLeast0,
};

/** Of a cell. */
export const CELL: OptionNames<Cell> = { a: needed(vector), b: needed(vector) };

/** Of a lattice. */
export const LATTICE: OptionNames<Lattice> = { ...CELL, zero: needed(vector) };
