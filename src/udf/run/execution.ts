/**
 * One pass of a run: workers compute partitions, whose results are merged in order and shown as partial results.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { withResolvers } from "../../portable.ts";
import { abortedError, TilewiseError } from "../../errors.ts";
import { registerJobs } from "../../executor/handler.ts";
import type { Executor, Job, Traffic } from "../../executor/task.ts";
import { mustBeUnchanged } from "../../io/unchanged.ts";
import { readSources } from "../../dataset/sources.ts";
import { kernelCode } from "../../kernels/wasm.ts";
import type { Leases } from "../../runner/leases.ts";
import { Runner, type RunSettings } from "../../runner/runner.ts";
import type { PartitionResult, PartitionTask, RunShared } from "../worker/job_data.ts";
import { filesOf, modulesOf, runsUserScript, travelling } from "../interface/udf_ref.ts";
import { type Adopt, PlacedVersions, UdfPlacement, type Version, type Versions } from "./placed_versions.ts";
import { staysInline } from "../plan/plan.ts";
import type { PartialResults, Progress, UdfPlan } from "../plan/plan_facts.ts";
import { type Collector, type LivePlan, progressOf, RunState, sourcesRead } from "./run_state.ts";
import type { ChannelSettings, RunChannels } from "./run_channels.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { openSet } from "../buffers/buffers.ts";
import { countIn } from "../buffers/positions.ts";

/** Options of {@link Execution}. */
export interface ExecutionOptions extends RunSettings<Progress>, ChannelSettings {
  /** Whether to look for UDFs that change data which they have not declared to change. */
  readonly checkWrites?: boolean;
  /** Makes what collects the results. Default: a store of results. */
  readonly collect?: (plan: LivePlan) => Collector;
  /** Called when the pass has ended. */
  readonly over?: () => void;
}

/** One pass over the data of a plan. */
export class Execution {
  readonly #runner: Runner<Progress>;
  #state: RunState | undefined;
  #adopt: Adopt | undefined;

  /** A pass that has not started. */
  constructor(
    private readonly plan: UdfPlan,
    private readonly versions: Versions,
    private readonly options: ExecutionOptions,
  ) {
    this.#runner = new Runner(plan.context, options, () => this.progress);
  }

  /** How far the pass is. */
  get progress(): Progress {
    return this.#state?.progress() ?? nothingYet(this.plan);
  }

  /** Warnings of this pass. */
  get warnings(): readonly string[] {
    const { ignoredMessages, lostWorkers } = this.#runner.diagnostics;
    return [
      ...(lostWorkers > 0
        ? [`workers were lost ${lostWorkers} times, their partitions were computed again`]
        : []),
      ...(ignoredMessages > 0
        ? [`UDFs on workers have sent ${ignoredMessages} messages to the main thread, which are ignored`]
        : []),
    ];
  }

  /**
   * Prepares newer parameters; the returned function adopts them: partitions that start afterwards are computed with
   * them.
   */
  adopt(version: Version): () => void {
    return this.#adopt?.(version) ?? (() => {}); // partitions that have not started use the newest version
  }

  /** The partial results, as they are merged. */
  parts(): AsyncIterableIterator<PartialResults, undefined> {
    return this.#runner.parts(() => this.#parts());
  }

  async *#parts(): AsyncGenerator<PartialResults, void> {
    const { plan } = this;
    const runner = this.#runner;
    const gone = withResolvers<boolean>();
    let channels: RunChannels | undefined;
    try {
      runner.mustGoOn();
      channels = await this.#channels();
      const executor = chooseExecutor(plan, channels);
      const { live, placement, placed } = await this.#admitted();
      const state = this.#state = new RunState(live, placement, placed, this.options.collect);
      this.#adopt = (version) => adoption(live, placed, version);
      channels?.hold(placement.leases.arena, gone.promise);
      const job = jobOf(live, placement, placed, executor, {
        checkWrites: this.options.checkWrites ?? false,
        ...(channels ? { channels: channels.use } : {}),
      });
      state.watch(() => runner.inFlight());
      const results = runner.results<RunShared, PartitionTask, PartitionResult>(executor, job, state.tasks());
      for await (const { index, value } of results) {
        if (state.finish(index, value)) yield* runner.handOver(state.part());
      }
      await mustBeUnchanged(sourcesRead(plan), runner.signal);
      state.complete();
      runner.finish();
      yield* runner.handOver(state.part());
    } catch (error) {
      throw this.#explain(error);
    } finally {
      this.#adopt = undefined;
      const { inside } = channels ?? {};
      if (inside) runner.holdsAfter(() => inside.drained()); // its runners may write for threads that have ended
      runner.drained.then(gone.resolve);
      this.options.over?.();
      this.#state?.stop();
    }
  }

  /** The host of the run; its code is loaded if there is one. */
  async #channels(): Promise<RunChannels | undefined> {
    if (!this.options.channels) return undefined;
    const { RunChannels } = await import("./run_channels.ts");
    return RunChannels.of(this.plan, this.options);
  }

  /** Waits until the memory of the run is available, then leases it, with the parameters of that moment. */
  async #admitted(): Promise<Admitted> {
    const correct = this.plan.corrections && (await import("./place_corrections.ts")).placeCorrections;
    const take = (leases: Leases): Admitted => {
      const { current } = this.versions;
      const live: LivePlan = { ...this.plan, udfs: current.udfs, version: current.number };
      const placement = new UdfPlacement(live, leases, correct);
      return { live, placement, placed: new PlacedVersions(live, current, leases) };
    };
    const sources = this.plan.dataset.layout.files.map(({ source }) => source);
    return await this.#runner.enter(take, sources);
  }

  /** The error, with the progress of the run added. */
  #explain(error: unknown): unknown {
    const { signal } = this.#runner;
    if (this.#state) return this.#state.explain(error, signal);
    return signal.aborted ? abortedError(signal, { merged: 0 }) : error;
  }
}

