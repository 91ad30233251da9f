/**
 * The job of a run over a cube, and the bytes that its tasks read and write.
 *
 * @module
 */

import { registerJobs } from "../../executor/handler.ts";
import type { Job, MemoryRows, Traffic } from "../../executor/task.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import type { ArrayRole } from "../cube/cube.ts";
import type { TilePlan } from "../plan/budget.ts";
import type { CubeArray } from "../providers/placed.ts";
import type { Feed } from "./feed.ts";
import type { CubeShared, FilledTask } from "./job.ts";
import type { Ready } from "./memory.ts";
import type { CubeRunOptions } from "./options.ts";
import type { Places } from "./places.ts";

const JOB = { name: "tilewise:cube", module: import.meta.resolve("./job.ts"), export: "cubeJob" };
registerJobs({ [JOB.name]: () => import("./job.ts") });

/** The job that computes tiles. */
export function jobOf(
  { plan, prepared }: Ready,
  options: CubeRunOptions,
  feed: Feed,
  scratch: readonly number[],
  { places }: Places,
  limit: number,
): Job<CubeShared> {
  const kernel = prepared ? prepared.at(scratch) : options.kernel;
  const { name, module, export: exported, shared, modules = [] } = kernel;
  const sources = feed.inWorkers;
  const job = { ...(name === undefined ? {} : { name }), module, export: exported, shared };
  const own = name === undefined ? [module] : [];
  return {
    ...JOB,
    shared: { kernel: job, sources, places, limit },
    traffic: trafficOf(plan, feed.once, Object.keys(sources)),
    modules: [...own, ...modules, ...Object.values(sources).map(({ module }) => module)],
  };
}

/** Kernels read inputs and write outputs; workers also write the inputs that they fill. */
function trafficOf(
  { cube, each }: TilePlan,
  once: Readonly<Record<string, CubeArray>>,
  filled: readonly string[],
): Traffic {
  const named = (wanted: ArrayRole) => each.filter((name) => (cube.array(name).role ?? "input") === wanted);
  const reads = named("input").filter((name) => !filled.includes(name));
  const writes = [...named("output"), ...filled];
  return {
    reads: Object.values(once).map(memoryOf),
    of: ({ arrays }: FilledTask) => ({
      reads: reads.map((name) => memoryOf(arrays[name]!)),
      writes: writes.map((name) => memoryOf(arrays[name]!)),
    }),
  };
}

function memoryOf({ pointer, shape, dtype }: CubeArray): MemoryRows {
  return { offset: pointer, bytes: sizeOf(shape) * dtypeInfo(dtype).itemSize };
}
