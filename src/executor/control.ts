/**
 * The control block: shared cells through which the main thread and one worker communicate without messages. If the worker is
 * a process, messages carry the values of these cells.
 *
 * One block per worker and run, so that a thread that was given up cannot write into the block of its
 * replacement. Three 32-bit cells of a small buffer: stop flag, sign of life, units done. Threads that share no memory have a
 * block each.
 *
 * @module
 */

import { newBuffer } from "../sharing.ts";

const STOP = 0;
const BEAT = 1;
const UNITS = 2;
const CELLS = 3;

/** The shared cells of one worker in one run. */
export class Control {
  readonly #cells: Int32Array;

  /** A fresh block, or the one that lies in `buffer`. */
  constructor(
    /** What travels to the worker. */
    readonly buffer: ArrayBufferLike = newBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT),
  ) {
    this.#cells = new Int32Array(buffer);
  }

  /** Tells the worker to stop. */
  stop(): void {
    Atomics.store(this.#cells, STOP, 1);
  }

  /** Whether the worker was told to stop. */
  get stopped(): boolean {
    return Atomics.load(this.#cells, STOP) !== 0;
  }

  /** Counts `units` more units; also the sign of life. */
  advance(units: number): void {
    Atomics.add(this.#cells, UNITS, units);
    Atomics.add(this.#cells, BEAT, 1);
  }

  /** Copies the values of the block in another process: units, which never decrease, and the sign of life. */
  mirror(units: number, beat: number = Atomics.load(this.#cells, BEAT)): void {
    const before = Atomics.load(this.#cells, UNITS);
    if ((units - before | 0) > 0) Atomics.store(this.#cells, UNITS, units | 0);
    Atomics.store(this.#cells, BEAT, beat);
  }

  /** Changes with every {@link advance}. */
  get beat(): number {
    return Atomics.load(this.#cells, BEAT);
  }

  /** Units counted so far, modulo 2³². */
  get units(): number {
    return Atomics.load(this.#cells, UNITS) >>> 0;
  }
}
