/**
 * The executor of worker threads: a long-lived pool that replaces workers that die.
 *
 * Any number of runs share the workers: each free worker goes to the next run, in turn, that has a task, so
 * that a run whose tasks are held back never blocks another. A worker gets one task at a time. While tasks are short
 * and no other run wants the worker, it gets the next task ahead, so that it does not wait for this thread in between.
 *
 * @module
 */

import { type Clock, REAL_CLOCK } from "../../clock.ts";
import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { atLeast0, oneOf, text, whole } from "../../options/rules.ts";
import type { RunMessage } from "../protocol.ts";
import { processors } from "../../portable.ts";
import { canShare } from "../../sharing.ts";
import { CopiedMail } from "./mail.ts";
import { RemoteWorker } from "./remote.ts";
import { type Crew, PoolRun } from "./run.ts";
import type { Slot } from "./slot.ts";
import { Staff, type StartWorker } from "./staff.ts";
import { type Executor, type Job, TASK_OPTIONS, type TaskOptions, type TaskRun } from "../task.ts";
import { mustLoad } from "../thread_code.ts";
import { wholeUrl } from "../module_url.ts";
import { hasThreads } from "../threads.ts";

/** Most threads of a pool. */
export const MOST_WORKERS = 1024;

/** Grace period for threads when the pool is disposed of, in ms. */
const LAST_PATIENCE = 500;

/**
 * Options of {@link workerPool}.
 * @category Executors
 */
export interface WorkerPoolOptions {
  /** Number of threads. Whole, 1 to 1024. Default: one per core, at most 8. */
  readonly workers?: number;
  /** Name of the threads in debuggers and stacks. Default `tilewise`. */
  readonly name?: string;
  /**
   * Most bytes of the JavaScript heap of one thread. A thread that needs more is ended and replaced if the platform
   * can do this (Deno, Node); elsewhere the whole process ends. At least 0. Default: the limit of the platform.
   */
  readonly heap?: number;
  /** Milliseconds without a run after which the threads end; the next run starts new ones. At least 0. Default 5000. */
  readonly idle?: number;
  /**
   * Grace period for workers to stop after a run was cancelled, in milliseconds; then they are replaced. At least 0. Default
   * 100.
   */
  readonly grace?: number;
  /** Milliseconds until a thread that does not end counts as stuck. At least 0. Default 5000. */
  readonly stuckTimeout?: number;
  /**
   * `shared`: threads use the memory of a run. `own`: each has its own, and the bytes that tasks read and write are sent there
   * and back; the same results, more slowly. Default: `shared` where the platform shares memory, otherwise `own`, as in pages
   * that are not isolated from other origins.
   */
  readonly memory?: "shared" | "own";
}

// deno-fmt-ignore: written by `deno task build`
const POOL_OPTIONS: OptionNames<WorkerPoolOptions> = {
  workers: whole(1, 1024), name: text, heap: atLeast0, idle: atLeast0, grace: atLeast0,
  stuckTimeout: atLeast0, memory: oneOf("shared", "own"),
};

/**
 * How long the start of a pool took.
 * @category Executors
 */
export interface StartUp {
  /** Number of threads. */
  readonly workers: number;
  /** Milliseconds until all of them could be used. */
  readonly milliseconds: number;
}

/**
 * An executor of worker threads.
 * @category Executors
 */
export interface WorkerPool extends Executor {
  /** Starts the threads that do not run yet; without it the first run does. */
  start(): Promise<StartUp>;
  /** Ends the thread with this number, as a crash would; it is replaced. For tests. */
  kill(index: number): void;
  /** How many threads have been replaced. */
  readonly replaced: number;
  /**
   * How many threads hang and could not be stopped. They run until `Deno.exit()` ends the process; in a
   * page, until its tab is closed.
   */
  readonly stuck: number;
}

