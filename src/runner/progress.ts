/**
 * Calls a callback now and then with the progress of a run.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { isThenable } from "../options.ts";

/** What a {@link ProgressReporter} needs. */
interface ReporterOptions<P> {
  /** How far the run is now. */
  readonly look: () => P;
  /** The callback. */
  readonly tell: (progress: P) => void;
  /** Most calls per second. */
  readonly rate: number;
  /** Takes an error that `tell` throws, or rejects with if it is async; `tell` is not called again. */
  readonly failed: (error: unknown) => void;
}

/** Reports progress at most `rate` times per second, and once at the end. */
export class ProgressReporter<P> implements Disposable {
  readonly #period: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #last = performance.now();
  #over = false;

  /** A reporter that has started. */
  constructor(private readonly options: ReporterOptions<P>) {
    const { rate } = options;
    if (!(rate > 0)) {
      const text = `Cannot report progress ${rate} times per second; it can be any number above 0`;
      throw new TilewiseError("invalid", text, { option: "progressRate", found: rate });
    }
    this.#period = 1000 / rate;
    this.#timer = setInterval(() => this.tick(), Math.max(4, this.#period));
  }

  /** Reports, if it is time. Work that keeps this thread busy calls it, as timers cannot fire then. */
  tick(): void {
    const now = performance.now();
    if (this.#over || now - this.#last < this.#period - 1) return; // timers may fire a little early
    this.#last = now;
    this.#tell();
  }

  /** Reports for the last time: the run is complete. */
  finish(): void {
    if (!this.#over) this.#tell();
    this[Symbol.dispose]();
  }

  /** Stops reporting. */
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
