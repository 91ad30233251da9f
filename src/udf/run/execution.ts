/**
 * One pass of a run: partitions go to workers, their results come back, are merged in order and shown as they grow.
 *
 * @module
 */

import { abortedError, TilewiseError } from "../../errors.ts";
import { registerJobs } from "../../executor/handler.ts";
import type { Executor, Job, TaskRun } from "../../executor/task.ts";
import { holdUnpacked } from "../../io/open.ts";
import { mustBeUnchanged } from "../../io/unchanged.ts";
import { kernelModule } from "../../kernels/wasm.ts";
import type { Tenant } from "../plan/admission.ts";
import { admissionOf } from "../plan/context.ts";
import type { PartitionResult, PartitionTask, RunShared } from "../worker/job_data.ts";
import { travelling } from "../interface/params.ts";
import { Placement } from "./place.ts";
import { PlacedVersions } from "./placed_versions.ts";
import { staysInline } from "../plan/plan.ts";
import type { Plan } from "../plan/plan_facts.ts";
import { sourcesRead } from "./sources_read.ts";
import { type Progress, progressOf, ProgressReporter } from "./progress.ts";
import { type LivePlan, type Part, RunState } from "./run_state.ts";
import { runsUserScript } from "../interface/udf_ref.ts";
import { Turns } from "../../turns.ts";
import type { Adopt, Version, Versions } from "./versions.ts";

/** Options of {@link Execution}. */
export interface ExecutionOptions {
  /** Cancels it. */
  readonly signal: AbortSignal;
  /** Milliseconds without a sign of life after which a worker is replaced. */
  readonly stallTimeout?: number;
  /** Whether it waits for runs that share its budget. */
  readonly wait?: boolean;
  /** Told of progress. */
  readonly onProgress?: (progress: Progress) => void;
  /** Most calls of `onProgress` a second. */
  readonly progressRate?: number;
  /** Whether what UDFs change without saying so is looked for. */
  readonly checkWrites?: boolean;
  /** Called when it is over. */
  readonly over?: () => void;
}

/** One pass over the data of a plan. */
export class Execution {
  readonly #options: ExecutionOptions;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #state: RunState | undefined;
  #tasks: TaskRun<PartitionResult> | undefined;
  #adopt: Adopt | undefined;
  #failure: { readonly error: unknown } | undefined;
  #release: () => void = () => {};

