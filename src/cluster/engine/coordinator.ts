/**
 * The coordinator of a run: compares store and queue every few seconds, and publishes what is missing.
 *
 * It holds nothing that cannot be found again: a second start, or a server that was wiped, costs one look. The run is done
 * when all of its parts are in the store, whatever the engine says.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import type { Clock } from "../../clock.ts";
import type { Engine, Failure, RunSight, WorkerSight } from "./engine.ts";
import { isLocal, type NamedPart, partsError, runError } from "./failures.ts";
import { type EngineJob, JOB_VERSION, jobId } from "./job.ts";
import { Ledger, type Orders, type Range } from "./ledger.ts";

/**
 * How far a run on an engine is.
 * @category Cluster
 */
export interface ClusterProgress {
  /** Units that are done, with the done parts of those that are computed. */
  readonly advance: number;
  /** Units that are in the store. */
  readonly done: number;
  /** All units. */
  readonly total: number;
  /** Jobs in the hands of workers. */
  readonly active: number;
  /** What is wrong at the moment: the engine cannot be reached, no worker is there, a worker refuses the run. */
  readonly trouble?: string;
}

/**
 * The run that a coordinator coordinates.
 * @category Cluster
 */
export interface CoordinatedRun {
  /** Its name: digits and small letters. */
  readonly name: string;
  /** What it is, for people. */
  readonly title: string;
  /** The part store. */
  readonly store: string;
  /** Digest of the manifest. */
  readonly manifest: string;
  /** Number of units. */
  readonly total: number;
  /** The name of a unit. */
  nameOf(unit: number): string;
  /** What is computed in it, for people. */
  whatOf(unit: number): string;
  /** A 1 for each unit whose part is in the store. */
  committed(): Promise<Uint8Array>;
}

/**
 * How a run is coordinated.
 * @category Cluster
 */
export interface CoordinatorOptions {
  /** Units in a job. Default: 1. */
  readonly unitsPerJob?: number;
  /** Runs with lower numbers come first. Default: 100. */
  readonly priority?: number;
  /** Milliseconds between two looks. Default: 3000. */
  readonly interval?: number;
  /** Most jobs in the queue. Default: 20 000. */
  readonly backlog?: number;
  /** Milliseconds after which a job may be called slow. Default: 30 000. */
  readonly slowAfter?: number;
  /** Milliseconds for which the engine may be unreachable. Default: ten minutes. */
  readonly unreachableTimeout?: number;
  /** Ends the run with `aborted`; its workers stop between two tiles. */
  readonly signal?: AbortSignal;
  /** Called after every look. */
  readonly onProgress?: (progress: ClusterProgress) => void;
}

const PATIENCE = 600_000;
/** Polls in which every worker refuses before the run is given up. */
const REFUSALS = 3;

/**
 * Coordinates a run until all of its parts are in the store.
 *
 * Errors: `udf` and others of the run, at once; `worker`, `timeout` and `io` for units that failed for good, when all others
 * are done; `aborted` if the run was cancelled; `io` if the engine cannot be reached for long; errors of the store.
 */
export async function coordinate(
  run: CoordinatedRun,
  engine: Engine,
  clock: Clock,
  options: CoordinatorOptions = {},
): Promise<void> {
  await new Coordinator(run, engine, clock, options).run();
}

class Coordinator {
  readonly #ledger: Ledger;
  readonly #mark = Math.floor(Math.random() * 36 ** 4).toString(36);
  #marks = 0;
  #begun = false;
  #lost: number | undefined;
  #refused = 0;
  #trouble: string | undefined;

  constructor(
    readonly of: CoordinatedRun,
    readonly engine: Engine,
    readonly clock: Clock,
    readonly options: CoordinatorOptions,
  ) {
    const { unitsPerJob = 1, backlog = 20_000, slowAfter = 30_000 } = options;
    this.#ledger = new Ledger({ total: of.total, unitsPerJob, backlog, slowAfter });
  }

  async run(): Promise<void> {
    const { interval = 3000, signal } = this.options;
    let pause = Math.min(interval, 200); // short runs need not wait
    try {
      while (!await this.#look()) {
        await this.clock.sleep(pause, signal);
        pause = Math.min(interval, 1.5 * pause);
        if (signal?.aborted) throw await this.#cancelled();
      }
    } catch (error) {
      await this.#end("failed", reasonOf(error));
      throw error;
    }
    await this.#end("done");
  }

