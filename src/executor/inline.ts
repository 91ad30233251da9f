/**
 * The executor of the calling thread: task after task, no workers, no shared memory needed.
 *
 * @module
 */

import { abortedError, TilewiseError } from "../errors.ts";
import type {
  Executor,
  Job,
  JobFactory,
  JobHandler,
  RunOptions,
  TaskResult,
  TaskRun,
  WorkerContext,
} from "./task.ts";

/**
 * An executor that runs tasks on the calling thread, in their order.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const executor = inlineExecutor();
 * const module = "data:text/javascript,export const double = () => ({ run: (n) => 2 * n })";
 * const memory = new WebAssembly.Memory({ initial: 1 });
 * const found: unknown[] = [];
 * for await (const { value } of executor.run({ module, export: "double", shared: {} }, [1, 2], { memory })) {
 *   found.push(value);
 * }
 * assertEquals(found, [2, 4]);
 * ```
 */
export function inlineExecutor(): Executor {
  return {
    kind: "inline",
    workers: 1,
    run: (job, tasks, options) => new InlineRun(job, tasks, options),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Milliseconds after which other work of the thread gets its turn. */
const REST_MS = 30;

class InlineRun<S, T, R> implements TaskRun<R> {
  readonly drained: Promise<void>;
  #units = 0;
  #settle: () => void = () => {};

  constructor(
    private readonly job: Job<S>,
    private readonly tasks: Iterable<T> | AsyncIterable<T>,
    private readonly options: RunOptions,
  ) {
    this.drained = new Promise((resolve) => this.#settle = resolve);
  }

  inFlight(): number {
    return this.#units;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TaskResult<R>, void> {
    let handler: JobHandler<T, R> | undefined;
    try {
      this.#throwIfAborted();
      handler = await (await loadFactory<S, T, R>(this.job))(this.job.shared, this.#context());
      let index = 0;
      let rested = performance.now();
      for await (const task of this.tasks) {
        if (performance.now() - rested > REST_MS) {
          await new Promise((resolve) => setTimeout(resolve, 0)); // timers and signals get their turn
          rested = performance.now();
        }
        this.#throwIfAborted();
        this.#units = 0;
        const value = await this.#attempt(handler, task, index);
        this.#units = 0;
        yield { index: index++, value, worker: 0, attempts: 1 };
      }
    } finally {
      await handler?.close?.();
      this.#settle();
    }
  }

  async #attempt(handler: JobHandler<T, R>, task: T, index: number): Promise<R> {
    try {
      return await handler.run(task);
    } catch (error) {
      this.#throwIfAborted();
      if (error instanceof TilewiseError) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new TilewiseError("udf", message, { task: index }, { cause: error });
    }
  }

  #context(): WorkerContext {
    const { memory, signal = new AbortController().signal } = this.options;
    return {
      index: 0,
      memory,
      signal,
      cancelled: () => signal.aborted,
      advance: (units) => void (this.#units += units),
    };
  }

  #throwIfAborted(): void {
    const { signal } = this.options;
    if (signal?.aborted) throw abortedError(signal);
  }
}

/** The factory that a job names; an error that names module and export where there is none. */
export async function loadFactory<S, T, R>(job: Job<S>): Promise<JobFactory<S, T, R>> {
  let exports: Record<string, unknown>;
  try {
    exports = await import(job.module);
  } catch (error) {
    const text = `Cannot import the job module ${job.module}: ${
      error instanceof Error ? error.message : error
    }`;
    throw new TilewiseError("udf", text, { file: job.module }, { cause: error });
  }
  const factory = exports[job.export];
  if (typeof factory === "function") return factory as JobFactory<S, T, R>;
  throw new TilewiseError("udf", `The job module ${job.module} has no function "${job.export}"`, {
    file: job.module,
  });
}
