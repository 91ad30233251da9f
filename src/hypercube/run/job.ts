/**
 * The worker side of a run over a cube: fills inputs whose sources run in workers, then calls the kernel.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { during } from "../../activity.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { makeHandler } from "../../executor/handler.ts";
import type { Job, JobHandler, WorkerContext } from "../../executor/task.ts";
import { reasonOf } from "../../reason.ts";
import { importExport } from "../../runner/import_export.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { describe, mustBring, samplesOf, withDeadline } from "../providers/calls.ts";
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
  /** By the names of inputs: the context of the source, and the help for errors. */
  readonly fill?: Readonly<Record<string, { readonly context: WorkerSourceContext; readonly help: string }>>;
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
export async function functionOf({ module, export: name }: WorkerSource): Promise<WorkerSourceFunction> {
  const found = await importExport(module, name, "source");
  if (isFunction(found)) return found;
  const text = `Cannot use "${name}" of ${module} as a source: it is not a function, but ${typeof found}`;
  throw new TilewiseError("udf", text, { file: module, found: typeof found });
}

function isFunction(value: unknown): value is WorkerSourceFunction {
  return typeof value === "function";
}

async function fill(
  { tile, arrays, fill = {} }: FilledTask,
  functions: ReadonlyMap<string, WorkerSourceFunction>,
  { memory, signal }: WorkerContext,
  limit: number,
): Promise<void> {
  for (const [name, { context, help }] of Object.entries(fill)) {
    const doing = { text: `the source of ${name}`, details: { array: name } };
    const late = () => failed("timeout", `it has not resolved within ${limit / 1000} s (option callTimeout)`);
    const failed = (code: TilewiseError["code"], reason: string, cause?: unknown) => {
      const text = `The source of ${name} failed for tile ${tile}: ${reason}\n${help}`;
      return new TilewiseError(code, text, { array: name, tile }, defined({ cause }));
    };
    let brought: unknown;
    try {
      const work = during(doing, () => functions.get(name)!(context));
      brought = await withDeadline<unknown>(work, limit, late, signal);
    } catch (error) {
      const own = isTilewiseError(error) ? error.code : "udf";
      throw own === "timeout" ? error : failed(own, reasonOf(error), error);
    }
    const { data } = viewOf(memory, arrays[name]!);
    const samples = samplesOf(brought, context);
    if (samples?.constructor !== data.constructor || samples.length !== data.length) {
      const text = `${mustBring(context, tile)}; it brought ${describe(brought)}\n${help}`;
      throw new TilewiseError("invalid", text, { array: name, tile, found: describe(brought) });
    }
    copyNumbers(data, samples);
  }
}
