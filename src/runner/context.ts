/**
 * Where runs of all kinds happen: one arena under one budget, and one executor. Users see a {@link Context}; calls that are
 * given one look up its {@link RunContext} with {@link insideOf}.
 *
 * @module
 */

import { inlineExecutor } from "../executor/inline.ts";
import { MOST_WORKERS, workerPool } from "../executor/pool/pool.ts";
import type { Executor } from "../executor/task.ts";
import { hasThreads } from "../executor/threads.ts";
import { Arena, MOST_BUDGET } from "../memory/arena.ts";
import { TilewiseError } from "../errors.ts";
import { processors } from "../portable.ts";
import { canShare } from "../sharing.ts";
import { checkOptionNames, inWords, type OptionNames } from "../options.ts";
import { limit, must, truth, whole } from "../options/rules.ts";
import { byteCount, bytes, bytesFrom } from "../space/rules.ts";
import { formatBytes } from "../space/size.ts";
import { Admission } from "./admission.ts";

/**
 * Options of {@link createContext}.
 * @category Runs
 */
export interface ContextOptions {
  /**
   * Most bytes that runs may hold in buffers, as a number or as text such as `8GiB`. Kernels can address 4 GiB less 64 KiB
   * of them; results may use the rest. Default 512 MiB.
   */
  readonly memory?: number | string;
  /** Worker threads, at most 1024; 0 runs on the calling thread. Default: one per core, at most 8. */
  readonly workers?: number;
  /**
   * Most bytes of the JavaScript heap of one worker, which holds the arrays and objects of a UDF. A worker that needs more is
   * ended, and the run fails with an error that names the UDF. In browsers the heap cannot be limited. Default: 4 GiB for all
   * workers together, at least 512 MiB and at most 1 GiB each.
   */
  readonly heap?: number | string;
  /**
   * An executor that runs in this context use instead of workers of the context, such as one pool for several contexts, or
   * processes. The caller ends it; the context does not. The context has as many workers as the executor, with the heaps that
   * the executor was made with.
   */
  readonly executor?: Executor;
  /** Whether to map files of plain frames instead of reading them, in Deno with `--allow-ffi` on Linux on x86-64. Default false. */
  readonly map?: boolean;
  /**
   * Milliseconds without a sign of life after which a worker is replaced, unless a run says another. Above 0 or
   * infinite. Default 30 000.
   */
  readonly stallTimeout?: number;
}

/**
 * Where runs of all kinds happen: one byte budget and one set of workers. Runs in one context share both.
 * @category Runs
 */
export interface Context extends AsyncDisposable {
  /** Most bytes that runs may hold in buffers. */
  readonly memory: number;
  /** Worker threads; small runs may stay on the calling thread. 0: all runs stay there. */
  readonly workers: number;
  /** Bytes that runs hold now. */
  readonly used: number;
  /** Most bytes that runs have held at one time. */
  readonly peak: number;
  /** The context in words. */
  explain(): string;
  /** Resolves when no worker uses memory of an earlier run any more. */
  settled(): Promise<unknown>;
  /** Stops all runs, and the workers unless they belong to an executor given by the caller. Later runs are refused. */
  [Symbol.asyncDispose](): Promise<void>;
}

const MiB = 2 ** 20;

/** Runs up to this size finish before a worker has started. */
export const INLINE_BYTES = 4 * MiB;

/** Smallest heap of a worker, in bytes. */
const LEAST_HEAP = 32 * MiB;

// deno-fmt-ignore: written by `deno task build`
const CONTEXT_OPTIONS: OptionNames<ContextOptions> = {
  memory: bytes, workers: whole(0, MOST_WORKERS), heap: bytesFrom(LEAST_HEAP),
  executor: must("an executor, as workerPool() or processExecutor() makes it", (value) => isExecutor(value)),
  map: truth, stallTimeout: limit,
};

function isExecutor(value: unknown): value is Executor {
  const { run, workers } = (value ?? {}) as Partial<Executor>;
  return typeof run === "function" && Number.isInteger(workers);
}

