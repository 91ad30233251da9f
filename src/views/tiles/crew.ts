/**
 * Who loads tiles: the workers of the context, or this thread for loaders that cannot travel.
 *
 * @module
 */

import { toWire } from "../../errors.ts";
import { registerJobs } from "../../executor/handler.ts";
import type { Executor, Job, Traffic } from "../../executor/task.ts";
import type { Kernels } from "../../kernels/bind.ts";
import { inOrder } from "../../kernels/pack_names.ts";
import { kernelCode, type Pack } from "../../kernels/wasm.ts";
import type { Runner } from "../../runner/runner.ts";
import {
  openSlotLoader,
  type SlotLoader,
  type TileDone,
  type TileShared,
  type TileTask,
} from "./loaders/job.ts";
import { memoryOfSamples, packsOfArray } from "../array.ts";
import type { LoaderSpec } from "./loaders/tile_loader.ts";
import type { LoadingFacts } from "./plan.ts";
import type { TilePlacement } from "./memory.ts";

/** What a crew works for. */
export interface Work {
  /** The next tile to load; waits for one; absent when there are no more. */
  next(): Promise<TileTask | undefined>;
  /** Takes a loaded tile. */
  done(result: TileDone): void;
  /** Fires when nobody waits for tile `key` any more. */
  signalOf(key: number): AbortSignal;
}

/** Loads of an object of the user that are in progress at the same time, if the loader waits for something. */
const LANES = 4;

const JOB = { name: "tilewise:tiles", module: import.meta.resolve("./loaders/job.ts") };
registerJobs({ [JOB.name]: () => import("./loaders/job.ts") });

/** The packs of kernels for loading tiles. */
export function packsOfSpec(spec: LoaderSpec): Pack[] {
  return spec.kind === "arrays" ? inOrder(spec.levels.flatMap(({ array }) => packsOfArray(array))) : ["core"];
}

/** Loads tiles on workers until there are no more. */
export async function loadOnWorkers(
  plan: LoadingFacts,
  runner: Runner<never>,
  placement: TilePlacement,
  executor: Executor,
  work: Work,
): Promise<void> {
  const { origin, levels } = plan;
  const { memory, slabs } = placement;
  const { spec } = origin;
  const travels = executor.memory === "own";
  const shared: TileShared = {
    spec,
    dtype: origin.dtype,
    tiles: levels.map(({ tiles }) => tiles.tile),
    code: kernelCode(memory, travels, packsOfSpec(spec)),
    slabs: slabs.map(({ offset, byteLength }) => ({ offset, byteLength })),
    ...(spec.kind === "arrays" && !travels
      ? { samples: spec.levels.map(({ array }) => memoryOfSamples(array)) }
      : {}),
  };
  const job: Job<TileShared> = {
    ...JOB,
    export: "tileJob",
    shared,
    traffic: TRAFFIC,
    sources: origin.readSources,
    modules: spec.kind === "module" ? [spec.loader.module] : [],
  };
  const results = runner.results<TileShared, TileTask, TileDone>(executor, job, tasksOf(work));
  for await (const { value } of results) work.done(value);
}

/** A task writes its slot. */
const TRAFFIC: Traffic = {
  reads: [],
  of: ({ pointer, bytes }: TileTask) => ({ reads: [], writes: [{ offset: pointer, bytes }] }),
};

async function* tasksOf(work: Work): AsyncGenerator<TileTask, void> {
  for (let task = await work.next(); task; task = await work.next()) yield task;
}

/** Loads tiles on this thread until there are no more, a few at a time. */
export async function loadHere(
  { origin, levels }: LoadingFacts,
  kernels: Kernels,
  work: Work,
  signal: AbortSignal,
): Promise<void> {
  const { spec, dtype } = origin;
  const tiles = levels.map(({ tiles }) => tiles.tile);
  const loader = await openSlotLoader(spec, { kernels, dtype, tiles, signal });
  try {
    await Promise.all(Array.from({ length: LANES }, () => lane(loader, work)));
  } finally {
    await loader.close();
  }
}

async function lane(loader: SlotLoader, work: Work): Promise<void> {
  for (let task = await work.next(); task; task = await work.next()) {
    const { place, index, pointer, key } = task;
    const started = performance.now();
    const took = () => performance.now() - started;
    try {
      await loader.load(place, index, pointer, work.signalOf(key));
      work.done({ key, took: took() });
    } catch (error) {
      work.done({ key, took: took(), error: toWire(error) });
    }
  }
}
