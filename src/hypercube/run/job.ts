/**
 * The worker side of a run over a cube: fills inputs whose sources run in workers, then calls the kernel.
 *
 * @module
 */

import { during } from "../../activity.ts";
import { makeHandler } from "../../executor/handler.ts";
import type { Job, JobHandler, WorkerContext } from "../../executor/task.ts";
import { functionAt } from "../../runner/import_export.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { bring } from "../providers/calls.ts";
import type { ProviderContext } from "../providers/context.ts";
import { viewOf } from "../providers/provider.ts";
import { putInto, type SharedArray } from "../providers/sinks/placing.ts";
import type { WorkerSource, WorkerSourceContext, WorkerSourceFunction } from "../providers/worker_source.ts";
import type { CubeTask } from "./kernel.ts";

/** What all tiles of a run share. */
export interface CubeShared {
  /** The kernel. */
  readonly kernel: Pick<Job<unknown>, "module" | "name" | "export" | "shared">;
  /** Sources that run in workers, by the names of inputs. */
  readonly sources: Readonly<Record<string, WorkerSource>>;
  /** Outputs that workers put into the arrays of the whole problem, which threads share. */
  readonly places: Readonly<Record<string, SharedArray>>;
  /** Milliseconds until a call of such a source counts as hung. */
  readonly limit: number;
}

/** A tile, and what its sources in workers are told. */
export interface FilledTask extends CubeTask {
  /** By the names of inputs: the context of the source, and for errors its help and the name of its provider. */
  readonly fill?: Readonly<
    Record<
      string,
      Pick<ProviderContext, "provider"> & {
        readonly context: WorkerSourceContext;
        readonly help: string;
      }
    >
  >;
  /** Where the tile begins in the places of outputs, by their names. */
  readonly origins: Readonly<Record<string, readonly number[]>>;
}

/** Seconds that a tile took. */
export interface TileSeconds {
  /** For sources in workers. */
  readonly read: number;
  /** For the kernel. */
  readonly compute: number;
  /** For putting outputs into place. */
  readonly write: number;
}

/** Makes the handler of one worker. */
export async function cubeJob(
  { kernel, sources, places, limit }: CubeShared,
  worker: WorkerContext,
): Promise<JobHandler<FilledTask, TileSeconds>> {
  const handler = await makeHandler<unknown, CubeTask, void>(kernel, worker);
  const functions = new Map<string, WorkerSourceFunction>();
  for (const [name, source] of Object.entries(sources)) functions.set(name, await functionOf(source));
  return {
    async run(task) {
      const start = performance.now();
      if (task.fill) await fill(task, functions, worker, limit);
      const filled = performance.now();
      await handler.run(task);
      const computed = performance.now();
      for (const [name, origin] of Object.entries(task.origins)) {
        putInto(places[name]!, viewOf(worker.memory, task.arrays[name]!), origin);
      }
      const seconds = (from: number, to: number) => (to - from) / 1000;
      const write = seconds(computed, performance.now());
      return { read: seconds(start, filled), compute: seconds(filled, computed), write };
    },
    close: () => handler.close?.(),
  };
}

/** The function that a source in a module is. */
export async function functionOf(source: WorkerSource): Promise<WorkerSourceFunction> {
  return await functionAt<WorkerSourceFunction>(source, "source", "as a source");
}

async function fill(
  { arrays, fill = {} }: FilledTask,
  functions: ReadonlyMap<string, WorkerSourceFunction>,
  { memory, signal }: WorkerContext,
  limit: number,
): Promise<void> {
  for (const [name, { context, help, provider }] of Object.entries(fill)) {
    const doing = { text: `the source of ${name}`, details: { array: name } };
    const call = () => during(doing, () => functions.get(name)!(context));
    const { data } = viewOf(memory, arrays[name]!);
    const samples = await bring(call, { ...context, provider, signal, help: () => help }, data, limit);
    copyNumbers(data, samples);
  }
}
