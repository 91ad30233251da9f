/**
 * Arrays by rows that show others: with values in other units, with rows that have no value, with flags of whole rows, by time
 * and baseline, joined.
 *
 * @module
 */

import { type Box, box, wholeBox } from "../../space/box.ts";
import { type DType, type TypedArray, unitsOf, zeros } from "../../space/dtype.ts";
import { lowerBound } from "../../space/search.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { type RowArray, rowArray } from "./rows.ts";

/** Numbers that are changed one by one, in double precision: `valueOf` knows the place along the fastest dimension. */
export function mappedRows(array: RowArray, valueOf: (value: number, place: number) => number): RowArray {
  const unit = unitsOf(array.dtype);
  return rowArray({
    shape: array.shape,
    dtype: unit === 2 ? "complex128" : "float64",
    over: [array],
    async read(start, stop, cell) {
      const stored = await array.read(start, stop, cell);
      const first = cell.origin.at(-1) ?? 0, across = cell.shape.at(-1) ?? 1;
      return Float64Array.from(
        stored as ArrayLike<number>,
        (value, i) => valueOf(Number(value), first + Math.floor(i / unit) % across),
      );
    },
  });
}

/** The array with values times factors: one, or one for each place along the fastest dimension. */
export function multiplied(array: RowArray, factors: readonly number[] | undefined): RowArray {
  if (!factors) return array;
  return mappedRows(array, (value, place) => value * factors[factors.length === 1 ? 0 : place]!);
}

/** Some of `count` rows, at the places `filled`, ascending; the others are filled with `fill`. */
export function holedRows(array: RowArray, filled: Uint32Array, count: number, fill: number): RowArray {
  const { shape: [, ...whole], dtype } = array;
  return rowArray({
    shape: [count, ...whole],
    dtype,
    over: [array],
    async read(start, stop, { origin, shape }) {
      const [first, end] = [lowerBound(filled, start), lowerBound(filled, stop)];
      const each = sizeOf(shape) * unitsOf(dtype);
      const found = zeros(dtype, (stop - start) * sizeOf(shape)).fill(fill as never) as TypedArray;
      const stored = await array.read(first, end, { origin, shape });
      for (let i = first; i < end; i++) {
        const own = stored.subarray((i - first) * each, (i + 1 - first) * each);
        found.set(own as never, (filled[i]! - start) * each);
      }
      return found;
    },
  });
}

/**
 * Flags of samples, and of whole rows.
 *
 * @param shape rows, channels, correlations
 * @param samples flags of samples, if there are any
 * @param rows flags of rows, if there are any
 * @param empty rows that miss a value, ascending
 */
export function flaggedRows(
  shape: Shape,
  samples: RowArray | undefined,
  rows: RowArray | undefined,
  empty: Uint32Array,
): RowArray {
  return rowArray({
    shape,
    dtype: "bool",
    over: [samples, rows].filter((one) => one !== undefined),
    async read(start, stop, cell) {
      const each = sizeOf(cell.shape);
      const flags = samples
        ? Uint8Array.from(await samples.read(start, stop, cell) as Uint8Array)
        : new Uint8Array((stop - start) * each);
      const flag = (row: number) => flags.fill(1, (row - start) * each, (row - start + 1) * each);
      const whole = await rows?.read(start, stop);
      for (let row = start; whole && row < stop; row++) if (whole[row - start]) flag(row);
      for (let i = lowerBound(empty, start); i < empty.length && empty[i]! < stop; i++) flag(empty[i]!);
      return flags;
    },
  });
}

/** Rows of an array whose first dimensions are time and baseline: all baselines of a time follow each other, and are read. */
export function gridRows(array: RowArray): RowArray {
  const { shape: [times = 0, count = 0, ...whole], dtype } = array;
  return rowArray({
    shape: [times * count, ...whole],
    dtype,
    over: [array],
    async read(start, stop, cell) {
      const first = Math.floor(start / Math.max(1, count)), last = Math.ceil(stop / Math.max(1, count));
      const data = await array.read(first, last, box([0, ...cell.origin], [count, ...cell.shape]));
      const each = sizeOf(cell.shape) * unitsOf(dtype);
      return data.subarray((start - first * count) * each, (stop - first * count) * each) as TypedArray;
    },
  });
}

/** Rows whose values follow from their numbers. */
export function computedRows(rows: number, valueOf: (row: number) => number): RowArray {
  return rowArray({
    shape: [rows],
    dtype: "float64",
    read: (start, stop) => Float64Array.from({ length: stop - start }, (_, i) => valueOf(start + i)),
  });
}

/** Some of the rows. */
export interface RowPart {
  /** They. */
  readonly array: RowArray;
  /** Where each of them is shown, ascending; absent: behind those of the part before. */
  readonly places?: Uint32Array;
}

/** The rows of several arrays, of which one at a time is open. */
export class JoinedRows implements RowArray {
  readonly shape: Shape;
  readonly dtype: DType;
  readonly memory: number;
  /** The first row of each part, and the end of the last. */
  readonly #starts: readonly number[];
  #open: RowArray | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** The parts, at least one. */
  constructor(private readonly parts: readonly RowPart[]) {
    const { array: { shape: [, ...cell], dtype } } = parts[0]!;
    this.#starts = parts.reduce<number[]>((all, { array }) => [...all, all.at(-1)! + array.shape[0]!], [0]);
    this.shape = [this.#starts.at(-1)!, ...cell];
    this.dtype = dtype;
    this.memory = Math.max(...parts.map(({ array }) => array.memory));
  }

  /** The samples of the rows; reads wait for each other. */
  async read(start: number, stop: number, cell: Box = wholeBox(this.shape.slice(1))): Promise<TypedArray> {
    const turn = this.#last.then(() => this.#read(start, stop, cell));
    this.#last = turn.catch(() => {});
    return await turn;
  }

  async #read(start: number, stop: number, cell: Box): Promise<TypedArray> {
    const found = zeros(this.dtype, (stop - start) * sizeOf(cell.shape));
    const each = sizeOf(cell.shape) * unitsOf(this.dtype);
    for (const [i, { array, places }] of this.parts.entries()) {
      const first = this.#starts[i]!, count = array.shape[0]!;
      const low = places ? lowerBound(places, start) : Math.min(count, Math.max(0, start - first));
      const high = places ? lowerBound(places, stop) : Math.min(count, Math.max(0, stop - first));
      if (low >= high) continue;
      const rows = await (await this.#opened(array)).read(low, high, cell);
      if (!places) {
        found.set(rows as never, (first + low - start) * each);
        continue;
      }
      for (let row = low; row < high; row++) {
        const own = rows.subarray((row - low) * each, (row - low + 1) * each);
        found.set(own as never, (places[row]! - start) * each);
      }
    }
    return found;
  }

  /** The array, after the one that was open before is closed. */
  async #opened(array: RowArray): Promise<RowArray> {
    if (this.#open !== array) await this.#open?.[Symbol.asyncDispose]();
    return this.#open = array;
  }

  /** Closes the array that is open. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    await this.#open?.[Symbol.asyncDispose]();
    this.#open = undefined;
  }
}
