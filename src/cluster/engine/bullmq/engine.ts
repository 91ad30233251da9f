/**
 * An engine by BullMQ: its lists, locks, priorities, counts of tries and search for stalled jobs, on a server of its own.
 *
 * Jobs are taken and renewed by hand, not by a processor of BullMQ: that one renews a lock for as long as the process lives,
 * also if the pool in it hangs. Delays are ours as well: BullMQ measures them by the clock of whoever gives a job back.
 *
 * @module
 */

import type { TilewiseError } from "../../../errors.ts";
import { reasonOf } from "../../../reason.ts";
import {
  type Claim,
  type Doing,
  type Engine,
  type EngineStatus,
  type Failure,
  type JobSight,
  LOCK,
  MOST_TRIES,
  type Renewal,
  type RunSight,
  STALLED_CHECK,
  type WorkerSight,
} from "../engine.ts";
import { checkJob, type EngineJob } from "../job.ts";
import { answered, type Board } from "./board.ts";
import type { BullJob, BullMq, BullQueue, BullWaits, BullWorker } from "./types.ts";

/** How an engine waits. */
export interface EngineWaits {
  /** Milliseconds that a worker may be silent. Default: {@link LOCK}. */
  readonly lock?: number;
  /** Milliseconds between two searches for silent workers. Default: {@link STALLED_CHECK}. */
  readonly stalledCheck?: number;
}

/** The waits, all of them. */
export function waitsOf({ lock = LOCK, stalledCheck = STALLED_CHECK }: EngineWaits): Required<EngineWaits> {
  return { lock, stalledCheck };
}

/** A worker of BullMQ with a connection of its own. */
interface Taker {
  /** It. */
  readonly worker: BullWorker;
  /** Closes its connection. */
  end(): Promise<void>;
}

/** What an engine needs of its server. */
interface Server {
  /** Its address, without password. */
  readonly url: string;
  /** Settings under which jobs may vanish. */
  readonly warnings: readonly string[];
  /** How long is waited. */
  readonly waits: Required<EngineWaits>;
  /** The package. */
  readonly bullmq: Pick<BullMq, "UnrecoverableError">;
  /** The queue. */
  readonly queue: BullQueue;
  /** What lies beside it. */
  readonly board: Board;
  /** What went wrong, as an error that says what to do. */
  errorOf(error: unknown): TilewiseError;
  /** Connects what takes jobs. */
  taker(waits: BullWaits): Taker;
  /** Closes the connections of queue and board. */
  end(): Promise<void>;
}

/** States of jobs that nobody holds. */
const WAITING = ["prioritized", "wait", "paused", "delayed"] as const;
/** Jobs that are added in one call. */
const BULK = 1000;
/** Jobs that wait for another try and are looked at in one call. */
const WAKEN = 100;
/** So long does BullMQ let a job wait for another try, in milliseconds: until the board releases it. */
const YEAR = 365 * 86_400_000;

/** An engine by BullMQ. */
export class BullEngine implements Engine {
  readonly url: string;
  readonly lock: number;
  readonly warnings: readonly string[];
  readonly #queue: BullQueue;
  readonly #board: Board;
  readonly #held = new Map<string, BullJob>();
  #taker: Taker | undefined;
  #tokens = 0;

  /** An engine on a server. */
  constructor(readonly server: Server) {
    this.url = server.url;
    this.lock = server.waits.lock;
    this.warnings = server.warnings;
    this.#board = server.board;
    this.#queue = server.queue;
    this.#queue.on("error", () => {});
  }

  async publish(jobs: readonly EngineJob[]): Promise<void> {
    for (let start = 0; start < jobs.length; start += BULK) {
      const some = jobs.slice(start, start + BULK).map((job) => {
        checkJob(job);
        return { name: "units", data: job, opts: optionsOf(job) };
      });
      await this.#answer(this.#queue.addBulk(some));
    }
  }

