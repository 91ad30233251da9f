/**
 * Keeps a job for a worker while one of its units is computed.
 *
 * A job is renewed only as long as its unit makes progress: a pool that hangs loses its job, and another worker gets it.
 *
 * @module
 */

import type { Clock } from "../../clock.ts";
import { TilewiseError } from "../../errors.ts";
import type { Claim, Doing, Engine, Renewal } from "./engine.ts";

/** What a unit may say and hear while it is computed. */
export interface UnitControl {
  /** Ends it with `aborted`; nothing is committed then. */
  readonly signal: AbortSignal;
  /** Called now and then with the part of it that is done, from 0 to 1. */
  readonly onProgress: (done: number) => void;
}

/** How long a job is kept, and by whom. */
export interface HoldOptions {
  /** Host and process: its name. */
  readonly name: string;
  /** No further job is taken when it fires. */
  readonly signal: AbortSignal;
  /** Milliseconds that the current unit may take after `signal`; it is given back then. Default: 20 000. */
  readonly grace?: number;
  /** Milliseconds without progress after which a job is no longer renewed. Default: ten minutes. */
  readonly stallTimeout?: number;
  /** Milliseconds between two renewals. Default: 2000, at most a quarter of the lock. */
  readonly beat?: number;
}

/** Who holds jobs of an engine. */
interface Holder {
  /** The engine. */
  readonly engine: Engine;
  /** Measures pauses. */
  readonly clock: Clock;
  /** How long. */
  readonly options: HoldOptions;
}

/** Keeps a job while a unit is computed. */
export class HeldJob implements UnitControl, AsyncDisposable {
  readonly #controller = new AbortController();
  readonly #over = new AbortController();
  readonly #beating: Promise<void>;
  #done = 0;
  #moved: number;
  /** What the engine has said of the job. */
  state: Renewal = "held";
  /** Why the unit was ended from here. */
  ended: TilewiseError | undefined;

  /** Renews the job of `claim` from now on. */
  constructor(readonly of: Holder, readonly claim: Claim, readonly unit: number) {
    this.#moved = of.clock.now();
    this.#beating = this.#beat();
  }

  /** Ends the unit. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Notes how far the unit is. */
  readonly onProgress = (done: number): void => {
    if (done !== this.#done) this.#moved = this.of.clock.now();
    this.#done = done;
  };

  /** Ends renewals. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#beating;
  }

  async #beat(): Promise<void> {
    const { engine, clock, options } = this.of;
    const { beat = 2000, stallTimeout = 600_000, grace = 20_000 } = options;
    const pause = Math.min(beat, engine.lock / 4);
    let stopped: number | undefined;
    while (!this.#over.signal.aborted) {
      await clock.sleep(pause, this.#over.signal);
      if (this.#over.signal.aborted) return;
      const now = clock.now();
      if (options.signal.aborted) stopped ??= now;
      if (stopped !== undefined && now - stopped >= grace) {
        return this.#end("aborted", "the worker was asked to end");
      }
      if (now - this.#moved >= stallTimeout) {
        return this.#end(
          "timeout",
          `unit ${this.unit} made no progress for ${Math.round(stallTimeout / 1000)} s`,
        );
      }
      await this.#renew();
      if (this.state === "cancelled") return this.#end("aborted", "the run was cancelled");
    }
  }

  async #renew(): Promise<void> {
    if (this.state !== "held") return; // what is computed is committed all the same
    const doing: Doing = { worker: this.of.options.name, unit: this.unit, done: this.#done };
    try {
      this.state = await this.of.engine.renew(this.claim, doing);
    } catch {
      // tried again at the next beat; if the lock expires, another worker gets the job
    }
  }

  #end(code: "aborted" | "timeout", why: string): void {
    this.ended = new TilewiseError(code, `Cannot go on: ${why}`);
    this.#controller.abort(this.ended);
  }
}
