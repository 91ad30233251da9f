/**
 * Parts of a run that are computed apart: the merged buffers of a range of partitions, and what belongs to single
 * positions. Together they give the results of the whole run, bit by bit.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import { instantiateKernels } from "../../kernels/wasm.ts";
import type { Leases } from "../../runner/leases.ts";
import { Runner } from "../../runner/runner.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { copyNumbers, zerosLike } from "../../space/numbers.ts";
import { openSet, planBuffers } from "../buffers/buffers.ts";
import { mergePartials } from "../buffers/merge_partials.ts";
import { MergeTree, mostPending } from "../buffers/merge_tree.ts";
import { type AllBuffers, copyObjects } from "../buffers/object_buffers.ts";
import { positionsIn } from "../buffers/positions.ts";
import type { Results } from "../interface/buffer_types.ts";
import { guarded } from "../interface/guard.ts";
import { mergesAll } from "../plan/result_steps.ts";
import type { UdfPlan } from "../plan/plan_facts.ts";
import { ResultStore } from "../results/results.ts";
import { Execution, type ExecutionOptions } from "./execution.ts";
import type { Collector, LivePlan } from "./run_state.ts";
import { Versions } from "./placed_versions.ts";

/** What belongs to the positions of one partition: rows of nav buffers; everything for UDFs with `mergeAll`. */
export interface PartitionBuffers {
  /** Number of the partition. */
  readonly partition: number;
  /** Its first position. */
  readonly start: number;
  /** One past its last position. */
  readonly stop: number;
  /** Per UDF. */
  readonly udfs: readonly AllBuffers[];
}

/** The results of a range of partitions. */
export interface Partial {
  /** What belongs to positions, in the order of partitions. */
  readonly partitions: readonly PartitionBuffers[];
  /** Per UDF: the buffers that are merged over partitions. */
  readonly merged: readonly AllBuffers[];
}

/** Scan positions, half-open. */
interface PositionRange {
  /** The first one. */
  readonly start: number;
  /** One past the last one. */
  readonly stop: number;
}

/**
 * Computes the partitions inside of `range`, which must be a node of the merge tree. Errors: those of a run.
 */
export async function computePartial(
  plan: UdfPlan,
  { start, stop }: PositionRange,
  options: Omit<ExecutionOptions, "collect">,
): Promise<Partial> {
  const partitions = plan.partitions.filter((one) => one.start >= start && one.stop <= stop);
  const collected: PartitionsCollected[] = [];
  const collect = (live: LivePlan) => {
    const partitions = new PartitionsCollected(live);
    collected.push(partitions);
    return partitions;
  };
  const part: UdfPlan = { ...plan, partitions };
  const execution = new Execution(part, new Versions(part), { ...options, collect });
  for await (const _ of execution.parts()); // collects
  return { partitions: collected[0]!.partitions, merged: collected[0]!.merged };
}

/** Collects what the merge of other parts needs, instead of results. */
class PartitionsCollected implements Collector {
  readonly damage: Uint8Array;
  readonly partitions: PartitionBuffers[] = [];
  merged: readonly AllBuffers[] = [];

  constructor(private readonly plan: LivePlan) {
    this.damage = new Uint8Array(plan.dataset.frames);
  }

  place(partition: number, _: Uint32Array, partials: readonly AllBuffers[]): void {
    const { start, stop } = this.plan.partitions.find(({ index }) => index === partition)!;
    const udfs = partials.map((all, u) => {
      const keepsAll = mergesAll(this.plan.udfs[u]!.udf);
      return copied(all, (name) => keepsAll || kindOf(this.plan, u, name) === "nav");
    });
    this.partitions.push({ partition, start, stop, udfs });
  }

  mark(positions: Uint32Array): void {
    for (const position of positions) this.damage[position] = 1;
  }

  validNav(full = false): Uint8Array {
    const { indices } = this.plan.roi;
    return full || !indices ? this.damage.slice() : Uint8Array.from(indices, (at) => this.damage[at]!);
  }

  results(merged: readonly AllBuffers[] | undefined, isLast = false): Results {
    if (isLast && merged) {
      this.merged = merged.map((all, u) => copied(all, (name) => kindOf(this.plan, u, name) !== "nav"));
    }
    return {};
  }
}

function kindOf({ set }: Pick<UdfPlan, "set">, u: number, name: string): string | undefined {
  return [...set.udfs[u]!, ...set.objects[u]!].find((plan) => plan.name === name)?.kind;
}

