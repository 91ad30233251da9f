/**
 * Arrays whose first dimension is rows, read by ranges of rows.
 *
 * @module
 */

import { type FrameLayout, isStoredAs } from "../../dataset/layout/layout.ts";
import "../../dataset/storage/all_kinds.ts";
import { type ApartOptions, FramesApart } from "../../dataset/frames_apart.ts";
import { TilewiseError } from "../../errors.ts";
import type { Source } from "../../hypercube/providers/provider.ts";
import { copyBox } from "../../memory/copy_box.ts";
import { viewOf } from "../../memory/strided.ts";
import { type Box, box, wholeBox } from "../../space/box.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray, zeros } from "../../space/dtype.ts";
import { lowerBound } from "../../space/search.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { reverseUnits } from "../../space/numbers.ts";

/** Bytes that are read at a time, unless a row has more. */
const BLOCK_BYTES = 2 ** 20;

/** What can be read by rows. */
export interface RowArray extends AsyncDisposable {
  /** Rows, then the shape of a cell. */
  readonly shape: Shape;
  /** Type of the samples. */
  readonly dtype: DType;
  /** Bytes that it holds from its first read on. */
  readonly memory: number;
  /** The samples of the rows from `start` to before `stop`, or of the part `cell` of each; they are the caller's. */
  read(start: number, stop: number, cell?: Box): Promise<TypedArray>;
}

/** A new array by rows. */
interface NewRows extends Pick<RowArray, "shape" | "dtype"> {
  /** What it is made of, and closes. */
  readonly over?: readonly (Pick<RowArray, "memory"> & AsyncDisposable)[];
  /** The samples of rows, or of a part of each. */
  readonly read: (start: number, stop: number, cell: Box) => TypedArray | Promise<TypedArray>;
}

/** An array by rows that are computed, or made of others. */
export function rowArray({ shape, dtype, over = [], read }: NewRows): RowArray {
  const whole = wholeBox(shape.slice(1));
  return {
    shape,
    dtype,
    memory: over.reduce((sum, { memory }) => sum + memory, 0),
    read: async (start, stop, cell = whole) => await read(start, stop, cell),
    async [Symbol.asyncDispose]() {
      for (const one of over) await one[Symbol.asyncDispose]();
    },
  };
}

/** Rows of an array in memory. */
export function memoryRows(data: TypedArray, shape: Shape, dtype: DType): RowArray {
  const all = viewOf(data, dtype, shape);
  return rowArray({
    shape,
    dtype,
    read(start, stop, cell) {
      const part = box([start, ...cell.origin], [stop - start, ...cell.shape]);
      const found = zeros(dtype, sizeOf(part.shape));
      copyBox(all, part, viewOf(found, dtype, part.shape), part.shape.map(() => 0));
      return found;
    },
  });
}

/**
 * Rows of single values, of which many that follow each other have the same: `values`, the first row of each, and, where not
 * all rows are shown, those that are.
 */
export function runRows(
  starts: Float64Array,
  values: TypedArray,
  dtype: DType,
  count: number,
  rows?: ArrayLike<number>,
): RowArray {
  const isIn = (place: number, run: number) => place >= starts[run]! && !(place >= starts[run + 1]!);
  return rowArray({
    shape: [rows?.length ?? count],
    dtype,
    read(start, stop) {
      const found = zeros(dtype, stop - start);
      let run = 0;
      for (let row = start; row < stop; row++) {
        const place = rows ? rows[row]! : row;
        if (!isIn(place, run)) run = isIn(place, run + 1) ? run + 1 : lowerBound(starts, place + 1) - 1;
        found[row - start] = values[run]!;
      }
      return found;
    },
  });
}

