/**
 * Jobs and tasks: what an executor runs. It knows nothing of UDFs, views or cubes.
 *
 * A job names code (`module` + `export`) and data that all its tasks share. Each worker loads the code once,
 * calls the export with the shared data to get a handler, and gives that handler one task after another.
 *
 * @module
 */

/**
 * Code and shared data of many tasks; everything in it must be structured-cloneable.
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
  /** The memory that all workers share. */
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
export interface RunOptions {
  /** The memory that workers share; any memory for the inline executor. */
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
  /** `inline` runs on the calling thread, `workers` on threads of their own. */
  readonly kind: "inline" | "workers";
  /** How many tasks can run at the same time. */
  readonly workers: number;
  /**
   * Runs all tasks. They are taken from `tasks` one by one, only when a worker is free, or soon will be: an async
   * iterable can hold them back. The first error ends the run: it comes with the stack of the worker and the task index.
   */
  run<S, T, R>(job: Job<S>, tasks: Iterable<T> | AsyncIterable<T>, options: RunOptions): TaskRun<R>;
}
