/**
 * A work group as a running member sees it: a barrier that no member leaves if the group cannot go on.
 *
 * A barrier can be passed only if every member comes. So a member that returns takes itself out of the group: if others wait
 * at a barrier then, or come to one later, the group has failed, and this is found here instead of waiting forever.
 *
 * @module
 */

import { alive } from "../../activity.ts";
import { breakGroup, Group, GROUP_BYTES, GROUP_FREE, type GroupAt } from "../files/group.ts";
import { STATUS } from "../protocol/status.ts";

const ARRIVED = 0, GENERATION = 1, LEFT = GROUP_FREE / 4, REASON = LEFT + 1;

/** Why a group has ended early. */
export const ENDED = { no: 0, failed: 1, parted: 2 } as const;

/** Thrown through a kernel whose group has ended early. */
export class GroupEnded extends Error {
  override readonly name = "GroupEnded";

  /** `first`: whether this member is the one that found out, and has to report it. */
  constructor(readonly first: boolean, message: string) {
    super(message);
  }
}

/** One member of a group of a launch. */
export class MemberGroup extends Group {
  readonly #cells: Int32Array;
  readonly #stop: () => boolean;

  /** Member `local` of the group at `at`; `stop` says whether the launch is over. */
  constructor(memory: WebAssembly.Memory, at: GroupAt, local: number, stop: () => boolean) {
    super(memory, at, local, () => this.#look());
    this.#cells = new Int32Array(memory.buffer, at.offset, GROUP_BYTES / 4);
    this.#stop = stop;
  }

  /** Waits until all members are here. Throws {@link GroupEnded} if they will never be. */
  override barrier(): number {
    if (Atomics.load(this.#cells, LEFT) > 0) this.#end(ENDED.parted);
    this.#seen = Atomics.load(this.#cells, GENERATION);
    if (super.barrier() === 0) return 0;
    throw this.#ended();
  }

  /** This member has returned. Throws {@link GroupEnded} if others wait for it. */
  leave(): void {
    if (this.#mine) throw this.#parted(); // the kernel has caught the error of the barrier
    Atomics.add(this.#cells, LEFT, 1);
    if (Atomics.load(this.#cells, ARRIVED) > 0 && this.#end(ENDED.parted)) throw this.#parted();
  }

  /** This member has failed: wakes all others. */
  fail(): void {
    this.#end(ENDED.failed);
  }

  /**
   * A look of a waiting member: it is alive, and it need not wait for a member that has returned; unless that one has passed this
   * barrier before, as the last to come.
   */
  #look(): boolean {
    alive();
    const stop = this.#stop();
    const left = Atomics.load(this.#cells, LEFT) > 0;
    if (left && Atomics.load(this.#cells, GENERATION) === this.#seen) this.#end(ENDED.parted);
    return stop;
  }

  #mine = false;
  #seen = 0;

  /** Ends the group for all; whether this member was the first to say why. */
  #end(reason: number): boolean {
    const first = Atomics.compareExchange(this.#cells, REASON, ENDED.no, reason) === ENDED.no;
    this.#mine ||= first && reason === ENDED.parted;
    breakGroup(this.memory, this.at, -STATUS.lost);
    return first;
  }

  #ended(): GroupEnded {
    return this.#mine ? this.#parted() : new GroupEnded(false, "its group has ended");
  }

  #parted(): GroupEnded {
    const text = "one member has returned while another one waits for it at a barrier; " +
      "all members of a group must come to the same barriers";
    return new GroupEnded(true, text);
  }
}
