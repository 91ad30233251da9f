/**
 * What is to be published, worked out from what lies in the store and what stands in the queue.
 *
 * The store alone says what is done. A unit that is neither in the store nor in a job that waits or runs was forgotten (by
 * a server that was wiped, by an engine that gave up) and is published again. Near the end, units whose job runs much
 * longer than others are published a second time: the first part that is committed counts, the second one is the same.
 *
 * @module
 */

import type { Failure, JobSight } from "./engine.ts";
import { unitsOfJob } from "./job.ts";

/** Units `start` to `end`. */
export interface Range {
  /** The first. */
  readonly start: number;
  /** One past the last. */
  readonly end: number;
}

/** What is to be done now. */
export interface Orders {
  /** To be published, as they are in no job. */
  readonly missing: readonly Range[];
  /** To be published a second time. */
  readonly slow: readonly Range[];
  /** Jobs in the hands of workers. */
  readonly active: number;
  /** Units that are done, with the done parts of those that are computed. */
  readonly advance: number;
  /** Units that are done. */
  readonly done: number;
}

/** How a ledger decides. */
interface LedgerOptions {
  /** Units in the run. */
  readonly total: number;
  /** Units in a job. */
  readonly unitsPerJob: number;
  /** Most jobs in the queue. */
  readonly backlog: number;
  /** A job is slow after this many milliseconds, however fast others are. */
  readonly slowAfter: number;
}

/** So many times the median is slow. */
const SLOW = 3;
/** Durations of jobs that are kept for the median. */
const KEPT = 99;

/** What a coordinator knows of a run. */
export class Ledger {
  readonly #options: LedgerOptions;
  /** When each active job was first seen, by the clock of this machine alone: clocks of others may be wrong. */
  #since = new Map<string, number>();
  readonly #durations: number[] = [];
  readonly #twice = new Set<string>();
  readonly #blamed = new Map<number, Failure>();

  /** A ledger that has seen nothing yet. */
  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** The units that cannot be computed, and why. */
  get blamed(): ReadonlyMap<number, Failure> {
    return this.#blamed;
  }

  /** Works out what to do: `jobs` were looked at before `done`, which has a 1 for each unit that is in the store. */
  look(jobs: readonly JobSight[], done: Uint8Array, now: number): Orders {
    this.#blame(jobs, done);
    const live = jobs.filter(({ state }) => state !== "failed");
    const room = this.#options.backlog - live.length;
    const missing = room > 0 ? this.#missing(live, done, room) : [];
    const active = live.filter(({ state }) => state === "active");
    this.#time(active, now);
    const idle = missing.length === 0 && active.length === live.length;
    const slow = idle ? this.#slow(active, done, now) : [];
    const count = done.reduce((sum, one) => sum + one, 0);
    return { missing, slow, active: active.length, done: count, advance: count + begun(active, done) };
  }

  /** Units of failed jobs that are to blame; the other units of such a job are published again. */
  #blame(jobs: readonly JobSight[], done: Uint8Array): void {
    for (const { id, state, failure } of jobs) {
      const unit = failure?.unit ?? unitsOfJob(id)?.start;
      if (state !== "failed" || !failure || unit === undefined || done[unit] !== 0) continue; // or of another run
      this.#blamed.set(unit, failure);
    }
    for (const unit of this.#blamed.keys()) if (done[unit]) this.#blamed.delete(unit);
  }

  #missing(live: readonly JobSight[], done: Uint8Array, room: number): Range[] {
    const covered = done.slice();
    for (const { id } of live) {
      const units = unitsOfJob(id);
      if (units) covered.fill(1, units.start, units.end);
    }
    for (const unit of this.#blamed.keys()) covered[unit] = 1;
    return gaps(covered, this.#options.unitsPerJob, room);
  }

  #time(active: readonly JobSight[], now: number): void {
    const since = new Map(active.map(({ id }) => [id, this.#since.get(id) ?? now]));
    for (const [id, start] of this.#since) {
      if (!since.has(id)) this.#durations.push(now - start);
    }
    this.#durations.splice(0, this.#durations.length - KEPT);
    this.#since = since;
  }

  #slow(active: readonly JobSight[], done: Uint8Array, now: number): Range[] {
    const median = this.#durations.toSorted((a, b) => a - b)[this.#durations.length >> 1];
    if (median === undefined) return [];
    const limit = Math.max(this.#options.slowAfter, SLOW * median);
    const found: Range[] = [];
    for (const { id } of active) {
      const units = unitsOfJob(id);
      const key = units && `${units.start}-${units.end}`;
      if (!units || this.#twice.has(key!) || now - this.#since.get(id)! < limit) continue;
      this.#twice.add(key!);
      const covered = new Uint8Array(units.end).fill(1, 0, units.start);
      covered.set(done.subarray(units.start, units.end), units.start);
      for (const gap of gaps(covered, this.#options.unitsPerJob, Infinity)) found.push(gap);
    }
    return found;
  }
}

/** The runs of zeros, cut into ranges of at most `size`; at most `most` of them. */
function gaps(covered: Uint8Array, size: number, most: number): Range[] {
  const found: Range[] = [];
  let start = covered.indexOf(0);
  while (start >= 0 && found.length < most) {
    const next = covered.indexOf(1, start);
    const end = Math.min(start + size, next < 0 ? covered.length : next);
    found.push({ start, end });
    start = covered.indexOf(0, end);
  }
  return found;
}

/** How much of the units that are computed now is done. */
function begun(active: readonly JobSight[], done: Uint8Array): number {
  const units = new Map<number, number>();
  for (const { doing } of active) {
    if (doing && doing.unit < done.length && !done[doing.unit]) {
      units.set(doing.unit, Math.max(units.get(doing.unit) ?? 0, Math.min(1, doing.done)));
    }
  }
  return [...units.values()].reduce((sum, part) => sum + part, 0);
}
