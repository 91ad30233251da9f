/**
 * A problem, which is sources, rows and channels as arrays in memory, and its tiles: whole times where they fit, so that phasors
 * are computed once, and small ones where there are many sources, so that workers end at the same time.
 *
 * @module
 */

import { isTilewiseError } from "../../errors.ts";
import type { Hypercube } from "../../hypercube/cube/cube.ts";
import type { CubePlanOptions, TilePlan } from "../../hypercube/plan/budget.ts";
import { planTiles } from "../../hypercube/run/run_cube.ts";
import { bytesOfTiles } from "../../hypercube/plan/tile_bytes.ts";
import { CHUNK, isDense, type PredictSettings } from "./options.ts";

/**
 * Sources: points first, then Gaussians, then exponential disks, then shapelets.
 * @category Measurement equation
 */
export interface SkyModel {
  /** Direction cosines (nsrc, 2) from the phase centre. */
  readonly lm: Float64Array;
  /** I, Q, U and V in Jy: (nsrc, 4), (nsrc, nchan, 4) or (nsrc, ntime, nchan, 4). */
  readonly stokes: Float64Array;
  /** How brightness depends on frequency, in addition. */
  readonly spectrum?: SkySpectrum;
  /**
   * The shapes (3, ngsrc) of the Gaussians: FWHM of the major axis times sine, and times cosine of the position angle, in
   * radians, and the ratio of the axes.
   */
  readonly gaussianShape?: Float64Array;
  /** The shapes (3, nssrc) of exponential disks: e1, e2, and the scale in radians. */
  readonly sersicShape?: Float64Array;
  /** The shapelets. */
  readonly shapelets?: SkyShapelets;
}

/**
 * Shapelets: the brightness of a source of unit flux is `Σ c[j][k] b_j(x; βx) b_k(y; βy)`, with
 * `b_n(x; β) = H_n(x/β) exp(−x²/2β²) / (β sqrt(2π 2^n n!))`, H_n being the Hermite polynomials of physicists. So a source with
 * `c[0][0] = 1` alone is a Gaussian of its Stokes parameters, whose standard deviations are βx and βy. Visibilities are the Fourier
 * transform, `Σ c[j][k] (−i)^(j + k) ψ_j(2π βx u') ψ_k(2π βy v')`, with `ψ_n(x) = H_n(x) exp(−x²/2) / sqrt(2^n n!)`.
 *
 * Coefficients f of the orthonormal basis of Refregier (2003) are these divided by `2 sqrt(π βx βy)`.
 * @category Measurement equation
 */
export interface SkyShapelets {
  /**
   * βx, βy and the position angle (3, nhsrc), in radians. At the angle 0, x grows with l and y with m; the angle turns y from north
   * to east.
   */
  readonly shape: Float64Array;
  /** The coefficients c (nhsrc, orders of x, orders of y). */
  readonly coefficients: Float64Array;
  /** The number of orders of x and of y. Default: the same, as many as there are. */
  readonly orders?: readonly [x: number, y: number];
}

/**
 * Spectra of all sources.
 * @category Measurement equation
 */
export interface SkySpectrum {
  /** `log`: `(ν/ν0)^(t0 + t1 lg(ν/ν0) + …)` times all Stokes parameters; `linear`: I plus `t0 (ν/ν0 − 1) + t1 (ν/ν0 − 1)² + …`. */
  readonly kind: "log" | "linear";
  /** ν0 of each source, in Hz. */
  readonly referenceFrequency: Float64Array;
  /** The coefficients (nsrc, nterm). */
  readonly terms: Float64Array;
}

/**
 * Where and when visibilities are measured: baselines of antennas, or rows with positions of their own.
 * @category Measurement equation
 */
export interface PredictRows {
  /** Positions in metres: of the antennas (ntime, na, 3) if there is `antenna1`, otherwise of each row (nrow, 3). */
  readonly uvw: Float64Array;
  /** The first antenna: of each baseline, the same at all times, or, with `timeIndex`, of each row. */
  readonly antenna1?: Int32Array;
  /** The second antenna; a visibility has the position of the first minus that of the second. */
  readonly antenna2?: Int32Array;
  /** The time of each row, as an index. */
  readonly timeIndex?: Int32Array;
  /** Number of antennas of `uvw`. Whole, at least 1. Default: the highest number in `antenna1` and `antenna2`, plus 1. */
  readonly antennas?: number;
}

/**
 * What is predicted.
 * @category Measurement equation
 */
export interface PredictInput extends PredictRows {
  /** Frequencies of the channels in Hz. */
  readonly frequency: Float64Array;
  /** The sources. */
  readonly sky: SkyModel;
  /** Jones matrices of antennas towards sources or directions. */
  readonly jones?: PredictJones;
}

