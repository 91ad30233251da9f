/**
 * The tiles of a problem: whole times where they fit, so that phasors are computed once, and small ones where there are many
 * sources, so that workers end at the same time.
 *
 * @module
 */

import { isTilewiseError } from "../../errors.ts";
import type { Hypercube } from "../../hypercube/cube/cube.ts";
import type { CubePlanOptions, TilePlan } from "../../hypercube/plan/budget.ts";
import { planTiles } from "../../hypercube/run/plan_tiles.ts";
import { bytesOfTiles } from "../../hypercube/plan/tile_bytes.ts";
import { CHUNK, isDense, type PredictSettings } from "./options.ts";
import type { PredictSizes } from "./problem.ts";

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
