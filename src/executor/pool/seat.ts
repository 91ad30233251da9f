/**
 * One worker's place in one run: its control block, the tasks it has, and how long it has been quiet.
 *
 * @module
 */

import { Control } from "../control.ts";
import type { Remote } from "./slot.ts";
import type { PendingTask } from "./source.ts";
import type { Job } from "../task.ts";

/** Milliseconds that loading the module of a job and making its handler may take at least. */
const OPEN_LIMIT = 30_000;

/**
 * Milliseconds: a worker whose last task took less is given the next one ahead. A message there and back takes 0.2 ms,
 * so that longer tasks gain nothing, and would only wait behind each other while other workers are free.
 */
const SHORT = 10;

/** What a worker has to know of a run before its first task. */
export interface Opening {
  /** Number of the run. */
  readonly run: number;
  /** Its job. */
  readonly job: Job<unknown>;
  /** Its memory. */
  readonly memory: WebAssembly.Memory;
}

/** A worker in a run. */
export class Seat {
  /** Shared with the worker. */
  readonly control: Control = new Control();
  readonly #run: number;
  readonly #tasks: PendingTask<unknown>[] = []; // the one it is at, and maybe the next
  #begun = 0;
  #took = Infinity;
  #opened = false;
  #counted = 0;
  #beat = 0;
  #quiet = 0;

  /** Has the worker make the handler; throws what `postMessage` throws. */
  constructor(
    /** The worker. */
    readonly remote: Remote,
    { run, job, memory }: Opening,
  ) {
    this.#run = run;
    remote.post({ kind: "open", run, job, memory, control: this.control.buffer });
  }

  /** Gives the worker a task; throws what `postMessage` throws. */
  give(task: PendingTask<unknown>): void {
    if (!this.busy) this.#begin();
    this.remote.post({ kind: "task", run: this.#run, index: task.index, task: task.task });
    this.#tasks.push(task);
  }

  /** Whether the worker is at a task of this run. */
  get busy(): boolean {
    return this.#tasks.length > 0;
  }

  /** Whether the worker is to have the next task before it is done with this one. */
  get hasty(): boolean {
    return this.#tasks.length === 1 && this.#took < SHORT;
  }

  /** The worker is done with the task it was at. */
  finish(): PendingTask<unknown> | undefined {
    const task = this.#tasks.shift();
    this.#took = performance.now() - this.#begun;
    this.#begin();
    return task;
  }

  /** Takes what the worker has not done, the task it was at first. */
  abandon(): PendingTask<unknown>[] {
    return this.#tasks.splice(0);
  }

  #begin(): void {
    this.#begun = performance.now();
    this.#quiet = 0;
  }

  /** The worker has made its handler. */
  opened(): void {
    this.#opened = true;
    this.#quiet = 0;
  }

  /** Tells the worker to give up what it is doing. */
  stop(): void {
    this.control.stop();
    this.remote.post({ kind: "cancel", run: this.#run });
  }

  /** Has the worker close its handler, after what it is doing. */
  close(): void {
    this.remote.post({ kind: "close", run: this.#run });
  }

  /** Units of tasks that the worker has not said to be done. */
  get units(): number {
    return (this.control.units - this.#counted) >>> 0;
  }

  /** A task is done that has counted up to `total` units since the run began: how many are its own. */
  takeUnits(total: number): number {
    const units = (total - this.#counted) >>> 0;
    this.#counted = total;
    return units;
  }

  /** After `elapsed` more milliseconds: whether the worker has been quiet for longer than `limit`. */
  hung(elapsed: number, limit: number): boolean {
    const beat = this.control.beat + this.remote.beat; // of this run, and of code that it calls
    this.#quiet = beat === this.#beat ? this.#quiet + elapsed : 0;
    this.#beat = beat;
    return this.#quiet > (this.#opened ? limit : Math.max(limit, OPEN_LIMIT));
  }
}
