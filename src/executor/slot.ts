/**
 * One of the numbered places of a pool; a worker that dies is replaced in its slot.
 *
 * @module
 */

import type { RemoteWorker } from "./remote.ts";

/** A place for one worker. */
export class Slot {
  /** The thread in this place; none before the start and after the end of the pool. */
  remote: RemoteWorker | undefined;
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
