/**
 * Arrays in the memory of a host, which kernels read and write where they lie.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Lease } from "../../memory/arena.ts";
import { type ArrayOf, type DType, dtypeInfo, typedArray } from "../../space/dtype.ts";
import { checkedProduct } from "../../space/shape.ts";

/**
 * An array in the memory that kernels see. It takes its bytes from the budget of the context, until it is returned or its host
 * is closed.
 * @category Channels
 */
export interface KernelArray<D extends DType = DType> extends Disposable {
  /** Address of its first byte. */
  readonly offset: number;
  /** Type of its samples. */
  readonly dtype: D;
  /** How many samples. */
  readonly length: number;
  /** The samples, without a copy; zeros at first. Errors: `lease` when the array has been returned. */
  readonly data: ArrayOf<D>;
}

/** An array of `length` zero samples in memory of `lessor`. */
export function leaseArray<D extends DType>(
  lessor: Lessor,
  memory: WebAssembly.Memory,
  dtype: D,
  length: number,
): KernelArray<D> {
  const bytes = checkedProduct([length, dtypeInfo(dtype).itemSize], "an array for kernels");
  const lease = lessor.lease(bytes, `an array of ${length} ${dtype}`);
  lease.bytes().fill(0);
  return new LeasedArray(lease, memory, dtype, length);
}

/** An array that returns its lease, when no launch uses it any more. */
class LeasedArray<D extends DType> implements KernelArray<D> {
  readonly #lease: Lease;
  readonly #data: ArrayOf<D>;
  readonly #users = new Set<Promise<boolean>>();
  #returned = false;

  constructor(
    lease: Lease,
    readonly memory: WebAssembly.Memory,
    readonly dtype: D,
    readonly length: number,
  ) {
    this.#lease = lease;
    this.#data = typedArray(dtype, memory.buffer, lease.offset, length);
  }

  get offset(): number {
    return this.data.byteOffset;
  }

  get data(): ArrayOf<D> {
    this.#lease.bytes(); // throws if it has been returned
    if (this.#returned) {
      throw new TilewiseError("lease", `Cannot use ${this.#lease.label}: it has been returned`);
    }
    return this.#data;
  }

  /** Notes a launch that uses it until `over` resolves; `false`: a thread that could not be ended may still write to it. */
  hold(over: Promise<boolean>): void {
    this.#users.add(over);
    over.then((safe) => {
      if (safe) this.#users.delete(over);
      if (this.#returned) this[Symbol.dispose]();
    });
  }

  [Symbol.dispose](): void {
    this.#returned = true;
    if (this.#users.size === 0) this.#lease[Symbol.dispose]();
  }
}

/** Notes that a launch uses `array` until `over` resolves. */
export function holdArray(array: KernelArray, over: Promise<boolean>): void {
  if (array instanceof LeasedArray) array.hold(over);
}

/** Whether an array lies in `memory`. */
export function liesIn(array: KernelArray, memory: WebAssembly.Memory): boolean {
  return array instanceof LeasedArray && array.memory === memory;
}

/** Whether a value is an array of a host. */
export function isKernelArray(value: unknown): value is KernelArray {
  return value instanceof LeasedArray;
}

// File names in kernel memory, as UTF-8 bytes.

/**
 * A name in kernel memory: plain data for a job.
 * @category Channels
 */
export interface NameAt {
  /** Address of its first byte. */
  readonly offset: number;
  /** Bytes in UTF-8. */
  readonly byteLength: number;
}

/** What gives memory: an arena, or the leases of a run. */
interface Lessor {
  /** Takes `bytes` bytes. */
  lease(bytes: number, label: string): Lease;
}

/** A name for `fs_open`: the lease of its bytes; `offset` and `byteLength` are what the kernel passes. */
export function leaseName(memory: Lessor, name: string): Lease {
  const bytes = new TextEncoder().encode(name);
  const lease = memory.lease(bytes.length, `the name ${name}`);
  lease.bytes().set(bytes);
  return lease;
}
