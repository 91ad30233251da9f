/**
 * The state of a run: what has been merged, what waits for an earlier partition, and the partial results shown to
 * users.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { sourcesAtEnd } from "../../dataset/sources.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import type { SourceSpec } from "../../io/source/source.ts";
import { instantiateKernels, type Kernels } from "../../kernels/wasm.ts";
import { Slots } from "../../memory/slots.ts";
import { ndarray } from "../../space/ndarray.ts";
import { openSet } from "../buffers/buffers.ts";
import { mergePartials } from "../buffers/merge_partials.ts";
import { MergeTree } from "../buffers/merge_tree.ts";
import { type AllBuffers, copyObjects, importObjects } from "../buffers/object_buffers.ts";
import { countIn, positionsIn } from "../buffers/positions.ts";
import type { Buffers, ObjectBuffers, Results } from "../interface/buffer_types.ts";
import { guarded } from "../interface/guard.ts";
import type { PartialResults, Progress, UdfPlan } from "../plan/plan_facts.ts";
import { ResultStore } from "../results/results.ts";
import type { PartitionResult, PartitionTask } from "../worker/job_data.ts";
import type { PlacedVersions, UdfPlacement } from "./placed_versions.ts";

// The progress of a run, as data.

/** What is counted during a run. */
type Counts = Pick<
  Progress,
  "frames" | "partitions" | "partitionsInProgress" | "partitionsTotal" | "seconds"
>;

/** The progress of a run of `plan` with these counts. */
export function progressOf({ udfs, bytesToRead }: UdfPlan, counts: Counts): Progress {
  const framesTotal = udfs[0]!.meta.selected;
  const frames = Math.min(framesTotal, counts.frames);
  const { seconds } = counts;
  const bytes = framesTotal === 0 ? 0 : frames * (bytesToRead / framesTotal);
  return {
    ...counts,
    frames,
    framesTotal,
    bytes,
    bytesTotal: bytesToRead,
    bytesPerSecond: bytes / Math.max(seconds, 1e-9),
    etaSeconds: frames === 0 ? Infinity : (framesTotal - frames) * seconds / frames,
  };
}

/** A plan whose UDFs get new parameters while it runs. */
export type LivePlan = Omit<UdfPlan, "udfs"> & { udfs: UdfPlan["udfs"]; version: number };

/** A buffer set in use: its place, and its buffers. */
interface Node {
  readonly base: number;
  readonly buffers: readonly Buffers[];
  readonly objects: readonly ObjectBuffers[];
}

/** What collects the results of partitions as they are merged: a {@link ResultStore}, or the partitions of a part. */
export type Collector = Pick<ResultStore, "damage" | "place" | "mark" | "validNav" | "results">;

/** What has been merged, and what waits for an earlier partition. */
export class RunState {
  readonly #store: Collector;
  readonly #memory: WebAssembly.Memory;
  readonly #pool: Slots<number>;
  readonly #preview: number;
  readonly #kernels: Kernels;
  readonly #tree: MergeTree<Node>;
  readonly #busy: readonly UdfPlan["partitions"][number][];
  readonly #given: { readonly set: number; readonly version: number }[] = [];
  readonly #versions = new Map<number, number>();
  readonly #finished = new Map<number, PartitionResult>();
  readonly #started = performance.now();
  #isComplete = false;
  #ended: number | undefined;
  #newest: Lazy | undefined;
  #inFlight: () => number = () => 0;
  #merged = 0;
  #frames = 0;

  constructor(
    private readonly plan: LivePlan,
    placement: UdfPlacement,
    private readonly placed: PlacedVersions,
    collect: (plan: LivePlan) => Collector = (plan) => new ResultStore(plan),
  ) {
    this.#store = collect(plan);
    this.#memory = placement.leases.arena.memory;
    const [preview, ...sets] = placement.sets.map(({ offset }) => offset);
    this.#preview = preview!;
    this.#pool = new Slots(sets);
    this.#kernels = instantiateKernels(this.#memory);
    const eager = plan.udfs.every(({ tree }) => !tree);
    const free = ({ base }: Node) => this.#pool.give(base);
    this.#tree = new MergeTree({ merge: (into, from) => this.#merge(into, from), free }, eager);
    const { selection } = plan;
    this.#busy = plan.partitions.filter(({ start, stop }) => countIn(selection, start, stop) > 0);
  }

  async *tasks(): AsyncGenerator<PartitionTask> {
    for (const { index, start, stop } of this.#busy) {
      const set = await this.#pool.take();
      if (set === undefined) return;
      const { version, update } = this.placed.begin();
      this.#given.push({ set, version });
      yield { partition: index, start, stop, set, ...defined({ update }) };
    }
  }

