/**
 * The job of a launch: one task per member of a group. This code runs in workers, which do not load the compiler.
 *
 * @module
 */

import { type Activity, alive, during } from "../../activity.ts";
import type { JobHandler, WorkerContext } from "../../executor/task.ts";
import { memberError } from "./failure.ts";
import type { MemberRunner, RunningMember } from "./member.ts";
import { GroupEnded, MemberGroup } from "./member_group.ts";
import { moduleRunner } from "./module_kernel.ts";
import { preparePlace } from "./places.ts";
import { noAccess } from "./access.ts";
import { accessTo } from "./routes.ts";
import type { LaunchShared, MemberEnd, MemberTask } from "./shared.ts";
import { wasmRunner } from "./wasm_kernel.ts";

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
