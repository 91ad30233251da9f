/**
 * The state of one worker in one run: its control block, its tasks, and the time since its last sign of life.
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
 * Milliseconds: a worker whose last task took less gets the next one ahead. A message and its answer take 0.2 ms, so
 * longer tasks would gain nothing, and would only wait for each other while other workers are free.
 */
const SHORT = 10;

/** How many times the usual time a task gets that has lost a worker because it was slow, or seemed to hang. */
const AGAIN = 3;

/** The same while code of Tilewise runs, which comes back: its loops are bounded, and what it waits for has a deadline. */
const BOUNDED = 10;

/** What a worker must know about a run before its first task. */
interface Opening {
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
  readonly #tasks: PendingTask<unknown>[] = []; // the current one, and maybe the next
  #begun = 0;
  #took = Infinity;
  #opened = false;
  #counted = 0;
  #beat = 0;
  #quiet = 0;
  #silence = 0;
  #waited = 0;
  /** Whether all code of users that the job calls is noted on the board of its worker meanwhile. */
  readonly #notesUsers: boolean;

  /** Makes the worker create the handler; throws what `postMessage` throws. */
  constructor(
    /** The worker. */
    readonly remote: Remote,
    { run, job, memory }: Opening,
  ) {
    this.#run = run;
    this.#notesUsers = job.name?.startsWith("tilewise:") === true && !job.modules?.length;
    remote.post({ kind: "open", run, job, memory, control: this.control.buffer });
  }

  /** Gives the worker a task; throws what `postMessage` throws. */
  give(task: PendingTask<unknown>): void {
    if (!this.busy) this.#begin();
    const again = task.deaths.length > 0 ? { again: true } : {};
    this.remote.post({ kind: "task", run: this.#run, index: task.index, task: task.task, ...again });
    this.#tasks.push(task);
  }

  /** Whether the worker computes a task of this run. */
  get busy(): boolean {
    return this.#tasks.length > 0;
  }

  /** Whether the worker should get the next task before it has finished this one. */
  get hasty(): boolean {
    return this.#tasks.length === 1 && this.#took < SHORT;
  }

  /** Removes the current task, which the worker has finished. */
  finish(): PendingTask<unknown> | undefined {
    const task = this.#tasks.shift();
    this.#took = performance.now() - this.#begun;
    this.#begin();
    return task;
  }

  /** Takes back all unfinished tasks, the current one first. */
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

  /** Tells the worker to stop its current work. */
  stop(): void {
    this.control.stop();
    this.remote.post({ kind: "cancel", run: this.#run });
  }

  /** Makes the worker close its handler after its current work. */
  close(): void {
    this.remote.post({ kind: "close", run: this.#run });
  }

  /** Units of tasks that the worker has not reported as done. */
  get units(): number {
    return (this.control.units - this.#counted) >>> 0;
  }

  /** The units of a finished task, when the worker has counted `total` units since the run began. */
  takeUnits(total: number): number {
    const units = (total - this.#counted) >>> 0;
    this.#counted = total;
    return units;
  }

  /**
   * Whether the worker, after `elapsed` more milliseconds, has given no sign of life for longer than `limit`. Time in which it
   * wanted to run, and other threads and programs had the processor, does not count; nor does that in which this thread could
   * not have seen a sign: `seen` milliseconds are left.
   */
  hung(elapsed: number, seen: number, limit: number): boolean {
    const beat = this.control.beat + this.remote.beat; // of this run, and of code that it calls
    if (beat !== this.#beat) this.#quiet = 0;
    this.#beat = beat;
    if (this.#quiet === 0) [this.#silence, this.#waited] = [0, this.remote.waited];
    this.#quiet += seen;
    this.#silence += elapsed;
    if (this.#quiet <= limit) return false;
    const ran = this.#silence - Math.max(0, this.remote.waited - this.#waited);
    return Math.min(ran, this.#quiet) > this.#allowed(limit);
  }

  #allowed(limit: number): number {
    if (!this.#opened) return Math.max(limit, OPEN_LIMIT);
    const again = this.#tasks[0]?.deaths.some(({ how }) => how === "hung") ? AGAIN : 1;
    const { activity } = this.remote;
    const bounded = this.#notesUsers && (!activity || activity.ours) ? BOUNDED : 1;
    return again * bounded * limit;
  }
}
