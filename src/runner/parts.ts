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
