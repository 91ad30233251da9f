/**
 * Runs a box filter: tiles to workers, bands of results back in the order of the image.
 *
 * The image, the result, or both may be larger than memory: tiles of a band start only when there is a place for the
 * band, and a band gives its place free when the caller asks for the next one.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { registerJobs } from "../executor/handler.ts";
import { inWords, type OptionNames } from "../options.ts";
import { mustBeUnchanged } from "../io/unchanged.ts";
import { readSources } from "../dataset/sources.ts";
import { kernelCode } from "../kernels/wasm.ts";
import type { Lease } from "../memory/arena.ts";
import { Slots } from "../memory/slots.ts";
import { InOrder } from "../runner/in_order.ts";
import { checkRunOptions } from "../runner/rules.ts";
import { RUN_SETTINGS, Runner, type RunSettings } from "../runner/runner.ts";
import { TileCount, type TileProgress } from "../runner/tiles.ts";
import type { Executor, Job, Stretch } from "../executor/task.ts";
import { tileBox } from "../space/grid.ts";
import { sizeOf } from "../space/shape.ts";
import { sourcesOfArray } from "./array.ts";
import type { FilterShared, FilterTask } from "./filter_job.ts";
import type { FilterPlan } from "./filter_plan.ts";
import type { ViewLayout } from "./plan.ts";

/** Whole rows of a result. They are valid until the next band is asked for. */
export interface Band {
  /** The first row. */
  readonly row: number;
  /** How many rows. */
  readonly rows: number;
  /** The samples of the rows, row-major. */
  readonly data: Float32Array;
}

/** Options of {@link boxFilter}. */
export type FilterRunOptions = RunSettings<TileProgress>;

const JOB = { name: "tilewise:filter", module: import.meta.resolve("./filter_job.ts") };
registerJobs({ [JOB.name]: () => import("./filter_job.ts") });

const FILTER_RUN: OptionNames<FilterRunOptions> = RUN_SETTINGS;

/**
 * The image with every sample replaced by the mean of its window, f32, in bands from the first row to the last.
 * The same bits for any tiles, workers and budget. It runs in the context of its plan and holds `plan.memory.total` bytes
 * of it; it waits for its turn where other runs hold them.
 *
 * Errors: `aborted`, those of the sources, and `worker` or `timeout` when workers die or hang again and again.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { BytesSource } from "../io/source/bytes.ts";
 * import { createContext } from "../runner/context.ts";
 * import { planBoxFilter } from "./filter_plan.ts";
 * const source = new BytesSource(Uint8Array.of(3, 6, 9, 12)).describe();
 * const image = { source, offset: 0, shape: [1, 4], dtype: "uint8", byteOrder: "little" } as const;
 * await using context = createContext({ workers: 0 });
 * const plan = planBoxFilter(image, { radius: [0, 1], context });
 * for await (const { data } of boxFilter(plan)) assertEquals([...data], [4, 6, 9, 11]);
 * ```
 */
export function boxFilter(
  plan: FilterPlan,
  options: FilterRunOptions = {},
): AsyncIterableIterator<Band, undefined> {
  checkRunOptions("boxFilter()", plan, options, FILTER_RUN);
  checkPlan(plan);
  const count = new TileCount(sizeOf(plan.views.grid.counts));
  const runner = new Runner(plan.context, options, () => count.progress());
  return runner.parts(() => filtered(plan, runner, count));
}