/** Copies outside of the memory of the run, of the buffers that `keep` chooses. */
function copied({ buffers, objects }: AllBuffers, keep: (name: string) => boolean): AllBuffers {
  const chosen = <T>(all: Readonly<Record<string, T>>) => Object.entries(all).filter(([name]) => keep(name));
  const numbers = chosen<TypedArray>(buffers).map(([name, from]) => {
    const copy = zerosLike(from, from.length);
    copyNumbers(copy, from);
    return [name, copy] as const;
  });
  return {
    buffers: Object.fromEntries(numbers),
    objects: copyObjects(Object.fromEntries(chosen(objects))),
  };
}

/** A range of partitions whose buffers are merged with those of others. */
interface MergedRange {
  /** First position of the node of the merge tree. */
  readonly start: number;
  /** Gives the merged buffers, per UDF, when their turn comes. */
  read(): Promise<readonly AllBuffers[]>;
}

/**
 * Merges ranges, which are in order, as the merge tree does; few of them are held at one time. `undefined`: there is
 * none.
 */
export async function mergeRanges(
  plan: UdfPlan,
  ranges: readonly MergedRange[],
  signal?: AbortSignal,
): Promise<readonly AllBuffers[] | undefined> {
  const [first] = ranges;
  if (!first || ranges.length === 1) return await first?.read();
  const runner = new Runner(plan.context, defined({ signal }), () => undefined);
  let found: readonly AllBuffers[] | undefined;
  for await (const merged of runner.parts(() => mergeSteps(plan, ranges, runner))) found = merged;
  return found;
}

/** A range in the memory of the merge. */
interface MergeSet {
  readonly base: number;
  readonly all: AllBuffers[];
}

async function* mergeSteps(
  plan: UdfPlan,
  ranges: readonly MergedRange[],
  runner: Runner<undefined>,
): AsyncGenerator<readonly AllBuffers[], void> {
  const eager = plan.udfs.every(({ tree }) => !tree);
  const leaves = ranges.map(({ start }) => Math.floor(start / plan.leaf));
  const set = planBuffers(plan.udfs, 0, plan.dataset.pixels);
  const take = (leases: Leases) => ({
    memory: leases.arena.memory,
    free: leases.many(mostPending(leaves, eager), Math.max(8, set.bytes), "parts to merge").map((
      { offset },
    ) => offset),
  });
  const { memory, free } = await runner.enter(take);
  const kernels = instantiateKernels(memory);
  const validNav = () => neverAsked();
  const merge = (into: MergeSet, from: MergeSet) =>
    plan.udfs.forEach(({ udf, meta }, u) => {
      const plans = { plans: set.udfs[u]!, objects: set.objects[u]! };
      const work = () => mergePartials(udf, plans, into.all[u]!, from.all[u]!, { meta, kernels, validNav });
      guarded(udf.name, "merge()", work, plans);
    });
  const tree = new MergeTree<MergeSet>({ merge, free: ({ base }) => free.push(base) }, eager);
  for (const [i, { read }] of ranges.entries()) {
    runner.mustGoOn();
    const merged = await read();
    const base = free.pop()!;
    const buffers = openSet(set, memory, base, 0);
    const all = merged.map((given, u) => placed(given, buffers[u]!));
    tree.add(leaves[i]!, { base, all });
  }
  const root = tree.finish();
  runner.finish();
  if (root) yield* runner.handOver(root.all.map((all) => copied(all, () => true)));
}

/** The buffers in the memory of kernels, with the values of `given`. */
function placed({ buffers: values, objects }: AllBuffers, buffers: AllBuffers["buffers"]): AllBuffers {
  for (const [name, from] of Object.entries(values)) {
    const to = buffers[name];
    if (!to || to.length !== from.length) {
      const text = `The buffer "${name}" of a part has ${from.length} numbers; the plan has ${
        to?.length ?? "none"
      }`;
      throw new TilewiseError("malformed", text, { expected: to?.length ?? 0, found: from.length });
    }
    copyNumbers(to, from);
  }
  return { buffers, objects };
}

/** Which frames have been merged is not known while parts are merged apart. */
function neverAsked(): never {
  const text = "merge() asked for validNav(), which parts that are computed apart cannot know; use results()";
  throw new TilewiseError("unsupported", text);
}

/** Collects partitions in order, and makes the results. */
export class Assembly {
  readonly #store: ResultStore;

  /** Nothing yet. */
  constructor(private readonly plan: UdfPlan) {
    this.#store = new ResultStore(plan);
  }

  /** Adds what belongs to the positions of a part. */
  add({ partitions }: Pick<Partial, "partitions">): void {
    for (const { partition, start, stop, udfs } of partitions) {
      const positions = positionsIn(this.plan.selection, start, stop);
      this.#store.place(partition, positions, udfs);
      this.#store.mark(positions);
    }
  }

  /** The results, from the merge of all parts. */
  results(merged: readonly AllBuffers[] | undefined): Results {
    return this.#store.results(merged, true);
  }
}
