/**
 * The outputs of tiles on their way to the sinks: in the order of the tiles, or as they finish.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Runner } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/progress.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { Hypercube } from "../cube/cube.ts";
import { dependsOn } from "../plan/tile_bytes.ts";
import { calling } from "../providers/calls.ts";
import { contextOf, type RunFacts } from "../providers/context.ts";
import { viewOf } from "../providers/provider.ts";
import type { SuppliedSink, Supply } from "../providers/supply.ts";
import type { Flight } from "./feed.ts";
import type { MergedArray } from "./merge.ts";
import type { Places } from "./places.ts";
import type { CubeMeter } from "./options.ts";

/** What delivery needs. */
interface DeliveryFacts {
  /** Who takes the arrays. */
  readonly supply: Supply;
  /** What contexts have in common. */
  readonly facts: RunFacts;
  /** The run. */
  readonly runner: Runner<TileProgress>;
  /** Counts seconds and bytes. */
  readonly meter: CubeMeter;
  /** Milliseconds until a call of a sink counts as hung. */
  readonly limit: number;
  /** Outputs that are merged. */
  readonly merged: readonly MergedArray[];
  /** Outputs that workers have put into place. */
  readonly places: Places;
}

/** Passes outputs to sinks. */
export class Delivery {
  readonly #merged: ReadonlyMap<string, MergedArray>;

  /** No outputs yet. */
  constructor(private readonly of: DeliveryFacts) {
    this.#merged = new Map(of.merged.map((array) => [array.output.name, array]));
  }

  /** Whether there are merged outputs, whose parts must come in the order of the tiles. */
  get merges(): boolean {
    return this.#merged.size > 0;
  }

  /** Passes the outputs of a tile that are not merged to their sinks. */
  async deliver({ tile, slab: { memory }, cube, arrays }: Flight): Promise<void> {
    const view = (name: string) => viewOf(memory, arrays[cube.array(name).name]!);
    for (const [name, sinks] of this.of.supply.sinks) {
      if (!this.#merged.has(name)) {
        await this.#put(name, sinks, { cube, tile, data: view(name), input: view });
      }
    }
  }

  /** Merges the other outputs of a tile, and passes windows that are complete to their sinks. */
  async merge({ tile, slab: { memory }, cube, arrays }: Flight): Promise<void> {
    const view = (name: string) => viewOf(memory, arrays[cube.array(name).name]!);
    for (const [name, array] of this.#merged) {
      const sinks = this.of.supply.sinks.get(name);
      if (!sinks) continue;
      const window = await this.of.meter.time("write", () => {
        return Promise.resolve(array.add(cube, tile, view(name)));
      });
      if (!window) continue;
      const input = (of: string) => {
        const wrong = array.output.reduced.find((dim) => dependsOn(cube, cube.array(of), dim.name));
        if (wrong) throw noInput(name, of, wrong.name);
        return view(of);
      };
      await this.#put(name, sinks, { cube: window.cube, tile, data: window.data, input });
      window.release();
    }
  }

  async #put(name: string, sinks: readonly SuppliedSink[], output: Output): Promise<void> {
    const { facts, meter, limit, runner, places } = this.of;
    const { cube, tile, data, input } = output;
    for (const { sink, provider } of sinks) {
      meter.bytesWritten += data.data.byteLength;
      if (places.has(name, sink)) continue;
      const context = { ...contextOf(cube, name, tile, facts), provider, data, input };
      const work = (async () => await sink(context))();
      runner.holds(work.then(() => true, () => true)); // also a sink that is late
      await meter.time("write", () => calling("sink", context, limit, () => work));
    }
  }
}

/** An output for its sinks. */
interface Output {
  readonly cube: Hypercube;
  readonly tile: number;
  readonly data: NDArray;
  readonly input: (name: string) => NDArray;
}

function noInput(name: string, input: string, dimension: string): TilewiseError {
  const text =
    `The sink of ${name} cannot have the input ${input}: ${name} was merged over ${dimension}, of which ` +
    `there are several tiles`;
  return new TilewiseError("invalid", text, { array: name, found: input });
}
