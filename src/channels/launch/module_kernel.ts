/**
 * Runs members of a launch whose kernel is a function in TypeScript.
 *
 * @module
 */

import { alive } from "../../activity.ts";
import { breakGroup, Group, GROUP_BYTES, GROUP_FREE, type GroupAt } from "../files/group.ts";
import type { KernelFiles } from "../files/kernel_files.ts";
import type { HostAccess } from "./access.ts";
import { valuesOf } from "./arguments.ts";
import type { GroupPlace, LaunchShared, ModuleCode } from "./shared.ts";
import { STATUS } from "../protocol/status.ts";
import type { ArgumentsOf, RemoteTicket, ReturnOf } from "../remote/calls.ts";
import type { RemoteFunctions } from "../remote/function.ts";
import { TilewiseError } from "../../errors.ts";
import type { WorkerContext } from "../../executor/task.ts";
import { importExport } from "../../runner/import_export.ts";
import type { SourcePosition } from "../../user_kernels/instance.ts";

// A work group as a running member sees it: a barrier that no member leaves if the group cannot go on.
// A barrier can be passed only if every member comes. So a member that returns takes itself out of the group: if others wait
// at a barrier then, or come to one later, the group has failed, and this is found here instead of waiting forever.

const ARRIVED = 0, GENERATION = 1, LEFT = GROUP_FREE / 4, REASON = LEFT + 1;

/** Why a group has ended early. */
const ENDED = { no: 0, failed: 1, parted: 2 } as const;

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

/**
 * The argument of a kernel in TypeScript: where in the grid it runs, and what it can do there. `A` are the types of its
 * arguments, `F` the functions of the host that it calls.
 * @category Channels
 */
export interface Member<
  A extends readonly unknown[] = readonly unknown[],
  F extends RemoteFunctions = RemoteFunctions,
> {
  /** The number of its group, from 0. */
  readonly group: number;
  /** Its number in the group, from 0. */
  readonly member: number;
  /** How many groups the launch has. */
  readonly groups: number;
  /** How many members each group has. */
  readonly groupSize: number;
  /** The arguments of the launch; arrays lie in memory that all members share. */
  readonly args: A;
  /** The local memory of the group, which its members share; zeros when the group starts. */
  readonly local: Uint8Array;
  /** The channel of this member; no other member that runs has it. */
  readonly channel: number;
  /** The files of the host. Without a host, calls fail with `invalid`. */
  readonly files: KernelFiles;
  /** Calls a function of the host through the channel of this member, and waits for its result. */
  call<K extends string & keyof F>(name: K, ...args: ArgumentsOf<F[K]>): ReturnOf<F[K]>;
  /** Calls a function without waiting; the channel is taken until the ticket is released. */
  submit<K extends string & keyof F>(name: K, ...args: ArgumentsOf<F[K]>): RemoteTicket<ReturnOf<F[K]>>;
  /** Waits until all members of the group are here. */
  barrier(): void;
  /** Whether the launch is over, so that this kernel should return soon. */
  cancelled(): boolean;
}

/**
 * A kernel in TypeScript.
 * @category Channels
 */
export type MemberFunction<A extends readonly unknown[] = never, R = unknown> = (member: Member<A>) => R;

/** The runner of `code` on one worker. */
export async function moduleRunner(
  code: ModuleCode,
  shared: LaunchShared,
  { memory }: WorkerContext,
  access: HostAccess,
): Promise<MemberRunner> {
  const kernel = await kernelOf(code);
  const args = valuesOf(shared.args, memory);
  return { run: (running) => kernel(memberOf(running, args, access)) };
}

async function kernelOf(
  { module, export: exported, name }: ModuleCode,
): Promise<MemberFunction<readonly unknown[]>> {
  const kernel = await importExport(module, exported, `kernel "${name}"`);
  if (typeof kernel === "function") return kernel as MemberFunction<readonly unknown[]>;
  const text =
    `Cannot launch kernel "${name}": "${exported}" of ${module} is ${typeof kernel}, not a function`;
  throw new TilewiseError("udf", text, { kernel: name, found: typeof kernel });
}

function memberOf(running: RunningMember, args: readonly unknown[], access: HostAccess): Member {
  const { shared: { groups, groupSize, localBytes }, worker: { memory } } = running;
  const { group, member, meeting, place, channel, cancelled } = running;
  let files: KernelFiles | undefined;
  return {
    group,
    member,
    groups,
    groupSize,
    args,
    local: new Uint8Array(memory.buffer, place.local, localBytes),
    channel,
    get files() {
      return files ??= access.files(channel, meeting);
    },
    call: (name, ...args) => access.calls().call(channel, name, ...args),
    submit: (name, ...args) => access.calls().submit(channel, name, ...args),
    barrier: () => void meeting.barrier(),
    cancelled,
  };
}

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
  placeOf?(error: unknown): SourcePosition | undefined;
}
