/**
 * Batches: transfers that a kernel has queued in memory, and that one call does.
 *
 * A descriptor has 48 bytes, at an address that is a multiple of 8:
 *
 * ```text
 *    0  i32  state, see {@link QUEUE}               4  i32  function: 2 read, 3 write
 *    8  i32  handle, of a file of the channel      12  u32  address of the elements
 *   16  i32  count of elements                     20  i32  where the offset counts from
 *   24  f64  offset                                32  f64  result: elements, or a negative status
 * ```
 *
 * Transfers happen in their order. If the files answer late, reads from the start of a file, up to {@link AHEAD} of them,
 * are under way at the same time, which the kernel cannot tell. Each descriptor is done, and its waiter woken, as soon as its
 * transfer has ended. Descriptors that are not queued are left out.
 *
 * @module
 */

import type { Awaitable } from "../backends/back_end.ts";
import { sleep } from "../protocol/sleep.ts";
import { STATUS } from "../protocol/status.ts";
import { channelOf, FILE, type FileCallsOf } from "./calls.ts";
import type { KernelBytes } from "./kernel_bytes.ts";
import { WHENCE } from "./modes.ts";

/** The descriptor of a transfer: its length, and where its fields are, in bytes. */
export const DESCRIPTOR = {
  bytes: 48,
  state: 0,
  fn: 4,
  handle: 8,
  pointer: 12,
  count: 16,
  whence: 20,
  offset: 24,
  result: 32,
} as const;

/** States of a descriptor; `awaited` is `queued` with somebody who sleeps until it is done. */
export const QUEUE = { free: 0, queued: 1, done: 2, awaited: 3 } as const;

/** Sleeps until the descriptor at word `state` is done, at most for `timeout` milliseconds; it may wake early. */
export function sleepUntilDone(words: Int32Array, state: number, timeout: number): void {
  const found = Atomics.compareExchange(words, state, QUEUE.queued, QUEUE.awaited);
  if (found === QUEUE.queued || found === QUEUE.awaited) sleep(words, state, QUEUE.awaited, timeout);
}

/** Reads that are under way at the same time, of files that answer late. */
const AHEAD = 32;

type Transfers = Pick<FileCallsOf<Awaitable<number>>, "read" | "write" | "seek">;

/** Whether there can be `count` descriptors at `pointer`. */
export function isBatch(kernel: KernelBytes, pointer: number, count: number): boolean {
  return pointer % 8 === 0 && count >= 0 && kernel.has(pointer, count * DESCRIPTOR.bytes);
}

/** Does `count` queued transfers: how many it did. See {@link FileCallsOf.batch}. */
export function serveBatch(
  files: Transfers,
  kernel: KernelBytes,
  channel: number,
  pointer: number,
  count: number,
): Awaitable<number> {
  if (!isBatch(kernel, pointer, count)) return -STATUS.invalid;
  return new Batch(files, kernel.memory.buffer, channel, pointer, count).serve();
}

class Batch {
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  #served = 0;

  constructor(
    private readonly files: Transfers,
    buffer: ArrayBufferLike,
    private readonly channel: number,
    pointer: number,
    private readonly count: number,
  ) {
    this.#words = new Int32Array(buffer, pointer, count * DESCRIPTOR.bytes / 4);
    this.#doubles = new Float64Array(buffer, pointer, count * DESCRIPTOR.bytes / 8);
  }

  /** Goes on without a promise as long as the files answer at once. */
  serve(): Awaitable<number> {
    for (let i = 0; i < this.count; i++) {
      const result = this.#start(i);
      if (result === undefined) continue;
      if (typeof result !== "number") return this.#serveLate(i, result);
      this.#finish(i, result);
    }
    return this.#served;
  }

  async #serveLate(first: number, began: Promise<number>): Promise<number> {
    let under = [this.#later(first, began)];
    for (let i = first + 1; i < this.count; i++) {
      if (!this.#mayOverlap(i) || !this.#mayOverlap(i - 1) || under.length === AHEAD) {
        await this.#settle(under);
        under = [];
      }
      const result = this.#start(i);
      if (typeof result === "number") this.#finish(i, result);
      else if (result) under.push(this.#later(i, result));
    }
    await this.#settle(under);
    return this.#served;
  }

  async #later(i: number, began: Promise<number>): Promise<number> {
    this.#finish(i, await began);
    return i;
  }

  /** Reads that overlapped have moved cursors in any order: puts them where the last ones in the list leave them. */
  async #settle(under: readonly Promise<number>[]): Promise<void> {
    for (const i of await Promise.all(under)) {
      const result = this.#doubles[this.#double(i, DESCRIPTOR.result)]!;
      if (!this.#mayOverlap(i) || result < 0) continue;
      const handle = this.#words[(i * DESCRIPTOR.bytes + DESCRIPTOR.handle) / 4]!;
      const offset = this.#doubles[this.#double(i, DESCRIPTOR.offset)]!;
      await this.files.seek(handle, WHENCE.begin, offset + result);
    }
  }

  #mayOverlap(i: number): boolean {
    const at = i * DESCRIPTOR.bytes / 4;
    return this.#words[at + DESCRIPTOR.fn / 4] === FILE.read &&
      this.#words[at + DESCRIPTOR.whence / 4] === WHENCE.begin;
  }

  /** Starts a transfer; `undefined` if the descriptor is not queued. */
  #start(i: number): Awaitable<number> | undefined {
    const words = this.#words, at = i * DESCRIPTOR.bytes / 4;
    const state = Atomics.load(words, at);
    if (state !== QUEUE.queued && state !== QUEUE.awaited) return undefined;
    const fn = words[at + DESCRIPTOR.fn / 4]!, handle = words[at + DESCRIPTOR.handle / 4]!;
    const pointer = words[at + DESCRIPTOR.pointer / 4]! >>> 0, count = words[at + DESCRIPTOR.count / 4]!;
    const whence = words[at + DESCRIPTOR.whence / 4]!,
      offset = this.#doubles[this.#double(i, DESCRIPTOR.offset)]!;
    if (channelOf(handle) !== this.channel) return -STATUS["bad-handle"];
    if (fn === FILE.read) return this.files.read(handle, pointer, count, whence, offset);
    if (fn === FILE.write) return this.files.write(handle, pointer, count, whence, offset);
    return -STATUS.invalid;
  }

  #finish(i: number, result: number): void {
    this.#served++;
    this.#doubles[this.#double(i, DESCRIPTOR.result)] = result;
    const state = i * DESCRIPTOR.bytes / 4;
    if (Atomics.exchange(this.#words, state, QUEUE.done) === QUEUE.awaited) {
      Atomics.notify(this.#words, state);
    }
  }

  #double(i: number, field: number): number {
    return (i * DESCRIPTOR.bytes + field) / 8;
  }
}
