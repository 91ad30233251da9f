/**
 * Runs a plan: workers compute partitions, whose results are merged in order and shown as partial results.
 *
 * @module
 */

import { insideOfHost } from "../../channels/host/inside.ts";
import type { OptionNames } from "../../options.ts";
import { checkRunOptions } from "../../runner/rules.ts";
import { must, oneOf, truth } from "../../options/rules.ts";
import { RUN_SETTINGS } from "../../runner/runner.ts";
import type { Results } from "../interface/buffer_types.ts";
import { Execution } from "./execution.ts";
import type { UdfPlan } from "../plan/plan_facts.ts";
import type { ParamPatches, PartialResults, Progress, Run, RunOptions } from "../plan/run_facts.ts";
import { type Version, Versions } from "./versions.ts";

/** The names of {@link RunOptions}. */
// deno-fmt-ignore: written by `deno task build`
export const RUN_OPTIONS: OptionNames<RunOptions> = {
  ...RUN_SETTINGS, checkWrites: truth,
  channels: must("a host, as startHost() makes it", (value) => insideOfHost(value) !== undefined),
  route: oneOf("rpc", "direct"),
};

/** The run of the plan, or of a copy of it with other facts, whose method it is. */
export function runUdfs(this: UdfPlan, options: RunOptions = {}): Run {
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
