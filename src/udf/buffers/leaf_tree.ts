/**
 * The merge tree inside a partition: one set of buffers per leaf, merged as the frames are processed.
 *
 * @module
 */

import { blockBytes, type Slab } from "../../memory/slab.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { copyNumbers, fillNumbers } from "../../space/numbers.ts";
import type { BufferPlan, ObjectPlan } from "../interface/buffer_plan.ts";
import type { Buffers } from "../interface/buffer_types.ts";
import { MergeTree } from "./merge_tree.ts";
import { type AllBuffers, emptyObjects } from "./object_buffers.ts";

/** What a {@link LeafTree} is made from. */
export interface LeafTreeInit {
  /** The buffers of numbers. */
  readonly plans: readonly BufferPlan[];
  /** The buffers of JSON values. */
  readonly objects: readonly ObjectPlan[];
  /** Pixels of the sig buffers. */
  readonly pixels: number;
  /** Number of sets that are needed at one time. */
  readonly count: number;
  /** The slab from which the sets are cut. */
  readonly slab: Slab;
  /** Gives fresh buffers their start values. */
  prepare(fresh: AllBuffers): void;
  /** Called when a leaf is complete. */
  close(leaf: AllBuffers): void;
  /** Adds `from` to `into`. */
  merge(into: AllBuffers, from: AllBuffers): void;
}

/** Sets of `sig` and `single` buffers for the leaves of a partition; `nav` buffers are those of the partition. */
export class LeafTree {
  readonly #init: LeafTreeInit;
  readonly #inSet: readonly BufferPlan[];
  readonly #free: Buffers[];
  readonly #tree: MergeTree<AllBuffers>;
  #partition: AllBuffers = { buffers: {}, objects: {} };
  #leaf = -1;
  #current: AllBuffers | undefined;

  /** Cuts the sets from the slab. */
  constructor(init: LeafTreeInit) {
    const { plans, pixels, count, slab } = init;
    this.#init = init;
    this.#inSet = plans.filter(inSet);
    this.#free = Array.from({ length: count }, () => cutSet(plans, pixels, slab));
    const merge = (into: AllBuffers, from: AllBuffers) => init.merge(into, from);
    this.#tree = new MergeTree({ merge, free: (node) => this.#give(node) });
  }

  /** Bytes that `count` sets take. */
  static bytesFor(plans: readonly BufferPlan[], pixels: number, count: number): number {
    const set = plans.filter(inSet).reduce(
      (sum, plan) => sum + blockBytes(plan.dtype, lengthOf(plan, pixels)),
      0,
    );
    return count * set;
  }

  /** Starts a partition. */
  begin(partition: AllBuffers): void {
    this.#partition = partition;
    this.#init.prepare(partition);
    this.#leaf = -1;
    if (this.#current) this.#give(this.#current);
    this.#current = undefined;
    const left = this.#tree.finish(); // left over from a partition that was interrupted
    if (left) this.#give(left);
  }

  /** The buffers for frames of leaf `leaf`; leaves come in ascending order. */
  at(leaf: number): AllBuffers {
    if (leaf !== this.#leaf || !this.#current) {
      this.#complete();
      this.#leaf = leaf;
      this.#current = this.#fresh();
    }
    return this.#current;
  }

  /** Ends the partition: its buffers get the merged values of the leaves. */
  end(): void {
    if (!this.#current) this.at(0);
    this.#complete();
    const root = this.#tree.finish()!;
    const { buffers, objects } = this.#partition;
    for (const { name } of this.#inSet) copyNumbers(buffers[name]!, root.buffers[name]!);
    for (const { name, kind } of this.#init.objects) {
      if (kind === "nav" || !objects[name]) continue;
      root.objects[name]!.values.forEach((value, i) => objects[name]!.values[i] = value);
    }
    this.#give(root);
  }

  #complete(): void {
    if (!this.#current) return;
    this.#init.close(this.#current);
    this.#tree.add(this.#leaf, this.#current);
    this.#current = undefined;
  }

  /** Gives back only the buffers of the set: those of the partition may belong to another one next time. */
  #give({ buffers }: AllBuffers): void {
    this.#free.push(Object.fromEntries(this.#inSet.map(({ name }) => [name, buffers[name]!])));
  }

  #fresh(): AllBuffers {
    const set = this.#free.pop()!;
    for (const { name } of this.#inSet) fillNumbers(set[name]!, 0);
    const own = emptyObjects(this.#init.objects.filter(({ kind }) => kind !== "nav"), 0, this.#init.pixels);
    const { buffers, objects } = this.#noRows();
    this.#init.prepare({ buffers: { ...buffers, ...set }, objects: { ...objects, ...own } });
    return {
      buffers: { ...this.#partition.buffers, ...set },
      objects: { ...this.#partition.objects, ...own },
    };
  }

  /** The nav buffers with zero rows: their start values were set with the partition. */
  #noRows(): AllBuffers {
    const { buffers, objects } = this.#partition;
    const empty = (buffer: TypedArray) => buffer.subarray(0, 0);
    return {
      buffers: Object.fromEntries(Object.entries(buffers).map(([name, buffer]) => [name, empty(buffer)])),
      objects: Object.fromEntries(Object.entries(objects).map(([name, rows]) => [name, rows.view(0, 0)])),
    };
  }
}

function inSet({ kind, offset }: BufferPlan): boolean {
  return kind !== "nav" && offset !== undefined;
}

function lengthOf({ kind, entry }: BufferPlan, pixels: number): number {
  return kind === "sig" ? entry * pixels : entry;
}

function cutSet(plans: readonly BufferPlan[], pixels: number, slab: Slab): Buffers {
  const set: Record<string, TypedArray> = {};
  for (const plan of plans.filter(inSet)) {
    set[plan.name] = slab.block(plan.dtype, lengthOf(plan, pixels), `${plan.name} of a leaf`).data;
  }
  return set;
}
