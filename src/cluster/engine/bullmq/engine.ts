/**
 * An engine on Redis, by BullMQ: its lists, locks, priorities, retries and search for stalled jobs.
 *
 * Jobs are taken and renewed by hand, not by a processor of BullMQ: that one renews a lock for as long as the process lives,
 * also if the pool in it hangs.
 *
 * @module
 */

import { reasonOf } from "../../../reason.ts";
import {
  type Claim,
  type Doing,
  type Engine,
  type Failure,
  type JobSight,
  LOCK,
  MOST_TRIES,
  type Renewal,
  type RunSight,
  STALLED_CHECK,
  type WorkerSight,
} from "../engine.ts";
import { checkJob, type Job } from "../job.ts";
import { type RedisAddress, redisAddress } from "./address.ts";
import { answered, connect, inspectServer } from "./connection.ts";
import { loadBullMq } from "./packages.ts";
import type { BullJob, BullMq, BullQueue, BullWorker, Redis } from "./types.ts";

/** How an engine on Redis waits. */
export interface RedisEngineOptions {
  /** Milliseconds that a worker may be silent. Default: {@link LOCK}. */
  readonly lock?: number;
  /** Milliseconds between two searches for silent workers. Default: {@link STALLED_CHECK}. */
  readonly stalledCheck?: number;
}

const PREFIX = "bull";
/** States of jobs that nobody holds. */
const WAITING = ["prioritized", "wait", "paused", "delayed"] as const;
/** Jobs that are added in one call. */
const BULK = 1000;
/** Seconds for which a worker counts as being there. */
const SEEN = 60;

/** Connects to an engine on Redis. Errors: `invalid`, `io`, `permission`, `unsupported`. */
export async function redisEngine(
  url: string,
  options: RedisEngineOptions = {},
): Promise<RedisEngine> {
  const address = redisAddress(url);
  const { lock = LOCK, stalledCheck = STALLED_CHECK } = { ...address.waits, ...options };
  const { bullmq, ioredis } = await loadBullMq();
  const warnings = await inspectServer(ioredis, address);
  return new RedisEngine(address, bullmq, () => connect(ioredis, address), { lock, stalledCheck }, warnings);
}

/** An engine on Redis. */
export class RedisEngine implements Engine {
  readonly url: string;
  readonly lock: number;
  readonly warnings: readonly string[];
  readonly #redis: Redis;
  readonly #queue: BullQueue;
  readonly #held = new Map<string, BullJob>();
  #taker: { readonly redis: Redis; readonly worker: BullWorker } | undefined;
  #tokens = 0;

  /** See {@link redisEngine}. */
  constructor(
    readonly address: RedisAddress,
    readonly bullmq: BullMq,
    readonly connection: () => Redis,
    readonly waits: Required<RedisEngineOptions>,
    warnings: readonly string[],
  ) {
    this.url = address.shown;
    this.lock = waits.lock;
    this.warnings = warnings;
    this.#redis = connection();
    this.#queue = new bullmq.Queue(address.queue, { connection: this.#redis, prefix: PREFIX });
    this.#queue.on("error", () => {});
  }

