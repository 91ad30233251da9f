/**
 * Jobs and tasks: what an executor runs. It knows nothing of UDFs, views or cubes.
 *
 * A job names code (`module` + `export`) and data that all its tasks share. Each worker loads the code once,
 * calls the export with the shared data to get a handler, and gives that handler one task after another.
 *
 * @module
 */

import type { SourceSpec } from "../io/source/source.ts";
import type { OptionNames } from "../options.ts";
import { limit, signal, whole } from "../options/rules.ts";

/**
 * Code and shared data of many tasks; whatever is sent of it must be structured-cloneable.
 * @category Executors
 */
export interface Job<S> {
  /** URL of the module, as `import.meta.resolve` gives it. */
  readonly module: string;
  /** The name of that module for threads that have it built in, see `handler.ts`; other threads use the URL. */
  readonly name?: string;
  /** The export of that module: a {@link JobFactory}. */
  readonly export: string;
  /** Sent once to each worker. */
  readonly shared: S;
  /** The bytes in the memory of the run that tasks read and write. Default: none. */
  readonly traffic?: Traffic;
  /** Sources that tasks read, beside that memory. Default: none. */
  readonly sources?: readonly SourceSpec[];
  /** Paths of files that tasks write. Default: none. */
  readonly files?: readonly string[];
  /** URLs of modules of users that tasks import, beside that of the job. */
  readonly modules?: readonly string[];
  /** If tasks need memory that workers share with the caller: the reason, for example that they wait for each other in it. */
  readonly needsShared?: string;
  /** Whether tasks wait for each other: then each has a worker of its own while it runs. Default false. */
  readonly together?: boolean;
  /** Whether a task that has lost its worker is not tried again, as it may have written files. Default false. */
  readonly once?: boolean;
}

/**
 * Bytes of the memory of a run.
 * @category Executors
 */
export interface MemoryRows {
  /** Address of the first one. */
  readonly offset: number;
  /** How many. */
  readonly bytes: number;
  /** How many such rows there are, `stride` bytes from start to start. Default 1. */
  readonly rows?: number;
  /** From the start of a row to that of the next one. */
  readonly stride?: number;
  /** Address of the first byte in the memory of the worker, if it differs. The next task of the worker begins after they were sent. */
  readonly from?: number;
  /** Tells these bytes from other bytes at the same address: a worker that already has this version is not sent them again. */
  readonly version?: number;
}

/**
 * The bytes that are sent to workers and back. Workers that share the memory of the run do not use it. Other workers have a
 * memory of the same size, in which the same bytes lie at the same addresses.
 * @category Executors
 */
export interface Traffic {
  /** Bytes that all tasks read. They do not change. */
  readonly reads: readonly MemoryRows[];
  /** Further bytes that one task reads, and those that it writes; no other code uses either before the task is done. */
  of(task: never): TaskTraffic;
}

/**
 * The bytes that are sent to a worker and back for one task.
 * @category Executors
 */
export interface TaskTraffic {
  /** Bytes that it reads beside those that all tasks read. */
  readonly reads: readonly MemoryRows[];
  /** Bytes that it writes. */
  readonly writes: readonly MemoryRows[];
}

/**
 * Makes the handler of a job on one worker; called once per worker and job.
 * @category Executors
 */
export type JobFactory<S, T, R> = (
  shared: S,
  worker: WorkerContext,
) => JobHandler<T, R> | Promise<JobHandler<T, R>>;

/**
 * Runs the tasks of one job on one worker.
 * @category Executors
 */
export interface JobHandler<T, R> {
  /** Runs one task; the result must be structured-cloneable. */
  run(task: T): R | Promise<R>;
  /** Called once after the last task, also after an error or a cancel. */
  close?(): void | Promise<void>;
}

/**
 * What a handler knows of the worker it runs on.
 * @category Executors
 */
