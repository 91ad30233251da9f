/**
 * Runs a box filter: tiles to workers, bands of results back in the order of the image.
 *
 * The image, the result, or both may be larger than memory: tiles of a band start only when there is a place for the
 * band, and a band gives its place free when the caller asks for the next one.
 *
 * @module
 */

import { throwIfAborted, TilewiseError } from "../errors.ts";
import { registerJobs } from "../executor/handler.ts";
import type { Executor } from "../executor/task.ts";
import { checkOptionNames, type OptionNames } from "../options.ts";
import { signal as signalRule } from "../options/rules.ts";
import { mustBeUnchanged } from "../io/unchanged.ts";
import { isShared } from "../kernels/bind.ts";
import { kernelModule } from "../kernels/wasm.ts";
import type { Arena, Lease } from "../memory/arena.ts";
import { sizeOf } from "../space/shape.ts";
import { sourcesOfArray } from "./array.ts";
import type { FilterShared, FilterTask } from "./filter_job.ts";
import type { FilterPlan } from "./filter_plan.ts";

/** Whole rows of a result. They are valid until the next band is asked for. */
export interface Band {
  /** The first row. */
  readonly row: number;
  /** How many rows. */
  readonly rows: number;
  /** The samples of the rows, row-major. */
  readonly data: Float32Array;
}

/** Where a filter runs. */
export interface FilterContext {
  /** The memory; `plan.memory.total` bytes of it are leased, and are back when the iteration has ended. */
  readonly arena: Arena;
  /** What runs the tiles. */
  readonly executor: Executor;
  /** Cancels the run: the iteration throws the `aborted` error. */
  readonly signal?: AbortSignal;
}

const JOB = { name: "tilewise:filter", module: import.meta.resolve("./filter_job.ts") };
registerJobs({ [JOB.name]: () => import("./filter_job.ts") });

const FILTER_CONTEXT: OptionNames<FilterContext> = { arena: true, executor: true, signal: signalRule };

/** Refuses misspelt names; a context of runs has more than it takes here. */
function checkContext(context: FilterContext): void {
  const isPlain = Object.getPrototypeOf(context ?? {}) === Object.prototype;
  if (isPlain) checkOptionNames("boxFilter()", context, FILTER_CONTEXT);
  if (context?.arena && context.executor) return;
  const text =
    "boxFilter() needs an arena and an executor, as in { arena: new Arena(), executor: inlineExecutor() }";
  throw new TilewiseError("invalid", text, { option: context?.arena ? "executor" : "arena" });
}

/**
 * The image with every sample replaced by the mean of its window, f32, in bands from the first row to the last.
 * The same bits for any tiles, workers and budget.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { inlineExecutor } from "../executor/inline.ts";
 * import { BytesSource } from "../io/source/bytes.ts";
 * import { Arena } from "../memory/arena.ts";
 * import { planBoxFilter } from "./filter_plan.ts";
 * const source = new BytesSource(Uint8Array.of(3, 6, 9, 12)).describe();
 * const image = { source, offset: 0, shape: [1, 4], dtype: "uint8", byteOrder: "little" } as const;
 * const bands = boxFilter(planBoxFilter(image, { radius: [0, 1] }), { arena: new Arena(), executor: inlineExecutor() });
 * for await (const { data } of bands) assertEquals([...data], [4, 6, 9, 11]);
 * ```
 */
export async function* boxFilter(plan: FilterPlan, context: FilterContext): AsyncGenerator<Band, void> {
  checkContext(context);
  const { arena, executor, signal } = context;
  throwIfAborted(signal);
  checkWorkers(plan, executor);
  const { views: { grid, array }, memory } = plan;
  if (sizeOf(grid.counts) === 0) return;
  using leases = new Leases(arena);
  const slabs = leases.take(memory.workers, memory.slab, "a view and its scratch");
  const bands = new Bands(leases.take(memory.bands, memory.band, "a band of results"), grid.counts);
  const module = kernelModule(isShared(arena.memory));
  const places = slabs.map(({ offset, byteLength }) => ({ offset, byteLength }));
  const shared: FilterShared = { views: plan.views, module, slabs: places };
  const job = { ...JOB, export: "filterJob", shared };
  const tiles = executor.run<FilterShared, FilterTask, number>(job, bands.tasks(), {
    memory: arena.memory,
    ...(signal ? { signal } : {}),
  });
  const width = array.shape[1]!;
  try {
    for await (const { value } of tiles) {
      for (bands.finish(value); bands.first; bands.free()) {
        const row = bands.number * grid.tile[0]!;
        const rows = Math.min(grid.tile[0]!, grid.shape[0]! - row);
        const { buffer, byteOffset } = bands.first.bytes();
        yield { row, rows, data: new Float32Array(buffer, byteOffset, rows * width) };
      }
    }
    await mustBeUnchanged(sourcesOfArray(array), signal);
  } finally {
    bands.close();
    if (!await tiles.drained) leases.abandon();
  }
}

/** A worker has a slab by its number, so that there must be one for each. */
function checkWorkers({ memory }: FilterPlan, executor: Executor): void {
  if (executor.workers <= memory.workers) return;
  const text =
    `Cannot filter on ${executor.workers} workers: the plan has memory for ${memory.workers}; plan with ` +
    "more workers or a larger budget, or run on fewer";
  throw new TilewiseError("over-budget", text, { expected: memory.workers, found: executor.workers });
}

/** The leases of one run: all go back together, unless a thread that cannot be stopped may still write to them. */
class Leases implements Disposable {
  readonly #all: Lease[] = [];
  #abandoned = false;

  constructor(private readonly arena: Arena) {}

  take(count: number, byteLength: number, label: string): Lease[] {
    try {
      for (let i = 0; i < count; i++) this.#all.push(this.arena.lease(byteLength, label));
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
    return this.#all.slice(-count);
  }

  abandon(): void {
    this.#abandoned = true;
  }

  [Symbol.dispose](): void {
    if (!this.#abandoned) { for (const lease of this.#all.splice(0)) lease.release(); }
  }
}

/** The bands that are under way: band `n` lies in place `n mod places`. */
class Bands {
  /** The band that leaves next. */
  number = 0;
  readonly #finished = new Map<number, number>();
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(private readonly places: readonly Lease[], private readonly counts: readonly number[]) {}

  /** The tiles, band by band; waits for a place for the next band. */
  async *tasks(): AsyncGenerator<FilterTask, void> {
    const [down, across] = this.counts as [number, number];
    for (let band = 0; band < down; band++) {
      while (!this.#closed && band >= this.number + this.places.length) {
        await new Promise<void>((resolve) => this.#wake = resolve);
      }
      if (this.#closed) return;
      const { offset } = this.#place(band);
      for (let x = 0; x < across; x++) yield { index: [band, x], band: offset };
    }
  }

  /** A tile of band `band` is done. */
  finish(band: number): void {
    this.#finished.set(band, (this.#finished.get(band) ?? 0) + 1);
  }

  /** The memory of the next band, if all of its tiles are done. */
  get first(): Lease | undefined {
    return this.#finished.get(this.number) === this.counts[1] ? this.#place(this.number) : undefined;
  }

  /** The next band has left. */
  free(): void {
    this.#finished.delete(this.number++);
    this.#wake?.();
  }

  /** No more tiles. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  #place(band: number): Lease {
    return this.places[band % this.places.length]!;
  }
}
