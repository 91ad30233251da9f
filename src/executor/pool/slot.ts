/**
 * One of the numbered places of a pool; a worker that dies is replaced in its slot.
 *
 * @module
 */

import type { Activity } from "../../activity.ts";
import type { Death } from "../failure.ts";
import type { Opening, RunMessage, ToWorker } from "../protocol.ts";
import type { Job } from "../task.ts";

/** A worker: a thread or a process. */
export interface Remote {
  /** Whether it can be given work. */
  readonly ready: boolean;
  /** Resolves with `true` when it cannot use the memory of a run any more, with `false` if it still may after its `stuckTimeout`. */
  readonly gone: Promise<boolean>;
  /** Changes with every sign of life that does not belong to a run. */
  readonly beat: number;
  /** What it is doing, as far as it is known. */
  readonly activity: Activity | undefined;
  /** Milliseconds in which it wanted to run and had no processor; 0 where the system does not tell. */
  readonly waited: number;
  /** Whether it has the permissions that a job needs. */
  serves(job: Job<unknown>): boolean;
  /** Sends a message; throws where it cannot be sent. */
  post(message: Opening | ToWorker): void;
  /** Ends it; the owner must treat it as dead from now on. */
  stop(how: Death["how"], cause?: unknown): void;
  /** Stops waiting for the end of a stopped worker. */
  giveUp(): void;
}

/** Events that the owner of a worker handles. */
export interface RemoteEvents {
  /** It can be given work. */
  ready(): void;
  /** It has sent a message about a run. */
  message(message: RunMessage): void;
  /** Code of users on it has sent a message to this thread. */
  strayed(): void;
  /** It cannot be used any more; called once, also after {@link Remote.stop}. */
  died(death: Death): void;
}

/** A place for one worker. */
export class Slot {
  /** The worker in this place; none before the start and after the end of the pool. */
  remote: Remote | undefined;
  /** The run whose tasks the worker computes. */
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
