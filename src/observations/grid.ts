/**
 * Arrays by time and baseline, as rows: all baselines of a time follow each other.
 *
 * @module
 */

import { type Box, box } from "../space/box.ts";
import { type DType, dtypeInfo, type TypedArray } from "../space/dtype.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import type { RowArray } from "./rows.ts";

/** An array whose first dimensions are time and baseline. */
export class GridRows implements RowArray {
  readonly shape: Shape;
  readonly dtype: DType;
  readonly memory: number;
  readonly #baselines: number;
  readonly #cell: Shape;

  /** Shows `array`, which has times as rows. */
  constructor(private readonly array: RowArray) {
    const [times = 0, baselines = 0, ...cell] = array.shape;
    this.shape = [times * baselines, ...cell];
    this.dtype = array.dtype;
    this.memory = array.memory;
    this.#baselines = baselines;
    this.#cell = cell;
  }

  /** The samples of the rows: whole times are read. */
  async read(
    start: number,
    stop: number,
    cell: Box = box(this.#cell.map(() => 0), this.#cell),
  ): Promise<TypedArray> {
    const count = this.#baselines;
    const first = Math.floor(start / Math.max(1, count)), last = Math.ceil(stop / Math.max(1, count));
    const part = box([0, ...cell.origin], [count, ...cell.shape]);
    const data = await this.array.read(first, last, part);
    const each = sizeOf(cell.shape) * (dtypeInfo(this.dtype).kind === "c" ? 2 : 1);
    return data.subarray((start - first * count) * each, (stop - first * count) * each) as TypedArray;
  }

  /** Closes the array. */
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.array[Symbol.asyncDispose]());
  }
}

/** Rows whose values follow from their numbers. */
export class ComputedRows implements RowArray {
  readonly shape: Shape;
  readonly dtype = "float64";
  readonly memory = 0;

  /** `rows` values. */
  constructor(rows: number, private readonly valueOf: (row: number) => number) {
    this.shape = [rows];
  }

  /** The values of the rows. */
  read(start: number, stop: number): Promise<TypedArray> {
    return Promise.resolve(Float64Array.from({ length: stop - start }, (_, i) => this.valueOf(start + i)));
  }

  /** Nothing is open. */
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
