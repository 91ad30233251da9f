/**
 * Arrays whose first dimension is rows, read by ranges of rows.
 *
 * @module
 */

import { chunkFilter } from "../codecs/filters/registry.ts";
import { frameDecoder } from "../codecs/registry.ts";
import { type FrameLayout, isStoredAs } from "../dataset/layout/layout.ts";
import "../dataset/storage/all_kinds.ts";
import { loadReading, readerBytes } from "../dataset/storage/kinds.ts";
import { FrameReader } from "../dataset/storage/reader.ts";
import { TilewiseError } from "../errors.ts";
import type { Source } from "../hypercube/providers/provider.ts";
import { instantiateKernels } from "../kernels/wasm.ts";
import { Arena } from "../memory/arena.ts";
import { Slab } from "../memory/slab.ts";
import { type Box, box } from "../space/box.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray, zeros } from "../space/dtype.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import { reverseUnits } from "../space/numbers.ts";

/** Bytes that are read at a time, unless a row has more. */
const BLOCK_BYTES = 2 ** 20;

/** Rows are read from the first to the last, in blocks that begin with chunks or end with them: chunks of others are not kept. */
const IN_ORDER = { inOrder: true };

/** Bytes of an arena that are not leased. */
const SLACK = 4096;

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

/** Rows of an array in memory. */
export class MemoryRows implements RowArray {
  readonly memory = 0;
  readonly #cell: number;

  /** An array with its shape. */
  constructor(private readonly data: TypedArray, readonly shape: Shape, readonly dtype: DType) {
    this.#cell = sizeOf(shape.slice(1)) * (dtypeInfo(dtype).kind === "c" ? 2 : 1);
  }

  /** The samples of the rows. */
  read(start: number, stop: number, cell?: Box): Promise<TypedArray> {
    const rows = this.data.subarray(start * this.#cell, stop * this.#cell) as TypedArray;
    return Promise.resolve(
      cell ? partOf(rows, this.shape.slice(1), cell, this.dtype) : rows.slice() as TypedArray,
    );
  }

  /** Nothing is open. */
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

/** The part `cell` of each row. */
function partOf(rows: TypedArray, whole: Shape, { origin, shape }: Box, dtype: DType): TypedArray {
  const unit = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  const each = sizeOf(whole) * unit, count = each === 0 ? 0 : rows.length / each;
  const part = zeros(dtype, count * sizeOf(shape));
  const run = (shape.at(-1) ?? 1) * unit;
  let at = 0;
  const walk = (base: number, d: number) => {
    if (d >= shape.length - 1) {
      const from = base + (origin[d] ?? 0) * unit;
      part.set(rows.subarray(from, from + run) as never, at);
      at += run;
      return;
    }
    const step = sizeOf(whole.slice(d + 1)) * unit;
    for (let i = 0; i < shape[d]!; i++) walk(base + (origin[d]! + i) * step, d + 1);
  };
  for (let row = 0; row < count; row++) walk(row * each, 0);
  return part;
}

/** Rows of single values, of which many that follow each other have the same. */
export class RunRows implements RowArray {
  readonly memory = 0;
  readonly shape: Shape;

  /** Values, the first row of each, and, where not all rows are shown, those that are. */
  constructor(
    private readonly starts: Float64Array,
    private readonly values: TypedArray,
    readonly dtype: DType,
    count: number,
    private readonly rows?: ArrayLike<number>,
  ) {
    this.shape = [rows?.length ?? count];
  }

  /** The values of the rows. */
  read(start: number, stop: number): Promise<TypedArray> {
    const found = zeros(this.dtype, stop - start);
    let run = 0;
    for (let row = start; row < stop; row++) {
      const place = this.rows ? this.rows[row]! : row;
      const isIn = place >= this.starts[run]! && !(place >= this.starts[run + 1]!);
      if (!isIn) {
        run = place >= this.starts[run + 1]! && !(place >= this.starts[run + 2]!)
          ? run + 1
          : this.#runOf(place);
      }
      found[row - start] = this.values[run]!;
    }
    return Promise.resolve(found);
  }

  /** The run that a row is in. */
  #runOf(row: number): number {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.starts[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Nothing is open. */
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

interface Opened {
  readonly reader: FrameReader;
  readonly memory: WebAssembly.Memory;
  readonly release: () => void;
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
  #opened: Promise<Opened> | undefined;
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
    this.memory = count === 0 ? 0 : readerBytes(layout, 1, this.#whole(), IN_ORDER) + SLACK;
  }

  /** The largest box that is read at a time. */
  #whole(): Box {
    return box([0, ...this.#cell.map(() => 0)], [this.#block, ...this.#cell]);
  }

  /** The samples of the rows; reads wait for each other. */
  async read(
    start: number,
    stop: number,
    cell: Box = box(this.#cell.map(() => 0), this.#cell),
  ): Promise<TypedArray> {
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
      const opened = await (this.#opened ??= this.#open());
      for (let at = start; at < stop;) at = await this.#readBlock(opened, at, start, stop, cell, bytes);
    }
    return typedArray(this.dtype, bytes.buffer, 0, (stop - start) * sizeOf(cell.shape));
  }

  /** Reads the rows from `at` on that lie in the same block; returns the first row that does not. */
  async #readBlock(
    { reader, memory }: Opened,
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
    const { pointer, byteOrder } = await reader.load([0], part);
    const each = sizeOf(cell.shape) * dtypeInfo(this.dtype).itemSize;
    const found = new Uint8Array(memory.buffer, pointer, (high + 1 - low) * each);
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

  async #open(): Promise<Opened> {
    const whole = this.#whole();
    const arena = new Arena({ budget: this.memory, shared: false });
    const lease = arena.lease(this.memory - SLACK, "rows");
    const slab = new Slab(arena.memory, lease.offset, lease.byteLength);
    await loadReading(this.layout);
    const reader = await FrameReader.open(this.layout, {
      kernels: instantiateKernels(arena.memory),
      slab,
      ...IN_ORDER,
      maxFrames: 1,
      decoderOf: frameDecoder,
      filterOf: chunkFilter,
      box: whole,
    });
    return { reader, memory: arena.memory, release: () => lease[Symbol.dispose]() };
  }

  /** Closes what reads have opened. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    await opened?.reader[Symbol.asyncDispose]();
    opened?.release();
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
