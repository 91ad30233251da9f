/**
 * Sums and extremes per label, in columns that grow with the labels that are met.
 *
 * @module
 */

import type { Shape } from "../../space/shape.ts";

/** Samples of one label, side by side in one line. */
export interface LabelRun {
  /** Its label, from 1. */
  readonly label: number;
  /** Position of the line: all but the last dimension. */
  readonly line: Shape;
  /** First sample in the line. */
  readonly start: number;
  /** One past the last. */
  readonly stop: number;
}

/** The columns: numbers of label `i + 1` are at `i`. */
export class LabelColumns {
  /** Labels so far: the largest one. */
  count = 0;
  #area = new Float64Array(0);
  #sums: Float64Array[];
  #least: Float64Array[];
  #most: Float64Array[];
  #values: readonly [sum: Float64Array, least: Float64Array, most: Float64Array];

  /** For arrays of `rank` dimensions; `mustFit` is told for how many labels there will be columns. */
  constructor(readonly rank: number, private readonly mustFit: (labels: number) => void) {
    const columns = () => Array.from({ length: rank }, () => new Float64Array(0));
    [this.#sums, this.#least, this.#most] = [columns(), columns(), columns()];
    this.#values = [new Float64Array(0), new Float64Array(0), new Float64Array(0)];
  }

  /** Bytes per label. */
  static bytes(rank: number): number {
    return 8 * (4 + 3 * rank);
  }

  /** Adds a run, without its samples. */
  add({ label, line, start, stop }: LabelRun): void {
    if (label > this.count) this.#grow(label);
    const [i, n, last] = [label - 1, stop - start, this.rank - 1];
    this.#area[i]! += n;
    for (let d = 0; d < last; d++) this.#at(d, i, line[d]! * n, line[d]!, line[d]!);
    if (last >= 0) this.#at(last, i, (start + stop - 1) * n / 2, start, stop - 1);
  }

  #at(d: number, i: number, sum: number, least: number, most: number): void {
    this.#sums[d]![i]! += sum;
    if (least < this.#least[d]![i]!) this.#least[d]![i] = least;
    if (most > this.#most[d]![i]!) this.#most[d]![i] = most;
  }

  /** Adds the samples of a run, one after another; a NaN makes mean and extremes NaN. */
  addValues(label: number, data: ArrayLike<number | bigint>, from: number, to: number): void {
    const [sums, least, most] = this.#values;
    const i = label - 1;
    let [sum, low, high] = [sums[i]!, least[i]!, most[i]!];
    for (let at = from; at < to; at++) {
      const value = Number(data[at]!);
      sum += value;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    [sums[i], least[i], most[i]] = [sum, low, high];
  }

  /** Samples per label. */
  get area(): Float64Array {
    return this.#area.slice(0, this.count);
  }

  /** Means of positions, label by label. */
  centroids(): Float64Array {
    return this.#perDimension((d, i) => this.#sums[d]![i]! / this.#area[i]!);
  }

  /** First samples of boxes, label by label; 0 where there is no sample. */
  origins(): Float64Array {
    return this.#perDimension((d, i) => this.#area[i] === 0 ? 0 : this.#least[d]![i]!);
  }

  /** Sizes of boxes, label by label. */
  sizes(): Float64Array {
    return this.#perDimension((d, i) =>
      this.#area[i] === 0 ? 0 : this.#most[d]![i]! - this.#least[d]![i]! + 1
    );
  }

  /** Means and extremes of samples; NaN where there is none. */
  values(): { readonly mean: Float64Array; readonly min: Float64Array; readonly max: Float64Array } {
    const known = (column: Float64Array) =>
      column.slice(0, this.count).map((value, i) => this.#area[i] === 0 ? NaN : value);
    const [sum, min, max] = this.#values;
    return { mean: known(sum).map((value, i) => value / this.#area[i]!), min: known(min), max: known(max) };
  }

  #perDimension(value: (d: number, i: number) => number): Float64Array {
    return Float64Array.from({ length: this.count * this.rank }, (_, n) => {
      return value(n % this.rank, Math.floor(n / this.rank));
    });
  }

  #grow(label: number): void {
    if (label > this.#area.length) {
      const room = Math.max(label, 2 * this.#area.length, 64);
      this.mustFit(room);
      const longer = (column: Float64Array, value: number) => {
        const grown = new Float64Array(room).fill(value);
        grown.set(column);
        return grown;
      };
      this.#area = longer(this.#area, 0);
      this.#sums = this.#sums.map((column) => longer(column, 0));
      this.#least = this.#least.map((column) => longer(column, Infinity));
      this.#most = this.#most.map((column) => longer(column, -Infinity));
      const [sum, least, most] = this.#values;
      this.#values = [longer(sum, 0), longer(least, Infinity), longer(most, -Infinity)];
    }
    this.count = label;
  }
}
