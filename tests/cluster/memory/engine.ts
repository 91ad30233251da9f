/**
 * An engine in the memory of one process: for tests, simulations, and as the plainest form of what an engine does.
 *
 * @module
 */

import type { Clock } from "../../../src/clock.ts";
import {
  type Claim,
  type Doing,
  type Engine,
  type Failure,
  type JobSight,
  LOCK,
  type Renewal,
  type RunSight,
  STALLED_CHECK,
  type WorkerSight,
} from "../../../src/cluster/engine/engine.ts";
import { checkJob, type EngineJob } from "../../../src/cluster/engine/job.ts";

interface Entry {
  readonly job: EngineJob;
  readonly order: number;
  state: "waiting" | "active" | "failed";
  /** Time from which it may be claimed. */
  from: number;
  token: string;
  until: number;
  deaths: number;
  retries: number;
  doing?: Doing | undefined;
  failure?: Failure | undefined;
}

/** What may differ between engines in memory. */
export interface MemoryEngineOptions {
  /** Time. */
  readonly clock: Clock;
  /** Milliseconds that a worker may be silent. Default: {@link LOCK}. */
  readonly lock?: number;
  /** Milliseconds between two searches for silent workers. Default: {@link STALLED_CHECK}. */
  readonly stalledCheck?: number;
}

/** An engine in memory. */
export class MemoryEngine implements Engine {
  readonly url = "memory:";
  readonly warnings: readonly string[] = [];
  readonly lock: number;
  /** Time. */
  readonly clock: Clock;
  readonly #stalledCheck: number;
  #entries = new Map<string, Entry>();
  #waiting = new Heap<Entry>((a, b) => a.job.priority - b.job.priority || a.order - b.order);
  #delayed: Entry[] = [];
  #runs = new Map<string, RunSight>();
  #workers = new Map<string, WorkerSight>();
  #order = 0;
  #checked: number;

  /** An engine without jobs. */
  constructor({ clock, lock = LOCK, stalledCheck = STALLED_CHECK }: MemoryEngineOptions) {
    this.lock = lock;
    this.clock = clock;
    this.#stalledCheck = stalledCheck;
    this.#checked = clock.now();
  }

  /** Forgets everything, as a server that was wiped. */
  wipe(): void {
    this.#entries = new Map();
    this.#waiting = new Heap(this.#waiting.before);
    this.#delayed = [];
    this.#runs = new Map();
    this.#workers = new Map();
  }

