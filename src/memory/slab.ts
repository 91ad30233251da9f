/**
 * A slab: a range of the arena that one owner cuts into ranges, from front to back, and frees as a whole.
 *
 * The planner leases one slab per worker and knows its size beforehand; the worker cuts tiles, scratch and
 * results from it in a fixed order, without communication.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray } from "../space/dtype.ts";
import { formatBytes } from "../space/size.ts";
import { ALIGNMENT, roundUp } from "./arena.ts";
import { type FencedCuts, fencing } from "./fencing.ts";

/** Samples at an address: what kernels take (`pointer`) and what TypeScript reads (`data`). */
export interface Block {
  /** Address of the first sample. */
  readonly pointer: number;
  /** The samples. */
  readonly data: TypedArray;
}

/** A range of memory, cut from front to back. */
export class Slab {
  readonly #start: number;
  #next: number;
  readonly #end: number;
  /** In tests: the ranges with fences between them; none otherwise. */
  readonly fenced: FencedCuts | undefined;

  /** The `byteLength` bytes of `memory` from address `offset`. */
  constructor(readonly memory: WebAssembly.Memory, offset: number, byteLength: number) {
    this.#start = roundUp(offset, ALIGNMENT);
    this.#next = this.#start;
    this.#end = offset + byteLength;
    this.fenced = fencing()?.cuts(memory, offset);
  }

  /** Bytes cut so far. */
  get used(): number {
    return this.#next - this.#start;
  }

  /** The address of `byteLength` fresh bytes (contents undefined), aligned to a cache line. */
  take(byteLength: number, label: string): number {
    if (!Number.isSafeInteger(byteLength) || byteLength < 0) {
      throw new TilewiseError("invalid", `Cannot take ${byteLength} bytes for ${label}: that is not a count`);
    }
    const pointer = this.#next;
    const next = pointer + roundUp(byteLength, ALIGNMENT);
    if (next > this.#end) {
      const left = formatBytes(this.#end - pointer);
      const message = `Cannot take ${formatBytes(byteLength)} for ${label}: ${left} of the slab are left`;
      throw new TilewiseError("over-budget", message, { expected: byteLength, found: this.#end - pointer });
    }
    this.#next = next;
    return this.fenced?.cut(byteLength, label) ?? pointer;
  }

  /** `length` fresh samples (contents undefined). */
  block(dtype: DType, length: number, label: string): Block {
    const pointer = this.take(dtypeInfo(dtype).itemSize * length, label);
    return { pointer, data: typedArray(dtype, this.memory.buffer, pointer, length) };
  }

  /** Frees all ranges. */
  reset(): void {
    this.#next = this.#start;
    this.fenced?.reset();
  }
}

/** Bytes that `block(dtype, length)` takes from a slab. */
export function blockBytes(dtype: DType, length: number): number {
  return roundUp(dtypeInfo(dtype).itemSize * length, ALIGNMENT);
}
