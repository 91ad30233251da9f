/**
 * Where runs happen: one arena under one budget, and one pool of workers.
 *
 * @module
 */

import { inlineExecutor } from "../executor/inline.ts";
import { MOST_WORKERS, workerPool } from "../executor/pool.ts";
import type { Executor } from "../executor/task.ts";
import { Arena, MOST_BUDGET } from "../memory/arena.ts";
import { checkOptionNames, type OptionNames } from "../options.ts";
import { whole } from "../options/rules.ts";
import { byteCount, bytes } from "../space/rules.ts";

/** Options of {@link createContext}. */
export interface ContextOptions {
  /** Most bytes that runs may hold in buffers, as a number or in text such as `8GiB`. Default 512 MiB. */
  readonly memory?: number | string;
  /** Worker threads; 0 runs on the calling thread. Default: one a core, at most 8. */
  readonly workers?: number;
}

const CONTEXT_OPTIONS: OptionNames<ContextOptions> = { memory: bytes, workers: whole(0, MOST_WORKERS) };

/** One arena and one pool of workers, for many runs. */
export class Context implements AsyncDisposable {
  /** Most bytes that runs may hold in buffers. */
  readonly memory: number;
  #arena: Arena | undefined;
  readonly #pools = new Map<number, Executor>();
  readonly #inline: Executor = inlineExecutor();
  readonly #workers: number;
  /** Whether the number of workers was asked for: then even small runs go to them. */
  readonly explicit: boolean;
  #settling: Promise<unknown> = Promise.resolve();

  /** A context; nothing is allocated or started before it is needed. */
  constructor(options: ContextOptions = {}) {
    checkOptionNames("createContext()", options, CONTEXT_OPTIONS);
    const { memory = 512 * 2 ** 20, workers } = options;
    this.memory = byteCount("createContext()", "memory", memory);
    this.explicit = workers !== undefined;
    this.#workers = canShare() ? workers ?? defaultWorkers() : 0;
  }

  /** Worker threads of runs that are worth it. */
  get workers(): number {
    return this.#workers;
  }

  /** Most bytes that the arena may hold: results lie beside it. */
  get arenaBudget(): number {
    return Math.min(this.memory, MOST_BUDGET);
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

  /** A pool of `workers` threads, for runs whose memory does not allow for more; 0: the calling thread. */
  executorOf(workers: number): Executor {
    if (this.#workers === 0 || workers === 0) return this.#inline;
    const pool = this.#pools.get(workers) ?? workerPool({ workers });
    this.#pools.set(workers, pool);
    return pool;
  }

  /** Resolves when no worker uses memory of an earlier run any more. */
  settled(): Promise<unknown> {
    return this.#settling;
  }

  /** A run ends: `done` resolves when its memory has been returned. */
  settle(done: Promise<unknown>): void {
    this.#settling = Promise.all([this.#settling, done]);
  }

  /** A thread that could not be stopped may still write to the memory: later runs get another one. */
  abandon(): void {
    this.#arena = undefined;
  }

  /** Stops the workers. A later run starts new ones. */
  async [Symbol.asyncDispose](): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool[Symbol.asyncDispose]()));
  }
}

/**
 * A context of its own: own memory budget, own workers. Stop them with `await using`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * await using context = createContext({ memory: 64 * 2 ** 20, workers: 2 });
 * assertEquals(context.workers, 2);
 * ```
 */
export function createContext(options?: ContextOptions): Context {
  return new Context(options);
}

let shared: Context | undefined;

/** The context of runs that name none: 512 MiB, one worker a core. */
export function defaultContext(): Context {
  return shared ??= new Context();
}

function defaultWorkers(): number {
  return Math.min(8, globalThis.navigator?.hardwareConcurrency ?? 1);
}

function canShare(): boolean {
  return typeof SharedArrayBuffer !== "undefined" && typeof Worker !== "undefined";
}
