/**
 * The memory of one run: leases that are taken in one step and returned together.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { MemoryRows } from "../executor/task.ts";
import type { Arena, Lease } from "../memory/arena.ts";
import { type DType, dtypeOf, type TypedArray, typedArray } from "../space/dtype.ts";
import { copyNumbers } from "../space/numbers.ts";

/** A constant array in shared memory. */
export interface PlacedArray {
  /** Its address. */
  readonly pointer: number;
  /** Its type. */
  readonly dtype: DType;
  /** Number of its entries. */
  readonly length: number;
}

/** Leases that are returned together. */
export class Leases implements Disposable {
  readonly #all = new Set<Disposable>();
  readonly #copied: MemoryRows[] = [];
  #over = false;

  /** No leases yet. */
  constructor(
    /** Where they lie. A context may go on with another arena. */
    readonly arena: Arena,
  ) {}

  /** Takes `bytes` bytes. */
  lease(bytes: number, label: string): Lease {
    this.#mustBeOpen(label);
    const lease = this.arena.lease(bytes, label);
    this.#all.add(lease);
    return lease;
  }

  /** Takes `bytes` bytes `count` times: a slab per worker, places for results. */
  many(count: number, bytes: number, label: string): Lease[] {
    return Array.from({ length: count }, () => this.lease(bytes, label));
  }

  /** Returns `thing` together with the leases. */
  hold(thing: Disposable): void {
    this.#all.add(thing);
  }

  /** Where the copies lie: what workers read of this memory. */
  get copied(): readonly MemoryRows[] {
    return this.#copied;
  }

  /** A copy of `array` in shared memory. */
  copy(array: TypedArray, label: string): PlacedArray {
    const { offset } = this.lease(array.byteLength, label);
    const dtype = dtypeOf(array);
    copyNumbers(typedArray(dtype, this.arena.memory.buffer, offset, array.length), array);
    this.#copied.push({ offset, bytes: array.byteLength });
    return { pointer: offset, dtype, length: array.length };
  }

  /** A group of leases that may be returned earlier; otherwise they are returned with all others. */
  part(): Leases {
    this.#mustBeOpen("a part of a run");
    const part = new Leases(this.arena);
    this.#all.add(part);
    return part;
  }

  /** Returns all of them. */
  [Symbol.dispose](): void {
    this.#over = true;
    for (const lease of this.#all) lease[Symbol.dispose]();
    this.#all.clear();
  }

  #mustBeOpen(label: string): void {
    if (!this.#over) return;
    throw new TilewiseError("lease", `Cannot lease memory for ${label}: the run has returned its memory`);
  }
}
