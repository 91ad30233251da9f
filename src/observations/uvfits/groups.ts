/**
 * Random groups of FITS: each has parameters, then samples, all of one type, big endian.
 *
 * ```
 * group 0: p₁ … pₖ  samples …   group 1: p₁ … pₖ  samples …
 * ```
 *
 * Source: FITS standard 4.0, section 6.
 *
 * @module
 */

import { cannot, type TilewiseError } from "../../errors.ts";
import type { Unit } from "../../formats/fits/cards.ts";
import { type ByteSource, readBytes } from "../../io/source/source.ts";
import { numberReader, type ReadNumber } from "../../memory/sample_reader.ts";
import type { Box } from "../../space/box.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { type RowArray, rowArray } from "../rows/rows.ts";
import type { Axis } from "./axes.ts";

/** Bytes that are read at a time, unless a group has more. */
const BLOCK_BYTES = 2 ** 18;

/** Distance in bytes from which on a part of each group is read for itself. */
const FAR = 2 ** 14;

/** Numbers of many groups: those of group `i` begin at `i · each`. */
type GroupNumbers = Float32Array | Float64Array;

/** Takes numbers of the groups from `first` on, counted from those that were asked for. */
type TakeGroups = (numbers: GroupNumbers, first: number, count: number) => void;

/** The groups of a file. */
export class Groups implements AsyncDisposable {
  /** How many there are. */
  readonly count: number;
  /** Parameters of a group. */
  readonly parameters: number;
  /** Samples of a group. */
  readonly samples: number;
  /** Whether samples have more digits than float32. */
  readonly isDouble: boolean;
  /** Bytes that a read holds. */
  readonly memory: number;
  readonly #pitch: number;
  readonly #size: number;
  readonly #scale: number;
  readonly #zero: number;
  readonly #blank: number | undefined;
  readonly #valueAt: ReadNumber;

