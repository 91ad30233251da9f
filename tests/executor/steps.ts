/** Runs the steps of `jobs/steps.ts` and reads what they have counted. */

import { assert } from "@std/assert";
import { type ErrorCode, isTilewiseError, type TilewiseError } from "../../src/errors.ts";
import type { Executor, Job, RunOptions, TaskResult, TaskRun } from "../../src/executor/task.ts";
import {
  type Answer,
  CLOSED,
  DEATHS,
  FINISHED,
  OPENED,
  RAN,
  RELEASE,
  type Shared,
  type Step,
} from "./jobs/steps.ts";

/** The module of the steps. */
export const STEPS = import.meta.resolve("./jobs/steps.ts");

/** A promise that resolves after `ms` milliseconds. */
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `n` steps that answer their position. */
export const answers = (n: number): Step[] =>
  Array.from({ length: n }, (_, value) => ({ do: "answer", value }));

/** One run of steps and its counters. Let go of hanging steps with `using`. */
export class Steps implements Disposable {
  /** The memory of the run. */
  readonly memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  /** What its tasks share. */
  readonly shared: Shared;
  readonly #cells = new Int32Array(new SharedArrayBuffer(4 * (DEATHS + 64)));

  constructor(readonly executor: Executor, more: Partial<Shared> = {}) {
    this.shared = { cells: this.#cells.buffer as SharedArrayBuffer, token: { name: "token" }, ...more };
  }

  /** The job, or a spoilt one. */
  job(change: Partial<Job<Shared>> = {}): Job<Shared> {
    return { module: STEPS, export: "steps", shared: this.shared, ...change };
  }

  /** Starts a run. */
  run(
    tasks: Iterable<Step> | AsyncIterable<Step>,
    options: Partial<RunOptions> = {},
    change: Partial<Job<Shared>> = {},
  ): TaskRun<Answer> {
    return this.executor.run(this.job(change), tasks, { memory: this.memory, ...options });
  }

  /** All results of a run. */
  all(
    tasks: Iterable<Step> | AsyncIterable<Step>,
    options: Partial<RunOptions> = {},
    change: Partial<Job<Shared>> = {},
  ): Promise<TaskResult<Answer>[]> {
    return collect(this.run(tasks, options, change));
  }

  get opened(): number {
    return this.#cells[OPENED]!;
  }

  get closed(): number {
    return this.#cells[CLOSED]!;
  }

  get ran(): number {
    return this.#cells[RAN]!;
  }

  get finished(): number {
    return Atomics.load(this.#cells, FINISHED);
  }

  /** Waits until `n` steps have begun. */
  async begun(n: number): Promise<void> {
    while (Atomics.load(this.#cells, RAN) < n) await sleep(1);
  }

  /** Lets go of steps that hang. */
  release(): void {
    Atomics.store(this.#cells, RELEASE, 1);
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

/** The results of a run, in the order of completion. */
export async function collect<R>(run: AsyncIterable<R>): Promise<R[]> {
  const results: R[] = [];
  for await (const result of run) results.push(result);
  return results;
}

/** The error of ours that `work` must end with. */
export async function failure(work: Promise<unknown>, code: ErrorCode): Promise<TilewiseError> {
  const error = await work.then(() => undefined, (error: unknown) => error);
  assert(isTilewiseError(error, code), `expected the error ${code}, got ${error}`);
  return error;
}
