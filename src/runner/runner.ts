/**
 * The runner: what all kinds of runs in a context have in common.
 *
 * A run waits in the queue and takes all its memory in one step. Its tasks go to an executor. Its parts are handed over to
 * the caller, who may keep each for any time. It can be cancelled, and it reports its progress. Every run ends in
 * {@link Runner.parts}: its memory is returned when no thread can write to it any more. If a thread could not be ended, the
 * memory is written off, and later runs of the context get new memory.
 *
 * Only a runner takes leases, and only a runner returns them. So no kind of run can end in another way.
 *
 * @module
 */

import { abortedError, TilewiseError } from "../errors.ts";
import type { Executor, Job, TaskResult, TaskRun } from "../executor/task.ts";
import { fullError } from "../memory/full.ts";
import { holdUnpacked } from "../io/open.ts";
import type { SourceSpec } from "../io/source/source.ts";
import { defined, type OptionNames } from "../options.ts";
import { callable, limit, signal as signalRule, truth } from "../options/rules.ts";
import { Turns, untilAborted } from "../turns.ts";
import type { MemoryClaim } from "./admission.ts";
import {
  abandon,
  admissionOf,
  type Context,
  type Guest,
  guestsOf,
  insideOf,
  type RunContext,
  settle,
} from "./context.ts";
import { Leases } from "./leases.ts";
import { ProgressReporter } from "./progress.ts";

/**
 * Options that all runs have; `P` is the type of their progress.
 * @category Runs
 */
export interface RunSettings<P> {
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds without a sign of life after which a worker is replaced, once; the second attempt of its task gets
   * three times as long, code of Tilewise ten times. Time in which other programs had the processor does not count,
   * where the system tells it. Above 0 or infinite. Default: that of the context.
   */
  readonly stallTimeout?: number;
  /**
   * Whether to wait for runs that share the memory of the context, first in, first out. Default true; false: fail with
   * `over-budget` instead of waiting. If no caller of the runs that hold the memory asks for more, a waiting run fails with that
   * error after `stallTimeout`.
   */
  readonly wait?: boolean;
  /** Called now and then with the progress of the run, and once at its end. An error that it throws ends the run. */
  readonly onProgress?: (progress: P) => void;
  /** Most calls of `onProgress` per second. Above 0 or infinite. Default 10. */
  readonly progressRate?: number;
}

/** Their names. */
// deno-fmt-ignore: written by `deno task build`
export const RUN_SETTINGS: OptionNames<RunSettings<never>> = {
  signal: signalRule, stallTimeout: limit, wait: truth, onProgress: callable, progressRate: limit,
};

/** Those of the options that all runs have. */
export function runSettings<P>(options: RunSettings<P>): RunSettings<P> {
  const { signal, stallTimeout, wait, onProgress, progressRate } = options;
  return defined({ signal, stallTimeout, wait, onProgress, progressRate });
}

/** One run in a context. */
export class Runner<P> implements Guest {
  /** Fires when the run is cancelled, and when `onProgress` has failed. */
  readonly signal: AbortSignal;
  private readonly context: RunContext;
  readonly #stop = new AbortController();
  /** Users that may still write to the memory; those that could not be ended stay in this set. */
  readonly #users = new Set<Promise<boolean>>();
  #tasks: TaskRun<unknown> | undefined;
  #leases: Leases | undefined;
  #claim: MemoryClaim | undefined;
  #release: () => void = () => {};
  #reporter: ProgressReporter<P> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #over = false;

  /** A run in `context` that has not begun; `look` gives its progress. */
  constructor(
    context: Context,
    private readonly settings: RunSettings<P>,
    private readonly look: () => P,
  ) {
    this.context = insideOf(context);
    const { signal } = settings;
    this.signal = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
  }

  /** Units of tasks that workers have reported and whose results have not been handed out. */
  inFlight(): number {
    return this.#tasks?.inFlight() ?? 0;
  }

  /** Warnings of the run. */
  get diagnostics(): Pick<TaskRun<unknown>, "ignoredMessages" | "lostWorkers"> {
    return this.#tasks ?? { ignoredMessages: 0, lostWorkers: 0 };
  }

