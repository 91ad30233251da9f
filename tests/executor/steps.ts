/** Runs the steps of `jobs/steps.ts` and reads what they have counted. */

import { assert } from "@std/assert";
import { type ErrorCode, isTilewiseError, type TilewiseError } from "../../src/errors.ts";
import type { Executor, Job, TaskOptions, TaskResult, TaskRun } from "../../src/executor/task.ts";
import { type Cells, cellsIn } from "./jobs/cells.ts";
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

/** Where the files of counters lie. */
export const CELLS_FOLDER = `${Deno.env.get("TMPDIR") ?? "/tmp"}/tilewise-cells`;

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
  readonly #cells: Cells;

  constructor(readonly executor: Executor, more: Partial<Shared> = {}) {
    const cells = executor.memory === "own" ? folderForCells() : new SharedArrayBuffer(4 * (DEATHS + 64));
    this.#cells = cellsIn(cells);
    this.shared = { cells, token: { name: "token" }, ...more };
  }

  /** The job, or a spoilt one. */
  job(change: Partial<Job<Shared>> = {}): Job<Shared> {
    return { module: STEPS, export: "steps", shared: this.shared, ...change };
  }

  /** Starts a run. */
  run(
    tasks: Iterable<Step> | AsyncIterable<Step>,
    options: Partial<TaskOptions> = {},
    change: Partial<Job<Shared>> = {},
  ): TaskRun<Answer> {
    return this.executor.run(this.job(change), tasks, { memory: this.memory, ...options });
  }

  /** All results of a run. */
  all(
    tasks: Iterable<Step> | AsyncIterable<Step>,
    options: Partial<TaskOptions> = {},
    change: Partial<Job<Shared>> = {},
  ): Promise<TaskResult<Answer>[]> {
    return collect(this.run(tasks, options, change));
  }

  get opened(): number {
    return this.#cells.load(OPENED);
  }

  get closed(): number {
    return this.#cells.load(CLOSED);
  }

  get ran(): number {
    return this.#cells.load(RAN);
  }

  get finished(): number {
    return this.#cells.load(FINISHED);
  }

  /** Waits until `n` steps have begun. */
  async begun(n: number): Promise<void> {
    while (this.ran < n) await sleep(1);
  }

  /** Lets go of steps that hang. */
  release(): void {
    if (this.#cells.load(RELEASE) === 0) this.#cells.add(RELEASE);
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

/** A folder that is removed when all tests of a file are over: until then workers may still count, as handlers that are closed do. */
function folderForCells(): string {
  Deno.mkdirSync(CELLS_FOLDER, { recursive: true });
  const folder = Deno.makeTempDirSync({ dir: CELLS_FOLDER });
  addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  return folder;
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

/** Waits until something is so; an error if `work` is over before. */
export async function until(isSo: () => boolean, work: Promise<unknown>): Promise<void> {
  let over = false;
  const noted = work.then(() => over = true, () => over = true);
  while (!isSo()) {
    assert(!over, "it never was so");
    await Promise.race([sleep(1), noted]);
  }
}
