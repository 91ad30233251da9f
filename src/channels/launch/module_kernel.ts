/**
 * Runs members of a launch whose kernel is a function in TypeScript.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { WorkerContext } from "../../executor/task.ts";
import { importExport } from "../../runner/import_export.ts";
import type { KernelFiles } from "../files/kernel_files.ts";
import type { ArgumentsOf, RemoteTicket, ReturnOf } from "../remote/calls.ts";
import type { RemoteFunctions } from "../remote/function.ts";
import { valuesOf } from "./arguments.ts";
import type { MemberRunner, RunningMember } from "./member.ts";
import type { HostAccess } from "./access.ts";
import type { LaunchShared, ModuleCode } from "./shared.ts";

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