async function* filtered(
  plan: FilterPlan,
  runner: Runner<TileProgress>,
  count: TileCount,
): AsyncGenerator<Band, void> {
  runner.mustGoOn();
  const { views, memory, context } = plan;
  if (count.total === 0) return;
  const executor = context.executorOf(memory.workers);
  const sources = sourcesOfArray(views.array);
  const placement = await runner.enter((leases): Placement => ({
    slabs: leases.many(memory.workers, memory.slab, "a view and its scratch"),
    copies: leases.many(memory.copies > 0 ? 1 : 0, memory.copies, "copies of workers"),
    bands: leases.many(memory.bands, memory.band, "a band of results"),
    memory: leases.arena.memory,
  }), sources);
  const bands = new Bands(placement.bands, plan);
  try {
    const results = runner.results<FilterShared, FilterTask, void>(
      executor,
      jobOf(plan, placement, executor),
      bands.tasks(),
    );
    for await (const { index } of results) {
      for (const band of bands.finish(index, count)) yield* runner.handOver(band);
    }
    await mustBeUnchanged(sources, runner.signal);
    runner.finish();
  } finally {
    bands.end();
  }
}

/** Where everything lies. */
interface Placement {
  readonly slabs: readonly Lease[];
  /** What workers need beside that, in memory of their own: nothing is put there. */
  readonly copies: readonly Lease[];
  readonly bands: readonly Lease[];
  readonly memory: WebAssembly.Memory;
}

function jobOf({ views }: FilterPlan, { slabs, memory }: Placement, executor: Executor): Job<FilterShared> {
  const module = kernelCode(memory, executor.memory === "own");
  const { array } = views;
  const places = slabs.map(({ offset, byteLength }) => ({ offset, byteLength }));
  return {
    ...JOB,
    export: "filterJob",
    shared: { views, module, slabs: places },
    traffic: { reads: [], of: (task: FilterTask) => ({ reads: [], writes: [partOfBand(views, task)] }) },
    sources: "layout" in array ? readSources(array.layout) : [array.source],
  };
}

/** The means of a tile: rows in a band that is as wide as the image. */
function partOfBand({ grid }: ViewLayout, { index, band }: FilterTask): Stretch {
  const { origin, shape } = tileBox(grid, index);
  const [row, width] = [4 * shape[1]!, 4 * grid.shape[1]!];
  return { offset: band + 4 * origin[1]!, bytes: row, rows: shape[0]!, stride: width };
}

function checkPlan(plan: Partial<FilterPlan>): void {
  if (plan?.views && plan.memory && plan.context) return;
  const found = inWords(plan);
  const text = `boxFilter() takes a plan, as planBoxFilter() makes it; it was given ${found}`;
  throw new TilewiseError("invalid", text, { option: "plan", found });
}

/** The bands that are under way. */
class Bands {
  readonly #free: Slots<Lease>;
  readonly #taken: Lease[] = [];
  readonly #tiles = new InOrder<true>();

  constructor(places: readonly Lease[], private readonly plan: FilterPlan) {
    this.#free = new Slots(places);
  }

  /** The tiles, band by band; waits for a place for the next band. */
  async *tasks(): AsyncGenerator<FilterTask, void> {
    const [down, across] = this.plan.views.grid.counts as [number, number];
    for (let band = 0; band < down; band++) {
      const place = await this.#free.take();
      if (!place) return;
      this.#taken.push(place);
      for (let x = 0; x < across; x++) yield { index: [band, x], band: place.offset };
    }
  }

  /** Tile `index` is done: the bands that are complete now; each gives its place free when the next one is asked for. */
  *finish(index: number, count: TileCount): Generator<Band, void> {
    const { grid: { counts, tile, shape }, array } = this.plan.views;
    const across = counts[1]!;
    for (const [flat] of this.#tiles.put(index, true)) {
      count.done++;
      if (flat % across < across - 1) continue;
      const row = Math.floor(flat / across) * tile[0]!;
      const rows = Math.min(tile[0]!, shape[0]! - row);
      const place = this.#taken.shift()!;
      const { buffer, byteOffset } = place.bytes();
      yield { row, rows, data: new Float32Array(buffer, byteOffset, rows * array.shape[1]!) };
      this.#free.give(place);
    }
  }

  /** No more tiles. */
  end(): void {
    this.#free.end();
  }
}
