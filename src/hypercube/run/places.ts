/**
 * Outputs that workers put into the memory of a sink themselves, so that the calling thread does not copy them.
 *
 * @module
 */

import type { Executor } from "../../executor/task.ts";
import type { Hypercube } from "../cube/cube.ts";
import { placeOf, type SharedArray } from "../providers/sinks/placing.ts";
import type { Sink } from "../providers/provider.ts";
import type { Supply } from "../providers/supply.ts";
import type { MergedArray } from "./merge.ts";

/** The outputs of a run that workers put into place. */
export class Places {
  /** The places by the names of the outputs: plain data for the workers. */
  readonly places: Readonly<Record<string, SharedArray>>;
  readonly #sinks = new Map<string, Sink>();

  /** Those of the sinks that declare a place, if the workers of the run share memory with this thread. */
  constructor({ sinks }: Supply, { kind, memory }: Executor, merged: readonly MergedArray[]) {
    const places: Record<string, SharedArray> = {};
    const isMerged = (name: string) => merged.some(({ output }) => output.name === name);
    for (const [name, all] of kind === "workers" && memory !== "own" ? sinks : []) {
      for (const { sink } of isMerged(name) ? [] : all) {
        const place = this.#sinks.has(name) ? undefined : placeOf(sink, name);
        if (!place) continue;
        places[name] = place;
        this.#sinks.set(name, sink);
      }
    }
    this.places = places;
  }

  /** Whether workers do the work of this sink. */
  has(name: string, sink: Sink): boolean {
    return this.#sinks.get(name) === sink;
  }

  /** Where a tile begins in each of the arrays. */
  origins(cube: Hypercube): Readonly<Record<string, readonly number[]>> {
    const names = Object.keys(this.places);
    return Object.fromEntries(names.map((name) => [name, cube.arrayExtents(name).map(([lower]) => lower)]));
  }
}