  /** The groups of the first unit of a file. Errors: `truncated` where the file ends inside. */
  constructor(readonly source: ByteSource, private readonly unit: Unit) {
    const { cards, shape, stored, groups, parameters } = unit;
    const most = 2 ** 53 - 1;
    this.count = groups;
    this.parameters = parameters;
    this.samples = sizeOf(shape);
    this.#size = dtypeInfo(stored).itemSize;
    this.#pitch = (this.parameters + this.samples) * this.#size;
    this.isDouble = stored === "float64" || stored === "int32" || stored === "int64";
    this.#scale = cards.number("BSCALE", 1);
    this.#zero = cards.number("BZERO", 0);
    this.#blank = dtypeInfo(stored).kind !== "f" && cards.values.has("BLANK")
      ? cards.count("BLANK", -most, most)
      : undefined;
    this.#valueAt = numberReader(stored)!;
    this.memory = 2 * Math.max(Math.min(BLOCK_BYTES, this.count * this.#pitch), this.#pitch);
    if (unit.end > source.size) throw this.#endsInside();
  }

  #endsInside(): TilewiseError {
    const { source: { name, size }, unit: { start, end } } = this;
    const complete = Math.max(0, Math.floor((size - start) / this.#pitch));
    const text = `it has ${size} bytes, its ${this.count} groups end at byte ${end}; ` +
      `${complete} of them are complete`;
    return cannot("read", name, "truncated", text, { expected: end, found: size });
  }

  /**
   * Reads `each` numbers from number `from` on of the groups in `rows`, which ascend, block by block. Samples are physical ones;
   * parameters are as they are stored.
   */
  async read(rows: Rows, from: number, each: number, take: TakeGroups): Promise<void> {
    const isFar = (this.#pitch - each * this.#size) > FAR;
    const most = Math.max(1, Math.floor(BLOCK_BYTES / (isFar ? each * this.#size : this.#pitch)));
    for (let first = 0; first < rows.count;) {
      let count = 1;
      const low = rows.at(first);
      while (first + count < rows.count && count < most && (isFar || rows.at(first + count) - low < most)) {
        count++;
      }
      const numbers = this.isDouble ? new Float64Array(count * each) : new Float32Array(count * each);
      if (isFar) {
        for (let i = 0; i < count; i++) await this.#part(rows.at(first + i), from, each, numbers, i * each);
      } else await this.#block(rows, first, count, from, each, numbers);
      take(numbers, first, count);
      first += count;
    }
  }

  /** The numbers of one group. */
  async #part(
    group: number,
    from: number,
    each: number,
    into: GroupNumbers,
    at: number,
  ): Promise<void> {
    const start = this.unit.start + group * this.#pitch + from * this.#size;
    const bytes = await readBytes(this.source, start, each * this.#size);
    this.#decode(new DataView(bytes.buffer), 0, from, each, into, at);
  }

  /** The numbers of groups that lie near each other. */
  async #block(
    rows: Rows,
    first: number,
    count: number,
    from: number,
    each: number,
    into: GroupNumbers,
  ): Promise<void> {
    const low = rows.at(first), high = rows.at(first + count - 1) + 1;
    const start = this.unit.start + low * this.#pitch;
    const view = new DataView(
      (await readBytes(this.source, start, (high - low) * this.#pitch)).buffer,
    );
    for (let i = 0; i < count; i++) {
      const at = (rows.at(first + i) - low) * this.#pitch + from * this.#size;
      this.#decode(view, at, from, each, into, i * each);
    }
  }

  #decode(view: DataView, at: number, from: number, each: number, into: GroupNumbers, place: number): void {
    const isPlain = from < this.parameters ||
      (this.#scale === 1 && this.#zero === 0 && this.#blank === undefined);
    for (let i = 0; i < each; i++) into[place + i] = this.#valueAt(view, at + i * this.#size);
    if (isPlain) return;
    for (let i = place; i < place + each; i++) {
      into[i] = into[i] === this.#blank ? NaN : into[i]! * this.#scale + this.#zero;
    }
  }

  /** Closes the file. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.source[Symbol.asyncDispose]();
  }
}

/** Some groups, ascending. */
export interface Rows {
  /** How many. */
  readonly count: number;
  /** The number of one of them. */
  readonly at: (row: number) => number;
}

/** The groups from row `start` to before `stop` of those that are selected; absent: all. */
function rowsBetween(start: number, stop: number, selected?: Uint32Array): Rows {
  return { count: stop - start, at: selected ? (row) => selected[start + row]! : (row) => start + row };
}

// Groups as arrays by rows.

/**
 * Numbers that follow from the parameters of a group; `rows` are the groups that are selected. `put` writes the `cell` numbers of
 * a row; the parameters of its group begin at `at`.
 */
export function parameterRows(
  groups: Groups,
  rows: Uint32Array | undefined,
  cell: number,
  put: (into: Float64Array, place: number, numbers: GroupNumbers, at: number) => void,
): RowArray {
  const total = rows?.length ?? groups.count;
  return rowArray({
    shape: cell === 1 ? [total] : [total, cell],
    dtype: "float64",
    over: [groups],
    async read(start, stop) {
      const found = new Float64Array((stop - start) * cell), each = groups.parameters;
      await groups.read(rowsBetween(start, stop, rows), 0, each, (numbers, first, count) => {
        for (let i = 0; i < count; i++) put(found, (first + i) * cell, numbers, i * each);
      });
      return found;
    },
  });
}

/** Where samples lie in a group. */
export interface SamplePlaces {
  /** Where the first number of each channel lies. */
  readonly channels: readonly number[];
  /** The axis of correlations. */
  readonly correlations: Axis;
  /** The axis of parts: real, imaginary, and weight if there is one. */
  readonly parts: Axis;
}

/** What is made of samples: visibilities, flags or weights. */
type SampleKind = "visibility" | "flag" | "weight";

/** What is made of the real part, the imaginary part and the weight of a sample. */
const MADE: Readonly<
  Record<SampleKind, (to: TypedArray, place: number, re: number, im: number, weight: number) => void>
> = {
  visibility: (to, place, re, im) => {
    to[2 * place] = re;
    to[2 * place + 1] = im;
  },
  flag: (to, place, _re, _im, weight) => {
    to[place] = weight > 0 ? 0 : 1;
  },
  weight: (to, place, _re, _im, weight) => {
    to[place] = Number.isFinite(weight) ? Math.abs(weight) : 0;
  },
};

/** Visibilities, flags or weights of the groups: rows, channels, correlations. */
export function sampleRows(
  groups: Groups,
  rows: Uint32Array | undefined,
  { channels, correlations, parts }: SamplePlaces,
  kind: SampleKind,
): RowArray {
  const [float, complex]: [DType, DType] = groups.isDouble
    ? ["float64", "complex128"]
    : ["float32", "complex64"];
  const dtype = kind === "visibility" ? complex : kind === "weight" ? float : "bool";
  const made = MADE[kind], hasWeight = parts.size > 2;
  return rowArray({
    shape: [rows?.length ?? groups.count, channels.length, correlations.size],
    dtype,
    over: [groups],
    async read(start, stop, cell) {
      const found = zeros(dtype, (stop - start) * sizeOf(cell.shape));
      const places = placesIn(channels, correlations, cell);
      if (places.length === 0 || stop === start) return found;
      const low = places.reduce((least, place) => Math.min(least, place), Infinity);
      const high = places.reduce((most, place) => Math.max(most, place), 0) + (parts.size - 1) * parts.stride;
      const each = high + 1 - low, from = groups.parameters + low;
      await groups.read(rowsBetween(start, stop, rows), from, each, (numbers, first, count) => {
        for (let i = 0, to = first * places.length; i < count; i++) {
          for (let p = 0; p < places.length; p++, to++) {
            const at = i * each + places[p]! - low;
            const weight = hasWeight ? numbers[at + 2 * parts.stride]! : 1;
            made(found, to, numbers[at]!, numbers[at + parts.stride]!, weight);
          }
        }
      });
      return found;
    },
  });
}

/** Where the real parts of a cell lie in a group. */
function placesIn(channels: readonly number[], correlations: Axis, { origin, shape }: Box): Float64Array {
  const [from = 0, first = 0] = origin, [count = 0, across = 0] = shape;
  const found = new Float64Array(count * across);
  for (let c = 0; c < count; c++) {
    for (let k = 0; k < across; k++) {
      found[c * across + k] = channels[from + c]! + (first + k) * correlations.stride;
    }
  }
  return found;
}
