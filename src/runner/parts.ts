/**
 * How a run is cut into parts that machines compute on their own.
 *
 * @module
 */

/** Units that a run should have while they are small. */
export const WANTED_UNITS = 64;

/** Most units: enough for thousands of workers, few enough to list and to merge. */
export const MOST_UNITS = 4096;

/**
 * A unit of work: a node of the merge tree that is computed in one go and makes one part. Units are in the order of their
 * leaves and cover everything that is selected.
 * @category Cluster
 */
export type Unit = readonly [level: number, index: number, frames: number];

/** The cut of a run; it depends on what is computed, never on shards or workers. */
export interface Cut {
  /** Frames in a leaf of the merge tree (rows in a band, 1 for tiles and shards). */
  readonly leaf: number;
  /** Bytes of samples in all units. */
  readonly bytes: number;
  /** The units. */
  readonly units: readonly Unit[];
  /** Most parts that one merge takes. */
  readonly fanIn: number;
}

const MiB = 2 ** 20;

/** Bytes of a part beyond which units are not made larger than they must be. */
const LARGE_UNIT = 64 * MiB;

/**
 * The cut of a run without merges: of `count` things of `each` bytes that follow each other, such as rows, chunks or tiles, in
 * ranges of a multiple of `multiple`; `bytes` is what all of them read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(cutEvenly(600, 4000, 256, 1).units, [[0, 0, 256], [0, 1, 256], [0, 2, 88]]);
 * ```
 */
export function cutEvenly(count: number, each: number, multiple: number, bytes: number): Cut {
  const total = count * each;
  const wanted = Math.max(Math.min(total / WANTED_UNITS, LARGE_UNIT), total / MOST_UNITS);
  const leaf = multiple * Math.max(1, Math.round(wanted / Math.max(1, each * multiple)));
  const units = Array.from({ length: Math.ceil(count / leaf) }, (_, i): Unit => {
    return [0, i, Math.min(count, (i + 1) * leaf) - i * leaf];
  });
  return { leaf, bytes, units, fanIn: Math.max(16, units.length) }; // nothing is merged: there are no joins
}