  /** One look; true when the run is done. */
  async #look(): Promise<boolean> {
    const jobs = await this.#ask(async () => {
      if (!this.#begun) await this.engine.begin(this.of.name);
      return await this.engine.jobs(this.of.name);
    });
    this.#begun ||= jobs !== undefined;
    const done = await this.of.committed(); // after the queue: a job commits before it leaves the queue
    if (!jobs) return this.#blind(done);
    const orders = this.#ledger.look(jobs, done, this.clock.now());
    if (orders.done === this.of.total) return true;
    this.#judge(orders);
    if (await this.#ask(() => this.#announce(orders, "running")) === "cancelled") {
      throw cancelled(this.of.name);
    }
    await this.#ask(() =>
      this.engine.publish([...this.#jobs(orders.missing, 0), ...this.#jobs(orders.slow, 1)])
    );
    if (this.#lost === undefined) await this.#lookAtWorkers(orders);
    this.#tell(orders.advance, orders.done, orders.active);
    return false;
  }

  /** Without the engine, the store alone tells how far the run is. */
  #blind(done: Uint8Array): boolean {
    const count = done.reduce((sum, one) => sum + one, 0);
    this.#tell(count, count, 0);
    return count === this.of.total;
  }

  #partOf(unit: number): NamedPart {
    return { name: this.of.nameOf(unit), what: this.of.whatOf(unit) };
  }

  /** Ends the run if a unit fails the same way everywhere, or if nothing but failed units is left. */
  #judge({ done }: Orders): void {
    const { blamed } = this.#ledger;
    for (const [unit, failure] of blamed) {
      if (!isLocal(failure)) throw runError(this.of.name, this.#partOf(unit), failure);
    }
    if (blamed.size === 0 || done + blamed.size < this.of.total) return;
    const named = [...blamed].map(([unit, failure]) => [this.#partOf(unit), failure] as const);
    throw partsError(this.of.name, named, done);
  }

  #jobs(ranges: readonly Range[], later: 0 | 1): EngineJob[] {
    const { name: run, store, manifest } = this.of;
    const priority = (this.options.priority ?? 100) + later;
    return ranges.map(({ start, end }) => {
      const id = jobId(run, start, end, `${this.#mark}${(this.#marks++).toString(36)}`);
      return { version: JOB_VERSION, id, run, store, manifest, start, end, priority };
    });
  }

  /** Calls the engine; `undefined` if it cannot be reached now. Errors: `io` after a long time. */
  async #ask<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await call();
      this.#lost = undefined;
      this.#trouble = undefined;
      return answer;
    } catch (error) {
      const { unreachableTimeout = PATIENCE } = this.options;
      this.#lost ??= this.clock.now();
      this.#trouble = reasonOf(error);
      if (!isPassing(error) || this.clock.now() - this.#lost >= unreachableTimeout) throw error;
      return undefined;
    }
  }

  async #lookAtWorkers({ active }: Orders): Promise<void> {
    const status = await this.#ask(() => this.engine.status());
    if (!status) return;
    const refusals = refusalsOf(status.workers, this.of.name);
    const all = refusals.length > 0 && refusals.length === status.workers.length && active === 0;
    this.#refused = all ? this.#refused + 1 : 0;
    const [first] = refusals;
    if (first && this.#refused >= REFUSALS) throw refusedByAll(this.of.name, first, refusals.length);
    if (first) this.#trouble = `${first.worker} refuses this run: ${first.failure.message}`;
    if (status.workers.length === 0) {
      this.#trouble = `no worker is there; start one: tilewise worker ${this.engine.url}`;
    }
  }

  #announce(
    { done }: { done: number },
    state: RunSight["state"],
    reason?: string,
  ): Promise<"running" | "cancelled"> {
    const { name: run, title, store, total } = this.of;
    const { priority = 100 } = this.options;
    const line = { run, title, store, priority, done, total, state, at: Date.now() };
    return this.engine.announce(reason === undefined ? line : { ...line, reason });
  }

  #tell(advance: number, done: number, active: number): void {
    const trouble = this.#trouble;
    this.options.onProgress?.({ advance, done, total: this.of.total, active, ...(trouble && { trouble }) });
  }

  async #cancelled(): Promise<TilewiseError> {
    await this.#ask(() => this.engine.cancel(this.of.name)).catch(() => {});
    return cancelled(this.of.name);
  }

  /** Takes what is left out of the queue; a failure of the engine no longer matters. */
  async #end(state: "done" | "failed", reason?: string): Promise<void> {
    try {
      const done = state === "done"
        ? this.of.total
        : (await this.of.committed()).reduce((sum, one) => sum + one, 0);
      await this.engine.withdraw(this.of.name);
      await this.#announce({ done }, state, reason);
    } catch {
      // jobs that are left find their parts in the store
    }
  }
}

/** Whether an error of the engine may pass. */
function isPassing(error: unknown): boolean {
  return error instanceof TilewiseError && (error.code === "io" || error.code === "timeout");
}

function cancelled(run: string): TilewiseError {
  const text =
    `Run ${run} was cancelled; its parts stay in the store, and the same command goes on from them`;
  return new TilewiseError("aborted", text, { run });
}

interface Refusal {
  readonly worker: string;
  readonly failure: Failure;
}

function refusalsOf(workers: readonly WorkerSight[], run: string): Refusal[] {
  return workers.flatMap(({ worker, refuses }) => refuses?.run === run ? [{ worker, failure: refuses }] : []);
}

function refusedByAll(run: string, { worker, failure }: Refusal, count: number): TilewiseError {
  const who = count === 1
    ? `the only worker, ${worker}, refuses it`
    : `all ${count} workers refuse it, ${worker} first`;
  return runError(run, { name: "0" }, { ...failure, message: `${who}: ${failure.message}` });
}
