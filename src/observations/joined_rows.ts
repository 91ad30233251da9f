/**
 * Rows of several arrays as one: one after another, or each at its place.
 *
 * @module
 */

import { type Box, box } from "../space/box.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../space/dtype.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import type { RowArray } from "./rows.ts";

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
      const low = places ? placeIn(places, start) : Math.min(count, Math.max(0, start - first));
      const high = places ? placeIn(places, stop) : Math.min(count, Math.max(0, stop - first));
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

/** The place of the first value of an ascending list that is not below `value`. */
export function placeIn(sorted: Uint32Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
