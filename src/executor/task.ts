/**
 * Jobs and tasks: what an executor runs. It knows nothing of UDFs, views or cubes.
 *
 * A job names code (`module` + `export`) and data that all its tasks share. Each worker loads the code once,
 * calls the export with the shared data to get a handler, and gives that handler one task after another.
 *
 * @module
 */

import type { SourceSpec } from "../io/source/source.ts";

/**
 * Code and shared data of many tasks; what travels of it must be structured-cloneable.
 * @category Executors
 */
export interface Job<S> {
  /** URL of the module, as `import.meta.resolve` gives it. */
  readonly module: string;
  /** What threads know that module by, see `handler.ts`; those that do not take the URL. */
  readonly name?: string;
  /** The export of that module: a {@link JobFactory}. */
  readonly export: string;
  /** Sent once to each worker. */
  readonly shared: S;
  /** What tasks read and write of the memory of the run. Default: nothing. */
  readonly traffic?: Traffic;
  /** What tasks read beside that memory. Default: nothing. */
  readonly sources?: readonly SourceSpec[];
  /** Paths of files that tasks write. Default: none. */
  readonly files?: readonly string[];
  /** URLs of modules of users that tasks import, beside that of the job. */
  readonly modules?: readonly string[];
  /** Why tasks work only in memory that workers share with the caller, if so: they wait for each other in it, say. */
  readonly needsShared?: string;
}

/**
 * Bytes of the memory of a run.
 * @category Executors
 */
export interface Stretch {
  /** Address of the first one. */
  readonly offset: number;
  /** How many. */
  readonly bytes: number;
  /** How many such rows there are, `stride` bytes from start to start. Default 1. */
  readonly rows?: number;
  /** From the start of a row to that of the next one. */
  readonly stride?: number;
  /** Where the first one lies in the memory of the worker, if elsewhere. Its next task begins when they have been sent. */
  readonly from?: number;
  /** Tells these bytes from others at the same address: a worker that has read them need not be given them again. */
  readonly version?: number;
}

/**
 * What goes to workers and comes back. Where they share the memory of the run, nobody asks; others have a memory of the same
 * size, in which the same bytes lie at the same addresses.
 * @category Executors
 */
export interface Traffic {
  /** What all tasks read. It does not change. */
  readonly reads: readonly Stretch[];
  /** What one task reads beside that, and what it leaves behind; nobody else touches either before the task is done. */
  of(task: never): TaskTraffic;
}

/**
 * What goes to a worker and comes back for one task.
 * @category Executors
 */
export interface TaskTraffic {
  /** What it reads beside what all tasks read. */
  readonly reads: readonly Stretch[];
  /** What it leaves behind. */
  readonly writes: readonly Stretch[];
}

/**
 * Makes the handler of a job on one worker; called once a worker and job.
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
  /** Fires when the run is cancelled or fails. Only async code sees it in time; loops ask {@link cancelled}. */
  readonly signal: AbortSignal;
  /** Whether to give up: the run has ended or this worker counts as hung. Cheap enough for every tile. */
  cancelled(): boolean;
  /**
   * Whether others should have a turn, if this is not a thread of our own: then loops await {@link rest}. Cheap enough for
   * every tile.
   */
  readonly due: boolean;
  /** Lets others have a turn. */
  rest(): Promise<void>;
  /** Says that `units` more units (frames, say) of the current task are done; also the sign of life. */
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
  /** How often it was tried, from 1. */
  readonly attempts: number;
}

/**
 * Options of one run.
 * @category Executors
 */
export interface TaskOptions {
  /** The memory that workers share; any memory where they do not. */
  readonly memory: WebAssembly.Memory;
  /** Cancels the run: the iterator rejects with the `aborted` error. */
  readonly signal?: AbortSignal;
  /** Milliseconds without a sign of life after which a worker counts as hung. Default 30 000. */
  readonly stallTimeout?: number;
  /** How often one task may lose its worker before the run fails. Default 3. */
  readonly attempts?: number;
}

/**
 * A run in progress: results in the order of completion. It starts with the iteration, which happens once.
 * @category Executors
 */
export interface TaskRun<R> extends AsyncIterable<TaskResult<R>> {
  /** Units that `advance` has reported for tasks whose results have not been handed out yet. */
  inFlight(): number;
  /** Messages that code on workers has sent to the calling thread; nobody takes them. */
  readonly strays: number;
  /** Workers that were lost in the middle of a task, which was then tried again. */
  readonly losses: number;
  /**
   * Resolves, never rejects, once a run that was iterated is over on every worker. `true`: its memory may be
   * used again. `false`: a thread that hangs could not be stopped and may still write to it.
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
   * `shared`: tasks see the memory of the run. `own`: each worker has one of its own, and what the {@link Traffic} of a job
   * names is carried there and back. Default `shared`.
   */
  readonly memory?: "shared" | "own";
  /** How many tasks can run at the same time. */
  readonly workers: number;
  /**
   * Runs all tasks. They are taken from `tasks` one by one, only when a worker is free, or soon will be: an async
   * iterable can hold them back. The first error ends the run: it comes with the stack of the worker and the task index.
   */
  run<S, T, R>(job: Job<S>, tasks: Iterable<T> | AsyncIterable<T>, options: TaskOptions): TaskRun<R>;
}
