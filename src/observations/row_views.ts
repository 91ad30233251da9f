/**
 * Arrays by rows that show others: with values in other units, with rows that have no value, with flags of whole rows, joined.
 *
 * @module
 */

import { type Box, box } from "../space/box.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../space/dtype.ts";
import { lowerBound } from "../space/search.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import type { RowArray } from "./rows.ts";

/** A whole cell of rows. */
function wholeCell({ shape: [, ...cell] }: RowArray): Box {
  return box(cell.map(() => 0), cell);
}

/** Numbers that are changed one by one, in double precision. */
export class MappedRows implements RowArray {
  readonly shape: Shape;
  readonly dtype: DType;
  readonly memory: number;

  /** `valueOf` makes a value of what is stored, at a place along the fastest dimension. */
  constructor(
    private readonly array: RowArray,
    private readonly valueOf: (value: number, place: number) => number,
  ) {
    this.shape = array.shape;
    this.dtype = dtypeInfo(array.dtype).kind === "c" ? "complex128" : "float64";
    this.memory = array.memory;
  }

  /** The values of the rows. */
  async read(start: number, stop: number, cell: Box = wholeCell(this)): Promise<TypedArray> {
    const stored = await this.array.read(start, stop, cell);
    const unit = dtypeInfo(this.dtype).kind === "c" ? 2 : 1;
    const first = cell.origin.at(-1) ?? 0, across = cell.shape.at(-1) ?? 1;
    return Float64Array.from(
      stored as ArrayLike<number>,
      (value, i) => this.valueOf(Number(value), first + Math.floor(i / unit) % across),
    );
  }

  /** Closes the array. */
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.array[Symbol.asyncDispose]());
  }
}

/** The array with values times factors: one, or one for each place along the fastest dimension. */
export function multiplied(array: RowArray, factors: readonly number[] | undefined): RowArray {
  if (!factors) return array;
  return new MappedRows(array, (value, place) => value * factors[factors.length === 1 ? 0 : place]!);
}

/** Rows of which some have no value: these are filled. */
export class HoledRows implements RowArray {
  readonly shape: Shape;
  readonly dtype: DType;
  readonly memory: number;

  /** `array` has the rows `filled`, ascending, of `rows`. */
  constructor(
    private readonly array: RowArray,
    private readonly filled: Uint32Array,
    rows: number,
    private readonly fill: number,
  ) {
    this.shape = [rows, ...array.shape.slice(1)];
    this.dtype = array.dtype;
    this.memory = array.memory;
  }

  /** The samples of the rows. */
  async read(start: number, stop: number, cell: Box = wholeCell(this)): Promise<TypedArray> {
    const [first, end] = [lowerBound(this.filled, start), lowerBound(this.filled, stop)];
    const each = sizeOf(cell.shape) * (dtypeInfo(this.dtype).kind === "c" ? 2 : 1);
    const found = zeros(this.dtype, (stop - start) * sizeOf(cell.shape)).fill(
      this.fill as never,
    ) as TypedArray;
    const stored = await this.array.read(first, end, cell);
    for (let i = first; i < end; i++) {
      const own = stored.subarray((i - first) * each, (i + 1 - first) * each);
      found.set(own as never, (this.filled[i]! - start) * each);
    }
    return found;
  }

  /** Closes the array. */
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.array[Symbol.asyncDispose]());
  }
}

/** Flags of samples, and of whole rows. */
export class FlaggedRows implements RowArray {
  readonly dtype = "bool";
  readonly memory: number;

  /**
   * @param shape rows, channels, correlations
   * @param samples flags of samples, if there are any
   * @param rows flags of rows, if there are any
   * @param empty rows that miss a value, ascending
   */
  constructor(
    readonly shape: Shape,
    private readonly samples: RowArray | undefined,
    private readonly rows: RowArray | undefined,
    private readonly empty: Uint32Array,
  ) {
    this.memory = (samples?.memory ?? 0) + (rows?.memory ?? 0);
  }

  /** The flags of the rows. */
  async read(start: number, stop: number, cell: Box = wholeCell(this)): Promise<TypedArray> {
    const each = sizeOf(cell.shape);
    const flags = this.samples
      ? Uint8Array.from(await this.samples.read(start, stop, cell) as Uint8Array)
      : new Uint8Array((stop - start) * each);
    const whole = await this.rows?.read(start, stop);
    for (let row = start; whole && row < stop; row++) {
      if (whole[row - start]) flags.fill(1, (row - start) * each, (row - start + 1) * each);
    }
    for (let i = lowerBound(this.empty, start); i < this.empty.length && this.empty[i]! < stop; i++) {
      flags.fill(1, (this.empty[i]! - start) * each, (this.empty[i]! - start + 1) * each);
    }
    return flags;
  }

  /** Closes the arrays. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.samples?.[Symbol.asyncDispose]();
    await this.rows?.[Symbol.asyncDispose]();
  }
}

/** Rows of a column that cannot be read: the error comes when they are. */
export class RefusedRows implements RowArray {
  readonly memory = 0;

  /** What the column would have, and why it is not read. */
  constructor(readonly shape: Shape, readonly dtype: DType, private readonly problem: Error) {}

  /** Throws. */
  read(): Promise<TypedArray> {
    return Promise.reject(this.problem);
  }

  /** Nothing is open. */
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
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
  async read(start: number, stop: number, cell: Box = this.#wholeCell()): Promise<TypedArray> {
    const turn = this.#last.then(() => this.#read(start, stop, cell));
    this.#last = turn.catch(() => {});
    return await turn;
  }

  #wholeCell(): Box {
    const cell = this.shape.slice(1);
    return box(cell.map(() => 0), cell);
  }

  async #read(start: number, stop: number, cell: Box): Promise<TypedArray> {
    const found = zeros(this.dtype, (stop - start) * sizeOf(cell.shape));
    const each = sizeOf(cell.shape) * (dtypeInfo(this.dtype).kind === "c" ? 2 : 1);
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
