/**
 * The tasks of a launch, group after group: a group is handed out when there is a place for it, and a worker for each of its
 * members.
 *
 * @module
 */

import { breakGroup } from "../files/group.ts";
import type { Grid } from "./options.ts";
import { type GroupPlace, type MemberTask, preparePlace } from "./shared.ts";
import { STATUS } from "../protocol/status.ts";
import { withResolvers } from "../../portable.ts";
import { untilAborted } from "../../turns.ts";

// Turns of work groups at the workers of an executor.
// The members of a group wait for each other, so a group must not begin before there is a worker for each of its members:
// otherwise two groups of two members could hold one of two workers each and wait for the other one forever. A group therefore
// takes seats for all of its members in one step, first in, first out, from as many seats as there are workers. All launches
// of all contexts on the same executor share these seats. Other tasks of the executor end by themselves, so every member of a
// group that has its seats gets a worker.

/** A group in the queue. */
interface Waiter {
  readonly members: number;
  readonly enter: () => void;
}

/** The seats of one executor. */
export class SeatAllocator {
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

const all = new WeakMap<object, SeatAllocator>();

/** The seats of an executor with this many workers. */
export function seatsOf(executor: object, workers: number): SeatAllocator {
  const found = all.get(executor) ?? new SeatAllocator(workers);
  all.set(executor, found);
  return found;
}

/** The groups of one launch. */
export class GroupQueue {
  readonly #room: SeatAllocator;
  readonly #unused: number[];
  /** The place of each group that runs, and how many of its members have not ended. */
  readonly #running = new Map<number, { readonly place: number; members: number }>();
  readonly #stop = new AbortController();

  /** The groups of `grid`; `seats`: where they take their workers from, with all other launches. */
  constructor(
    private readonly grid: Grid,
    private readonly places: readonly GroupPlace[],
    private readonly memory: WebAssembly.Memory,
    private readonly seats: SeatAllocator,
  ) {
    this.#room = new SeatAllocator(places.length);
    this.#unused = [...places.keys()].reverse();
  }

  /** The tasks, in the order of groups and members. */
  tasks(): Iterable<MemberTask> | AsyncIterable<MemberTask> {
    return this.grid.free ? this.#singles() : this.#groups();
  }

  *#singles(): Generator<MemberTask> {
    for (let group = 0; group < this.grid.groups; group++) yield { group, member: 0, place: -1 };
  }

  async *#groups(): AsyncGenerator<MemberTask, void> {
    const { groups, groupSize } = this.grid;
    for (let group = 0; group < groups; group++) {
      const place = await this.#enter(group);
      if (place === undefined) return;
      for (let member = 0; member < groupSize; member++) yield { group, member, place };
    }
  }

  /** Waits for a place and for workers; nothing if the launch is over. */
  async #enter(group: number): Promise<number | undefined> {
    const { groupSize } = this.grid;
    const { signal } = this.#stop;
    try {
      await this.#room.enter(1, signal);
      await this.seats.enter(groupSize, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
    const place = this.#unused.pop()!;
    this.#running.set(group, { place, members: groupSize });
    if (signal.aborted) return this.#leave(group); // it ended in the very moment in which the seats came
    preparePlace(this.memory, this.places[place]!, this.grid);
    return place;
  }

  /** Notes that a member has ended; whether it was the last one of its group. */
  ended(group: number): boolean {
    const running = this.#running.get(group);
    if (!running) return this.grid.free;
    if (--running.members > 0) return false;
    this.#leave(group);
    return true;
  }

  #leave(group: number): undefined {
    this.#unused.push(this.#running.get(group)!.place);
    this.#running.delete(group);
    this.seats.leave(this.grid.groupSize);
    this.#room.leave(1);
  }

  /** Ends the launch: wakes all members that wait for others, and gives all seats back. */
  stop(): void {
    this.#stop.abort();
    for (const [group, { place }] of [...this.#running]) {
      breakGroup(
        this.memory,
        { offset: this.places[place]!.block, members: this.grid.groupSize },
        -STATUS.lost,
      );
      this.#leave(group);
    }
  }
}
