/**
 * Runs members of a launch whose kernel is a module of WebAssembly.
 *
 * Every member gets an instance of its own, so that variables of the kernel begin anew with each member, and results do not
 * depend on which worker runs which group. The module is compiled once per worker.
 *
 * @module
 */

import type { WorkerContext } from "../../executor/task.ts";
import { instantiate, shiftOf } from "../../user_kernels/instance.ts";
import { placeOf } from "../../user_kernels/trap.ts";
import { IMPORT_MODULE } from "../files/import_table.ts";
import type { GroupPlace } from "../files/imports.ts";
import { numbersOf } from "./arguments.ts";
import type { MemberRunner, RunningMember } from "./member.ts";
import type { HostAccess } from "./access.ts";
import type { LaunchShared, WasmCode } from "./shared.ts";

/** The runner of `code` on one worker. */
export function wasmRunner(
  code: WasmCode,
  shared: LaunchShared,
  worker: WorkerContext,
  access: HostAccess,
): MemberRunner {
  const { name, kernel, call } = code;
  const { memory, index } = worker;
  const args = numbersOf(shared.args) as readonly number[]; // bigints reach parameters of 64 bits
  const host = (member: RunningMember) => shared.channels ? access.imports(placeIn(member)) : {};
  return {
    run(member) {
      const calls = { [IMPORT_MODULE]: { ...host(member), ...groupImports(member) } };
      return instantiate(kernel, call, memory, { name, statics: shared.statics[index], calls })(...args) ?? 0;
    },
    placeOf: (error) => placeOf(error, kernel, shiftOf(kernel, memory)),
  };
}

function placeIn({ meeting, group, shared }: RunningMember): GroupPlace {
  return { group: meeting, id: group, count: shared.groups };
}

/** What a kernel can ask about its place in the grid, also without a host. */
function groupImports({ shared, group, member, meeting, place, channel, cancelled }: RunningMember) {
  return {
    group_barrier: () => meeting.barrier(),
    group_share: (value: number) => meeting.share(() => value),
    group_local: () => member,
    group_size: () => shared.groupSize,
    group_id: () => group,
    group_count: () => shared.groups,
    member_channel: () => channel,
    member_cancelled: () => cancelled() ? 1 : 0,
    local_memory: () => place.local,
    local_bytes: () => shared.localBytes,
  };
}