/** What a run holds from its start to its end. */
interface Admitted {
  readonly live: LivePlan;
  readonly placement: UdfPlacement;
  readonly placed: PlacedVersions;
}

function adoption(live: LivePlan, placed: PlacedVersions, version: Version): () => void {
  const commit = placed.prepare(version);
  return () => {
    commit();
    live.udfs = version.udfs;
    live.version = version.number;
  };
}

function nothingYet(plan: UdfPlan): Progress {
  const partitionsTotal = plan.partitions.length;
  return progressOf(plan, { frames: 0, partitions: 0, partitionsInProgress: 0, partitionsTotal, seconds: 0 });
}

function chooseExecutor(plan: UdfPlan, channels: RunChannels | undefined): Executor {
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
  const workers = Math.min(memory.workers, channels?.most ?? Infinity);
  return context.executorOf(workers, udfs.some(({ ref }) => runsUserScript(ref)));
}

/** The job of workers; the URL is not written in the form that bundlers look for, as they would copy the file. */
const JOB = { name: "tilewise:udf", module: import.meta.resolve("../worker/job.ts") };
registerJobs({ [JOB.name]: () => import("../worker/job.ts") });

function jobOf(
  plan: UdfPlan,
  placement: UdfPlacement,
  placed: PlacedVersions,
  { memory }: Executor,
  settings: Pick<RunShared, "checkWrites" | "channels">,
): Job<RunShared> {
  return {
    ...JOB,
    export: "partitionJob",
    shared: { ...sharedOf(plan, placement, memory === "own"), ...settings },
    traffic: trafficOf(plan, placement, placed),
    sources: readSources(placement.layout),
    modules: plan.udfs.flatMap(({ ref }) => modulesOf(ref)),
    files: plan.udfs.flatMap(({ ref }) => filesOf(ref)),
  };
}

/** The address at which workers with their own memory put results: any address that exists in all memories. */
function ownSetOf({ sets }: UdfPlacement): number {
  return sets[0]!.offset;
}

/** What workers read from copies, and what they return: the buffers of a partition. */
function trafficOf(
  { set: plan, selection }: UdfPlan,
  placement: UdfPlacement,
  placed: PlacedVersions,
): Traffic {
  const { leases: { copied, arena: { memory } } } = placement;
  const own = ownSetOf(placement);
  return {
    reads: copied,
    of: ({ set, start, stop, update }: PartitionTask) => ({
      reads: update ? placed.reads(update) : [],
      writes: openSet(plan, memory, set, countIn(selection, start, stop)).flatMap(Object.values<TypedArray>)
        .map(
          ({ byteOffset: offset, byteLength: bytes }) => ({ offset, bytes, from: own + offset - set }),
        ),
    }),
  };
}

function sharedOf(
  plan: UdfPlan,
  placement: UdfPlacement,
  travels: boolean,
): Omit<RunShared, "checkWrites" | "channels"> {
  const { slabs, udfs: placed, corrections, layout, windows, leases: { arena } } = placement;
  const { dataset, scheme, set, selection, leaf, memory, udfs } = plan;
  return {
    layout,
    source: plan.execution.source,
    entries: memory.entries,
    code: kernelCode(arena.memory, travels, plan.packs),
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
    lean: memory.lean,
    ...(travels ? { ownSet: ownSetOf(placement) } : {}),
    leaf,
    leafSets: plan.leafSets,
    partitionFrames: set.frames,
    ...defined({ corrections }),
    ...(windows ? { windows: windows.places } : {}),
    slabs: slabs.map(({ offset, byteLength }) => ({ offset, byteLength })),
  };
}
