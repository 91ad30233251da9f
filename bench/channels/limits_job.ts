/**
 * What the platform does without channels, on a worker: positional reads into shared memory, copies, and two threads that wake
 * each other.
 *
 * @module
 */

import { closeSync, openSync, readSync } from "node:fs";
import type { JobHandler, WorkerContext } from "@tilewise/tilewise/unstable/run";

/** What all tasks share. */
export interface LimitShared {
  /** A file of 64-bit positions below their count. */
  readonly path: string;
  /** Two words in shared memory, for `ping` and `pong`. */
  readonly words: SharedArrayBuffer;
}

/** A task. `walk` makes dependent reads of 8 bytes, `read` consecutive reads of `bytes`, `copy` copies of `bytes`. */
export type LimitTask =
  | { readonly kind: "walk"; readonly count: number }
  | { readonly kind: "read" | "copy"; readonly bytes: number; readonly count: number }
  | { readonly kind: "ping" | "pong"; readonly count: number };

/** What a task found. */
export interface LimitResult {
  /** Where a walk ended, or the sum of the numbers read. */
  readonly found: bigint;
  /** Seconds. */
  readonly seconds: number;
}

/** Milliseconds after which a partner that does not answer is an error. */
const PATIENCE = 10_000;

/** The job. */
export function limitJob(shared: LimitShared, { memory }: WorkerContext): JobHandler<LimitTask, LimitResult> {
  return {
    run(task) {
      const work = task.kind === "walk"
        ? () => walk(shared, memory, task.count)
        : task.kind === "read"
        ? () => readBlocks(shared, memory, task.bytes, task.count)
        : task.kind === "copy"
        ? () => copyBlocks(memory, task.bytes, task.count)
        : () => wake(shared.words, task.kind === "ping" ? 0 : 1, task.count);
      const start = performance.now();
      const found = work();
      return { found, seconds: (performance.now() - start) / 1000 };
    },
  };
}

function walk({ path }: LimitShared, memory: WebAssembly.Memory, count: number): bigint {
  const file = openSync(path, "r");
  const bytes = new Uint8Array(memory.buffer);
  const cell = new BigInt64Array(memory.buffer, AT, 1);
  cell[0] = 0n;
  for (let i = 0; i < count; i++) readSync(file, bytes, AT, 8, Number(cell[0]) * 8);
  closeSync(file);
  return cell[0]!;
}

function readBlocks({ path }: LimitShared, memory: WebAssembly.Memory, bytes: number, count: number): bigint {
  const file = openSync(path, "r");
  const all = new Uint8Array(memory.buffer);
  for (let i = 0; i < count; i++) {
    if (readSync(file, all, AT, bytes, i * bytes) !== bytes) throw new Error(`${path} is too short`);
  }
  closeSync(file);
  return new BigInt64Array(memory.buffer, AT, 1)[0]!;
}

function copyBlocks(memory: WebAssembly.Memory, bytes: number, count: number): bigint {
  const all = new Uint8Array(memory.buffer);
  for (let i = 0; i < count; i++) all.copyWithin(AT + 2 * bytes, AT, AT + bytes);
  return 0n;
}

/** Sets the word of the partner and waits for one's own: `count` round trips of two threads. */
function wake(buffer: SharedArrayBuffer, own: number, count: number): bigint {
  const words = new Int32Array(buffer);
  for (let turn = 1; turn <= count; turn++) {
    if (own === 0) set(words, 1, turn);
    if (Atomics.wait(words, own, turn - 1, PATIENCE) === "timed-out") throw new Error("the partner is gone");
    if (own === 1) set(words, 0, turn);
  }
  return BigInt(count);
}

function set(words: Int32Array, index: number, value: number): void {
  Atomics.store(words, index, value);
  Atomics.notify(words, index);
}

/** An address in the memory that nothing else uses: the context of the limits has no other tenant. */
const AT = 65536;