  async claim(worker: string): Promise<Claim | undefined> {
    const token = `${worker}#${this.#tokens++}`;
    await this.#wake();
    const call = this.#worker().then((one) => one.getNextJob(token, { block: false }));
    let late = false;
    const job = await this.#answer(call).catch((error) => {
      late = true;
      throw error;
    }).finally(() => {
      if (late) call.then((job) => job?.moveToWait(token)).catch(() => {}); // its lock expires
    });
    if (!job) return undefined;
    this.#held.set(token, job);
    return claimOf(job, token);
  }

  async renew({ token }: Claim, doing: Doing): Promise<Renewal> {
    const job = this.#held.get(token);
    if (!job) return "lost";
    const [held, cancelled] = await this.#answer(Promise.all([
      job.extendLock(token, this.lock),
      this.#board.isCancelled(runOf(job)),
    ]));
    if (cancelled) return "cancelled";
    if (held !== 1) return "lost";
    await this.#answer(job.updateProgress(doing));
    return "held";
  }

  async finish({ token }: Claim, failure?: Failure): Promise<void> {
    await this.#let(
      token,
      (job) =>
        failure
          ? job.moveToFailed(new this.server.bullmq.UnrecoverableError(JSON.stringify(failure)), token, false)
          : job.moveToCompleted(null, token, false),
    );
  }

  async release({ token, id }: Claim, delay: number, failure?: Failure): Promise<void> {
    if (failure) await this.#answer(this.#board.hold(id, Math.max(1, delay)));
    await this.#let(
      token,
      (job) =>
        failure ? job.moveToFailed(new Error(JSON.stringify(failure)), token, false) : job.moveToWait(token),
    );
  }

  async jobs(run: string): Promise<JobSight[]> {
    const mine = (id: string | undefined) => id?.startsWith(`${run}-`) === true;
    const active = await this.#answer(this.#queue.getJobs(["active", "failed"]));
    const waiting = await this.#answer(this.#queue.getRanges([...WAITING, "active"], 0, -1));
    const found = new Map<string, JobSight>();
    for (const id of waiting.filter(mine)) found.set(id, { id, state: "waiting" });
    for (const job of active) if (job && mine(job.id)) found.set(job.id!, sightOf(job));
    return [...found.values()];
  }

  async begin(run: string): Promise<void> {
    await this.#answer(this.#board.setCancelled(run, false));
    await this.withdraw(run);
  }

  async withdraw(run: string): Promise<void> {
    const ids = await this.#answer(this.#queue.getRanges([...WAITING, "failed"], 0, -1));
    const mine = ids.filter((one) => one.startsWith(`${run}-`));
    for (let start = 0; start < mine.length; start += BULK) {
      const some = mine.slice(start, start + BULK);
      await this.#answer(Promise.all(some.map((id) => this.#queue.remove(id).catch(gone))));
    }
  }

  async announce(sight: RunSight): Promise<"running" | "cancelled"> {
    if (await this.#answer(this.#board.isCancelled(sight.run))) return "cancelled";
    await this.#answer(this.#board.putRun(sight));
    return "running";
  }

  async status(): Promise<EngineStatus> {
    const cancelled = await this.#answer(this.#board.cancelled());
    const runs = await this.#answer(this.#board.runs());
    const workers = await this.#answer(this.#board.workers());
    return {
      runs: runs.map((one) => cancelled.has(one.run) ? { ...one, state: "cancelled" } : one),
      workers,
    };
  }

  async greet(sight: WorkerSight): Promise<void> {
    await this.#answer(this.#board.putWorker(sight));
  }

  async cancel(run: string): Promise<boolean> {
    if (!await this.#answer(this.#board.hasRun(run))) return false;
    await this.#answer(this.#board.setCancelled(run, true));
    await this.withdraw(run);
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#taker?.worker.close(true).catch(() => {});
    await this.#taker?.end();
    await this.server.end();
  }

  /** Puts jobs whose pause is over back into the queue. */
  async #wake(): Promise<void> {
    const delayed = await this.#answer(this.#queue.getRanges(["delayed"], 0, WAKEN - 1));
    if (delayed.length === 0) return;
    const due = await this.#answer(this.#board.released(delayed));
    await this.#answer(Promise.all(due.map(async (id) => {
      const job = await this.#queue.getJob(id);
      await job?.promote().catch(gone);
    })));
  }

  async #worker(): Promise<BullWorker> {
    if (this.#taker) return this.#taker.worker;
    this.#taker = this.server.taker({
      lockDuration: this.lock,
      stalledInterval: this.server.waits.stalledCheck,
      maxStalledCount: 1000, // workers count themselves, and say which unit it was
      skipLockRenewal: true,
      autorun: false,
    });
    const { worker } = this.#taker;
    worker.on("error", () => {});
    await worker.startStalledCheckTimer();
    return worker;
  }

  /** Lets go of a job; one that is no longer held is left to who holds it. */
  async #let(token: string, end: (job: BullJob) => Promise<unknown>): Promise<void> {
    const job = this.#held.get(token);
    this.#held.delete(token);
    if (job) await this.#answer(end(job).catch(gone));
  }

  #answer<T>(call: Promise<T>): Promise<T> {
    return answered(call, this.url, (error) => this.server.errorOf(error));
  }
}

function optionsOf({ id, priority }: EngineJob) {
  return {
    jobId: id,
    priority: Math.max(1, priority),
    attempts: MOST_TRIES,
    backoff: { type: "fixed", delay: YEAR },
    removeOnComplete: true,
  } as const;
}

function claimOf(job: BullJob, token: string): Claim {
  const last = doingOf(job);
  const failure = failureOf(job);
  return {
    job: job.data,
    id: job.id ?? "",
    token,
    deaths: job.stalledCounter,
    retries: job.attemptsMade,
    ...(last && { last }),
    ...(failure && { failure }),
  };
}

function sightOf(job: BullJob): JobSight {
  const failure = failureOf(job);
  const doing = doingOf(job);
  const id = job.id ?? "";
  if (job.finishedOn !== undefined && failure) return { id, state: "failed", failure };
  return doing ? { id, state: "active", doing } : { id, state: "active" };
}

/** What a job says of its worker; others may have written it. */
function doingOf({ progress }: BullJob): Doing | undefined {
  const { worker, unit, done } = (progress ?? {}) as Partial<Doing>;
  if (typeof worker !== "string" || typeof unit !== "number" || typeof done !== "number") return undefined;
  return { worker, unit, done };
}

function failureOf({ failedReason }: BullJob): Failure | undefined {
  if (!failedReason) return undefined;
  try {
    const { code, message, unit } = JSON.parse(failedReason) as Failure;
    return { code: String(code), message: String(message), ...(typeof unit === "number" && { unit }) };
  } catch {
    return { code: "worker", message: failedReason };
  }
}

function runOf({ id = "" }: BullJob): string {
  return id.split("-", 1)[0]!;
}

/** A job that was taken away is not an error: somebody else has it. */
function gone(error: unknown): undefined {
  const reason = reasonOf(error);
  if (
    /Missing (lock|key)|Lock mismatch|not in the (active|delayed) state|is locked|locked by another/i.test(
      reason,
    )
  ) {
    return undefined;
  }
  throw error;
}
