/**
 * The progress of several runs as that of one.
 *
 * @module
 */

import { TileCount, type TileProgress } from "../../runner/tiles.ts";

/** Parts into which the progress of a step is divided. */
const PARTS = 1000;

/** The progress of several runs one after another, each of which counts alike. */
export class StepProgress {
  #step = -1;
  readonly #count: TileCount;

  constructor(steps: number, private readonly told: ((progress: TileProgress) => void) | undefined) {
    this.#count = new TileCount(steps * PARTS);
  }

  /** The option of the next run. */
  next(): { readonly onProgress?: (progress: TileProgress) => void } {
    const before = ++this.#step * PARTS, { told } = this;
    return told === undefined ? {} : {
      onProgress: ({ tiles, tilesTotal }) => {
        this.#count.done = before + Math.floor(PARTS * tiles / tilesTotal);
        told(this.#count.progress());
      },
    };
  }
}
