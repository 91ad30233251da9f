/**
 * One worker's place in one run: its control block, the task it is at, and how long it has been quiet.
 *
 * @module
 */

import { Control } from "./control.ts";
import type { RemoteWorker } from "./remote.ts";
import type { PendingTask } from "./source.ts";
import type { Job } from "./task.ts";

/** Milliseconds that loading the module of a job and making its handler may take at least. */
const OPEN_LIMIT = 30_000;

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
  /** What the worker is doing for this run. */
  task: PendingTask<unknown> | undefined;
  readonly #run: number;
  #opened = false;
  #counted = 0;
  #beat = 0;
  #quiet = 0;

  /** Has the worker make the handler; throws what `postMessage` throws. */
  constructor(
    /** The worker. */
    readonly remote: RemoteWorker,
    { run, job, memory }: Opening,
  ) {
    this.#run = run;
    const { module, export: name, shared } = job;
    const sent = { module, export: name, shared };
    remote.post({ kind: "open", run, job: sent, memory, control: this.control.buffer });
  }

  /** Gives the worker a task; throws what `postMessage` throws. */
  give(task: PendingTask<unknown>): void {
    this.remote.post({ kind: "task", run: this.#run, index: task.index, task: task.task });
    this.task = task;
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

  /** Units of the task the worker is at. */
  get units(): number {
    return (this.control.units - this.#counted) >>> 0;
  }

  /** The task is done: its units, and the count starts again. */
  takeUnits(): number {
    const { units } = this;
    this.#counted = this.control.units;
    return units;
  }

  /** After `elapsed` more milliseconds: whether the worker has been quiet for longer than `limit`. */
  hung(elapsed: number, limit: number): boolean {
    const { beat } = this.control;
    this.#quiet = beat === this.#beat ? this.#quiet + elapsed : 0;
    this.#beat = beat;
    return this.#quiet > (this.#opened ? limit : Math.max(limit, OPEN_LIMIT));
  }
}
