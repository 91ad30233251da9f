/**
 * What a running member of a group knows of itself; workers use it for kernels of both kinds.
 *
 * @module
 */

import type { WorkerContext } from "../../executor/task.ts";
import type { Place } from "../../user_kernels/trap.ts";
import type { MemberGroup } from "./member_group.ts";
import type { GroupPlace, LaunchShared } from "./shared.ts";

/** A member that runs now. */
export interface RunningMember {
  /** Its launch. */
  readonly shared: LaunchShared;
  /** Its worker. */
  readonly worker: WorkerContext;
  /** The number of its group. */
  readonly group: number;
  /** Its number in the group. */
  readonly member: number;
  /** Where its group meets. */
  readonly meeting: MemberGroup;
  /** Its group in memory. */
  readonly place: GroupPlace;
  /** Its channel; no other member that runs has it. */
  readonly channel: number;
  /** Whether it should return soon. */
  cancelled(): boolean;
}

/** Runs members of one launch on one worker. */
export interface MemberRunner {
  /** What the kernel returns. */
  run(member: RunningMember): unknown;
  /** The place in the source where `error` was thrown, if it is known. */
  placeOf?(error: unknown): Place | undefined;
}
