/**
 * Arrays by rows that show others: with values in other units, with rows that have no value, with flags of whole rows.
 *
 * @module
 */

import { type Box, box } from "../space/box.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../space/dtype.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import { placeIn } from "./joined_rows.ts";
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
    const [first, end] = [placeIn(this.filled, start), placeIn(this.filled, stop)];
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
    for (let i = placeIn(this.empty, start); i < this.empty.length && this.empty[i]! < stop; i++) {
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
