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
import { isShared } from "../kernels/bind.ts";
import { kernelModule } from "../kernels/wasm.ts";
import type { Lease } from "../memory/arena.ts";
import { Slots } from "../memory/slots.ts";
import { InOrder } from "../runner/in_order.ts";
import { checkRunOptions } from "../runner/rules.ts";
import { insideOf } from "../runner/face.ts";
import { RUN_SETTINGS, Runner, type RunSettings } from "../runner/runner.ts";
import { TileCount, type TileProgress } from "../runner/tiles.ts";
import type { Job } from "../executor/task.ts";
import { sizeOf } from "../space/shape.ts";
import { sourcesOfArray } from "./array.ts";
import type { FilterShared, FilterTask } from "./filter_job.ts";
import type { FilterPlan } from "./filter_plan.ts";

/**
 * Whole rows of a result. They are valid until the next band is asked for.
 * @category Views
 */
export interface Band {
  /** The first row. */
  readonly row: number;
  /** How many rows. */
  readonly rows: number;
  /** The samples of the rows, row-major. */
  readonly data: Float32Array;
}

/**
 * Options of {@link boxFilter}.
 * @category Views
 */
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
 * import { createContext, open } from "@tilewise/tilewise";
 * import { arrayOf, boxFilter, planBoxFilter } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 6, 9, 12), shape: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * const plan = planBoxFilter(arrayOf(image), { radius: [0, 1], context });
 * for await (const { data } of boxFilter(plan)) assertEquals([...data], [4, 6, 9, 11]);
 * ```
 * @category Views
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
  const executor = insideOf(context).executorOf(memory.workers);
  const sources = sourcesOfArray(views.array);
  const placement = await runner.enter((leases): Placement => ({
    slabs: leases.many(memory.workers, memory.slab, "a view and its scratch"),
    bands: leases.many(memory.bands, memory.band, "a band of results"),
    memory: leases.arena.memory,
  }), sources);
  const bands = new Bands(placement.bands, plan);
  try {
    const results = runner.results<FilterShared, FilterTask, void>(
      executor,
      jobOf(plan, placement),
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
  readonly bands: readonly Lease[];
  readonly memory: WebAssembly.Memory;
}

function jobOf({ views }: FilterPlan, { slabs, memory }: Placement): Job<FilterShared> {
  const module = kernelModule(isShared(memory));
  const places = slabs.map(({ offset, byteLength }) => ({ offset, byteLength }));
  return {
    ...JOB,
    export: "filterJob",
    shared: { views, module, slabs: places },
  };
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
