/**
 * Runs a plan: partitions go to workers, their results come back, are merged in order and shown as they grow.
 *
 * @module
 */

import { Execution } from "./execution.ts";
import type { Plan } from "./plan.ts";
import type { Progress } from "./progress.ts";
import { type Results, ResultStore } from "./results.ts";
import type { Part } from "./run_state.ts";

/** Options of {@link run}. */
export interface RunOptions {
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** Milliseconds without a sign of life after which a worker is replaced. Default 30 000. */
  readonly stallTimeout?: number;
  /** Called now and then with how far the run is, and once at its end. An error that it throws ends the run. */
  readonly onProgress?: (progress: Progress) => void;
  /** Most calls of `onProgress` a second. Default 10. */
  readonly progressRate?: number;
}

/**
 * A run: await it for the results, or iterate over its growing parts. It starts when one of both is done.
 *
 * Leaving the iteration early (`break`, `return`, `throw`) stops the run and gives its memory back.
 */
export interface Run extends AsyncIterable<Part>, PromiseLike<Results> {
  /** The parts as they grow; each iteration is a pass over the data of its own. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Part, undefined>;
  /** Stops the run, whoever waits for it gets the `aborted` error with the number of merged partitions. */
  cancel(reason?: unknown): void;
  /** How far the newest pass is, at this moment. */
  readonly progress: Progress;
}

/**
 * Runs a plan. The results have the same bits for any number of workers.
 *
 * Errors: `aborted` with the number of merged partitions, `udf` with stack and partition when a UDF throws,
 * `worker` or `timeout` when workers die or hang again and again, and those of the byte source.
 *
 * @example All at once, or as it grows
 * ```ts
 * import { open, plan, run, sumPixels } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const results = await run(await plan(scan, { bright: sumPixels() }));
 * assertEquals([...results.bright!.intensity!.data], [3, 7]);
 * ```
 */
export function run(plan: Plan, options: RunOptions = {}): Run {
  return new PlannedRun(plan, options);
}

class PlannedRun implements Run {
  readonly #cancelled = new AbortController();
  #newest: Execution;
  #begun = false;
  #whole: Promise<Results> | undefined;

  constructor(private readonly plan: Plan, private readonly options: RunOptions) {
    this.#newest = this.#execution();
  }

  get progress(): Progress {
    return this.#newest.progress;
  }

  cancel(reason?: unknown): void {
    this.#cancelled.abort(reason);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Part, undefined> {
    if (this.#begun) this.#newest = this.#execution();
    this.#begun = true;
    return this.#newest.parts();
  }

  // A run is awaited as often as it is iterated: both read naturally.
  then<A = Results, B = never>(
    resolve?: ((results: Results) => A | PromiseLike<A>) | null,
    reject?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.#whole ??= this.#drain()).then(resolve, reject);
  }

  #execution(): Execution {
    const { signal, ...rest } = this.options;
    const signals = signal ? [signal, this.#cancelled.signal] : [this.#cancelled.signal];
    return new Execution(this.plan, { ...rest, signal: AbortSignal.any(signals) });
  }

  async #drain(): Promise<Results> {
    let last: Part | undefined;
    for await (const part of this) last = part;
    return last!.results;
  }
}

/** The results of a run without reading anything: shapes and dtypes as they will be. */
export function dryRun(plan: Plan): Results {
  return new ResultStore(plan).results(undefined);
}
