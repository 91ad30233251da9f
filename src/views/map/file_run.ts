/**
 * Runs an operation over views whose result is one file of samples, row-major behind a header: workers write the bands of
 * the result to their places, so that no sample passes through the calling thread.
 *
 * @module
 */

import { registerJobs } from "../../executor/handler.ts";
import type { Executor, Job } from "../../executor/task.ts";
import { PartFile } from "../../io/write/part_file.ts";
import { finishTogether } from "../../io/write/together.ts";
import { mustBeUnchanged } from "../../io/unchanged.ts";
import { Runner } from "../../runner/runner.ts";
import { TileCount, type TileProgress } from "../../runner/tiles.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import type { WrittenLayout } from "../../sinks/rows/layout.ts";
import { sourcesOfArray } from "../array.ts";
import type { MapPlan } from "./map_plan.ts";
import { FileBlocks } from "./file_blocks.ts";
import type { FileShared, WriteTask } from "./file_job.ts";
import type { MapTask } from "./job.ts";
import { executorOf, jobOf, type MapPlacement, placementOf } from "./run.ts";
import type { SeeSamples, StoreSettings } from "./sink.ts";

const JOB = { name: "tilewise:map-to-file", module: import.meta.resolve("./file_job.ts") };
registerJobs({ [JOB.name]: () => import("./file_job.ts") });

/** Whether the workers of a plan can write its bands: they see the memory in which these are. */
export function canWrite(plan: MapPlan): boolean {
  return plan.blocks.kind === "bands" && executorOf(plan).memory !== "own";
}

/** The file of a result. */
export interface SampleFile {
  /** Its path. */
  readonly path: string;
  /** What comes before the samples and behind them, and how they are stored. */
  readonly layout: WrittenLayout;
}

/** Writes the result of `plan` to a file, which appears when it is complete. */
export async function mapToFile(
  plan: MapPlan,
  { beside, see, ...settings }: StoreSettings,
  { path, layout }: SampleFile,
): Promise<void> {
  const { blocks, dtype, views } = plan, { head, tailBytes = 0, byteOrder, isShifted = false } = layout;
  await using file = await PartFile.at(path);
  const bytes = sizeOf([...blocks.grid.shape, dtypeInfo(dtype).itemSize]);
  await file.create(head, head.length + bytes + tailBytes);
  const count = new TileCount(sizeOf(views.grid.counts));
  const runner = new Runner(plan.context, settings, () => count.progress());
  const whole = runner.parts(async function* () {
    runner.mustGoOn();
    const place = { part: file.part, path, head: head.length, stored: { byteOrder, isShifted, dtype } };
    if (count.total > 0) await bands(plan, runner, count, { ...place, see });
    await mustBeUnchanged(sourcesOfArray(views.array), runner.signal);
    runner.finish();
    yield* [];
  });
  for await (const _ of whole);
  await finishTogether([file, ...await beside?.(file.part) ?? []]);
}

/** Where samples go. */
interface FileTarget extends Omit<FileShared, "map"> {
  readonly head: number;
  readonly see?: SeeSamples | undefined;
}

/** Computes and writes everything. */
async function bands(
  plan: MapPlan,
  runner: Runner<TileProgress>,
  count: TileCount,
  { head, see, ...place }: FileTarget,
): Promise<void> {
  const placement = await runner.enter(
    (leases) => placementOf(plan, leases),
    sourcesOfArray(plan.views.array),
  );
  const blocks = new FileBlocks(placement.blocks, plan, head, see);
  try {
    const executor = executorOf(plan);
    const job = fileJobOf(plan, placement, executor, place);
    const results = runner.results<FileShared, MapTask | WriteTask, void>(executor, job, blocks.tasks());
    for await (const { index } of results) blocks.done(index, count);
    await blocks.allSeen();
  } finally {
    await blocks.end();
  }
}

function fileJobOf(
  plan: MapPlan,
  placement: MapPlacement,
  executor: Executor,
  place: Omit<FileShared, "map">,
): Job<FileShared> {
  const { shared, sources = [], modules = [] } = jobOf(plan, placement, executor);
  const needsShared = "workers write what others have computed";
  return {
    ...JOB,
    export: "fileJob",
    shared: { map: shared, ...place },
    sources,
    modules,
    files: [place.part],
    needsShared,
  };
}
