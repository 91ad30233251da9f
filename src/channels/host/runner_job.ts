/**
 * The job of a runner: loads the services on its thread, and serves until the host stops. Its task is the number of the
 * runner; if the thread ends, the task is given to another thread, which serves on.
 *
 * @module
 */

import type { JobHandler, WorkerContext } from "../../executor/task.ts";
import { type ChannelLayout, Channels } from "../protocol/channel.ts";
import { Gate } from "../protocol/gate.ts";
import { ChannelRunner, serve } from "../protocol/runner.ts";
import { loadServices, type ServiceSource } from "./services.ts";

/** What the runners of a host share. */
export interface RunnerJob {
  /** The channels. */
  readonly layout: ChannelLayout;
  /** What they answer with. */
  readonly services: readonly ServiceSource[];
  /** Most scans per second; 0: unlimited. */
  readonly scanRate: number;
}

/** Serves on the thread of a worker. */
export function runnerJob(
  job: RunnerJob,
  { memory }: Pick<WorkerContext, "memory">,
): JobHandler<number, void> {
  const gate = new Gate(job.layout.gate);
  return {
    async run(runner) {
      gate.takeOver(runner); // a thread that was stopped may run for a moment, in a call that its follower gives up
      try {
        await serveOn(runner, job, memory, true);
      } finally {
        gate.handOver();
      }
    },
  };
}

/** Serves on this thread, as runner `index`. */
export async function serveOn(
  index: number,
  { layout, services, scanRate }: RunnerJob,
  memory: WebAssembly.Memory,
  blocks: boolean,
  made: (runner: ChannelRunner) => void = () => {},
): Promise<void> {
  const { functions, close } = await loadServices(services, { memory, layout, runner: index });
  const channels = new Channels(memory, layout);
  const runner = new ChannelRunner(channels, functions, index);
  made(runner);
  channels.gate.served(index);
  try {
    await serve(runner, { blocks, scanRate });
  } finally {
    await close();
  }
}
