/**
 * Progress of a run of tiles.
 *
 * @module
 */

/**
 * Progress of a run of tiles: of a filter, or of a cube.
 * @category Runs
 */
export interface TileProgress {
  /** Tiles that are done and delivered. */
  readonly tiles: number;
  /** Tiles in all. */
  readonly tilesTotal: number;
  /** Seconds since the start. */
  readonly seconds: number;
  /** Seconds to go at this rate. */
  readonly etaSeconds: number;
}

/** Counts the tiles of a run. */
export class TileCount {
  /** Tiles that are done. */
  done = 0;
  readonly #started = performance.now();

  /** A count that begins at 0. */
  constructor(
    /** Tiles in all. */
    readonly total: number,
  ) {}

  /** The progress now. */
  progress(): TileProgress {
    const { done, total } = this;
    const seconds = (performance.now() - this.#started) / 1000;
    const etaSeconds = done === 0 ? Infinity : (total - done) * seconds / done;
    return { tiles: done, tilesTotal: total, seconds, etaSeconds };
  }
}
