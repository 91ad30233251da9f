/**
 * The merge tree inside a partition: one set of buffers a leaf, merged as the frames come in.
 *
 * @module
 */

import { blockBytes, type Slab } from "../memory/slab.ts";
import { type TypedArray, typedArray } from "../space/dtype.ts";
import type { BufferPlan } from "./buffers.ts";
import { MergeTree } from "./merge_tree.ts";
import type { Buffers } from "./udf.ts";

/** Sets of `sig` and `single` buffers for the leaves of a partition; `nav` buffers are those of the partition. */
export class LeafTree {
  readonly #free: Buffers[];
  readonly #tree: MergeTree<Buffers>;
  #partition: Buffers = {};
  #prepare: (fresh: Buffers) => void = () => {};
  #leaf = -1;
  #current: Buffers | undefined;

  /** Cuts `count` sets from `slab`. */
  constructor(
    private readonly plans: readonly BufferPlan[],
    pixels: number,
    count: number,
    slab: Slab,
    merge: (into: Buffers, from: Buffers) => void,
  ) {
    this.#free = Array.from({ length: count }, () => cutSet(plans, pixels, slab));
    this.#tree = new MergeTree({ merge, free: (set) => void this.#free.push(set) });
  }

  /** Bytes that `count` sets take. */
  static bytesFor(plans: readonly BufferPlan[], pixels: number, count: number): number {
    const set = plans.filter(inSet).reduce(
      (sum, plan) => sum + blockBytes(plan.dtype, lengthOf(plan, pixels)),
      0,
    );
    return count * set;
  }

  /** Starts a partition: `prepare` gives fresh buffers their start values. */
  begin(partition: Buffers, prepare: (fresh: Buffers) => void): void {
    this.#partition = partition;
    this.#prepare = prepare;
    prepare(partition);
    this.#leaf = -1;
    this.#close();
    const left = this.#tree.finish(); // of a partition that was broken off
    if (left) this.#free.push(left);
  }

  /** The buffers for frames of leaf `leaf`; leaves come in ascending order. */
  at(leaf: number): Buffers {
    if (leaf !== this.#leaf || !this.#current) {
      if (this.#current) this.#tree.add(this.#leaf, this.#current);
      this.#leaf = leaf;
      this.#current = this.#fresh();
    }
    return this.#current;
  }

  /** Ends the partition: its buffers get what the leaves have merged to. */
  end(): void {
    if (this.#current) this.#tree.add(this.#leaf, this.#current);
    this.#current = undefined;
    const root = this.#tree.finish() ?? this.#fresh();
    for (const { name } of this.plans.filter(inSet)) this.#partition[name]!.set(root[name] as never);
    this.#free.push(root);
  }

  #fresh(): Buffers {
    const set = this.#free.pop()!;
    for (const { name } of this.plans.filter(inSet)) set[name]!.fill(zeroLike(set[name]!) as never);
    this.#prepare({ ...this.#noRows(), ...set });
    return { ...this.#partition, ...set };
  }

  /** The nav buffers without rows: they got their start values with the partition. */
  #noRows(): Buffers {
    const empty = (buffer: TypedArray) => buffer.subarray(0, 0) as TypedArray;
    return Object.fromEntries(Object.entries(this.#partition).map(([name, buffer]) => [name, empty(buffer)]));
  }

  #close(): void {
    if (this.#current) this.#free.push(this.#current);
    this.#current = undefined;
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
    const length = lengthOf(plan, pixels);
    const pointer = slab.take(blockBytes(plan.dtype, length), "leaf buffers");
    set[plan.name] = typedArray(plan.dtype, slab.memory.buffer, pointer, length);
  }
  return set;
}

function zeroLike(array: TypedArray): number | bigint {
  return array instanceof BigInt64Array || array instanceof BigUint64Array ? 0n : 0;
}