  get #stallTimeout(): number {
    return this.settings.stallTimeout ?? this.context.stallTimeout;
  }

  /** Cancels it. */
  stop(reason?: unknown): void {
    this.#stop.abort(reason);
  }

  /** Ends it: its caller gets `error`, or the error of an earlier call. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop(error);
  }

  /** Throws `aborted` if the run has been cancelled, or is over. */
  mustGoOn(): void {
    if (this.signal.aborted) throw abortedError(this.signal);
    if (this.#over) throw new TilewiseError("aborted", "The run is over");
  }

  /**
   * The parts that `body` gives; `body` is the whole run, from {@link enter} to {@link finish}. Unlike those of a generator,
   * `return` and `throw` do not wait for a pending `next`: they stop the run immediately.
   */
  parts<T>(body: () => AsyncGenerator<T, void>): AsyncIterableIterator<T, undefined> {
    return stoppable(this.#parts(body), (reason) => this.stop(reason));
  }

  /** Ends the run; every run ends here. */
  async *#parts<T>(body: () => AsyncGenerator<T, void>): AsyncGenerator<T, void> {
    this.context.mustBeThere();
    guestsOf(this.context).add(this); // before anything is awaited: a context that is disposed of ends it at any time
    try {
      yield* body();
    } catch (error) {
      throw this.#causeOf(error);
    } finally {
      this.#end();
    }
  }

  /** What ended the run, where it is not `error` itself. */
  #causeOf(error: unknown): unknown {
    return this.#failure ? this.#failure.error : fullError("Cannot go on with the run", error) ?? error;
  }

  /** The result of `take`, called when there is enough memory for the run; `sources` are unpacked before. */
  async enter<M>(take: (leases: Leases) => M, sources: readonly SourceSpec[] = []): Promise<M> {
    const { wait = true } = this.settings;
    this.#release = await holdUnpacked(sources, this.signal);
    const all = () => allOrNothing(this.context, take);
    const waiting = { wait, limit: this.#stallTimeout, signal: this.signal };
    const [{ taken, leases }, claim] = await admissionOf(this.context).enter(all, waiting);
    this.#leases = leases;
    this.#claim = claim;
    return taken;
  }

  /** The results of tasks in order of completion, in the memory of the run. */
  async *results<S, T, R>(
    executor: Executor,
    job: Job<S>,
    tasks: Iterable<T> | AsyncIterable<T>,
  ): AsyncGenerator<TaskResult<R>, void> {
    const run = executor.run<S, T, R>(job, tasks, {
      memory: this.#leases!.arena.memory,
      signal: this.signal,
      stallTimeout: this.#stallTimeout,
    });
    this.#tasks = run;
    this.#report();
    const turns = new Turns();
    this.holds(run.drained); // it begins now
    for await (const result of run) {
      yield result;
      if (turns.due) await turns.give();
      this.#reporter?.tick();
    }
  }

  /** Resolves when nobody uses the memory of the run any more; `false`: somebody could not be ended. */
  get drained(): Promise<boolean> {
    return Promise.all(this.#users).then((drained) => drained.every(Boolean));
  }

  /** Keeps the memory for longer: when all others who use it have ended, `more` is called, and says when it may be returned. */
  holdsAfter(more: () => Promise<boolean>): void {
    this.holds(this.drained.then(async (safe) => await more() && safe));
  }

  /** Notes that the memory of the run is in use until `drained` resolves; with `false`: the user could not be ended. */
  holds(drained: Promise<boolean>): void {
    this.#users.add(drained);
    drained.then((safe) => safe && this.#users.delete(drained));
  }

  /**
   * The result of code of the caller that uses memory of the run, or `aborted` as soon as the run is cancelled. The code
   * continues then, and the memory is not returned before the code has ended.
   */
  async lend<T>(work: Promise<T>): Promise<T> {
    this.holds(work.then(() => true, () => true));
    try {
      return await untilAborted(work, this.signal);
    } catch (error) {
      throw this.#causeOf(error);
    }
  }

  /** Hands a part over to the caller, who may keep it for any time; the queue for memory is told about it. */
  *handOver<T>(part: T): Generator<T, void> {
    this.#claim?.handOver();
    yield part;
    this.#claim?.goOn();
  }

  /**
   * Asks code of the caller for something that `take` then puts into the memory of the run. If the run is cancelled
   * meanwhile, this fails with `aborted` without waiting; the code continues, and its result is dropped.
   */
  async ask<T>(work: () => Promise<T>, take: (given: T) => void): Promise<void> {
    this.#claim?.handOver();
    try {
      const given = await untilAborted(work(), this.signal);
      this.mustGoOn();
      take(given);
    } finally {
      this.#claim?.goOn();
    }
  }

  /** Notes that everything has been computed. */
  finish(): void {
    this.#reporter?.finish();
    this.mustGoOn();
  }

  #report(): void {
    const { onProgress: tell, progressRate: rate = 10 } = this.settings;
    if (!tell) return;
    const failed = (error: unknown) => this.fail(error);
    this.#reporter = new ProgressReporter({ look: this.look, tell, rate, failed });
  }

  /** Returns or writes off the memory later; the caller does not wait for it. */
  #end(): void {
    this.#over = true;
    guestsOf(this.context).delete(this);
    this.#reporter?.[Symbol.dispose]();
    const over = this.drained.then((safe) => {
      if (this.#leases) this.#giveBack(this.#leases, safe);
      if (this.#claim) admissionOf(this.context).leave(this.#claim);
      this.#release();
    });
    settle(this.context, over);
  }

  #giveBack(leases: Leases, safe: boolean): void {
    if (safe) leases[Symbol.dispose]();
    else abandon(this.context, leases.arena);
  }
}

function allOrNothing<M>(context: RunContext, take: (leases: Leases) => M): { taken: M; leases: Leases } {
  const leases = new Leases(context.arena);
  try {
    return { taken: take(leases), leases };
  } catch (error) {
    leases[Symbol.dispose]();
    throw error;
  }
}

/**
 * `parts`, with a `return` and a `throw` that do not wait for a pending `next`: they call `stop`, which must make `parts` end,
 * and the pending `next` gets the end of the iteration.
 */
function stoppable<T>(
  parts: AsyncGenerator<T, void>,
  stop: (reason?: unknown) => void,
): AsyncIterableIterator<T, undefined> {
  let closed = false;
  const close = async (reason?: unknown) => {
    closed = true;
    stop(reason);
    await parts.return().catch(() => {});
  };
  return {
    next: async () => {
      try {
        const step = await parts.next();
        return step.done || closed ? { done: true, value: undefined } : step;
      } catch (error) {
        if (!closed) throw error;
        return { done: true, value: undefined };
      }
    },
    return: async () => {
      await close();
      return { done: true, value: undefined };
    },
    throw: async (error) => {
      await close(error);
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
