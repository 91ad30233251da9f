/**
 * What the own thread can do: whether it may block, how it waits if not, and for which hosts it is the runner itself.
 *
 * @module
 */

import { withResolvers } from "../../portable.ts";

/** A runner on the calling thread. */
export interface LocalRunner {
  /** Answers the call that is ready on a channel, if it can be answered at once. */
  serve(channel: number): void;
}

const local = new Map<SharedArrayBuffer, LocalRunner>();

/** The runner on this thread of the host with this gate, if it is here. */
export function localRunner(gate: SharedArrayBuffer): LocalRunner | undefined {
  return local.get(gate);
}

/** Makes `runner` the runner of a host for callers on this thread, until the returned function is called. */
export function registerLocalRunner(gate: SharedArrayBuffer, runner: LocalRunner): () => void {
  local.set(gate, runner);
  return () => void local.delete(gate);
}

let mayBlock: boolean | undefined;

/** Whether this thread may sleep until shared memory changes: the main thread of a page may not. */
export function canBlock(): boolean {
  return mayBlock ??= tryToBlock();
}

function tryToBlock(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds after which a thread that does not block looks again by itself. */
const LOOK = 20;

/**
 * Resolves when `words[at]` is not `value` any more and somebody says so; at the latest after a while, as `Atomics.waitAsync`
 * has been seen to miss a sign, and some platforms do not have it.
 */
export async function signOf(words: Int32Array, at: number, value: number): Promise<void> {
  const { promise: late, resolve } = withResolvers<unknown>();
  const timer = setTimeout(resolve, LOOK);
  const wait = Atomics.waitAsync?.(words, at, value, LOOK);
  await Promise.race([late, wait === undefined ? late : wait.value]);
  clearTimeout(timer);
}