/**
 * Jones matrices without the phase, complex numbers as pairs: of each direction, to which some of the sources belong, such as those
 * of a facet, or of each source. They need `antenna1` and `antenna2`. With directions, sources of a direction are summed up first, so
 * that matrices cost as much as a few sources.
 * @category Measurement equation
 */
export interface PredictJones {
  /**
   * The matrices (ndir, ntime, na, nchan, correlations), row-major; of one or two correlations each has a factor of its own. Without
   * `direction`: (nsrc, ntime, na, nchan, 4).
   */
  readonly matrices: Float64Array;
  /** The direction of each source, from 0. Default: a matrix for each source, which must be points, of four correlations. */
  readonly direction?: Int32Array;
}

/** Sizes of a problem. */
export interface PredictSizes {
  /** Sources, Gaussians, disks and shapelets among them, orders of shapelets, coefficients of a spectrum. */
  readonly nsrc: number;
  readonly ngsrc: number;
  readonly nssrc: number;
  readonly nhsrc: number;
  readonly nxorder: number;
  readonly nyorder: number;
  readonly nterm: number;
  /** Directions; 0 without. */
  readonly ndir: number;
  readonly nchan: number;
  /** Times and antennas; 0 for rows with positions of their own (unless they have times). */
  readonly ntime: number;
  readonly na: number;
  /** Baselines of a dense grid; 0 otherwise. */
  readonly nbl: number;
  /** All rows. */
  readonly nrow: number;
}

/** Bytes of a tile that are aimed at, and those above which channels are cut too. */
const LARGEST = 8 * 2 ** 20, MOST = 32 * 2 ** 20;
/** Sources times visibilities of a tile: some ten milliseconds of work. */
const WORK = 2 ** 25;
/** The same above which channels are cut too, to four at least: some seconds with terms, so that no worker is taken for hung. */
const HEAVY = 2 ** 28, FEWEST_CHANNELS = 4;

/**
 * The tiles for predictions. Times are cut, or rows; channels only if one time is very large or very much work, or does not fit
 * into the budget.
 * `timeIndex`, of ragged rows: where all times have the same number of rows, tiles end with a time.
 */
export function predictionTiles(
  cube: Hypercube,
  settings: PredictSettings,
  { nsrc, nbl, nchan }: Pick<PredictSizes, "nsrc" | "nbl" | "nchan">,
  { timeIndex, ...options }: Pick<CubePlanOptions, "context" | "inFlight"> & { timeIndex?: Int32Array },
): TilePlan {
  const axis = isDense(settings) ? "ntime" : "nrow";
  const { size } = cube.dimension(axis);
  const step = Math.min(size, timeIndex ? rowsPerTime(timeIndex) : 1);
  const work = step * (isDense(settings) ? nbl : 1) * nchan * nsrc;
  const ofSteps = bytesOfTiles(cube, [axis]).tileBytes;
  const isHeavy = work > HEAVY;
  if (!isHeavy && ofSteps([step]) <= MOST) {
    const fits = (n: number) => n * work <= WORK && ofSteps([n * step]) <= LARGEST;
    const largestTile = ofSteps([Math.min(size, step * most(Math.ceil(size / step), fits))]);
    try {
      return planTiles(cube, { ...options, tile: [axis], largestTile });
    } catch (error) {
      if (!isTilewiseError(error, "over-budget")) throw error;
    }
  }
  const chunks = Math.ceil(cube.dimension("nchan").size / CHUNK);
  const ofChunks = bytesOfTiles(cube, [axis, "nchan"]).tileBytes;
  const chunk = most(chunks, (n) => ofChunks([step, n * CHUNK]) <= MOST);
  const light = FEWEST_CHANNELS * Math.max(1, Math.floor(nchan * HEAVY / work / FEWEST_CHANNELS));
  const channels = isHeavy ? Math.min(light, chunk * CHUNK) : chunk * CHUNK;
  const largestTile = Math.min(MOST, ofChunks([step, channels]));
  return planTiles(cube, { ...options, tile: [axis, "nchan"], largestTile });
}

/** The largest number from 1 to `limit` that fits, if smaller ones do; 1 if none does. */
function most(limit: number, fits: (n: number) => boolean): number {
  let n = 1;
  while (n < limit && fits(n + 1)) n++;
  return n;
}

/** The rows of a time, if times follow each other and each has as many; otherwise 1. */
function rowsPerTime(timeIndex: Int32Array): number {
  const { length } = timeIndex;
  const rows = timeIndex.findIndex((time) => time !== timeIndex[0]);
  if (rows < 0 || length % rows !== 0) return Math.max(1, rows < 0 ? length : 1);
  const isRegular = timeIndex.every((time, row) => time === timeIndex[row - row % rows]);
  return isRegular ? rows : 1;
}
