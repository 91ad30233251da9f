/**
 * The tiles of a run on their way to the workers: each gets a slot of memory as soon as one is free, and its sources fill
 * it, while workers compute earlier tiles.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Slab } from "../../memory/slab.ts";
import type { Slots } from "../../memory/slots.ts";
import type { Runner } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/progress.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { sizeOf } from "../../space/shape.ts";
import type { Extent, Hypercube } from "../cube/cube.ts";
import { tilesFrom } from "../cube/iterate.ts";
import type { TilePlan } from "../plan/budget.ts";
import { bring } from "../providers/calls.ts";
import { contextOf, type ProviderContext, type RunFacts } from "../providers/context.ts";
import type { CubeArray } from "../providers/provider.ts";
import type { Supply } from "../providers/supply.ts";
import { isWorkerSource, type WorkerSource, type WorkerSourceContext } from "../providers/worker_source.ts";
import { type FilledTask, functionOf } from "./job.ts";
import type { Places } from "./places.ts";
import type { CubeMeter } from "./options.ts";

/** A tile that is being processed. */
export interface Flight {
  /** Its number. */
  readonly tile: number;
  /** Its memory. */
  readonly slab: Slab;
  /** The cube with its window on the tile. */
  readonly cube: Hypercube;
  /** Its arrays. */
  readonly arrays: Readonly<Record<string, CubeArray>>;
}

/** What the tiles of a run are made from. */
interface FeedFacts {
  /** The plan. */
  readonly plan: TilePlan;
  /** Who supplies the arrays. */
  readonly supply: Supply;
  /** The run. */
  readonly runner: Runner<TileProgress>;
  /** What contexts have in common. */
  readonly facts: RunFacts;
  /** Counts seconds and bytes. */
  readonly meter: CubeMeter;
  /** Outputs that workers put into place. */
  readonly places: Places;
  /** Milliseconds until a call of a source counts as hung. */
  readonly limit: number;
}

/** Fills the inputs of tiles. */
export class Feed {
  /** The tiles that have been begun, by their numbers. */
  readonly flights = new Map<number, Flight>();
  #once: Readonly<Record<string, CubeArray>> = {};

  /** The tiles of a run. */
  constructor(private readonly of: FeedFacts) {}

  /** The arrays that exist once. */
  get once(): Readonly<Record<string, CubeArray>> {
    return this.#once;
  }

  /** The inputs that workers fill, with their sources. */
  get inWorkers(): Readonly<Record<string, WorkerSource>> {
    const { plan, supply } = this.of;
    return Object.fromEntries(plan.each.flatMap((name) => {
      const source = supply.sources.get(name)?.source;
      return isWorkerSource(source) ? [[name, source]] : [];
    }));
  }

  /** Fills the arrays that exist once. */
  async begin(slab: Slab): Promise<void> {
    this.#once = await this.#place(this.of.plan.cube, this.of.plan.once, slab, -1);
  }

