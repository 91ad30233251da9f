/**
 * Simulated time: it stands still while anything runs, and then jumps to the next moment at which something is due.
 *
 * @module
 */

import { setImmediate } from "node:timers";
import type { Clock } from "../../../src/clock.ts";

/** Milliseconds to which waits are rounded up: what is due in one step is woken together. */
const STEP = 50;

/** A clock that is driven by {@link SimulatedClock.run}. */
export class SimulatedClock implements Clock {
  #now = 0;
  #due = new Map<number, Set<() => void>>();
  #times: number[] = [];

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    const time = this.#now + Math.max(1, Math.ceil(milliseconds / STEP)) * STEP;
    return new Promise((resolve) => {
      const wake = () => {
        signal?.removeEventListener("abort", wake);
        this.#due.get(time)?.delete(wake);
        resolve();
      };
      signal?.addEventListener("abort", wake, { once: true });
      this.#at(time).add(wake);
    });
  }

  /** Lets time pass until `work` has ended, and gives what it gave. */
  async run<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const end = work.finally(() => ended = true);
    end.catch(() => {}); // awaited below
    await this.#settle();
    while (!ended) {
      this.#jump();
      await this.#settle();
    }
    return await end;
  }

  #at(time: number): Set<() => void> {
    let found = this.#due.get(time);
    if (found) return found;
    this.#due.set(time, found = new Set());
    const at = this.#times.findLastIndex((one) => one > time); // latest first
    this.#times.splice(at + 1, 0, time);
    return found;
  }

  #jump(): void {
    const time = this.#times.pop();
    if (time === undefined) {
      throw new Error(`nothing is due after ${this.#now} ms, and the work has not ended`);
    }
    this.#now = time;
    const due = this.#due.get(time)!;
    this.#due.delete(time);
    for (const wake of due) wake();
  }

  /** Everything that can run without time passing has run when the event loop comes to its next turn. */
  #settle(): Promise<void> {
    return new Promise((resolve) => void setImmediate(resolve));
  }
}