export interface WorkerContext {
  /** Number of this worker, from 0; a replacement has the number of the worker it replaces. */
  readonly index: number;
  /** The memory of the run, or one of the same layout. */
  readonly memory: WebAssembly.Memory;
  /** Fires when the run is cancelled or fails. Only async code sees it in time; loops should call {@link cancelled}. */
  readonly signal: AbortSignal;
  /** Whether to stop: the run has ended, or this worker counts as hung. Cheap enough to call for every tile. */
  cancelled(): boolean;
  /**
   * Whether to pause, because this is the thread of the caller and has other work: then loops await {@link rest}. Cheap enough
   * to call for every tile.
   */
  readonly due: boolean;
  /** Pauses, so that other work of this thread can run. */
  rest(): Promise<void>;
  /** Reports that `units` more units (such as frames) of the current task are done; it is also the sign of life. */
  advance(units: number): void;
}

/**
 * The result of one task.
 * @category Executors
 */
export interface TaskResult<R> {
  /** Position of the task in the order in which tasks were given. */
  readonly index: number;
  /** What the handler returned. */
  readonly value: R;
  /** Number of the worker that ran it. */
  readonly worker: number;
  /** How often it was tried; 1 for the first time. */
  readonly attempts: number;
}

/**
 * Options of one run.
 * @category Executors
 */
export interface TaskOptions {
  /** The memory that workers share with the caller; any memory if they share none. */
  readonly memory: WebAssembly.Memory;
  /** Cancels the run: the iterator rejects with the `aborted` error. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds without a sign of life after which a worker counts as hung. Above 0 or infinite. Default 30 000. The
   * second attempt of a task gets three times as long; code of Tilewise, whose loops are bounded, ten times. Time in
   * which other threads and programs had the processor does not count, where the system tells it.
   */
  readonly stallTimeout?: number;
  /**
   * How often one task may lose its worker before the run fails; as one that hangs, twice at most. Whole, at least 1.
   * Default 3.
   */
  readonly attempts?: number;
}

/**
 * A run in progress: results in the order of completion. It starts with the iteration, which happens once.
 * @category Executors
 */
export interface TaskRun<R> extends AsyncIterable<TaskResult<R>> {
  /** Units that `advance` has reported for tasks whose results have not been handed out yet. */
  inFlight(): number;
  /** Number of messages that code of users on workers has sent to the calling thread; they are ignored. */
  readonly ignoredMessages: number;
  /** Workers that were lost in the middle of a task, which was then tried again. */
  readonly lostWorkers: number;
  /**
   * Resolves, and never rejects, when a run that was iterated over has ended on every worker. `true`: its memory may be
   * used again. `false`: a hanging thread could not be stopped and may still write to it.
   */
  readonly drained: Promise<boolean>;
}

/**
 * Something that runs the tasks of jobs.
 * @category Executors
 */
export interface Executor extends AsyncDisposable {
  /** `inline` runs on the calling thread, `workers` on threads of their own, `processes` in processes of their own. */
  readonly kind: "inline" | "workers" | "processes";
  /**
   * `shared`: tasks see the memory of the run. `own`: each worker has its own memory, and the bytes that the {@link Traffic}
   * of a job names are sent there and back. Default `shared`.
   */
  readonly memory?: "shared" | "own";
  /** How many tasks can run at the same time. */
  readonly workers: number;
  /**
   * Runs all tasks. They are taken from `tasks` one by one, when a worker is free or almost free: an async
   * iterable can hold them back. The first error ends the run: it comes with the stack of the worker and the task index.
   */
  run<S, T, R>(job: Job<S>, tasks: Iterable<T> | AsyncIterable<T>, options: TaskOptions): TaskRun<R>;
}

/** The names of {@link TaskOptions}, with the rules for their values. */
// deno-fmt-ignore: written by `deno task build`
export const TASK_OPTIONS: OptionNames<TaskOptions> = {
  memory: true, signal, stallTimeout: limit, attempts: whole(1),
};