  /** The tasks in order, from tile `first` to before `stop`, each as soon as a slot is free and its sources have filled it, a few ahead. */
  tasks(slots: Slots<Slab>, first: number, stop: number): AsyncGenerator<FilledTask, void> {
    return ahead(this.#tasks(slots, first, stop));
  }

  async *#tasks(slots: Slots<Slab>, first: number, stop: number): AsyncGenerator<FilledTask, void> {
    const { plan } = this.of;
    let tile = first - 1;
    for (const cube of tilesFrom(plan.cube, plan.strides, first)) {
      if (++tile >= stop) return;
      const slab = await slots.take();
      if (!slab) return;
      slab.reset();
      const arrays = { ...this.#once, ...await this.#place(cube, plan.each, slab, tile) };
      this.flights.set(tile, { tile, slab, cube, arrays });
      const windows = windowsOf(cube, plan);
      const origins = this.of.places.origins(cube);
      yield { tile, extents: Object.fromEntries(windows), arrays, origins, ...this.#toFill(cube, tile) };
    }
  }

  /** What workers are told who fill inputs of a tile. */
  #toFill(cube: Hypercube, tile: number): Pick<FilledTask, "fill"> {
    const sources = Object.entries(this.inWorkers);
    if (sources.length === 0) return {};
    const all = sources.map(([name, { params }]) => {
      const context = contextOf(cube, name, tile, this.of.facts);
      const { provider } = context;
      return [name, { context: workerContext(context, params), provider, help: context.help() }];
    });
    return { fill: Object.fromEntries(all) };
  }

  /**
   * Cuts arrays from a slab and fills the inputs among them, unless the run, and its memory, have ended in the meantime.
   * The sources of a tile work at the same time.
   */
  async #place(
    cube: Hypercube,
    names: readonly string[],
    slab: Slab,
    tile: number,
  ): Promise<Record<string, CubeArray>> {
    const { meter, supply } = this.of;
    const arrays: Record<string, CubeArray> = {};
    const inputs: [name: string, data: TypedArray][] = [];
    for (const name of names) {
      const { dtype, role = "input" } = cube.array(name);
      const shape = cube.arrayShape(name);
      const { pointer, data } = slab.block(dtype, sizeOf(shape), name);
      arrays[name] = { pointer, shape, dtype };
      if (role === "input" && (tile < 0 || !isWorkerSource(supply.sources.get(name)?.source))) {
        inputs.push([name, data]);
      }
    }
    await meter.time(
      "read",
      () => Promise.all(inputs.map(([name, data]) => this.#fill(cube, name, tile, data))),
    );
    return arrays;
  }

  async #fill(cube: Hypercube, name: string, tile: number, data: TypedArray): Promise<void> {
    const { supply, facts, runner, limit, meter } = this.of;
    const { source } = supply.sources.get(name)!;
    const context = contextOf(cube, name, tile, facts);
    const call = isWorkerSource(source) ? await functionHere(source) : source;
    await runner.ask(() => bring(call, context, data, limit), (brought) => copyNumbers(data, brought));
    meter.bytesRead += data.byteLength;
  }
}

/** The windows of the tiled dimensions, and of those that follow them. */
function windowsOf(cube: Hypercube, plan: TilePlan): [name: string, window: Extent][] {
  const tiled = plan.strides.map(([name]) => name);
  return [...cube.dimensions.values()].flatMap(({ name, lower, upper }): [string, Extent][] => {
    const whole = plan.cube.dimension(name);
    const moved = lower !== whole.lower || upper !== whole.upper;
    return tiled.includes(name) || moved ? [[name, [lower, upper]]] : [];
  });
}

/** A source for workers, called on this thread. */
async function functionHere(source: WorkerSource): Promise<(context: ProviderContext) => unknown> {
  const call = await functionOf(source);
  return (context) => call(workerContext(context, source.params));
}

function workerContext(
  { name, schema, dtype, shape, extents, cube, tile }: ProviderContext,
  params: WorkerSource["params"],
): WorkerSourceContext {
  const { default: _, ...plain } = schema;
  const dimensions = Object.fromEntries(
    [...cube.dimensions.values()].map(({ name, size, lower, upper }) => [name, { size, lower, upper }]),
  );
  return { name, schema: plain, dtype, shape, extents, dimensions, tile, params };
}

/** The tasks of a generator, which works ahead as far as it can; it is the generator that has a limit. */
async function* ahead<T>(tasks: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  const ready: T[] = [];
  let over = false, failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  const pump = async () => {
    try {
      for await (const task of tasks) {
        if (over) return;
        ready.push(task);
        wake();
      }
    } catch (error) {
      failure = { error };
    }
    over = true;
    wake();
  };
  pump();
  try {
    while (true) {
      const task = ready.shift();
      if (task !== undefined) yield task;
      else if (failure) throw failure.error;
      else if (over) return;
      else await new Promise<void>((resolve) => wake = resolve);
    }
  } finally {
    over = true;
  }
}

/** The flight of a tile that is done; it is forgotten. */
export function landed({ flights }: Feed, tile: number): Flight {
  const flight = flights.get(tile);
  if (!flight) throw new TilewiseError("corrupt", `Tile ${tile} is not under way`);
  flights.delete(tile);
  return flight;
}
