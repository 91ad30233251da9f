/**
 * The tasks of a launch, group after group: a group is handed out when there is a place for it, and a worker for each of its
 * members.
 *
 * @module
 */

import { breakGroup } from "../files/group.ts";
import { STATUS } from "../protocol/status.ts";
import { Gangs } from "./gangs.ts";
import type { Grid } from "./options.ts";
import { preparePlace } from "./places.ts";
import type { GroupPlace, MemberTask } from "./shared.ts";

/** The groups of one launch. */
export class GroupQueue {
  readonly #room: Gangs;
  readonly #unused: number[];
  /** The place of each group that runs, and how many of its members have not ended. */
  readonly #running = new Map<number, { readonly place: number; members: number }>();
  readonly #stop = new AbortController();

  /** The groups of `grid`; `seats`: where they take their workers from, with all other launches. */
  constructor(
    private readonly grid: Grid,
    private readonly places: readonly GroupPlace[],
    private readonly memory: WebAssembly.Memory,
    private readonly seats: Gangs,
  ) {
    this.#room = new Gangs(places.length);
    this.#unused = [...places.keys()].reverse();
  }

  /** The tasks, in the order of groups and members. */
  tasks(): Iterable<MemberTask> | AsyncIterable<MemberTask> {
    return this.grid.free ? this.#singles() : this.#gangs();
  }

  *#singles(): Generator<MemberTask> {
    for (let group = 0; group < this.grid.groups; group++) yield { group, member: 0, place: -1 };
  }

  async *#gangs(): AsyncGenerator<MemberTask, void> {
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
