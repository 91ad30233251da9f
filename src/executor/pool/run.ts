/**
 * One run on a pool: where its tasks come from, which worker computes which task, their outcome, and how the run ends.
 *
 * A run is `new` until it is iterated over, `open` while there are tasks, `closing` from the last
 * result, error or cancel until every worker has closed its handler or is dead, and then `over`.
 *
 * @module
 */

import type { Clock } from "../../clock.ts";
import { withResolvers } from "../../portable.ts";
import { abortedError, fromWire, TilewiseError } from "../../errors.ts";
import { cloneError, closeError, type Death, lostError, taskError } from "../failure.ts";
import type { Closed, Done, Failed, RunMessage } from "../protocol.ts";
import { Seat } from "./seat.ts";
import type { Remote, Slot } from "./slot.ts";
import { TaskSource } from "./source.ts";
import type { Job, TaskOptions, TaskResult, TaskRun } from "../task.ts";

/** The pool, as a run sees it. */
export interface Crew {
  /** How many workers there are. */
  readonly workers: number;
  /** Grace period for workers to finish their work for a run that has failed, in milliseconds. */
  readonly grace: number;
  /** Time. */
  readonly clock: Clock;
  /** A run begins: it is offered workers from now on. */
  enter(run: PoolRun<unknown>): void;
  /** A run may want workers. */
  changed(): void;
  /** A run is over. */
  leave(run: PoolRun<unknown>): void;
}

/** How often a task may fill the heap of its worker: the first time, other tasks may have filled it. */
const MOST_FULL = 2;

/** How often a task may lose its worker because it gave no sign of life: the second time it had more time. */
const MOST_HUNG = 2;

/** One run on a pool. */
export class PoolRun<R> implements TaskRun<R> {
  /** Resolves when the run is over on every worker; `false` if a thread could not be stopped. */
  readonly drained: Promise<boolean>;
  readonly #over = withResolvers<void>();
  readonly #seats = new Map<Slot, Seat>();
  readonly #lost: Promise<boolean>[] = [];
  readonly #results = new ResultQueue<R>();
  readonly #source: TaskSource<unknown>;
  readonly #stallTimeout: number;
  readonly #attempts: number;
  #phase: "new" | "open" | "closing" | "over" = "new";
  #failed = false;
  #waited = 0;
  #watch: AbortController | undefined;
  readonly #abort = () => this.fail(abortedError(this.options.signal!));

  /** A run with number `id`; it begins when it is iterated over. */
  constructor(
    /** Number of the run in its pool. */
    readonly id: number,
    /** What it runs. */
    readonly job: Job<unknown>,
    tasks: Iterable<unknown> | AsyncIterable<unknown>,
    private readonly options: TaskOptions,
    private readonly crew: Crew,
  ) {
    const changed = () => this.#proceed();
    this.#source = new TaskSource(tasks, { changed, failed: (error) => this.fail(error) });
    this.#stallTimeout = options.stallTimeout ?? 30_000;
    this.#attempts = job.once ? 1 : options.attempts ?? 3;
    this.drained = this.#over.promise.then(async () => (await Promise.all(this.#lost)).every(Boolean));
  }

  /** Messages that code of users has sent to this thread during tasks of this run. */
  ignoredMessages = 0;
  /** Workers that were lost in the middle of a task. */
  lostWorkers = 0;

