/**
 * What an engine is: a queue that hands out jobs to workers and notices when one is gone.
 *
 * An engine may forget everything: what is done is in the part store, and the coordinator publishes again what is missing.
 * So another engine is one more file: `memory/` for tests and simulations, `bullmq/` for Redis.
 *
 * ```
 *            publish            claim              finish
 * coordinator ─────▶  waiting  ─────▶  active  ─────────────▶  gone
 *                        ▲               │ │ finish(failure)
 *                        ├── release ────┘ └───────────────▶  failed
 *                        └── lock expires: the worker is gone
 * ```
 *
 * @module
 */

import type { EngineJob } from "./job.ts";

/**
 * Why a job failed.
 * @category Cluster
 */
export interface Failure {
  /** The code of the error. */
  readonly code: string;
  /** Its message. */
  readonly message: string;
  /** The unit that was being computed, where that is known. */
  readonly unit?: number;
}

/**
 * What a worker says of itself while it holds a job.
 * @category Cluster
 */
export interface Doing {
  /** The worker: host and process. */
  readonly worker: string;
  /** The unit that it computes. */
  readonly unit: number;
  /** How much of this unit is done, from 0 to 1. */
  readonly done: number;
}

/**
 * A job in the hands of a worker.
 * @category Cluster
 */
export interface Claim {
  /** The job, as it was found; `readJob` checks it. */
  readonly job: unknown;
  /** Its name. */
  readonly id: string;
  /** Proves that the worker holds it. */
  readonly token: string;
  /** Number of workers that vanished while they held it. */
  readonly deaths: number;
  /** Number of times that it failed and was tried again. */
  readonly retries: number;
  /** What the last of these workers said last. */
  readonly last?: Doing;
  /** The error of the last attempt that failed. */
  readonly failure?: Failure;
}

/**
 * What a renewal finds: the job is still held; somebody else has it; its run was cancelled.
 * @category Cluster
 */
export type Renewal = "held" | "lost" | "cancelled";

/**
 * A job in an engine, as the coordinator sees it.
 * @category Cluster
 */
export interface JobSight {
  /** Its name. */
  readonly id: string;
  /** Where it is; `waiting` includes those that wait for a delay. */
  readonly state: "waiting" | "active" | "failed";
  /** Who does what (active). */
  readonly doing?: Doing;
  /** Why (failed). */
  readonly failure?: Failure;
}

/**
 * A run, as `status` shows it.
 * @category Cluster
 */
export interface RunSight {
  /** Its name. */
  readonly run: string;
  /** What it is, in words: command or source. */
  readonly title: string;
  /** The part store. */
  readonly store: string;
  /** Lower numbers first. */
  readonly priority: number;
  /** Units that are done, and all. */
  readonly done: number;
  /** All units. */
  readonly total: number;
  /** How it stands. */
  readonly state: "running" | "cancelled" | "done" | "failed";
  /** Why it failed. */
  readonly reason?: string;
  /** Date of this line, in milliseconds since 1970, by the clock of the coordinator. */
  readonly at: number;
}

/**
 * Why a worker does not work for a run.
 * @category Cluster
 */
export interface Refusal extends Failure {
  /** The run. */
  readonly run: string;
}

/**
 * What `status` shows.
 * @category Cluster
 */
export interface EngineStatus {
  /** The lines of all runs. */
  readonly runs: readonly RunSight[];
  /** The workers that were seen lately. */
  readonly workers: readonly WorkerSight[];
}

/**
 * A worker, as `status` shows it.
 * @category Cluster
 */
export interface WorkerSight {
  /** Host and process. */
  readonly worker: string;
  /** Version of Tilewise. */
  readonly tilewise: string;
  /** The job that it holds. */
  readonly job?: string;
  /** A run that it refuses to work for, and why. */
  readonly refuses?: Refusal;
}

/**
 * An engine. All calls may fail with `io` (unreachable, no memory) and can be repeated then.
 * @category Cluster
 */
export interface Engine extends AsyncDisposable {
  /** Where it is, without password. */
  readonly url: string;
  /** Settings of the server under which jobs may vanish. */
  readonly warnings: readonly string[];
  /** Milliseconds after which a job is taken from a worker that does not renew it. */
  readonly lock: number;
  /** Puts jobs into the queue; one whose name is there already is left as it is. */
  publish(jobs: readonly EngineJob[]): Promise<void>;
  /** The next job for a worker; `undefined` if there is none. */
  claim(worker: string): Promise<Claim | undefined>;
  /** Keeps a job for another {@link Engine.lock} milliseconds. */
  renew(claim: Claim, doing: Doing): Promise<Renewal>;
  /** The job is done, or failed for good; a job that is no longer held is left to who holds it. */
  finish(claim: Claim, failure?: Failure): Promise<void>;
  /** Gives a job back, to be claimed again after `delay` milliseconds: with a failure it counts as a try. */
  release(claim: Claim, delay: number, failure?: Failure): Promise<void>;
  /** All jobs of a run that are in the queue, at one moment. */
  jobs(run: string): Promise<JobSight[]>;
  /** Forgets jobs of earlier starts of a run that nobody holds, and that it was cancelled. */
  begin(run: string): Promise<void>;
  /** Removes the jobs of a run that nobody holds. */
  withdraw(run: string): Promise<void>;
  /** Writes the line of a run, unless it was cancelled; returns whether it was. */
  announce(sight: RunSight): Promise<"running" | "cancelled">;
  /** The lines of all runs, and the workers that were seen lately. */
  status(): Promise<EngineStatus>;
  /** Says that a worker is there. */
  greet(sight: WorkerSight): Promise<void>;
  /** Cancels a run: its workers stop between two tiles. Returns false if there is no such run. */
  cancel(run: string): Promise<boolean>;
}

/** Milliseconds that a worker may be silent before its job is given to another one. */
export const LOCK = 20_000;

/** Milliseconds between two searches for jobs of silent workers. */
export const STALLED_CHECK = 10_000;

/** Workers that may die with a job before the job itself fails. */
export const MOST_DEATHS = 5;

/** So often is a job tried whose input or store failed. */
export const MOST_TRIES = 8;

/** Milliseconds to wait before try `retries + 1`: 1, 2, 4 … 60 seconds. */
export function backOff(retries: number): number {
  return Math.min(60_000, 1000 * 2 ** retries);
}
