/**
 * Sums and extremes per label, in columns that grow with the labels that are met.
 *
 * @module
 */

import type { Shape } from "../../space/shape.ts";

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
  constructor(
    readonly rank: number,
    private readonly withValues: boolean,
    private readonly mustFit: (labels: number) => void,
  ) {
    const columns = () => Array.from({ length: rank }, () => new Float64Array(0));
    [this.#sums, this.#least, this.#most] = [columns(), columns(), columns()];
    this.#values = [new Float64Array(0), new Float64Array(0), new Float64Array(0)];
  }

  /** Bytes per label. */
  static bytes(rank: number): number {
    return 8 * (4 + 3 * rank);
  }

  /** Adds a run of `label`, from 1, without its samples: those from `start` to `stop` of the line at `line`. */
  add(label: number, line: Shape, start: number, stop: number): void {
    if (label > this.count) this.#grow(label);
    const [i, n, last] = [label - 1, stop - start, this.rank - 1];
    const isFirst = this.#area[i] === 0;
    this.#area[i]! += n;
    for (let d = 0; d < last; d++) this.#at(d, i, isFirst, line[d]! * n, line[d]!, line[d]!);
    if (last >= 0) this.#at(last, i, isFirst, (start + stop - 1) * n / 2, start, stop - 1);
  }

  #at(d: number, i: number, isFirst: boolean, sum: number, least: number, most: number): void {
    const [from, to] = [this.#least[d]!, this.#most[d]!];
    this.#sums[d]![i]! += sum;
    if (isFirst || least < from[i]!) from[i] = least;
    if (isFirst || most > to[i]!) to[i] = most;
  }

  /** Adds the samples of a run that was added, one after another; a NaN makes mean and extremes NaN. */
  addValues(label: number, data: ArrayLike<number | bigint>, from: number, to: number): void {
    const [sums, least, most] = this.#values;
    const i = label - 1;
    const isFirst = this.#area[i] === to - from;
    let sum = sums[i]!, low = isFirst ? Infinity : least[i]!, high = isFirst ? -Infinity : most[i]!;
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
    return this.#perDimension((out, d) => {
      const [sums, area] = [this.#sums[d]!, this.#area];
      for (let i = 0, at = d; i < this.count; i++, at += this.rank) out[at] = sums[i]! / area[i]!;
    });
  }

  /** First samples of boxes, label by label; 0 where there is no sample. */
  origins(): Float64Array {
    return this.#perDimension((out, d) => {
      const least = this.#least[d]!;
      for (let i = 0, at = d; i < this.count; i++, at += this.rank) out[at] = least[i]!;
    });
  }

  /** Sizes of boxes, label by label; 0 where there is no sample. */
  sizes(): Float64Array {
    return this.#perDimension((out, d) => {
      const [least, most, area] = [this.#least[d]!, this.#most[d]!, this.#area];
      for (let i = 0, at = d; i < this.count; i++, at += this.rank) {
        if (area[i] !== 0) out[at] = most[i]! - least[i]! + 1;
      }
    });
  }

  /** Means and extremes of samples; NaN where there is none. */
  values(): { readonly mean: Float64Array; readonly min: Float64Array; readonly max: Float64Array } {
    const known = (column: Float64Array) =>
      column.slice(0, this.count).map((value, i) => this.#area[i] === 0 ? NaN : value);
    const [sum, min, max] = this.#values;
    return { mean: known(sum).map((value, i) => value / this.#area[i]!), min: known(min), max: known(max) };
  }

  /** Labels × dimensions; `write` fills the column of a dimension. There may be millions of labels: plain loops. */
  #perDimension(write: (out: Float64Array, d: number) => void): Float64Array {
    const out = new Float64Array(this.count * this.rank);
    for (let d = 0; d < this.rank; d++) write(out, d);
    return out;
  }

  #grow(label: number): void {
    if (label > this.#area.length) {
      const room = Math.max(label, 2 * this.#area.length, 64);
      this.mustFit(room);
      const longer = (column: Float64Array) => {
        const grown = new Float64Array(room); // zeros take no memory before they are written
        grown.set(column);
        return grown;
      };
      this.#area = longer(this.#area);
      this.#sums = this.#sums.map(longer);
      this.#least = this.#least.map(longer);
      this.#most = this.#most.map(longer);
      const [sum, least, most] = this.#values;
      if (this.withValues) this.#values = [longer(sum), longer(least), longer(most)];
    }
    this.count = label;
  }
}
