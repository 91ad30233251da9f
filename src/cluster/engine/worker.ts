/**
 * A worker: takes jobs from an engine and puts parts into stores, one unit at a time; the pool of threads is inside a unit.
 *
 * What a worker commits counts, even if its job was given away meanwhile.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import type { Clock } from "../../clock.ts";
import { backOff, type Claim, type Engine, MOST_DEATHS } from "./engine.ts";
import { failureOf, mayTryAgain, poisoned } from "./failures.ts";
import { HeldJob, type HoldOptions, type UnitControl } from "./held_job.ts";
import { type EngineJob, readJob } from "./job.ts";

/** A run that is ready to be computed on this machine. */
export interface UnitRun extends AsyncDisposable {
  /** Whether the part of a unit is in the store. */
  has(unit: number): Promise<boolean>;
  /** Computes a unit and commits its part. */
  compute(unit: number, control: UnitControl): Promise<void>;
}

/**
 * What a worker tells while it works.
 * @category Cluster
 */
export interface WorkerEvent {
  /**
   * It has no job; it has taken one; it computes a unit; it refuses a run; a job failed for good, or is tried again; a job was
   * given to another worker; the engine cannot be reached.
   */
  readonly event: "idle" | "job" | "unit" | "refused" | "failed" | "again" | "lost" | "unreachable";
  /** The job (`job`, `lost`). */
  readonly job?: string;
  /** The run (`unit`, `refused`), or the job of it that failed (`failed`, `again`). */
  readonly run?: string;
  /** The unit. */
  readonly unit?: number;
  /** The code of the error. */
  readonly code?: string;
  /** Its message. */
  readonly message?: string;
}

/** What a worker is made of. */
interface WorkerOptions extends HoldOptions {
  /** Version of Tilewise. */
  readonly tilewise: string;
  /** Opens a run; errors other than `io` mean that this machine refuses it. */
  readonly open: (job: EngineJob) => Promise<UnitRun>;
  /** Milliseconds between two questions for a job. Default: 500. */
  readonly poll?: number;
  /** Ends after so many milliseconds without a job. Default: never. */
  readonly idle?: number;
  /** Milliseconds for which it takes no jobs after it refused one. Default: 30 000. */
  readonly rest?: number;
  /** Called with what happens. */
  readonly onEvent?: (event: WorkerEvent) => void;
}

/** Milliseconds between two signs of life of a worker without a job. */
const GREETING = 10_000;

/** Works until `signal` fires or nothing came for `idle`; returns the number of units that it computed. */
export async function serveJobs(engine: Engine, clock: Clock, options: WorkerOptions): Promise<number> {
  await using worker = new JobWorker(engine, clock, options);
  return await worker.serve();
}

class JobWorker implements AsyncDisposable {
  #open: { readonly key: string; readonly run: UnitRun } | undefined;
  #units = 0;
  #greeted = -Infinity;
  #rests = -Infinity;
  #refuses: { run: string; code: string; message: string } | undefined;

  constructor(readonly engine: Engine, readonly clock: Clock, readonly options: WorkerOptions) {}

