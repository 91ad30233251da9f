/**
 * What the own thread can do: whether it may block, and for which hosts it is the runner itself.
 *
 * @module
 */

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
