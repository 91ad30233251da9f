/**
 * How far a run is, as data, and a reporter that tells a callback now and then.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { isThenable } from "../../options.ts";
import type { Plan } from "../plan/plan_facts.ts";

/** How far a run is. */
export interface Progress {
  /** Frames merged, and on their way in workers. */
  readonly frames: number;
  /** Frames in all. */
  readonly framesTotal: number;
  /** Partitions merged. */
  readonly partitions: number;
  /** Partitions that workers have been given and that are not merged yet. */
  readonly partitionsInProgress: number;
  /** Partitions in all. */
  readonly partitionsTotal: number;
  /** Stored bytes of `frames`. */
  readonly bytes: number;
  /** Stored bytes of all frames. */
  readonly bytesTotal: number;
  /** Seconds since the start. */
  readonly seconds: number;
  /** Rate so far. */
  readonly bytesPerSecond: number;
  /** Seconds to go at this rate. */
  readonly etaSeconds: number;
}

/** What is counted while a run goes on. */
export type Counts = Pick<
  Progress,
  "frames" | "partitions" | "partitionsInProgress" | "partitionsTotal" | "seconds"
>;

/** The progress of a run of `plan` with these counts. */
export function progressOf({ udfs, bytesToRead }: Plan, counts: Counts): Progress {
  const framesTotal = udfs[0]!.meta.selected;
  const frames = Math.min(framesTotal, counts.frames);
  const { seconds } = counts;
  const bytes = framesTotal === 0 ? 0 : frames * (bytesToRead / framesTotal);
  return {
    ...counts,
    frames,
    framesTotal,
    bytes,
    bytesTotal: bytesToRead,
    bytesPerSecond: bytes / Math.max(seconds, 1e-9),
    etaSeconds: frames === 0 ? Infinity : (framesTotal - frames) * seconds / frames,
  };
}

/** What a {@link ProgressReporter} needs. */
export interface ReporterOptions {
  /** How far the run is now. */
  readonly look: () => Progress;
  /** Whom to tell. */
  readonly tell: (progress: Progress) => void;
  /** Most calls a second. */
  readonly rate: number;
  /** What to do with an error that `tell` throws, or rejects with where it is async: it is not called again. */
  readonly failed: (error: unknown) => void;
}

/** Tells of progress at most `rate` times a second, and once at the end. */
export class ProgressReporter implements Disposable {
  readonly #period: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #last = performance.now();
  #over = false;

  /** A reporter that has started. */
  constructor(private readonly options: ReporterOptions) {
    const { rate } = options;
    if (!(rate > 0)) {
      const text = `Cannot report progress ${rate} times a second; it can be any number above 0`;
      throw new TilewiseError("invalid", text, { option: "progressRate", found: rate });
    }
    this.#period = 1000 / rate;
    this.#timer = setInterval(() => this.tick(), Math.max(4, this.#period));
  }

  /** Tells, if it is time. Work that keeps this thread busy calls it where timers cannot fire. */
  tick(): void {
    const now = performance.now();
    if (this.#over || now - this.#last < this.#period - 1) return; // timers may fire a little early
    this.#last = now;
    this.#tell();
  }

  /** Tells a last time: the run is complete. */
  finish(): void {
    if (!this.#over) this.#tell();
    this[Symbol.dispose]();
  }

  /** Tells nothing any more. */
  [Symbol.dispose](): void {
    this.#over = true;
    clearInterval(this.#timer);
  }

  #tell(): void {
    const failed = (error: unknown) => {
      this[Symbol.dispose]();
      this.options.failed(error);
    };
    try {
      const told: unknown = this.options.tell(this.options.look());
      if (isThenable(told)) Promise.resolve(told).catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