/**
 * A pool of worker threads. Dispose of it with `await using`; otherwise its threads keep the process alive
 * until they have been idle for a while.
 *
 * Errors: `invalid` for an impossible number of workers, `unsupported` where there are no workers, for shared memory where
 * there is none, and, when threads have their own memory, for jobs that need shared memory.
 *
 * @example
 * ```ts
 * import { workerPool } from "@tilewise/tilewise/unstable/run";
 * import { assertEquals } from "@std/assert";
 * const module = "data:text/javascript,export const square = () => ({ run: (n) => n * n })";
 * const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
 * await using pool = workerPool({ workers: 2 });
 * let sum = 0;
 * for await (const { value } of pool.run<object, number, number>({ module, export: "square", shared: {} }, [1, 2, 3], {
 *   memory,
 * })) {
 *   sum += value;
 * }
 * assertEquals(sum, 14);
 * ```
 * @category Executors
 */
export function workerPool(options: WorkerPoolOptions = {}): WorkerPool {
  checkOptionNames("workerPool()", options, POOL_OPTIONS);
  if (!hasThreads()) {
    throw new TilewiseError("unsupported", "Cannot make a worker pool: this platform has no workers");
  }
  const { memory = canShare() ? "shared" : "own" } = options;
  if (memory === "shared" && !canShare()) throw notIsolated();
  return new Pool(countOf(options), options, memory === "own" ? APART : THREADS);
}

function notIsolated(): TilewiseError {
  const text =
    'Cannot make a worker pool with memory: "shared": a page shares memory with its workers only if ' +
    'it is isolated; serve it with the headers "Cross-Origin-Opener-Policy: same-origin" and ' +
    '"Cross-Origin-Embedder-Policy: require-corp", or use memory: "own"';
  return new TilewiseError("unsupported", text, { option: "memory", expected: "own", found: "shared" });
}

/** The number of workers of a pool. */
export function countOf({ workers }: WorkerPoolOptions): number {
  return workers ?? Math.min(8, processors());
}

/** A kind of workers for a pool. */
export interface Trade {
  /** The `kind` of the executor. */
  readonly kind: Executor["kind"];
  /** Whether they share the memory of a run. */
  readonly memory: "shared" | "own";
  /** Starts one. */
  readonly start: StartWorker;
  /** Refuses a job that none of them can do. */
  check?(job: Job<unknown>): void;
  /** Time for those who watch over workers. Default: that of this machine. */
  readonly clock?: Clock;
  /** Tells it the jobs of the current runs; workers that start from now on get the permissions that these need. */
  serve?(jobs: readonly Job<unknown>[]): void;
}

const THREADS: Trade = {
  kind: "workers",
  memory: "shared",
  start: (options, events) => {
    mustLoad();
    return new RemoteWorker(options, events);
  },
};

const APART: Trade = {
  kind: "workers",
  memory: "own",
  start: (options, events) => {
    mustLoad();
    return new RemoteWorker(options, events, new CopiedMail());
  },
  check: (job) => mustNotShare(job, "workers that have their own memory"),
};

/** Throws if `job` needs memory that `where` do not share. */
export function mustNotShare(job: Job<unknown>, where: string): void {
  if (job.needsShared === undefined) return;
  const text = `Cannot run "${job.export}" in ${where}: ${job.needsShared}; ` +
    (canShare()
      ? "use workerPool(), whose workers share the memory, or inlineExecutor()"
      : "use inlineExecutor(), or an isolated page, whose workers share memory");
  throw new TilewiseError("unsupported", text, { option: "executor", found: where });
}

/** A pool of workers of any kind. */
export class Pool implements WorkerPool, Crew {
  readonly kind: Executor["kind"];
  readonly memory: "shared" | "own";
  readonly grace: number;
  readonly clock: Clock;
  readonly #options: WorkerPoolOptions;
  readonly #trade: Trade;
  readonly #staff: Staff;
  readonly #runs: PoolRun<unknown>[] = []; // the next in turn first
  #runCount = 0;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #dispatching = false;
  #again = false;
  #disposing: Promise<void> | undefined;

