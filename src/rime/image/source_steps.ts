/**
 * Steps of predictions: sources spread over pixels, with the phases of w and with what undoes the windows.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import { kernel } from "../../kernels/registry.ts";
import { heightOf } from "./grid.ts";
import { floatsAt, RECORD, sortByTiles, sortingAt } from "./samples.ts";
import type { ImagingShared, ImagingTask, Range, SourcesPlace } from "./task.ts";
import { correctionAt } from "./window.ts";

/** Bytes from cell to cell, from row to row, and from plane to plane. */
interface Strides {
  /** Of a cell. */
  readonly cell: number;
  /** Of a row. */
  readonly row: number;
  /** Of a plane. */
  readonly plane: number;
}

/** These steps on one worker. */
export class SourceSteps {
  /** Steps with the kernels and the scratch of a worker. */
  constructor(
    private readonly shared: ImagingShared,
    private readonly kernels: Kernels,
    private readonly strides: Strides,
    private readonly scratch: number,
  ) {}

  /** Runs a step. */
  run(task: ImagingTask): void {
    const { sources } = this.shared;
    if (!sources) return;
    if (task.do === "sort sources") this.#sort(sources);
    if (task.do === "sources") this.#value(sources, task.sources, task.plane);
    if (task.do === "spread sources") this.#spread(sources, task.rows, task.slot);
  }

  #lmf({ count, places: { lmf } }: SourcesPlace): Float64Array {
    return new Float64Array(this.kernels.memory.buffer, lmf, 3 * count);
  }

  #records({ count, places: { records } }: SourcesPlace): Float64Array {
    return new Float64Array(this.kernels.memory.buffer, records, RECORD * count);
  }

  /** Where sources are among the pixels, and their order by tiles. */
  #sort(sources: SourcesPlace): void {
    const { layout: { field: { pixels: [nx, ny], cell, centre }, window: { support }, tile } } = this.shared;
    const { count, places, tiles } = sources;
    const lmf = this.#lmf(sources), records = this.#records(sources);
    const sorting = sortingAt(this.kernels.memory.buffer, places, count, tiles);
    for (let s = 0; s < count; s++) {
      const x = (nx >> 1) + (lmf[3 * s]! - centre[0]) / cell[0],
        y = (ny >> 1) + (lmf[3 * s + 1]! - centre[1]) / cell[1];
      records.set([x, y, 0], RECORD * s);
      const [column, row] = [Math.ceil(x - support / 2), Math.ceil(y - support / 2)];
      sorting.keys[s] = Math.floor(row / tile) * tiles[0] + Math.floor(column / tile);
    }
    sortByTiles(sorting, tiles);
  }

  /** Flux times the phase of w, with what undoes the window along w. */
  #value(sources: SourcesPlace, [start, stop]: Range, plane: number): void {
    const { layout: { depth, w: [first, step], middle }, corrections: [, , series] } = this.shared;
    const lmf = this.#lmf(sources), records = this.#records(sources), w = first + plane * step;
    for (let s = start; s < stop; s++) {
      const height = heightOf(lmf[3 * s]!, lmf[3 * s + 1]!) - middle;
      const value = lmf[3 * s + 2]! * (depth > 1 ? correctionAt(series, step * height) : 1);
      const turns = w * height, angle = -2 * Math.PI * (turns - Math.round(turns));
      records[RECORD * s + 3] = value * Math.cos(angle);
      records[RECORD * s + 4] = value * Math.sin(angle);
    }
  }

  /** Pixels of some rows, with what undoes the window of the samples along l and m. */
  #spread(sources: SourcesPlace, rows: Range, slot: number): void {
    const { layout: { field: { pixels: [nx] }, window: { support }, tile }, grid, dtype, corrections } =
      this.shared;
    const { buffer } = this.kernels.memory, [start, stop] = rows, [alongL, alongM] = corrections;
    const at = grid + slot * this.strides.plane + start * this.strides.row;
    new Uint8Array(buffer, at, (stop - start) * this.strides.row).fill(0);
    const { places: { starts }, tiles: [, down] } = sources;
    const list = new Int32Array(buffer, starts, down + 1);
    const first = Math.max(0, Math.floor((start - support + 1) / tile)),
      last = Math.min(down, Math.ceil(stop / tile));
    this.#spreadSome(sources, at, [list[first]!, list[last]!], rows);
    for (let j = start; j < stop; j++) {
      const pixels = floatsAt(this.kernels.memory, dtype, at + (j - start) * this.strides.row, 2 * nx);
      for (let i = 0; i < 2 * nx; i++) pixels[i]! *= alongL[i >> 1]! * alongM[j]!;
    }
  }

  #spreadSome(sources: SourcesPlace, at: number, [from, to]: Range, [start, stop]: Range): void {
    const { layout: { stored: [width, height], window: { support } }, tables, degree, dtype } = this.shared;
    const { places: { records, order } } = sources;
    const { row, plane } = this.strides;
    kernel(this.kernels, "grid_spread", dtype)(
      ...[at, records, order + 4 * from, to - from, width, height, start, stop - start] as const,
      ...[0, 1, row, plane, tables[0], degree, support, 1, this.scratch] as const,
    );
  }
}
