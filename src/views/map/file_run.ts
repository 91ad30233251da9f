/**
 * Runs an operation over views whose result is one file of samples, row-major behind a header: workers write the bands of
 * the result to their places, so that no sample passes through the calling thread.
 *
 * @module
 */

import { registerJobs } from "../../executor/handler.ts";
import type { Executor, Job } from "../../executor/task.ts";
import { mustBeUnchanged } from "../../io/unchanged.ts";
import { PartFile } from "../../io/write/part_file.ts";
import { finishTogether } from "../../io/write/together.ts";
import type { Lease } from "../../memory/arena.ts";
import { InOrder } from "../../runner/in_order.ts";
import { Runner } from "../../runner/runner.ts";
import { TileCount, type TileProgress } from "../../runner/progress.ts";
import type { WrittenLayout } from "../../sinks/rows/layout.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { ravel, sizeOf } from "../../space/shape.ts";
import { sourcesOfArray } from "../array.ts";
import { blockBox, blockNumber } from "./blocks.ts";
import type { FileShared, WriteTask } from "./file_job.ts";
import type { MapTask } from "./job.ts";
import type { MapPlan } from "./map_plan.ts";
import { executorOf, jobOf, type MapPlacement, placementOf } from "./run.ts";
import { type SeeSamples, shown, type StoreSettings } from "./sink.ts";

// The bands of a run whose result goes to one file: workers compute their tiles and write them when they are complete, in
// any order.

/** A band in memory. */
interface OpenBand {
  readonly number: number;
  readonly place: Lease;
  /** Number of tiles that have not been computed. */
  left: number;
  /** Who still needs it when it is complete: its write, and the one who sees all bands. */
  holds: number;
}

/** Hands out the tiles to compute and the bands to write; a tile starts only when there is a place for its band. */
export class FileBlocks {
  readonly #free: Lease[];
  /** Bands with tiles to begin, by number. */
  readonly #open = new Map<number, OpenBand>();
  /** The bands of tiles and writes in progress, by the number of the task. */
  readonly #given = new Map<number, OpenBand>();
  /** Complete bands that nobody writes yet. */
  readonly #complete: OpenBand[] = [];
  readonly #ordered = new InOrder<OpenBand>();
  #seen: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  /** Starts without tiles; `places` are for bands, samples begin behind `head` bytes of the file. */
  constructor(
    places: readonly Lease[],
    private readonly plan: MapPlan,
    private readonly head: number,
    private readonly see?: SeeSamples,
  ) {
    this.#free = [...places];
  }

  /** Tiles in the order of the traversal; bands as soon as they are complete. */
  async *tasks(): AsyncGenerator<MapTask | WriteTask, void> {
    const { traversal, blocks, views } = this.plan;
    const tiles = traversal.tiles(views.grid.counts)[Symbol.iterator]();
    let [task, left, next] = [0, sizeOf(blocks.counts), tiles.next()];
    while (left > 0) {
      const complete = this.#complete.shift();
      const band = complete ?? (next.done ? undefined : this.#bandOf(blockNumber(blocks, next.value)));
      if (!band) {
        await this.#change();
        if (this.#failure) throw this.#failure.error;
        if (this.#ended) return;
        continue;
      }
      this.#given.set(task++, band);
      if (complete) {
        left--;
        yield this.#write(complete);
      } else {
        yield { index: next.value!, block: band.place.offset };
        next = tiles.next();
      }
    }
  }

  /** Task number `task` is done. */
  done(task: number, count: TileCount): void {
    const band = this.#given.get(task)!;
    this.#given.delete(task);
    if (band.left === 0) {
      count.done += this.plan.blocks.tiles;
      this.#release(band);
    } else if (--band.left === 0) {
      this.#open.delete(band.number);
      this.#complete.push(band);
      if (this.see) {
        for (const [, next] of this.#ordered.put(band.number, band)) this.#show(next, this.see);
      }
    }
    this.#wake?.();
  }

  /** Resolves when all bands have been seen; throws what seeing them has thrown. */
  async allSeen(): Promise<void> {
    await this.#seen;
    if (this.#failure) throw this.#failure.error;
  }

  /** No more tasks; resolves when nobody uses the places any more. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#wake?.();
    await this.#seen;
  }

  #release(band: OpenBand): void {
    if (--band.holds > 0) return;
    this.#free.push(band.place);
    this.#wake?.();
  }

  /** Shows a band after those before it. */
  #show(band: OpenBand, see: SeeSamples): void {
    this.#seen = this.#seen.then(async () => {
      const bytes = band.place.bytes().subarray(0, this.#write(band).bytes);
      await shown(bytes, see, () => this.#ended);
      this.#release(band);
    }).catch((error) => {
      this.#failure ??= { error };
      this.#wake?.();
    });
  }

  /** The band with this number, if there is a place for it. */
  #bandOf(number: number): OpenBand | undefined {
    const open = this.#open.get(number);
    if (open) return open;
    const place = this.#free.shift();
    if (!place) return undefined;
    const band = { number, place, left: this.plan.blocks.tiles, holds: this.see ? 2 : 1 };
    this.#open.set(number, band);
    return band;
  }

  #write({ number, place }: OpenBand): WriteTask {
    const { blocks, dtype } = this.plan;
    const { itemSize } = dtypeInfo(dtype);
    const { origin, shape } = blockBox(blocks, number);
    const position = this.head + itemSize * ravel(origin, blocks.grid.shape);
    return { from: place.offset, bytes: itemSize * sizeOf(shape), position };
  }

  async #change(): Promise<void> {
    if (this.#ended) return;
    await new Promise<void>((resolve) => this.#wake = resolve);
  }
}

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
