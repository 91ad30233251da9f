/**
 * Turns of work groups at the workers of an executor.
 *
 * The members of a group wait for each other, so a group must not begin before there is a worker for each of its members:
 * otherwise two groups of two members could hold one of two workers each and wait for the other one forever. A group therefore
 * takes seats for all of its members in one step, first in, first out, from as many seats as there are workers. All launches
 * of all contexts on the same executor share these seats. Other tasks of the executor end by themselves, so every member of a
 * group that has its seats gets a worker.
 *
 * @module
 */

import { withResolvers } from "../../portable.ts";
import { untilAborted } from "../../turns.ts";

/** A group in the queue. */
interface Waiter {
  readonly members: number;
  readonly enter: () => void;
}

/** The seats of one executor. */
export class Gangs {
  readonly #queue: Waiter[] = [];
  #free: number;

  /** As many seats as there are workers. */
  constructor(workers: number) {
    this.#free = workers;
  }

  /** Seats that nobody has. */
  get free(): number {
    return this.#free;
  }

  /** Groups that wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Waits for seats for `members` members, not more than there are workers. Errors: `aborted`; then it has no seats. */
  async enter(members: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = withResolvers<void>();
    const waiter = { members, enter: resolve };
    this.#queue.push(waiter);
    this.#proceed();
    try {
      await untilAborted(promise, signal);
    } catch (error) {
      this.#drop(waiter);
      throw error;
    }
  }

  /** Gives seats back. */
  leave(members: number): void {
    this.#free += members;
    this.#proceed();
  }

  #proceed(): void {
    for (let next = this.#queue[0]; next && next.members <= this.#free; next = this.#queue[0]) {
      this.#queue.shift();
      this.#free -= next.members;
      next.enter();
    }
  }

  /** Takes back what a cancelled waiter has, or would get. */
  #drop(waiter: Waiter): void {
    const at = this.#queue.indexOf(waiter);
    if (at < 0) return this.leave(waiter.members);
    this.#queue.splice(at, 1);
    this.#proceed();
  }
}

const all = new WeakMap<object, Gangs>();

/** The seats of an executor with this many workers. */
export function gangsOf(executor: object, workers: number): Gangs {
  const found = all.get(executor) ?? new Gangs(workers);
  all.set(executor, found);
  return found;
}