  publish(jobs: readonly EngineJob[]): Promise<void> {
    for (const job of jobs) {
      checkJob(job);
      if (this.#entries.has(job.id)) continue;
      const entry: Entry = {
        job,
        order: this.#order++,
        state: "waiting",
        from: 0,
        token: "",
        until: 0,
        deaths: 0,
        retries: 0,
      };
      this.#entries.set(job.id, entry);
      this.#waiting.push(entry);
    }
    return Promise.resolve();
  }

  claim(worker: string): Promise<Claim | undefined> {
    this.#sweep();
    let entry = this.#waiting.pop();
    while (entry && (entry.state !== "waiting" || this.#entries.get(entry.job.id) !== entry)) {
      entry = this.#waiting.pop();
    }
    if (!entry) return Promise.resolve(undefined);
    entry.state = "active";
    entry.token = `${worker}#${this.#order++}`;
    entry.until = this.clock.now() + this.lock;
    const { job, token, deaths, retries, doing: last, failure } = entry;
    return Promise.resolve({
      job,
      id: job.id,
      token,
      deaths,
      retries,
      ...(last && { last }),
      ...(failure && { failure }),
    });
  }

  renew(claim: Claim, doing: Doing): Promise<Renewal> {
    const entry = this.#held(claim);
    if (!entry) return Promise.resolve("lost");
    entry.until = this.clock.now() + this.lock;
    entry.doing = doing;
    const cancelled = this.#runs.get(entry.job.run)?.state === "cancelled";
    return Promise.resolve(cancelled ? "cancelled" : "held");
  }

  finish(claim: Claim, failure?: Failure): Promise<void> {
    const entry = this.#held(claim);
    if (entry && !failure) this.#entries.delete(claim.id);
    if (entry && failure) Object.assign(entry, { state: "failed", failure });
    return Promise.resolve();
  }

  release(claim: Claim, delay: number, failure?: Failure): Promise<void> {
    const entry = this.#held(claim);
    if (!entry) return Promise.resolve();
    entry.state = "waiting";
    entry.from = this.clock.now() + delay;
    if (failure) Object.assign(entry, { failure, retries: entry.retries + 1 });
    if (delay > 0) this.#delayed.push(entry);
    else this.#waiting.push(entry);
    return Promise.resolve();
  }

  jobs(run: string): Promise<JobSight[]> {
    this.#sweep();
    const found: JobSight[] = [];
    for (const { job, state, doing, failure } of this.#entries.values()) {
      if (job.run !== run) continue;
      found.push({
        id: job.id,
        state,
        ...(state === "active" && doing && { doing }),
        ...(state === "failed" && failure && { failure }),
      });
    }
    return Promise.resolve(found);
  }

  async begin(run: string): Promise<void> {
    this.#runs.delete(run);
    await this.withdraw(run);
  }

  withdraw(run: string): Promise<void> {
    for (const [id, { job, state }] of this.#entries) {
      if (job.run === run && state !== "active") this.#entries.delete(id);
    }
    return Promise.resolve();
  }

  announce(sight: RunSight): Promise<"running" | "cancelled"> {
    if (this.#runs.get(sight.run)?.state === "cancelled") return Promise.resolve("cancelled");
    this.#runs.set(sight.run, sight);
    return Promise.resolve("running");
  }

  status(): Promise<{ runs: RunSight[]; workers: WorkerSight[] }> {
    return Promise.resolve({ runs: [...this.#runs.values()], workers: [...this.#workers.values()] });
  }

  greet(sight: WorkerSight): Promise<void> {
    this.#workers.set(sight.worker, sight);
    return Promise.resolve();
  }

  async cancel(run: string): Promise<boolean> {
    const sight = this.#runs.get(run);
    if (!sight) return false;
    this.#runs.set(run, { ...sight, state: "cancelled" });
    await this.withdraw(run);
    return true;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #held({ id, token }: Claim): Entry | undefined {
    const entry = this.#entries.get(id);
    return entry?.state === "active" && entry.token === token ? entry : undefined;
  }

  /** Wakes jobs whose delay is over; now and then, takes jobs from workers that are silent. */
  #sweep(): void {
    const now = this.clock.now();
    if (this.#delayed.some(({ from }) => from <= now)) {
      for (const entry of this.#delayed) if (entry.from <= now) this.#waiting.push(entry);
      this.#delayed = this.#delayed.filter(({ from }) => from > now);
    }
    if (now - this.#checked < this.#stalledCheck) return;
    this.#checked = now;
    for (const entry of this.#entries.values()) {
      if (entry.state !== "active" || entry.until > now) continue;
      Object.assign(entry, { state: "waiting", deaths: entry.deaths + 1 });
      this.#waiting.push(entry);
    }
  }
}

/** A binary heap: the first in order is on top. */
class Heap<T> {
  readonly #items: T[] = [];

  constructor(readonly before: (a: T, b: T) => number) {}

  push(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (this.before(items[up]!, item) <= 0) break;
      items[at] = items[up]!;
      at = up;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined || items.length === 0) return top;
    let at = 0;
    for (let next = 1; next < items.length; next = 2 * at + 1) {
      if (next + 1 < items.length && this.before(items[next + 1]!, items[next]!) < 0) next++;
      if (this.before(last, items[next]!) <= 0) break;
      items[at] = items[next]!;
      at = next;
    }
    items[at] = last;
    return top;
  }
}