  /** A pass that has not begun. */
  constructor(
    private readonly plan: Plan,
    private readonly versions: Versions,
    options: ExecutionOptions,
  ) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#stop.signal]);
  }

  /** How far it is. */
  get progress(): Progress {
    return this.#state?.progress() ?? nothingYet(this.plan);
  }

  /** What was odd. */
  get warnings(): readonly string[] {
    const { strays = 0, losses = 0 } = this.#tasks ?? {};
    return [
      ...(losses > 0 ? [`workers were lost ${losses} times, their partitions were computed again`] : []),
      ...(strays > 0
        ? [`UDFs on workers have sent ${strays} messages to the main thread; nobody takes them`]
        : []),
    ];
  }

  /** Gets ready for newer parameters, if it goes on: partitions that start afterwards are computed with them. */
  adopt(version: Version): () => void {
    return this.#adopt?.(version) ?? (() => {}); // what has not begun begins with the newest
  }

  /**
   * The parts as they grow. Unlike those of a generator, `return` and `throw` of this iterator do not wait for a
   * `next` that is under way: they stop the run at once.
   */
  parts(): AsyncIterableIterator<Part, undefined> {
    const parts = this.#parts();
    let closed = false;
    const close = async (reason?: unknown) => {
      closed = true;
      this.#stop.abort(reason);
      await parts.return().catch(() => {}); // whoever waits for the next part is told there is none
    };
    return {
      next: async () => {
        try {
          const step = await parts.next();
          return step.done || closed ? { done: true, value: undefined } : step;
        } catch (error) {
          if (!closed) throw error;
          return { done: true, value: undefined };
        }
      },
      return: async () => {
        await close();
        return { done: true, value: undefined };
      },
      throw: async (error) => {
        await close(error);
        throw error;
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async *#parts(): AsyncGenerator<Part, void> {
    const { plan } = this;
    this.#mustGoOn();
    const executor = chooseExecutor(plan);
    const [{ live, placement, placed }, tenant] = await this.#admitted();
    let drained = Promise.resolve(true);
    try {
      const state = this.#state = new RunState(live, placement, placed);
      this.#adopt = (version) => adoption(live, placed, version);
      using reporter = this.#reporter();
      const tasks = executor.run<RunShared, PartitionTask, PartitionResult>(
        jobOf(live, placement, this.#options.checkWrites ?? false),
        state.tasks(),
        {
          memory: placement.arena.memory,
          signal: this.#signal,
          ...this.#patience(),
        },
      );
      this.#tasks = tasks;
      drained = tasks.drained;
      state.watch(() => tasks.inFlight());
      const turns = new Turns();
      for await (const { index, value } of tasks) {
        const merged = state.finish(index, value);
        if (turns.due) await turns.give();
        reporter?.tick();
        if (merged) yield* handedOver(state.part(), tenant);
      }
      await mustBeUnchanged(sourcesRead(plan), this.#signal);
      state.complete();
      reporter?.finish();
      this.#mustGoOn();
      yield* handedOver(state.part(), tenant);
    } catch (error) {
      throw this.#failure ? this.#failure.error : this.#state?.explain(error, this.#signal) ?? error;
    } finally {
      this.#adopt = undefined;
      this.#options.over?.();
      this.#state?.stop();
      const over = drained.then((safe) => {
        if (safe) {
          placement[Symbol.dispose]();
          placed[Symbol.dispose]();
        } else plan.context.abandon(placement.arena);
        admissionOf(plan.context).leave(tenant);
        this.#release();
      });
      plan.context.settle(over);
    }
  }

  /** The memory of the run, once there is enough of it; with the parameters of that moment. */
  async #admitted(): Promise<[Admitted, Tenant]> {
    const { stallTimeout: limit = 30_000, wait = true } = this.#options;
    const take = () => {
      const { current } = this.versions;
      const live: LivePlan = { ...this.plan, udfs: current.udfs, version: current.number };
      const placement = new Placement(live);
      return { live, placement, placed: new PlacedVersions(live, current, placement.arena) };
    };
    try {
      const sources = this.plan.dataset.layout.files.map(({ source }) => source);
      this.#release = await holdUnpacked(sources, this.#signal);
      return await admissionOf(this.plan.context).enter(take, { wait, limit, signal: this.#signal });
    } catch (error) {
      this.#release();
      this.#options.over?.();
      this.#mustGoOn();
      throw error;
    }
  }

  #mustGoOn(): void {
    if (this.#signal.aborted) throw abortedError(this.#signal, { merged: 0 });
  }

  #patience(): { stallTimeout?: number } {
    const { stallTimeout } = this.#options;
    return stallTimeout === undefined ? {} : { stallTimeout };
  }

  #reporter(): ProgressReporter | undefined {
    const { onProgress, progressRate = 10 } = this.#options;
    if (!onProgress) return undefined;
    const failed = (error: unknown) => {
      this.#failure = { error };
      this.#stop.abort(error);
    };
    return new ProgressReporter({ look: () => this.progress, tell: onProgress, rate: progressRate, failed });
  }
}

/** What a run holds from its start to its end. */
interface Admitted {
  readonly live: LivePlan;
  readonly placement: Placement;
  readonly placed: PlacedVersions;
}

/** A part on its way to the caller, who may take any time. */
function* handedOver(part: Part, tenant: Tenant): Generator<Part, void> {
  tenant.handOver();
  yield part;
  tenant.goOn();
}

function adoption(live: LivePlan, placed: PlacedVersions, version: Version): () => void {
  const commit = placed.prepare(version);
  return () => {
    commit();
    live.udfs = version.udfs;
    live.version = version.number;
  };
}

function nothingYet(plan: Plan): Progress {
  const partitionsTotal = plan.partitions.length;
  return progressOf(plan, { frames: 0, partitions: 0, partitionsInProgress: 0, partitionsTotal, seconds: 0 });
}

function chooseExecutor(plan: Plan): Executor {
  const { context, udfs, memory } = plan;
  const closure = udfs.find(({ ref }) => ref.inline);
  if (closure && context.workers > 0 && context.explicit) {
    throw new TilewiseError(
      "udf",
      `UDF "${closure.udf.name}" cannot travel to workers: export it from a module and pass ` +
        `udf(import.meta.resolve("./module.ts")), or use a context with workers: 0`,
      { udf: closure.udf.name },
    );
  }
  if (memory.inline || staysInline(plan)) return context.inline;
  return context.executorOf(memory.workers, udfs.some(({ ref }) => runsUserScript(ref)));
}

/** What workers run; the URL is not written as bundlers look for it, which would copy the file. */
const JOB = { name: "tilewise:udf", module: import.meta.resolve("../worker/job.ts") };
registerJobs({ [JOB.name]: () => import("../worker/job.ts") });

function jobOf(plan: Plan, placement: Placement, checkWrites: boolean): Job<RunShared> {
  return { ...JOB, export: "partitionJob", shared: { ...sharedOf(plan, placement), checkWrites } };
}

function sharedOf(
  plan: Plan,
  { slabs, udfs: placed, corrections, layout, arena }: Placement,
): Omit<RunShared, "checkWrites"> {
  const { dataset, scheme, set, selection, leaf, memory, udfs } = plan;
  return {
    layout,
    source: plan.execution.source,
    entries: memory.entries,
    module: kernelModule(arena.shared),
    udfs: udfs.map(({ ref, meta, method, tree }, u) => ({
      ref: { ...ref, params: travelling(ref.params) },
      meta,
      method,
      tree,
      ...placed[u]!,
    })),
    set,
    selection,
    navShape: dataset.navShape,
    depth: scheme.depth,
    slices: scheme.slices,
    boxes: scheme.boxes ?? false,
    readWhole: memory.readWhole,
    leaf,
    leafSets: plan.leafSets,
    partitionFrames: set.frames,
    ...(corrections ? { corrections } : {}),
    slabs: slabs.map(({ offset, byteLength }) => ({ offset, byteLength })),
  };
}