/** Rows of an array that is stored: one frame, whose first dimension is rows. */
export class StoredRows implements RowArray {
  readonly shape: Shape;
  readonly dtype: DType;
  readonly memory: number;
  /** Rows of a block, and after how many rows blocks begin again: a block has rows of one chunk, or whole chunks. */
  readonly #block: number;
  readonly #period: number;
  readonly #cell: Shape;
  #opened: Promise<FramesApart> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * The array of `layout`, or those of its rows that are in `rows`, in this order; so many bytes are read at a time, unless a row
   * has more.
   */
  constructor(
    private readonly layout: FrameLayout,
    private readonly rows?: ArrayLike<number>,
    blockBytes: number = BLOCK_BYTES,
  ) {
    const [count = 1, ...cell] = layout.sigShape;
    this.dtype = layout.dtype;
    this.shape = [rows?.length ?? count, ...cell];
    this.#cell = cell;
    const bytes = Math.max(1, sizeOf(cell) * dtypeInfo(layout.dtype).itemSize);
    const chunk = isStoredAs(layout, "chunks")
      ? Math.max(1, Math.min(count, layout.storage.chunks.chunk[0]!))
      : 1;
    const most = Math.max(1, Math.floor(blockBytes / bytes)), chunks = Math.floor(most / chunk);
    this.#block = chunks > 0 ? Math.min(count, chunks * chunk) : Math.ceil(chunk / Math.ceil(chunk / most));
    this.#period = Math.max(chunk, this.#block);
    this.memory = count === 0 ? 0 : FramesApart.bytesFor(layout, this.#reading());
  }

  /** Rows are read from the first to the last, in blocks that begin with chunks or end with them: chunks of others are not kept. */
  #reading(): ApartOptions {
    return { box: wholeBox([this.#block, ...this.#cell]), inOrder: true };
  }

  /** The samples of the rows; reads wait for each other. */
  async read(start: number, stop: number, cell: Box = wholeBox(this.#cell)): Promise<TypedArray> {
    if (!(start >= 0 && stop >= start && stop <= this.shape[0]!)) {
      const text = `Cannot read rows ${start} to ${stop}: there are ${this.shape[0]}`;
      throw new TilewiseError("invalid", text, { expected: this.shape[0]!, found: stop });
    }
    const turn = this.#last.then(() => this.#read(start, stop, cell));
    this.#last = turn.catch(() => {});
    return await turn;
  }

  async #read(start: number, stop: number, cell: Box): Promise<TypedArray> {
    const each = sizeOf(cell.shape) * dtypeInfo(this.dtype).itemSize;
    const bytes = new Uint8Array((stop - start) * each);
    if (bytes.length > 0) {
      const opened = await (this.#opened ??= FramesApart.open(this.layout, this.#reading()));
      for (let at = start; at < stop;) at = await this.#readBlock(opened, at, start, stop, cell, bytes);
    }
    return typedArray(this.dtype, bytes.buffer, 0, (stop - start) * sizeOf(cell.shape));
  }

  /** Reads the rows from `at` on that lie in the same block; returns the first row that does not. */
  async #readBlock(
    frames: FramesApart,
    at: number,
    start: number,
    stop: number,
    cell: Box,
    bytes: Uint8Array,
  ): Promise<number> {
    const place = (row: number) => this.rows ? this.rows[row]! : row;
    const [first, end] = this.#blockAt(place(at));
    let next = at, low = place(at), high = low;
    for (; next < stop && place(next) >= first && place(next) < end; next++) {
      low = Math.min(low, place(next));
      high = Math.max(high, place(next));
    }
    const part = box([low, ...cell.origin], [high + 1 - low, ...cell.shape]);
    const { pointer, byteOrder } = await frames.load(0, part);
    const each = sizeOf(cell.shape) * dtypeInfo(this.dtype).itemSize;
    const found = new Uint8Array(frames.buffer, pointer, (high + 1 - low) * each);
    for (let row = at, last; row < next; row = last) {
      for (last = row + 1; last < next && place(last) === place(last - 1) + 1;) last++;
      const from = (place(row) - low) * each;
      bytes.set(found.subarray(from, from + (last - row) * each), (row - start) * each);
    }
    const { unitSize } = dtypeInfo(this.dtype);
    if (byteOrder === "big") {
      reverseUnits(bytes.subarray((at - start) * each, (next - start) * each), unitSize);
    }
    return next;
  }

  /** The rows of the block that a row is in. */
  #blockAt(row: number): readonly [first: number, end: number] {
    const base = row - row % this.#period, first = row - (row - base) % this.#block;
    return [first, Math.min(first + this.#block, base + this.#period)];
  }

  /** Closes what reads have opened. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    await opened?.[Symbol.asyncDispose]();
  }
}

/** A source that provides the ranges of a tile: of rows first, then of the dimensions of a cell. */
export function sourceOf(array: RowArray): Source {
  return async ({ extents }) => {
    const [[start, stop] = [0, 0], ...cell] = extents;
    const part = box(cell.map(([lower]) => lower), cell.map(([lower, upper]) => upper - lower));
    return await array.read(start, stop, part);
  };
}

/** All rows of an array as numbers. */
export async function allNumbers(array: RowArray): Promise<Float64Array> {
  const data = await array.read(0, array.shape[0]!);
  return Float64Array.from(data as ArrayLike<number | bigint>, Number);
}
