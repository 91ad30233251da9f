/**
 * The one runner: what all runs in a context have in common, whatever they compute.
 *
 * A run waits for its turn and takes all its memory at once; its tasks go to an executor; its parts are handed over to
 * the caller, who may take any time; it can be cancelled, and tells how far it is. It has one ending, in
 * {@link Runner.parts}: memory goes back when no thread can write to it any more. Where a thread could not be ended it
 * is written off, and later runs of the context get other memory.
 *
 * Leases are to be had from a runner alone, and a runner alone returns them. So no kind of run can end in another way.
 *
 * @module
 */

import { abortedError, TilewiseError } from "../errors.ts";
import type { Executor, Job, TaskResult, TaskRun } from "../executor/task.ts";
import { holdUnpacked } from "../io/open.ts";
import type { SourceSpec } from "../io/source/source.ts";
import type { OptionNames } from "../options.ts";
import { callable, limit, signal as signalRule, truth } from "../options/rules.ts";
import { Turns, untilAborted } from "../turns.ts";
import type { Tenant } from "./admission.ts";
import { abandon, admissionOf, type Context as Inside, type Guest, guestsOf, settle } from "./context.ts";
import { type Context, insideOf } from "./face.ts";
import { Leases } from "./leases.ts";
import { ProgressReporter } from "./progress.ts";
import { stoppable } from "./stoppable.ts";

/**
 * Options that all runs have; `P` says how far one is.
 * @category Runs
 */
export interface RunSettings<P> {
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** Milliseconds without a sign of life after which a worker is replaced. Default 30 000. */
  readonly stallTimeout?: number;
  /**
   * Whether to wait for runs that share the memory of the context, first in, first out. Default true; false: `over-budget` at
   * once. A run that waits for nothing but runs whose callers do not ask for more gets that error after `stallTimeout`.
   */
  readonly wait?: boolean;
  /** Called now and then with how far the run is, and once at its end. An error that it throws ends the run. */
  readonly onProgress?: (progress: P) => void;
  /** Most calls of `onProgress` a second. Default 10. */
  readonly progressRate?: number;
}

/** Their names. */
export const RUN_SETTINGS: OptionNames<RunSettings<never>> = {
  signal: signalRule,
  stallTimeout: limit,
  wait: truth,
  onProgress: callable,
  progressRate: limit,
};

/** One run in a context. */
export class Runner<P> implements Guest {
  /** Fires when the run is cancelled, and when `onProgress` has failed. */
  readonly signal: AbortSignal;
  private readonly context: Inside;
  readonly #stop = new AbortController();
  /** Who may still write to the memory; those that could not be ended stay in it. */
  readonly #users = new Set<Promise<boolean>>();
  #tasks: TaskRun<unknown> | undefined;
  #leases: Leases | undefined;
  #tenant: Tenant | undefined;
  #release: () => void = () => {};
  #reporter: ProgressReporter<P> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #over = false;

  /** A run in `context` that has not begun; `look` says how far it is. */
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

  /** What was odd. */
  get oddities(): Pick<TaskRun<unknown>, "strays" | "losses"> {
    return this.#tasks ?? { strays: 0, losses: 0 };
  }

  /** Cancels it. */
  stop(reason?: unknown): void {
    this.#stop.abort(reason);
  }

  /** Ends it: its caller gets `error`, the first one. */
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
   * The parts that `body` gives: it is the run, from {@link enter} to {@link finish}. Unlike those of a generator, `return`
   * and `throw` do not wait for a `next` that is under way: they stop the run at once.
   */
  parts<T>(body: () => AsyncGenerator<T, void>): AsyncIterableIterator<T, undefined> {
    return stoppable(this.#parts(body), (reason) => this.stop(reason));
  }

  /** The only way in which a run ends. */
  async *#parts<T>(body: () => AsyncGenerator<T, void>): AsyncGenerator<T, void> {
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
    return this.#failure ? this.#failure.error : error;
  }

  /** What `take` makes of the memory of the run, once there is enough of it; `sources` are unpacked before. */
  async enter<M>(take: (leases: Leases) => M, sources: readonly SourceSpec[] = []): Promise<M> {
    const { stallTimeout = 30_000, wait = true } = this.settings;
    this.#release = await holdUnpacked(sources, this.signal);
    const all = () => allOrNothing(this.context, take);
    const patience = { wait, limit: stallTimeout, signal: this.signal };
    const [{ taken, leases }, tenant] = await admissionOf(this.context).enter(all, patience);
    this.#leases = leases;
    this.#tenant = tenant;
    guestsOf(this.context).add(this);
    return taken;
  }

  /** The results of tasks as they come, in the memory of the run. */
  async *results<S, T, R>(
    executor: Executor,
    job: Job<S>,
    tasks: Iterable<T> | AsyncIterable<T>,
  ): AsyncGenerator<TaskResult<R>, void> {
    const { stallTimeout } = this.settings;
    const run = executor.run<S, T, R>(job, tasks, {
      memory: this.#leases!.arena.memory,
      signal: this.signal,
      ...(stallTimeout === undefined ? {} : { stallTimeout }),
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

  /** Somebody else uses the memory of the run until `drained` resolves; with `false` if that could not be ended. */
  holds(drained: Promise<boolean>): void {
    this.#users.add(drained);
    drained.then((safe) => safe && this.#users.delete(drained));
  }

  /**
   * What code of the caller does with memory of the run, or `aborted` as soon as the run is cancelled. The code goes on, and
   * the memory does not go back before it has come to its end.
   */
  async lend<T>(work: Promise<T>): Promise<T> {
    this.holds(work.then(() => true, () => true));
    try {
      return await untilAborted(work, this.signal);
    } catch (error) {
      throw this.#causeOf(error);
    }
  }

  /** Hands a part over to the caller, who may take any time: runs that wait for this one know. */
  *handOver<T>(part: T): Generator<T, void> {
    this.#tenant?.handOver();
    yield part;
    this.#tenant?.goOn();
  }

  /**
   * Asks code of the caller for something that `take` then puts into the memory of the run. When the run is cancelled
   * meanwhile it is `aborted` at once; the code goes on, and what it gives goes nowhere.
   */
  async ask<T>(work: () => Promise<T>, take: (given: T) => void): Promise<void> {
    this.#tenant?.handOver();
    try {
      const given = await untilAborted(work(), this.signal);
      this.mustGoOn();
      take(given);
    } finally {
      this.#tenant?.goOn();
    }
  }

  /** Everything has been computed. */
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

  /** Drain or abandon: the caller is not kept waiting. */
  #end(): void {
    this.#over = true;
    guestsOf(this.context).delete(this);
    this.#reporter?.[Symbol.dispose]();
    const over = Promise.all(this.#users).then((drained) => {
      if (this.#leases) this.#giveBack(this.#leases, drained.every(Boolean));
      if (this.#tenant) admissionOf(this.context).leave(this.#tenant);
      this.#release();
    });
    settle(this.context, over);
  }

  #giveBack(leases: Leases, safe: boolean): void {
    if (safe) leases[Symbol.dispose]();
    else abandon(this.context, leases.arena);
  }
}

function allOrNothing<M>(context: Inside, take: (leases: Leases) => M): { taken: M; leases: Leases } {
  const leases = new Leases(context.arena);
  try {
    return { taken: take(leases), leases };
  } catch (error) {
    leases[Symbol.dispose]();
    throw error;
  }
}