  /** Task `index` has ended. Merges the partitions that are next in order; returns whether any were merged. */
  finish(index: number, result: PartitionResult): boolean {
    this.#finished.set(index, result);
    this.placed.end(this.#given[index]!.version);
    const before = this.#merged;
    while (this.#finished.has(this.#merged)) this.#mergeNext();
    return this.#merged > before;
  }

  /** Merges the last pending nodes. */
  complete(): void {
    const root = this.#tree.finish();
    if (root) this.#tree.add(0, root);
    this.#isComplete = true;
  }

  /** The current state; it becomes the newest part. */
  part(): PartialResults {
    const { dataset } = this.plan;
    const damage = ndarray(this.#store.damage.slice(), dataset.navShape, "bool");
    const { udfs, version } = this.plan;
    const isLast = this.#isComplete;
    const look = new Lazy(() => this.#with(udfs, () => this.#store.results(this.#state(), isLast)));
    this.#newest?.expire();
    this.#newest = look;
    const progress = this.progress();
    const versions = [...this.#versions].map(([version, partitions]) => ({ version, partitions }));
    versions.sort((a, b) => a.version - b.version);
    return {
      damage,
      progress,
      version,
      versions,
      get results() {
        return look.value;
      },
    };
  }

  /** From now on, `inFlight` gives the number of frames that workers have reported and that are not merged. */
  watch(inFlight: () => number): void {
    this.#inFlight = inFlight;
  }

  /** The error of the run, with its progress added. */
  explain(error: unknown, signal: AbortSignal): unknown {
    if (!isTilewiseError(error, "aborted") || !signal.aborted) return error;
    const all = this.#busy.length;
    const text = `Cancelled by the caller after ${this.#merged} of ${all} partitions`;
    return new TilewiseError("aborted", text, { merged: this.#merged, partitions: all }, {
      cause: signal.reason,
    });
  }

  /** The run has ended: no more tasks, and the newest part is computed while its memory is still available. */
  stop(): void {
    this.#pool.end();
    this.#ended = performance.now();
    this.#newest?.settle();
  }

  #mergeNext(): void {
    const { start, stop } = this.#busy[this.#merged]!;
    const positions = positionsIn(this.plan.selection, start, stop);
    const { set: base, version } = this.#given[this.#merged]!;
    this.#versions.set(version, (this.#versions.get(version) ?? 0) + 1);
    const buffers = openSet(this.plan.set, this.#memory, base, positions.length);
    const values = this.#finished.get(this.#merged)!.objects;
    const objects = this.plan.set.objects.map((plans, u) => importObjects(plans, values?.[u] ?? {}));
    this.#store.place(this.#busy[this.#merged]!.index, positions, bundled({ base, buffers, objects }));
    this.#tree.add(Math.floor(start / this.plan.leaf), { base, buffers, objects });
    this.#store.mark(positions);
    this.#finished.delete(this.#merged++);
    this.#frames += positions.length;
  }

  /** Runs `work` with the UDFs of an earlier time: a part does not change with the parameters. */
  #with<T>(udfs: UdfPlan["udfs"], work: () => T): T {
    const newest = this.plan.udfs;
    this.plan.udfs = udfs;
    try {
      return work();
    } finally {
      this.plan.udfs = newest;
    }
  }

  #merge(into: Node, from: Node): void {
    const validNav = (full?: boolean) => this.#store.validNav(full);
    const all = ({ buffers, objects }: Node, u: number) => ({ buffers: buffers[u]!, objects: objects[u]! });
    this.plan.udfs.forEach(({ udf, meta }, u) => {
      const plans = { plans: this.plan.set.udfs[u]!, objects: this.plan.set.objects[u]! };
      const context = { meta, kernels: this.#kernels, validNav };
      const work = () => mergePartials(udf, plans, all(into, u), all(from, u), context);
      guarded(udf.name, "merge()", work, plans);
    });
  }

  /** Merges all pending nodes into a copy; the nodes do not change. */
  #state(): readonly AllBuffers[] | undefined {
    const [first, ...rest] = this.#tree.pending;
    if (!first || rest.length === 0) return first && bundled(first);
    const { bytes, frames } = this.plan.set;
    new Uint8Array(this.#memory.buffer).copyWithin(this.#preview, first.base, first.base + bytes);
    const buffers = openSet(this.plan.set, this.#memory, this.#preview, frames);
    const copy = { base: this.#preview, buffers, objects: first.objects.map(copyObjects) };
    for (const node of rest) this.#merge(copy, node);
    return bundled(copy);
  }

  /** Frames of partitions that wait for an earlier one. */
  #waiting(): number {
    return [...this.#finished.keys()].reduce((sum, index) => {
      const { start, stop } = this.#busy[index]!;
      return sum + countIn(this.plan.selection, start, stop);
    }, 0);
  }

  /** The progress of the run. */
  progress(): Progress {
    return progressOf(this.plan, {
      frames: this.#frames + this.#waiting() + this.#inFlight(),
      partitions: this.#merged,
      partitionsInProgress: this.#given.length - this.#merged,
      partitionsTotal: this.#busy.length,
      seconds: ((this.#ended ?? performance.now()) - this.#started) / 1000,
    });
  }
}

/** The results of one part: computed when they are read, as long as that is possible. */
class Lazy {
  #found: { readonly results: Results } | { readonly error: unknown } | undefined;

  constructor(private compute: (() => Results) | undefined) {}

  get value(): Results {
    this.settle();
    if ("error" in this.#found!) throw this.#found.error;
    return this.#found!.results;
  }

  /** Computes them now, as their memory will not be available later. */
  settle(): void {
    if (this.#found) return;
    try {
      this.#found = { results: this.compute!() };
    } catch (error) {
      this.#found = { error };
    }
    this.compute = undefined;
  }

  /** A newer part has been made. */
  expire(): void {
    const text =
      "Cannot compute the results of this part: there is a newer one; look at `results` of a part " +
      "before you ask for the next";
    this.#found ??= { error: new TilewiseError("invalid", text) };
    this.compute = undefined;
  }
}

function bundled({ buffers, objects }: Node): AllBuffers[] {
  return buffers.map((typed, u) => ({ buffers: typed, objects: objects[u]! }));
}

// The sources that the results of a run depend on.

/** The files and URLs of the selected frames, the files that describe them, and the corrections that come with them. */
export function sourcesRead({ dataset, selection, partitions }: UdfPlan): SourceSpec[] {
  const positions = positionsIn(selection, partitions[0]?.start ?? 0, partitions.at(-1)?.stop ?? 0);
  if (positions.length === 0) return sourcesAtEnd(dataset, { first: 0, last: -1 });
  const { syncOffset } = selection;
  return sourcesAtEnd(dataset, { first: positions[0]! + syncOffset, last: positions.at(-1)! + syncOffset });
}