  async publish(jobs: readonly Job[]): Promise<void> {
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
      this.#redis.call("SISMEMBER", this.#key("cancelled"), runOf(job)),
    ]));
    if (cancelled === 1) return "cancelled";
    if (held !== 1) return "lost";
    await this.#answer(job.updateProgress(doing));
    return "held";
  }

  async finish({ token }: Claim, failure?: Failure): Promise<void> {
    await this.#let(
      token,
      (job) =>
        failure
          ? job.moveToFailed(new this.bullmq.UnrecoverableError(JSON.stringify(failure)), token, false)
          : job.moveToCompleted(null, token, false),
    );
  }

  async release({ token }: Claim, _delay: number, failure?: Failure): Promise<void> {
    await this.#let(
      token,
      (job) =>
        failure
          ? job.moveToFailed(new Error(JSON.stringify(failure)), token, false) // its pauses are those of backOff
          : job.moveToWait(token),
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
    await this.#command("SREM", this.#key("cancelled"), run);
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
    if (await this.#command("SISMEMBER", this.#key("cancelled"), sight.run) === 1) return "cancelled";
    await this.#command("HSET", this.#key("runs"), sight.run, JSON.stringify(sight));
    return "running";
  }

  async status(): Promise<{ runs: RunSight[]; workers: WorkerSight[] }> {
    const cancelled = new Set(await this.#command("SMEMBERS", this.#key("cancelled")) as string[]);
    const runs = rows<RunSight>(await this.#command("HVALS", this.#key("runs")) as string[]);
    const keys = await this.#workerKeys();
    const workers = keys.length > 0 ? await this.#command("MGET", ...keys) as (string | null)[] : [];
    return {
      runs: runs.map((one) => cancelled.has(one.run) ? { ...one, state: "cancelled" } : one),
      workers: rows(workers),
    };
  }

  async greet(sight: WorkerSight): Promise<void> {
    await this.#command("SET", this.#key(`worker:${sight.worker}`), JSON.stringify(sight), "EX", SEEN);
  }

  async cancel(run: string): Promise<boolean> {
    if (await this.#command("HEXISTS", this.#key("runs"), run) !== 1) return false;
    await this.#command("SADD", this.#key("cancelled"), run);
    await this.withdraw(run);
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#taker?.worker.close(true).catch(() => {});
    this.#taker?.redis.disconnect();
    this.#redis.disconnect();
  }

  async #worker(): Promise<BullWorker> {
    if (this.#taker) return this.#taker.worker;
    const redis = this.connection();
    const worker = new this.bullmq.Worker(this.address.queue, null, {
      connection: redis,
      prefix: PREFIX,
      lockDuration: this.lock,
      stalledInterval: this.waits.stalledCheck,
      maxStalledCount: 1000, // workers count themselves, and say which unit it was
      skipLockRenewal: true,
      autorun: false,
    });
    worker.on("error", () => {});
    this.#taker = { redis, worker };
    await worker.startStalledCheckTimer();
    return worker;
  }

  /** Lets go of a job; one that is no longer held is left to who holds it. */
  async #let(token: string, end: (job: BullJob) => Promise<unknown>): Promise<void> {
    const job = this.#held.get(token);
    this.#held.delete(token);
    if (job) await this.#answer(end(job).catch(gone));
  }

  async #workerKeys(): Promise<string[]> {
    const found: string[] = [];
    let cursor = "0";
    do {
      const match = this.#key("worker:*");
      const page = await this.#command("SCAN", cursor, "MATCH", match, "COUNT", 1000) as [string, string[]];
      cursor = page[0];
      found.push(...page[1]);
    } while (cursor !== "0");
    return [...new Set(found)].sort();
  }

  #key(name: string): string {
    return `${this.address.queue}:${name}`;
  }

  #command(command: string, ...args: (string | number)[]): Promise<unknown> {
    return this.#answer(this.#redis.call(command, ...args));
  }

  #answer<T>(call: Promise<T>): Promise<T> {
    return answered(call, this.url);
  }
}

function optionsOf({ id, priority }: Job) {
  return {
    jobId: id,
    priority: Math.max(1, priority),
    attempts: MOST_TRIES,
    backoff: { type: "exponential", delay: 1000 },
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

/** Values that are JSON; others are left out. */
function rows<T>(texts: readonly (string | null)[]): T[] {
  return texts.flatMap((text) => {
    try {
      return text === null ? [] : [JSON.parse(text) as T];
    } catch {
      return [];
    }
  });
}

/** A job that was taken away is not an error: somebody else has it. */
function gone(error: unknown): undefined {
  const reason = reasonOf(error);
  if (/Missing (lock|key)|Lock mismatch|not in the active state|is locked|locked by another/i.test(reason)) {
    return undefined;
  }
  throw error;
}
