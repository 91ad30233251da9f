/**
 * Plans of UDFs, with their run.
 *
 * @module
 */

import { insideOfHost } from "../../channels/host/inside.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import type { OptionNames } from "../../options.ts";
import { must, oneOf, truth } from "../../options/rules.ts";
import { checkRunOptions } from "../../runner/rules.ts";
import { RUN_SETTINGS } from "../../runner/runner.ts";
import type { Results } from "../interface/buffer_types.ts";
import type { UdfTypes } from "../interface/udf_ref.ts";
import type { UdfInput } from "../plan/given.ts";
import { type PlanOptions, planUdfs, type TypesOf } from "../plan/plan.ts";
import type {
  ParamPatches,
  PartialResults,
  Plan,
  Progress,
  Run,
  RunOptions,
  UdfPlan,
} from "../plan/plan_facts.ts";
import { Execution } from "./execution.ts";
import { type Version, Versions } from "./placed_versions.ts";

// Runs a plan: workers compute partitions, whose results are merged in order and shown as partial results.

/** The names of {@link RunOptions}. */
// deno-fmt-ignore: written by `deno task build`
export const RUN_OPTIONS: OptionNames<RunOptions> = {
  ...RUN_SETTINGS, checkWrites: truth,
  channels: must("a host, as startHost() makes it", (value) => insideOfHost(value) !== undefined),
  route: oneOf("rpc", "direct"),
};

/** The run of the plan, or of a copy of it with other facts, whose method it is. */
function runUdfs(this: UdfPlan, options: RunOptions = {}): Run {
  checkRunOptions("run()", this, options, RUN_OPTIONS);
  return new PlannedRun(this, options);
}

class PlannedRun implements Run {
  readonly #cancelled = new AbortController();
  readonly #versions: Versions;
  readonly #passes = new Set<Execution>();
  #newest: Execution;
  #begun = false;
  #whole: Promise<Results> | undefined;

  constructor(private readonly plan: UdfPlan, private readonly options: RunOptions) {
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
 * Plans a run of `udfs` over `dataset`; the results will have the same keys. A UDF that is given as an object runs on
 * the calling thread, as if wrapped in `udf()`. No frame is read, only corrections that come with the data set.
 *
 * @param dataset what `open` gave
 * @param udfs UDFs by the names that their results will have
 * @param options the context, a region of interest, corrections
 * @returns the plan, which explains itself and is run by `run`
 * @throws {TilewiseError} `invalid` (a region or correction that does not fit), `udf` (a UDF that cannot be loaded or declares
 *   impossible buffers), `over-budget` (the sum does not fit the memory of the context).
 *
 * @example
 * ```ts
 * import { open, plan, sumFrames } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(new Uint8Array(4 * 3 * 2), { format: "raw", dtype: "uint8", nav: [4], sig: [3, 2] });
 * const { bytesToRead } = await plan(scan, { total: sumFrames() });
 * assertEquals(bytesToRead, 24);
 * ```
 * @category Runs
 */
export function plan<U extends Readonly<Record<string, UdfInput>>>(
  dataset: Dataset,
  udfs: U,
  options?: PlanOptions,
): Promise<Plan<{ readonly [K in keyof U & string]: UdfTypes<U[K]> }>> {
  return udfPlan(dataset, udfs, options);
}

/** The same plan with all of its facts. */
export async function udfPlan<U extends Readonly<Record<string, UdfInput>>>(
  dataset: Dataset,
  udfs: U,
  options: PlanOptions = {},
): Promise<UdfPlan<TypesOf<U>>> {
  return await planUdfs(dataset, udfs, options, runUdfs);
}
