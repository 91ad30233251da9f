/**
 * The executor of the calling thread: one task after another, in order.
 *
 * @module
 */

import { withResolvers } from "../portable.ts";
import { abortedError, throwIfAborted, TilewiseError } from "../errors.ts";
import { withoutExits } from "./exits.ts";
import { Turns } from "../turns.ts";
import { closeError, taskError } from "./failure.ts";
import { makeHandler } from "./handler.ts";
import { taskEnded } from "../memory/first_page.ts";
import { checkOptionNames } from "../options.ts";
import {
  type Executor,
  type Job,
  type JobHandler,
  TASK_OPTIONS,
  type TaskOptions,
  type TaskResult,
  type TaskRun,
  type WorkerContext,
} from "./task.ts";
import { wholeUrl } from "./module_url.ts";

/**
 * An executor without threads. A task runs when the caller asks for its result. Shared data, tasks and results are
 * handed over without a copy, so that they may hold functions. Other work of this thread can run between tasks, and inside
 * tasks that pause. `stallTimeout` and `attempts` have no effect here: a task that hangs on this thread hangs its caller.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const module = "data:text/javascript,export const twice = () => ({ run: (n) => 2 * n })";
 * const memory = new WebAssembly.Memory({ initial: 1 });
 * await using executor = inlineExecutor();
 * const values: unknown[] = [];
 * for await (const { value } of executor.run({ module, export: "twice", shared: {} }, [1, 2], { memory })) {
 *   values.push(value);
 * }
 * assertEquals(values, [2, 4]);
 * ```
 * @category Executors
 */
export function inlineExecutor(): Executor {
  return new InlineExecutor();
}

class InlineExecutor implements Executor {
  readonly kind = "inline";
  readonly workers = 1;
  #disposed = false;

  run<S, T, R>(job: Job<S>, tasks: Iterable<T> | AsyncIterable<T>, options: TaskOptions): TaskRun<R> {
    if (this.#disposed) {
      throw new TilewiseError("invalid", "Cannot run tasks: the executor has been disposed");
    }
    checkOptionNames("run()", options, TASK_OPTIONS);
    wholeUrl(job.module, "run the job", "invalid");
    return new InlineRun<S, T, R>(job, tasks, options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    return Promise.resolve();
  }
}

class InlineRun<S, T, R> implements TaskRun<R> {
  readonly drained: Promise<boolean>;
  readonly #drain: (value: boolean) => void;
  readonly #stop = new AbortController();
  readonly ignoredMessages = 0; // there is no worker that could send messages
  readonly lostWorkers = 0;
  readonly #turns = new Turns();
  #begun = false;
  #units = 0;
  /** The latest piece of work of the handler; it may outlive a cancelled run. */
  #working: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly job: Job<S>,
    private readonly tasks: Iterable<T> | AsyncIterable<T>,
    private readonly options: TaskOptions,
  ) {
    const { promise, resolve } = withResolvers<boolean>();
    this.drained = promise;
    this.#drain = resolve;
  }

  inFlight(): number {
    return this.#units;
  }

  [Symbol.asyncIterator](): AsyncIterator<TaskResult<R>> {
    if (this.#begun) throw new TilewiseError("invalid", "Cannot iterate over a run twice: call run() again");
    this.#begun = true;
    return this.#results();
  }

  async *#results(): AsyncGenerator<TaskResult<R>, void> {
    let handler: Promise<JobHandler<T, R>> | undefined;
    let failed = false;
    try {
      throwIfAborted(this.options.signal);
      handler = makeHandler<S, T, R>(this.job, this.#context());
      yield* this.#each(await this.#unlessAborted(handler));
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      const closing = this.#close(handler);
      if (failed) closing.catch(() => {}); // the first error counts, and it is not kept waiting
      else await closing;
    }
  }

  async *#each(handler: JobHandler<T, R>): AsyncGenerator<TaskResult<R>, void> {
    const tasks = iterate(this.tasks);
    try {
      for (let index = 0;; index++) {
        if (this.#turns.due) await this.#turns.give();
        throwIfAborted(this.options.signal);
        const step = await this.#unlessAborted(tasks.next());
        if (step.done) return;
        const value = await this.#unlessAborted(this.#run(handler, step.value, index));
        this.#units = 0;
        yield { index, value, worker: 0, attempts: 1 };
      }
    } finally {
      Promise.resolve(tasks.return?.()).catch(() => {}); // not awaited: the source may wait for this run
    }
  }

  async #run(handler: JobHandler<T, R>, task: T, index: number): Promise<R> {
    const work = (async () => await withoutExits(() => handler.run(task)))();
    this.#working = work.catch(() => {});
    try {
      const value = await work;
      taskEnded(this.options.memory);
      return value;
    } catch (error) {
      throw taskError(error, index);
    }
  }

  async #close(handler: Promise<JobHandler<T, R>> | undefined): Promise<void> {
    this.#stop.abort(this.options.signal?.reason);
    await this.#working;
    const made = await handler?.catch(() => undefined);
    try {
      await made?.close?.();
    } catch (error) {
      throw closeError(this.job, error);
    } finally {
      this.#drain(true);
    }
  }

  #context(): WorkerContext {
    const { memory, signal } = this.options;
    const turns = this.#turns;
    return {
      get due() {
        return turns.due;
      },
      rest: () => turns.give(),
      index: 0,
      memory,
      signal: this.#stop.signal,
      cancelled: () => this.#stop.signal.aborted || signal?.aborted === true,
      advance: (units) => void (this.#units += units),
    };
  }

  /** `work`, or the `aborted` error as soon as the signal fires. */
  async #unlessAborted<V>(work: V | Promise<V>): Promise<V> {
    const { signal } = this.options;
    if (!signal) return await work;
    const { promise: aborted, reject } = withResolvers<never>();
    const abort = () => reject(abortedError(signal));
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await Promise.race([work, aborted]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }
}

/** One protocol for both kinds of iterables; a synchronous one stays synchronous. */
interface Tasks<T> {
  next(): IteratorResult<T> | Promise<IteratorResult<T>>;
  return?(): unknown;
}

function iterate<T>(tasks: Iterable<T> | AsyncIterable<T>): Tasks<T> {
  return Symbol.asyncIterator in tasks ? tasks[Symbol.asyncIterator]() : tasks[Symbol.iterator]();
}
