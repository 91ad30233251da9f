/**
 * The job of a launch: one task per member of a group. This code runs in workers, which do not load the compiler.
 *
 * @module
 */

import { type Activity, alive, during } from "../../activity.ts";
import { IMPORT_MODULE } from "../files/import_table.ts";
import { groupImports } from "../files/imports.ts";
import { type HostAccess, noAccess } from "./access.ts";
import { numbersOf } from "./arguments.ts";
import {
  type LaunchShared,
  type MemberEnd,
  memberError,
  type MemberTask,
  preparePlace,
  type WasmCode,
} from "./shared.ts";
import {
  GroupEnded,
  MemberGroup,
  type MemberRunner,
  moduleRunner,
  type RunningMember,
} from "./module_kernel.ts";
import { accessTo } from "./routes.ts";
import type { JobHandler, WorkerContext } from "../../executor/task.ts";
import { instantiate, placeOf, shiftOf } from "../../user_kernels/instance.ts";

/** The handler of a launch on one worker. */
export async function launchJob(
  shared: LaunchShared,
  worker: WorkerContext,
): Promise<JobHandler<MemberTask, MemberEnd>> {
  const { code, channels } = shared;
  const access = channels
    ? await accessTo(channels, worker.memory)
    : noAccess(`Kernel "${code.name}"`, "give launchKernel() a host in place of the context");
  const runner: MemberRunner = code.kind === "wasm"
    ? wasmRunner(code, shared, worker, access)
    : await moduleRunner(code, shared, worker, access);
  const activity = { text: `kernel "${code.name}"`, details: { kernel: code.name } };
  return {
    run: (task) => runMember(runner, runningMember(task, shared, worker), activity),
    close: () => access.close(),
  };
}

function runningMember(task: MemberTask, shared: LaunchShared, worker: WorkerContext): RunningMember {
  const { group, member } = task;
  const alone = task.place < 0;
  const place = shared.places[alone ? worker.index : task.place]!;
  if (alone) preparePlace(worker.memory, place, shared);
  const at = { offset: place.block, members: shared.groupSize };
  const cancelled = () => {
    alive(); // who polls does not hang
    return worker.cancelled() || now() > shared.until;
  };
  const meeting = new MemberGroup(worker.memory, at, member, () => worker.cancelled());
  const channel = alone ? worker.index : task.place * shared.groupSize + member;
  return { shared, worker, group, member, meeting, place, channel, cancelled };
}

const now = () => performance.timeOrigin + performance.now();

/** A member that fails wakes the others of its group, which wait for it. */
async function runMember(
  runner: MemberRunner,
  running: RunningMember,
  activity: Activity,
): Promise<MemberEnd> {
  const { meeting, group, member, shared } = running;
  try {
    const value = await during(activity, () => runner.run(running));
    meeting.leave();
    return { stopped: false, value };
  } catch (error) {
    if (error instanceof GroupEnded && !error.first) return { stopped: true, value: undefined };
    meeting.fail();
    throw memberError(error, { kernel: shared.code.name, group, member }, runner.placeOf?.(error));
  }
}

// Runs members of a launch whose kernel is a module of WebAssembly.
// Every member gets an instance of its own, so that variables of the kernel begin anew with each member, and results do not
// depend on which worker runs which group. The module is compiled once per worker.

/** The runner of `code` on one worker. */
function wasmRunner(
  code: WasmCode,
  shared: LaunchShared,
  worker: WorkerContext,
  access: HostAccess,
): MemberRunner {
  const { name, kernel, call } = code;
  const { memory, index } = worker;
  const args = numbersOf(shared.args) as readonly number[]; // bigints reach parameters of 64 bits
  return {
    run(member) {
      const { meeting, group } = member;
      const at = { group: meeting, id: group, count: shared.groups };
      const host = shared.channels ? access.imports(at) : groupImports(at);
      const calls = { [IMPORT_MODULE]: { ...host, ...memberImports(member) } };
      return instantiate(kernel, call, memory, { name, statics: shared.statics[index], calls })(...args) ?? 0;
    },
    placeOf: (error) => placeOf(error, kernel, shiftOf(kernel, memory)),
  };
}

/** What a kernel can ask about itself, also without a host. */
function memberImports({ shared, place, channel, cancelled }: RunningMember) {
  return {
    member_channel: () => channel,
    member_cancelled: () => cancelled() ? 1 : 0,
    local_memory: () => place.local,
    local_bytes: () => shared.localBytes,
  };
}
