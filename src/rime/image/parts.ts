/**
 * The rows of a run in parts: read, put into the memory of the run, and taken from there.
 *
 * @module
 */

import type { Runner } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/tiles.ts";
import type { Room } from "./memory.ts";
import type { CheckedRows } from "./rows.ts";
import { arraysOf, type PartArrays } from "./samples.ts";
import type { ImagingShared, PartRows } from "./task.ts";

/** Reads rows into the places of parts. */
export class Parts {
  constructor(
    private readonly rows: CheckedRows,
    private readonly shared: ImagingShared,
    private readonly room: Room,
    private readonly memory: WebAssembly.Memory,
    private readonly runner: Runner<TileProgress>,
  ) {}

  /** All rows, as many parts at a time as there are places for; `found`: with the values found so far. */
  async *rounds(found?: Float64Array): AsyncGenerator<readonly PartRows[], void> {
    const { nrow } = this.rows, { partRows, parts } = this.room;
    for (let first = 0; first < nrow; first += parts * partRows) {
      const round: PartRows[] = [];
      for (let part = 0; part < parts && first + part * partRows < nrow; part++) {
        const start = first + part * partRows, rows = Math.min(partRows, nrow - start);
        await this.#read(part, start, rows, found);
        round.push({ part, rows, first: start });
      }
      yield round;
    }
  }

  async #read(part: number, start: number, rows: number, found: Float64Array | undefined): Promise<void> {
    const { runner, rows: source } = this, stop = start + rows, arrays = this.#arrays(part, rows);
    const { nchan } = source;
    await runner.ask(() => source.uvw(start, stop), (uvw) => arrays.uvw.set(uvw));
    if (found) return arrays.values.set(found.subarray(2 * start * nchan, 2 * stop * nchan));
    if (source.visibilities) {
      await runner.ask(() => source.visibilities!(start, stop), (values) => arrays.values.set(values));
    } else for (let i = 0; i < arrays.values.length; i++) arrays.values[i] = 1 - (i & 1);
    const { weights } = arrays;
    if (weights && source.weights) {
      await runner.ask(() => source.weights!(start, stop), (values) => weights.set(values));
    }
  }

  /** Takes the values of a round. */
  take(round: readonly PartRows[], found: Float64Array): void {
    const { nchan } = this.rows;
    for (const { part, rows, first } of round) found.set(this.#arrays(part, rows).values, 2 * first * nchan);
  }

  #arrays(part: number, rows: number): PartArrays {
    return arraysOf(this.memory, this.shared.parts[part]!, rows, this.shared);
  }
}
