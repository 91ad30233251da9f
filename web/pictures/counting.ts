/**
 * Counts how often the values of an image occur, in the time between frames of the screen.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Limits } from "../../src/pictures/mod.ts";
import type { DrawnImage } from "../draw/drawn.ts";
import { binsFor, countedPlane, type Counts, countValues, domainFor, extremesOf } from "../draw/histogram.ts";
import { hasDirections } from "../draw/numbers.ts";
import type { Display } from "../state/state.ts";
import { inPieces } from "./pieces.ts";

/** Intervals of a wide histogram. */
const MOST_BINS = 256;

/** Intervals of a histogram of few values. */
const LEAST_BINS = 32;

/** The counts of one image after the other. */
export class Counting {
  #extremes: Limits | undefined;
  #counts: Counts | undefined;
  #running = new AbortController();

  /** Calls `changed` when there are new counts. */
  constructor(private readonly changed: () => void) {}

  /** The newest counts, maybe of a part of the values, or still of the image before. */
  get counts(): Counts | undefined {
    return this.#counts;
  }

  /** The least and the largest value, once they are known. */
  get extremes(): Limits | undefined {
    return this.#extremes;
  }

  /** Another image comes: what was counted stays until there are new counts. */
  begin(): void {
    this.#extremes = undefined;
  }

  /** Ends all counting. */
  stop(): void {
    this.#running.abort();
  }

  /** Counts the values of `image`, unless that is done; an older count ends. */
  async count(image: DrawnImage | undefined, display: Display): Promise<void> {
    if (!image) {
      this.stop();
      this.#counts = undefined;
      return;
    }
    const domain = this.#extremes && domainFor(this.#extremes, image.limits(display));
    this.stop();
    if (domain && this.#isCounted(domain)) return;
    const { signal } = this.#running = new AbortController();
    const plane = countedPlane(image.planes);
    const extremes = this.#extremes ?? await inPieces(extremesOf(plane), () => {}, signal);
    if (!extremes) return;
    this.#extremes = extremes;
    const part = (counts: Counts) => counts.done > 0.1 && this.#take(counts);
    const whole = domainFor(extremes, image.limits(display));
    const counts = await inPieces(countValues(plane, whole, binsOf(image, whole)), part, signal);
    if (counts) this.#take(counts);
  }

  #isCounted(domain: Limits): boolean {
    const { done, domain: known } = this.#counts ?? {};
    return done === 1 && known?.[0] === domain[0] && known[1] === domain[1];
  }

  #take(counts: Counts): void {
    this.#counts = counts;
    this.changed();
  }
}

/** Few values have few intervals: most of many would be empty. */
function binsOf({ image, width, height }: DrawnImage, domain: Limits): number {
  const most = Math.min(MOST_BINS, Math.max(LEAST_BINS, Math.ceil(2 * Math.sqrt(width * height))));
  const { dtype } = "y" in image ? image.y : image.array;
  return binsFor(domain, !hasDirections(image) && /int|bool/.test(dtype), most);
}