  /** Units of tasks whose results have not been handed out. */
  inFlight(): number {
    let units = this.#results.units;
    for (const seat of this.#seats.values()) units += seat.units;
    return units;
  }

  /** Starts the run; once. */
  [Symbol.asyncIterator](): AsyncIterator<TaskResult<R>> {
    if (this.#phase !== "new") {
      throw new TilewiseError("invalid", "Cannot iterate over a run twice: call run() again");
    }
    this.#begin();
    return this.#iterate();
  }

  /** Whether a task waits for a worker; asks the source for one if there is room for its result. */
  offer(): boolean {
    if (this.#phase !== "open") return false;
    const room = this.#results.length < 2 * this.crew.workers + 2;
    if (room && this.#source.pull()) this.#check();
    return this.#phase === "open" && this.#source.ready;
  }

  /** Whether a worker computes a short task of this run and should get the next task ahead. */
  hurries(slot: Slot): boolean {
    return !this.job.together && this.#seats.get(slot)?.hasty === true;
  }

  /** Gives the next task to a worker that is free, or for which {@link hurries} is true. */
  assign(slot: Slot): void {
    const task = this.#source.take();
    const seat = this.#seats.get(slot) ?? this.#sit(slot);
    if (!seat) return;
    try {
      seat.give(task);
      slot.owner = this;
    } catch (error) {
      this.fail(cloneError(`task ${task.index}`, error, task.index));
    }
  }

  /** Takes a message of a worker about this run. */
  received(slot: Slot, message: RunMessage): void {
    const seat = this.#seats.get(slot);
    if (!seat) return;
    if (message.kind === "opened") seat.opened();
    if (message.kind === "done") this.#done(slot, seat, message);
    if (message.kind === "failed") this.#taskFailed(slot, seat, message);
    if (message.kind === "closed") this.#closed(slot, message);
    this.#check();
  }

  /** Counts a message of code of users on a worker. */
  strayed(slot: Slot): void {
    if (this.#seats.has(slot)) this.ignoredMessages++;
  }

  /** Handles the death of a worker: another one gets its tasks, unless its current task has lost too many workers. */
  lost(slot: Slot, remote: Remote, death: Death): void {
    const seat = this.#seats.get(slot);
    if (!seat) return;
    this.#seats.delete(slot);
    seat.control.stop(); // the thread may still run, and a replacement will use the same memory
    this.#lost.push(remote.gone);
    const [task, ...ahead] = seat.abandon();
    if (task && this.#phase === "open") {
      if (death.busy) {
        task.deaths.push(death);
        this.lostWorkers++;
      }
      this.#source.putBack(task, ...ahead);
      if (isHopeless(task.deaths, this.#attempts)) this.fail(lostError(task.index, slot.index, task.deaths));
    }
    this.#check();
  }

  /** Ends the run: the caller gets `error` without waiting; workers that do not finish within the grace period are replaced. */
  fail(error: unknown): void {
    if (this.#failed || this.#phase === "over") return;
    this.#failed = true;
    this.#results.fail(error);
    this.#source.close();
    for (const seat of this.#seats.values()) seat.stop();
    this.#close();
    this.#waited = 0;
    this.#lookEvery(Math.max(5, this.crew.grace / 4));
    this.#check();
  }

  #begin(): void {
    const { signal } = this.options;
    this.#phase = "open";
    if (signal?.aborted) return this.fail(abortedError(signal));
    signal?.addEventListener("abort", this.#abort, { once: true });
    this.#lookEvery(Math.min(1000, Math.max(20, this.#stallTimeout / 8)));
    this.crew.enter(this);
  }

  async *#iterate(): AsyncGenerator<TaskResult<R>, void> {
    let failed = false;
    try {
      for (let result; (result = await this.#results.next());) {
        this.crew.changed(); // there is room for one more
        yield result;
      }
    } catch (error) {
      failed = true; // the caller does not wait
      throw error;
    } finally {
      this.fail(new TilewiseError("aborted", "The caller has stopped iterating"));
      if (!failed) await this.#over.promise;
    }
  }

  #sit(slot: Slot): Seat | undefined {
    try {
      const { memory } = this.options;
      const seat = new Seat(slot.remote!, { run: this.id, job: this.job, memory });
      this.#seats.set(slot, seat);
      return seat;
    } catch (error) {
      this.fail(cloneError("the memory or the shared data of a job", error));
      return undefined;
    }
  }

  #done(slot: Slot, seat: Seat, { value, units }: Done): void {
    const task = this.#free(slot, seat);
    if (!task || this.#phase !== "open") return;
    const result = {
      index: task.index,
      value: value as R,
      worker: slot.index,
      attempts: task.deaths.length + 1,
    };
    this.#results.push(result, seat.takeUnits(units));
  }

  #taskFailed(slot: Slot, seat: Seat, { index, error }: Failed): void {
    this.#free(slot, seat);
    this.fail(index === undefined ? fromWire(error) : taskError(fromWire(error), index));
  }

  #closed(slot: Slot, { error }: Closed): void {
    this.#seats.delete(slot);
    if (error) this.fail(closeError(this.job, fromWire(error)));
  }

  #free(slot: Slot, seat: Seat): ReturnType<Seat["finish"]> {
    const task = seat.finish();
    if (slot.owner === this && !seat.busy) slot.owner = undefined;
    return task;
  }

  #proceed(): void {
    this.#check();
    this.crew.changed();
  }

  #check(): void {
    const working = [...this.#seats.values()].some(({ busy }) => busy);
    if (this.#phase === "open" && this.#source.exhausted && !working) this.#close();
    if (this.#phase === "closing" && this.#seats.size === 0) this.#finish();
  }

  #close(): void {
    if (this.#phase !== "open") return;
    this.#phase = "closing";
    for (const seat of this.#seats.values()) seat.close();
  }

  #finish(): void {
    this.#phase = "over";
    this.#watch?.abort();
    this.options.signal?.removeEventListener("abort", this.#abort);
    this.#results.end();
    this.#over.resolve();
    this.crew.leave(this);
  }

  #lookEvery(period: number): void {
    this.#watch?.abort();
    this.#watch = new AbortController();
    void this.#keepWatch(period, this.#watch.signal);
  }

  async #keepWatch(period: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.crew;
    for (let last = clock.now();;) {
      await clock.sleep(period, signal);
      if (signal.aborted) return;
      const elapsed = clock.now() - last;
      last += elapsed;
      // A late check means that this thread was busy: messages of the workers are still waiting, so that time hardly counts.
      this.#look(elapsed, elapsed > 2 * period ? period / 8 : elapsed);
    }
  }

  /** Replaces the workers that hang, `elapsed` milliseconds after the last check, of which `seen` count. */
  #look(elapsed: number, seen: number): void {
    if (this.#phase === "closing") this.#waited += seen;
    for (const [slot, seat] of [...this.#seats]) {
      if (this.#phase === "closing") this.#hurry(slot, seat);
      else if (seat.busy && seat.hung(elapsed, seen, this.#stallTimeout)) seat.remote.stop("hung");
    }
  }

  #hurry(slot: Slot, seat: Seat): void {
    const limit = this.#failed ? this.crew.grace : this.#stallTimeout;
    const elsewhere = slot.owner !== undefined && slot.owner !== this; // another run watches over it
    if (this.#waited >= limit && !elsewhere) seat.remote.stop("stopped");
  }
}

/** Whether a task has lost so many workers that it must not be tried again. */
function isHopeless(deaths: readonly Death[], attempts: number): boolean {
  const times = (how: Death["how"]) => deaths.filter((death) => death.how === how).length;
  return deaths.length >= attempts || times("out of memory") >= MOST_FULL || times("hung") >= MOST_HUNG;
}

interface Entry<R> {
  readonly result: TaskResult<R>;
  readonly units: number;
}

/** A queue that one caller iterates over. It ends or fails; a failure is thrown before results that still wait. */
class ResultQueue<R> {
  #entries: Entry<R>[] = [];
  #failure: { readonly error: unknown } | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  /** How many results wait for the caller. */
  get length(): number {
    return this.#entries.length;
  }

  /** Units of the results that wait. */
  get units(): number {
    return this.#entries.reduce((sum, { units }) => sum + units, 0);
  }

  /** Adds a result whose task has reported `units` units. */
  push(result: TaskResult<R>, units: number): void {
    this.#entries.push({ result, units });
    this.#wake?.();
  }

  /** No more results: the iteration throws `error` next. */
  fail(error: unknown): void {
    if (this.#failure || this.#ended) return;
    this.#failure = { error };
    this.#entries = [];
    this.#wake?.();
  }

  /** No more results: the iteration ends after those that wait. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** The next result; `undefined` at the end. */
  async next(): Promise<TaskResult<R> | undefined> {
    for (;;) {
      if (this.#failure) throw this.#failure.error;
      const entry = this.#entries.shift();
      if (entry || this.#ended) return entry?.result;
      await new Promise<void>((resolve) => this.#wake = resolve);
      this.#wake = undefined;
    }
  }
}
