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
import { type AllBuffers, emptyObjects } from "./object_buffers.ts";

// Merging in a fixed binary tree.
//
// Float sums depend on the order of additions. Partial results are merged as in a binary trie over the numbers of their
// first leaves (groups of frames). The order then depends only on these numbers: not on how many leaves a partition
// has, nor on which leaves exist.
//
// ```
//   leaf      0   1   2   3       5   6        merges, in order:  0+1, 2+3, (01)+(23), 5 waits,
//             └─┬─┘   └─┬─┘       │   │                           5+6 (highest differing bit 1),
//               └───┬───┘         └─┬─┘                           (0123)+(56) (highest differing bit 2)
//                   └───────┬───────┘
// ```
// Two neighbours meet at the level of the highest bit in which their numbers differ; a pair that meets at a lower level
// is merged first.

/** How partial results are merged and released. */
interface MergeActions<T> {
  /** Adds `from`, the later one, to `into`. */
  merge(into: T, from: T): void;
  /** `node` is no longer needed. */
  free(node: T): void;
}

/**
 * A tree that grows from left to right.
 *
 * @example The bits of a sum do not depend on how its terms are grouped beforehand
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const sum = (terms: [number, number][]) => {
 *   const tree = new MergeTree<{ v: number }>({ merge: (a, b) => (a.v += b.v), free: () => {} });
 *   for (const [leaf, v] of terms) tree.add(leaf, { v });
 *   return tree.finish()?.v;
 * };
 * assertEquals(sum([[0, 0.1], [1, 0.2], [2, 0.3], [3, 0.4]]), sum([[0, 0.1 + 0.2], [2, 0.3 + 0.4]]));
 * ```
 */
export class MergeTree<T> {
  readonly #nodes: T[] = [];
  /** `#joins[k]` is the level at which nodes `k` and `k + 1` meet. */
  readonly #joins: number[] = [];
  #last = -1;

  /** An empty tree. With `eager`, nodes are merged as soon as they are added: for results that are exact in any order. */
  constructor(private readonly actions: MergeActions<T>, private readonly eager = false) {}

  /** The nodes that wait for their right neighbours, from left to right. */
  get pending(): readonly T[] {
    return this.#nodes;
  }

  /** Adds the node whose first leaf has number `leaf`; leaves come in ascending order. */
  add(leaf: number, node: T): void {
    if (this.#nodes.length > 0) {
      const level = this.eager ? -1 : meetingLevel(this.#last, leaf);
      while (this.#joins.length > 0 && this.#joins.at(-1)! < level) this.#mergeLast();
      this.#joins.push(level);
    }
    this.#nodes.push(node);
    this.#last = leaf;
    if (this.eager && this.#nodes.length > 1) this.#mergeLast();
  }

  /** The merge of all nodes, or undefined if none was added. The tree is empty afterwards. */
  finish(): T | undefined {
    while (this.#nodes.length > 1) this.#mergeLast();
    this.#last = -1;
    return this.#nodes.pop();
  }

  #mergeLast(): void {
    const from = this.#nodes.pop()!;
    this.#joins.pop();
    this.actions.merge(this.#nodes.at(-1)!, from);
    this.actions.free(from);
  }
}

/** The largest number of nodes at one time, including the one being added, in a tree over these `leaves`. */
export function mostPending(leaves: Iterable<number>, eager: boolean): number {
  const tree = new MergeTree<null>({ merge: () => {}, free: () => {} }, eager);
  let most = 1;
  for (const leaf of leaves) {
    most = Math.max(most, tree.pending.length + 1);
    tree.add(leaf, null);
  }
  return most;
}

/**
 * The same for `count` consecutive leaves, the first at a multiple of a power of two that is at least `count`: when
 * leaf `i` is added, the number of waiting nodes is one more than the number of bits set in `i − 1`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([1, 2, 3, 4, 5].map(mostPendingInRow), [1, 2, 3, 3, 4]);
 * assertEquals(mostPendingInRow(5), mostPending([8, 9, 10, 11, 12], false));
 * ```
 */
export function mostPendingInRow(count: number): number {
  return count < 2 ? 1 : 2 + Math.floor(Math.log2(count - 1));
}

/** Number of the highest bit in which two numbers below 2^53 differ. */
function meetingLevel(a: number, b: number): number {
  let level = 0;
  while (Math.floor(a / 2) !== Math.floor(b / 2)) {
    a = Math.floor(a / 2);
    b = Math.floor(b / 2);
    level++;
  }
  return level;
}

/** What a {@link LeafTree} is made from. */
interface LeafTreeInit {
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
