/**
 * The components of a JPEG image as rows of samples: those of the last two bands, a band being a row of units.
 *
 * @module
 */

import type { Desk } from "./desk.ts";
import { type Component, type Frame, type Tables, wrong } from "./markers.ts";

/** Rows of a component. */
export class Plane {
  /** Bytes of a sample, and of a row. */
  readonly size: number;
  readonly stride: number;
  readonly #rows: number;
  readonly #at: number;
  #table = 0;

  /** Takes its memory from the desk. */
  constructor(
    private readonly desk: Desk,
    frame: Frame,
    readonly component: Component,
  ) {
    this.size = frame.precision > 8 ? 2 : 1;
    this.stride = 8 * component.columns * this.size;
    this.#rows = 16 * component.down;
    this.#at = desk.take(this.#rows * this.stride);
  }

  /** Address of row `y`, or of the nearest one that there is. */
  row(y: number): number {
    return this.#at + Math.max(0, Math.min(this.component.height - 1, y)) % this.#rows * this.stride;
  }

  /** Puts the quantization table of the component in place `which`. */
  useTable(which: number, tables: Tables, place: number): void {
    const { table } = this.component, found = tables.quantization[table];
    if (!found) throw wrong(`the quantization table ${table} is missing`, place);
    this.#table = this.desk.table(which, found);
  }

  /** Computes the samples of `count` blocks at `blocks`, which lie in row `row` of blocks from `column` on. */
  samples(row: number, column: number, count: number, blocks: number): void {
    const { kernels, spare } = this.desk;
    const undo = this.size === 1 ? kernels.jpeg_samples_u8 : kernels.jpeg_samples_u16;
    const to = this.#at + 8 * row % this.#rows * this.stride + 8 * column * this.size;
    undo(to, this.stride, blocks, this.#table, count, spare);
  }
}