  /** A pool of `workers` workers; none has started. */
  constructor(readonly workers: number, options: WorkerPoolOptions, trade: Trade) {
    this.#options = options;
    this.#trade = trade;
    this.kind = trade.kind;
    this.memory = trade.memory;
    this.grace = options.grace ?? 100;
    this.clock = trade.clock ?? REAL_CLOCK;
    this.#staff = new Staff(workers, options, trade.start, {
      usable: () => this.changed(),
      received: (slot, message) => this.#received(slot, message),
      strayed: (slot) => this.#runs.forEach((run) => run.strayed(slot)),
      lost: (slot, remote, death) => [...this.#runs].forEach((run) => run.lost(slot, remote, death)),
      cannotStart: (error) => [...this.#runs].forEach((run) => run.fail(error)),
    });
  }

  get replaced(): number {
    return this.#staff.replaced;
  }

  get stuck(): number {
    return this.#staff.stuck;
  }

  run<S, T, R>(job: Job<S>, tasks: Iterable<T> | AsyncIterable<T>, options: TaskOptions): TaskRun<R> {
    this.#mustLive("run tasks");
    checkOptionNames("run()", options, TASK_OPTIONS);
    wholeUrl(job.module, "run the job", "invalid");
    this.#trade.check?.(job);
    return new PoolRun<R>(this.#runCount++, job, tasks, options, this);
  }

  async start(): Promise<StartUp> {
    this.#mustLive("start workers");
    const begun = performance.now();
    await this.#staff.start();
    if (this.#runs.length === 0) this.#rest();
    return { workers: this.workers, milliseconds: performance.now() - begun };
  }

  kill(index: number): void {
    this.#staff.slots[index]?.remote?.stop("killed");
  }

  enter(run: PoolRun<unknown>): void {
    if (this.#disposing) return run.fail(disposed("run tasks"));
    clearTimeout(this.#idleTimer);
    this.#runs.push(run);
    this.#trade.serve?.(this.#runs.map(({ job }) => job));
    this.#staff.start();
    this.changed();
  }

  leave(run: PoolRun<unknown>): void {
    const at = this.#runs.indexOf(run);
    if (at >= 0) this.#runs.splice(at, 1);
    if (this.#runs.length === 0) this.#rest();
  }

  changed(): void {
    this.#again = true;
    if (this.#dispatching) return; // a source or an error has called from within
    this.#dispatching = true;
    try {
      while (this.#again) {
        this.#again = false;
        this.#dispatch();
      }
    } finally {
      this.#dispatching = false;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#staff.retire();
    return this.#disposing ??= this.#dispose();
  }

  #dispatch(): void {
    for (const slot of this.#staff.slots) {
      if (!slot.free) continue;
      const run = [...this.#runs].find((run) => run.offer());
      if (!run) return;
      if (!slot.remote!.serves(run.job)) {
        slot.remote!.stop("renewed");
        continue;
      }
      this.#runs.push(...this.#runs.splice(this.#runs.indexOf(run), 1));
      run.assign(slot);
    }
    this.#hurry();
  }

  /** When all workers have work: gives those with short tasks the next one ahead. */
  #hurry(): void {
    const [run, ...others] = this.#runs;
    if (!run || others.length > 0) return;
    for (const slot of this.#staff.slots) if (run.hurries(slot) && run.offer()) run.assign(slot);
  }

  #received(slot: Slot, message: RunMessage): void {
    this.#runs.find(({ id }) => id === message.run)?.received(slot, message);
    this.changed();
  }

  #rest(): void {
    clearTimeout(this.#idleTimer);
    if (this.#disposing) return;
    this.#idleTimer = setTimeout(() => this.#staff.stop(), this.#options.idle ?? 5000);
  }

  #mustLive(verb: string): void {
    if (this.#disposing) throw disposed(verb);
  }

  async #dispose(): Promise<void> {
    await Promise.resolve(); // lets `#disposing` be set before anything asks for it
    clearTimeout(this.#idleTimer);
    const error = new TilewiseError("aborted", "The worker pool has been disposed during the run");
    const runs = [...this.#runs];
    for (const run of runs) run.fail(error);
    await this.#staff.end(error, LAST_PATIENCE);
    await Promise.all(runs.map(({ drained }) => drained));
  }
}

function disposed(verb: string): TilewiseError {
  return new TilewiseError("invalid", `Cannot ${verb}: the worker pool has been disposed`);
}
