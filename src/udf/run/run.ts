/**
 * Runs a plan: workers compute partitions, whose results are merged in order and shown as partial results.
 *
 * @module
 */

import type { ChannelHost } from "../../channels/host/host.ts";
import { insideOfHost } from "../../channels/host/inside.ts";
import type { Route } from "../../channels/host/route.ts";
import type { OptionNames } from "../../options.ts";
import { checkRunOptions } from "../../runner/rules.ts";
import { must, oneOf, truth } from "../../options/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import type { PlanTypes, Results } from "../interface/buffer_types.ts";
import { Execution } from "./execution.ts";
import { checkPlan } from "../plan/given.ts";
import type { Plan } from "../plan/face.ts";
import type { Plan as Inside } from "../plan/plan_facts.ts";
import type { Progress } from "./progress.ts";
import { ResultStore } from "../results/results.ts";
import type { PartialResults } from "./run_state.ts";
import { type ParamPatches, type Version, Versions } from "./versions.ts";

/**
 * Options of {@link run}.
 * @category Runs
 */
export interface RunOptions extends RunSettings<Progress> {
  /**
   * Looks for UDFs that change shared data (samples, constants, auxiliary data) without declaring `writesTile`. These
   * are `udf` errors. It takes as long as a plain pass over the samples, so it is meant for tests. Default false.
   */
  readonly checkWrites?: boolean;
  /**
   * The host whose files UDFs open, read and write while they run: `context.files` in TypeScript, `tilewise/channels` in
   * AssemblyScript. It was started in the context of the plan. A run uses no more workers than the host has channels.
   */
  readonly channels?: ChannelHost;
  /** Who answers file calls of UDFs: the host (`rpc`, the default), or the worker of the UDF itself (`direct`). */
  readonly route?: Route;
}

/** The names of {@link RunOptions}. */
export const RUN_OPTIONS: OptionNames<RunOptions> = {
  ...RUN_SETTINGS,
  checkWrites: truth,
  channels: must("a host, as startHost() makes it", (value) => insideOfHost(value) !== undefined),
  route: oneOf("rpc", "direct"),
};

/**
 * A run: await it for the results, or iterate over its partial results. It starts when it is awaited or iterated.
 *
 * Leaving the iteration early (`break`, `return`, `throw`) stops the run and gives its memory back.
 * @category Runs
 */
export interface Run<R extends PlanTypes = PlanTypes>
  extends AsyncIterable<PartialResults<R>>, PromiseLike<Results<R>> {
  /** The partial results as they are merged; each iteration is a separate pass over the data. */
  [Symbol.asyncIterator](): AsyncIterableIterator<PartialResults<R>, undefined>;
  /** Stops the run; code that awaits it gets the `aborted` error with the number of merged partitions. */
  cancel(reason?: unknown): void;
  /** The current progress of the newest pass. */
  readonly progress: Progress;
  /** Warnings of the newest pass, in addition to those of its plan: lost workers, messages of UDFs. */
  readonly warnings: readonly string[];
  /**
   * Gives UDFs new parameters, by the keys of the plan; parameters that are not named keep their values. Partitions
   * that start afterwards are computed with the new parameters, and merges and results use them from then on. Parts say
   * which version they show. Resolves with the number of the version.
   *
   * Errors, after which nothing has changed: `invalid` for a key that the run does not have, `udf` for parameters that
   * cannot travel or would change buffers, `over-budget` if new constants do not fit.
   */
  update(patches: ParamPatches): Promise<number>;
}

/**
 * Runs a plan. The results have the same bits for any number of workers.
 *
 * Errors: `aborted` with the number of merged partitions, `udf` with stack and partition when a UDF throws, `worker` or
 * `timeout` when workers die or hang repeatedly, and the errors of the byte source.
 *
 * @example Await the results, or iterate over partial results
 * ```ts
 * import { open, plan, run, sumPixels } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const results = await run(await plan(scan, { bright: sumPixels() }));
 * assertEquals([...results.bright.intensity.data], [3, 7]);
 * ```
 */
export function run<R extends PlanTypes>(plan: Plan<R>, options: RunOptions = {}): Run<R> {
  checkPlan("run()", plan);
  checkRunOptions("run()", plan, options, RUN_OPTIONS);
  return new PlannedRun(plan, options) as Run as Run<R>; // the results have the types that the plan declares
}

class PlannedRun implements Run {
  readonly #cancelled = new AbortController();
  readonly #versions: Versions;
  readonly #passes = new Set<Execution>();
  #newest: Execution;
  #begun = false;
  #whole: Promise<Results> | undefined;

  constructor(private readonly plan: Inside, private readonly options: RunOptions) {
    this.#versions = new Versions(plan);
    this.#newest = this.#execution();
  }

  get progress(): Progress {
    return this.#newest.progress;
  }

  get warnings(): readonly string[] {
    return this.#newest.warnings;
  }

  cancel(reason?: unknown): void {
    this.#cancelled.abort(reason);
  }

  update(patches: ParamPatches): Promise<number> {
    const adopters = () => [...this.#passes].map((pass) => (version: Version) => pass.adopt(version));
    return this.#versions.update(patches, adopters);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<PartialResults, undefined> {
    if (this.#begun) this.#newest = this.#execution();
    this.#begun = true;
    return this.#newest.parts();
  }

  // A run can be both awaited and iterated.
  then<A = Results, B = never>(
    resolve?: ((results: Results) => A | PromiseLike<A>) | null,
    reject?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.#whole ??= this.#drain()).then(resolve, reject);
  }

  #execution(): Execution {
    const { signal, ...rest } = this.options;
    const signals = signal ? [signal, this.#cancelled.signal] : [this.#cancelled.signal];
    const over = () => this.#passes.delete(pass);
    const pass = new Execution(this.plan, this.#versions, {
      ...rest,
      over,
      signal: AbortSignal.any(signals),
    });
    this.#passes.add(pass);
    return pass;
  }

  async #drain(): Promise<Results> {
    let last: PartialResults | undefined;
    for await (const part of this) last = part;
    return last!.results;
  }
}

/**
 * The results of a run before the first frame, without reading anything: shapes and dtypes are those of the final
 * results.
 * @category Runs
 */
export function dryRun<R extends PlanTypes>(plan: Plan<R>): Results<R> {
  checkPlan("dryRun()", plan);
  return new ResultStore(plan).results(undefined, true) as Results<R>;
}
