/**
 * One of the numbered places of a pool; a worker that dies is replaced in its slot.
 *
 * @module
 */

import type { Death } from "../failure.ts";
import type { Opening, RunMessage, ToWorker } from "../protocol.ts";
import type { Job } from "../task.ts";

/** A worker, wherever it runs: a thread, or a process. */
export interface Remote {
  /** Whether it can be given work. */
  readonly ready: boolean;
  /** Resolves once it cannot touch the memory of a run any more: `true`; or may still do so after all patience: `false`. */
  readonly gone: Promise<boolean>;
  /** Changes with every sign of life, beside those of runs. */
  readonly beat: number;
  /** Whether it may do what a job wants to. */
  serves(job: Job<unknown>): boolean;
  /** Sends a message; throws where it cannot be sent. */
  post(message: Opening | ToWorker): void;
  /** Ends it, now as far as the owner is concerned. */
  stop(how: Death["how"], cause?: unknown): void;
  /** Does not wait any longer for a stopped worker to be gone. */
  giveUp(): void;
}

/** What the owner of a worker wants to know. */
export interface RemoteEvents {
  /** It can be given work. */
  ready(): void;
  /** It says something of a run. */
  message(message: RunMessage): void;
  /** Code on it has sent something to this thread that is no message of ours. */
  strayed(): void;
  /** It cannot be used any more; told once, and also after {@link Remote.stop}. */
  died(death: Death): void;
}

/** A place for one worker. */
export class Slot {
  /** The worker in this place; none before the start and after the end of the pool. */
  remote: Remote | undefined;
  /** The run whose tasks the worker is at. */
  owner: object | undefined;

  /** The place with number `index`. */
  constructor(
    /** Number of the place, and of the worker in it. */
    readonly index: number,
  ) {}

  /** Whether its worker can be given a task. */
  get free(): boolean {
    return this.remote?.ready === true && this.owner === undefined;
  }
}