  async serve(): Promise<number> {
    const { signal, poll = 500, idle = Infinity } = this.options;
    let last = this.clock.now();
    let told = false;
    while (!signal.aborted) {
      const claim = await this.#next();
      if (claim) {
        await this.#work(claim);
        [last, told, this.#greeted] = [this.clock.now(), false, -Infinity];
        continue;
      }
      if (!told) this.#tell({ event: "idle" });
      told = true;
      if (this.clock.now() - last >= idle) break;
      await this.clock.sleep(poll, signal);
    }
    return this.#units;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  /** The next job; none while this worker rests, or while the engine cannot be reached. */
  async #next(): Promise<Claim | undefined> {
    try {
      await this.#greet();
      if (this.clock.now() < this.#rests) return undefined;
      return await this.engine.claim(this.options.name);
    } catch (error) {
      this.#tell({ event: "unreachable", message: reasonOf(error) });
      await this.clock.sleep(2000, this.options.signal);
      return undefined;
    }
  }

  async #greet(job?: string): Promise<void> {
    const now = this.clock.now();
    if (job === undefined && now - this.#greeted < GREETING) return;
    const { name: worker, tilewise } = this.options;
    const refuses = now < this.#rests ? this.#refuses : undefined;
    await this.engine.greet({
      worker,
      tilewise,
      ...(job !== undefined && { job }),
      ...(refuses && { refuses }),
    });
    this.#greeted = now;
  }

  async #work(claim: Claim): Promise<void> {
    try {
      const job = readJob(claim.job);
      this.#tell({ event: "job", job: job.id });
      const run = await this.#ready(job, claim);
      if (run) await this.#compute(job, run, claim);
    } catch (error) {
      await this.#give(claim, error);
    }
  }

  /** The run of a job; one run is kept open. `undefined` if this machine refuses it. */
  async #ready(job: EngineJob, claim: Claim): Promise<UnitRun | undefined> {
    const key = `${job.store} ${job.manifest}`;
    if (this.#open?.key === key) return this.#open.run;
    await this.#close();
    const held = new HeldJob(this, claim, job.start);
    try {
      const run = await this.options.open(job);
      this.#open = { key, run };
      return run;
    } catch (error) {
      const failure = failureOf(error);
      if (mayTryAgain(failure, claim)) throw error;
      await this.#refuse(job, claim, failure);
      return undefined;
    } finally {
      await held[Symbol.asyncDispose]();
    }
  }

  /** Leaves a job to workers that can do it, and takes no other for a while. */
  async #refuse(
    { run }: EngineJob,
    claim: Claim,
    { code, message }: { code: string; message: string },
  ): Promise<void> {
    this.#tell({ event: "refused", run, code, message });
    this.#refuses = { run, code, message };
    this.#rests = this.clock.now() + (this.options.rest ?? 30_000);
    this.#greeted = -Infinity;
    await this.#quietly(async () => {
      await this.#greet();
      await this.engine.release(claim, 0);
    });
  }

  /** Computes the units of a job that nobody has computed. */
  async #compute(job: EngineJob, run: UnitRun, claim: Claim): Promise<void> {
    await this.#quietly(() => this.#greet(job.id));
    for (let unit = job.start; unit < job.end; unit++) {
      if (this.options.signal.aborted) return await this.#quietly(() => this.engine.release(claim, 0));
      try {
        if (await run.has(unit)) continue;
      } catch (error) {
        return await this.#give(claim, error, unit);
      }
      if (claim.deaths >= MOST_DEATHS) return await this.#poison(claim, claim.last?.unit ?? unit);
      await using held = new HeldJob(this, claim, unit);
      try {
        this.#tell({ event: "unit", run: job.run, unit });
        await run.compute(unit, held);
        this.#units++;
      } catch (error) {
        return await this.#give(claim, held.ended ?? error, unit);
      }
      if (held.state === "held") continue;
      this.#tell({ event: "lost", job: job.id });
      return;
    }
    await this.#quietly(() => this.engine.finish(claim));
  }

  async #poison(claim: Claim, unit: number): Promise<void> {
    const failure = poisoned(claim, unit);
    this.#tell({ event: "failed", run: claim.id, ...failure });
    await this.#quietly(() => this.engine.finish(claim, failure));
  }

  /** Ends a job that failed: to be tried again, or for good. */
  async #give(claim: Claim, error: unknown, unit?: number): Promise<void> {
    if (isAborted(error)) return await this.#quietly(() => this.engine.release(claim, 0));
    const failure = failureOf(error, unit);
    const again = mayTryAgain(failure, claim);
    this.#tell({ event: again ? "again" : "failed", run: claim.id, ...failure });
    if (failure.code === "worker" || failure.code === "timeout") await this.#close(); // its pool may be broken
    await this.#quietly(() =>
      again ? this.engine.release(claim, backOff(claim.retries), failure) : this.engine.finish(claim, failure)
    );
  }

  /** A call whose failure does not matter: the lock of the job expires, and the store says what is done. */
  async #quietly(call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (error) {
      this.#tell({ event: "unreachable", message: reasonOf(error) });
    }
  }

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.run[Symbol.asyncDispose]();
  }

  #tell(event: WorkerEvent): void {
    this.options.onEvent?.(event);
  }
}

function isAborted(error: unknown): boolean {
  return error instanceof TilewiseError && error.code === "aborted";
}
