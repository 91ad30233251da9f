/**
 * The gate of a host: whether it serves, and which threads may be inside of a call.
 *
 * The gate stays when the memory of the channels is used for something else, so that a late caller does not take those bytes
 * for a channel. Every thread that calls has a place in it, with its number: see `executor/thread_number.ts`.
 *
 * @module
 */

import { threadNumber } from "../../executor/thread_number.ts";
import { TilewiseError } from "../../errors.ts";
import { MAX_OWNERS, MAX_RUNNERS } from "./layout.ts";

/**
 * Whether a host serves (`open`), serves what is ready and stops (`closing`), finishes what runs and stops (`aborting`), or
 * has stopped.
 */
export const HOST = { open: 0, closing: 1, closed: 2, aborting: 3, aborted: 4 } as const;

/**
 * Cells of a gate: the host, a bit for each runner that serves, and the start of the host; the number of the thread of each runner;
 * the places of threads that call: their number, and how many of their calls are under way.
 */
export const GATE = { host: 0, serving: 1, runners: 16, places: 48 } as const;

const CELLS = GATE.places + 2 * (MAX_OWNERS + 1);

/** Where the double with the start of the host lies. */
const START = 1;

/** The gate of a host that begins to serve now. */
export function newGate(): SharedArrayBuffer {
  const gate = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);
  new Float64Array(gate, 0, 2)[START] = sinceEpoch();
  return gate;
}

const sinceEpoch = () => performance.timeOrigin + performance.now();

/** A gate as seen from one thread. */
export class Gate {
  /** Its cells: {@link GATE}. */
  readonly cells: Int32Array;
  readonly #origin: number;

  /** The gate in `buffer`. */
  constructor(buffer: SharedArrayBuffer) {
    this.cells = new Int32Array(buffer);
    this.#origin = performance.timeOrigin - new Float64Array(buffer, 0, 2)[START]!;
  }

  /** A value of {@link HOST}. */
  get host(): number {
    return Atomics.load(this.cells, GATE.host);
  }

  /** Goes on to a later state of {@link HOST}. */
  set host(state: number) {
    Atomics.store(this.cells, GATE.host, state);
  }

  /** An open host aborts. */
  abort(): void {
    Atomics.compareExchange(this.cells, GATE.host, HOST.open, HOST.aborting);
  }

  /** Notes that a runner serves. */
  served(runner: number): void {
    Atomics.or(this.cells, GATE.serving, 1 << runner);
  }

  /** How many runners serve, or have served. */
  get serving(): number {
    let count = 0;
    for (let bits = Atomics.load(this.cells, GATE.serving); bits !== 0; bits &= bits - 1) count++;
    return count;
  }

  /** Whether the thread with number `thread` is runner `runner` now: another one is until it {@link handOver hands over}. */
  takesOver(runner: number, thread: number = threadNumber()): boolean {
    const other = Atomics.compareExchange(this.cells, GATE.runners + runner, 0, thread);
    return other === 0 || other === thread;
  }

  /** Waits until the thread with number `thread` is runner `runner`. */
  takeOver(runner: number, thread: number = threadNumber()): void {
    const at = GATE.runners + runner;
    while (!this.takesOver(runner, thread)) Atomics.wait(this.cells, at, Atomics.load(this.cells, at));
  }

  /** The thread with number `thread` is not a runner any more. */
  handOver(thread: number = threadNumber()): void {
    for (let at = GATE.runners; at < GATE.runners + MAX_RUNNERS; at++) {
      if (Atomics.compareExchange(this.cells, at, thread, 0) === thread) Atomics.notify(this.cells, at);
    }
  }

  /** Nanoseconds since the host was started; on one thread it never goes back. */
  now(): number {
    return (this.#origin + performance.now()) * 1e6;
  }

  /** The place of a thread; it is taken when there is none yet. Errors: `invalid` when all are taken. */
  place(thread: number = threadNumber()): number {
    for (let place = 1; place <= MAX_OWNERS; place++) {
      const found = Atomics.compareExchange(this.cells, cellOf(place), 0, thread);
      if (found === 0 || found === thread) return place;
    }
    const text = `Cannot call a host from one more thread: it has ${MAX_OWNERS} callers`;
    throw new TilewiseError("invalid", text, { found: `${MAX_OWNERS + 1}`, expected: `${MAX_OWNERS}` });
  }

  /** The place of a thread, or 0 if it has none. */
  find(thread: number): number {
    for (let place = 1; place <= MAX_OWNERS; place++) {
      if (Atomics.load(this.cells, cellOf(place)) === thread) return place;
    }
    return 0;
  }

  /** The thread in `place` goes in, if the host is open: until it goes out, the memory of the channels stays what it is. */
  enter(place: number): boolean {
    Atomics.add(this.cells, cellOf(place) + 1, 1);
    if (this.host === HOST.open) return true;
    this.leave(place);
    return false;
  }

  /** The thread in `place` goes out. */
  leave(place: number): void {
    Atomics.sub(this.cells, cellOf(place) + 1, 1);
  }

  /** Frees the place of a thread that has ended, inside or outside. For the last step of its reclaim. */
  vacate(place: number): void {
    Atomics.store(this.cells, cellOf(place) + 1, 0);
    Atomics.store(this.cells, cellOf(place), 0);
  }

  /** Calls that are under way. */
  get callers(): number {
    let callers = 0;
    for (let place = 1; place <= MAX_OWNERS; place++) callers += Atomics.load(this.cells, cellOf(place) + 1);
    return callers;
  }
}

function cellOf(place: number): number {
  return GATE.places + 2 * place;
}