/** Milliseconds until a thread that was stopped and does not end counts as hung for good. */
const STUCK = 1000;

/** The queue for the memory of a context. */
export let admissionOf: (context: RunContext) => Admission;

/** A run that holds memory of a context. */
export interface Guest {
  /** Ends it: its caller gets `error`. */
  fail(error: unknown): void;
}

/** The runs that hold memory of a context. */
export let guestsOf: (context: RunContext) => Set<Guest>;

/** Tells a context that a run ends: `over` resolves when its memory has been returned. */
export let settle: (context: RunContext, over: Promise<unknown>) => void;

/** Writes off the memory of a context, as a thread that could not be stopped may still write to it: later runs get new memory. */
export let abandon: (context: RunContext, arena: Arena) => void;

/** One arena and one executor, for many runs: all of a context. */
export class RunContext implements Context {
  static {
    admissionOf = (context) => context.#admission;
    guestsOf = (context) => context.#guests;
    settle = (context, over) => context.#settling = Promise.all([context.#settling, over]);
    abandon = (context, arena) => {
      if (context.#arena === arena) context.#arena = undefined;
    };
  }

  readonly memory: number;
  /** Whether runs map files where they can. */
  readonly map: boolean;
  /** Milliseconds without a sign of life after which runs replace a worker. */
  readonly stallTimeout: number;
  readonly #admission: Admission = new Admission();
  readonly #guests = new Set<Guest>();
  #arena: Arena | undefined;
  readonly #pools = new Map<number, Executor>();
  readonly #inline: Executor;
  readonly #own: Executor | undefined;
  readonly #workers: number;
  readonly #heap: number;
  /** Whether the caller chose the number of workers: then even small runs use them. */
  readonly explicit: boolean;
  #settling: Promise<unknown> = Promise.resolve();
  #disposed = false;

  /** A context; nothing is allocated or started before it is needed. */
  constructor(options: ContextOptions = {}) {
    checkOptionNames("createContext()", options, CONTEXT_OPTIONS);
    const { memory = 512 * MiB, workers, heap, executor, map = false, stallTimeout = 30_000 } = options;
    if (executor) mustBeAlone(options);
    this.stallTimeout = stallTimeout;
    this.map = map;
    this.memory = byteCount("createContext()", "memory", memory);
    this.explicit = workers !== undefined || executor !== undefined;
    this.#own = executor;
    this.#inline = executor?.kind === "inline" ? executor : inlineExecutor();
    this.#workers = executor ? threadsOf(executor) : hasThreads() ? workers ?? defaultWorkers() : 0;
    this.#heap = heap === undefined
      ? defaultHeap(this.#workers)
      : byteCount("createContext()", "heap", heap, LEAST_HEAP);
  }

  get workers(): number {
    return this.#workers;
  }

  /** Whether each worker has its own memory, with copies of its input and its results. */
  get ownMemory(): boolean {
    return this.#own ? this.#own.memory === "own" : this.#workers > 0 && !canShare();
  }

  /** Fewest workers that a run must have memory for: an executor given by the caller always uses all of its workers. */
  get leastWorkers(): number {
    return Math.max(1, this.#own ? this.#workers : 1);
  }

  /** Most bytes that the arena may hold: results lie beside it. */
  get arenaBudget(): number {
    return Math.min(this.memory, MOST_BUDGET);
  }

  get used(): number {
    return this.#arena?.used ?? 0;
  }

  get peak(): number {
    return this.#arena?.peak ?? 0;
  }

  explain(): string {
    const { memory, used, peak, workers } = this;
    const where = workers === 0 ? "the calling thread" : workers === 1 ? "1 worker" : `${workers} workers`;
    return `${formatBytes(memory)} for runs, ${formatBytes(used)} in use, ${
      formatBytes(peak)
    } at most so far; ${where}`;
  }

  /** How the console shows it: one line. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.explain();
  }

  /** The memory of all runs. */
  get arena(): Arena {
    return this.#arena ??= new Arena({ budget: this.arenaBudget });
  }

  /** The executor of the calling thread. */
  get inline(): Executor {
    return this.#inline;
  }

  /** The workers, or the calling thread where there are none. */
  get executor(): Executor {
    return this.executorOf(this.#workers);
  }

  /**
   * A pool of `workers` threads, for runs without memory for more; 0: the calling thread. If code of users runs on these
   * threads, their heaps are limited and they can be ended at any time, but they start more slowly. An executor given by the
   * caller is used as it is, or refused with `over-budget` if it has more workers.
   */
  executorOf(workers: number, ofUsers: boolean = false): Executor {
    this.mustBeThere();
    if (this.#own && (workers > 0 || this.#workers === 0)) return withRoomFor(workers, this.#own);
    if (this.#workers === 0 || workers === 0) return this.#inline;
    const key = ofUsers ? -workers : workers;
    const heap = ofUsers ? { heap: this.#heap } : {};
    const pool = this.#pools.get(key) ?? workerPool({ workers, stuckTimeout: STUCK, ...heap });
    this.#pools.set(key, pool);
    return pool;
  }

  /** Refuses to begin anything in a context that has been disposed of. */
  mustBeThere(): void {
    if (!this.#disposed) return;
    const text = "Cannot run in a context that has been disposed of; make another one with createContext()";
    throw new TilewiseError("invalid", text, { option: "context" });
  }

  settled(): Promise<unknown> {
    return this.#settling;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    const gone = () => new TilewiseError("aborted", "The context has been disposed of during the run");
    for (const guest of [...this.#guests]) guest.fail(gone());
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool[Symbol.asyncDispose]()));
  }
}

/**
 * A new context with its own memory budget and its own workers. Stop it with `await using`.
 *
 * @param options the budget of memory, the workers, and what their code may do
 * @returns the context, to be disposed of
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * await using context = createContext({ memory: "64MiB", workers: 2 });
 * assertEquals(context.explain(), "64 MiB for runs, 0 B in use, 0 B at most so far; 2 workers");
 * ```
 * @category Runs
 */
export function createContext(options?: ContextOptions): Context {
  return new RunContext(options);
}

/** The number of workers that `tasks` tasks keep busy, but at least the number that a run must have memory for. */
export function workersFor({ workers, leastWorkers }: RunContext, tasks: number): number {
  return Math.max(leastWorkers, Math.min(workers, tasks));
}

let shared: RunContext | undefined;

/**
 * The context of runs that are given none: 512 MiB, one worker per core.
 * @category Runs
 */
export function defaultContext(): Context {
  return shared ??= new RunContext();
}

/** The context with its internals; the default context if the call was given none. */
export function insideOf(context: Context | undefined): RunContext {
  if (context === undefined) return shared ??= new RunContext();
  if (context instanceof RunContext) return context;
  const text = `A context is what createContext() makes; this is ${inWords(context)}`;
  throw new TilewiseError("invalid", text, { option: "context", found: inWords(context) });
}

/** Each worker finds its slab by its number, so there must be a slab for each of them. */
function withRoomFor(workers: number, executor: Executor): Executor {
  if (executor.workers <= Math.max(1, workers)) return executor;
  const text =
    `Cannot run on ${executor.workers} workers: the plan has memory for ${workers}; give the context ` +
    "more memory, or an executor of fewer workers";
  throw new TilewiseError("over-budget", text, {
    option: "memory",
    expected: executor.workers,
    found: workers,
  });
}

function threadsOf({ kind, workers }: Executor): number {
  return kind === "inline" ? 0 : workers;
}

function mustBeAlone(options: ContextOptions): void {
  for (const option of ["workers", "heap"] as const) {
    if (options[option] === undefined) continue;
    const text = `createContext(): "${option}" is for workers of its own; leave it out, or the executor`;
    throw new TilewiseError("invalid", text, { option, found: String(options[option]) });
  }
}

/** All workers together get as much heap as one thread may have by default. */
function defaultHeap(workers: number): number {
  return Math.min(1024 * MiB, Math.max(512 * MiB, 4096 * MiB / Math.max(1, workers)));
}

function defaultWorkers(): number {
  return Math.min(8, processors());
}
