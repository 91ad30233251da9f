/**
 * Sums and extremes per label, in columns with one row for each label that is met, whatever its number.
 *
 * @module
 */

import type { Shape } from "../../space/shape.ts";

/** A label as it is stored. */
export type StoredLabel = number | bigint;

/** Bytes of a label and its row in a map, and of its places in the order of labels. */
const ROW_BYTES = 96;

/** The columns; results have their rows in the order of the labels. */
export class LabelColumns {
  readonly #rows = new Map<StoredLabel, number>();
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

  /** Bytes per label: columns, and the results that are made of them, or the columns of half the size before they grow. */
  static bytes(rank: number): number {
    return 2 * 8 * (4 + 3 * rank) + ROW_BYTES;
  }

  /** Labels so far. */
  get count(): number {
    return this.#rows.size;
  }

  /** The labels, from the least, and the row of each. */
  order(): { readonly labels: StoredLabel[]; readonly rows: Uint32Array } {
    const labels = [...this.#rows.keys()].sort((a, b) => a < b ? -1 : 1);
    return { labels, rows: Uint32Array.from(labels, (label) => this.#rows.get(label)!) };
  }

  /** The row of a label. */
  rowOf(label: StoredLabel): number {
    const known = this.#rows.get(label);
    if (known !== undefined) return known;
    const row = this.count;
    if (row === this.#area.length) this.#grow();
    this.#rows.set(label, row);
    return row;
  }

  /** Adds a run of the label of a row, without its samples: those from `start` to `stop` of the line at `line`. */
  add(row: number, line: Shape, start: number, stop: number): void {
    const [i, n, last] = [row, stop - start, this.rank - 1];
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
  addValues(i: number, data: ArrayLike<number | bigint>, from: number, to: number): void {
    const [sums, least, most] = this.#values;
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
  area(rows: Uint32Array): Float64Array {
    return Float64Array.from(rows, (i) => this.#area[i]!);
  }

  /** Means of positions, label by label. */
  centroids(rows: Uint32Array): Float64Array {
    return this.#perDimension(rows, (i, d) => this.#sums[d]![i]! / this.#area[i]!);
  }

  /** First samples of boxes, label by label. */
  origins(rows: Uint32Array): Float64Array {
    return this.#perDimension(rows, (i, d) => this.#least[d]![i]!);
  }

  /** Sizes of boxes, label by label. */
  sizes(rows: Uint32Array): Float64Array {
    return this.#perDimension(rows, (i, d) => this.#most[d]![i]! - this.#least[d]![i]! + 1);
  }

  /** Means and extremes of samples. */
  values(rows: Uint32Array): Readonly<Record<"mean" | "min" | "max", Float64Array>> {
    const [sum, least, most] = this.#values;
    return {
      mean: Float64Array.from(rows, (i) => sum[i]! / this.#area[i]!),
      min: Float64Array.from(rows, (i) => least[i]!),
      max: Float64Array.from(rows, (i) => most[i]!),
    };
  }

  /** Labels × dimensions. There may be millions of labels: plain loops. */
  #perDimension(rows: Uint32Array, value: (row: number, d: number) => number): Float64Array {
    const out = new Float64Array(rows.length * this.rank);
    for (let i = 0, at = 0; i < rows.length; i++) {
      for (let d = 0; d < this.rank; d++) out[at++] = value(rows[i]!, d);
    }
    return out;
  }

  #grow(): void {
    const room = Math.max(8, 2 * this.#area.length);
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
}
