/**
 * Groups as arrays by rows.
 *
 * @module
 */

import { type Box, box } from "../../space/box.ts";
import { type DType, type TypedArray, zeros } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import type { Axis } from "./axes.ts";
import { type GroupNumbers, type Groups, rowsBetween } from "./groups.ts";

/** Numbers that follow from the parameters of a group; `rows` are the groups that are selected. */
export class ParameterRows {
  readonly shape: Shape;
  readonly dtype = "float64";
  readonly memory: number;

  /** `put` writes the `cell` numbers of a row; the parameters of its group begin at `at`. */
  constructor(
    private readonly groups: Groups,
    private readonly rows: Uint32Array | undefined,
    private readonly cell: number,
    private readonly put: (into: Float64Array, place: number, numbers: GroupNumbers, at: number) => void,
  ) {
    const count = rows?.length ?? groups.count;
    this.shape = cell === 1 ? [count] : [count, cell];
    this.memory = groups.memory;
  }

  /** The numbers of the rows. */
  async read(start: number, stop: number): Promise<TypedArray> {
    const { groups, cell, rows } = this;
    const found = new Float64Array((stop - start) * cell), each = groups.parameters;
    await groups.read(rowsBetween(start, stop, rows), 0, each, (numbers, first, count) => {
      for (let i = 0; i < count; i++) this.put(found, (first + i) * cell, numbers, i * each);
    });
    return found;
  }

  /** Closes the file. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.groups[Symbol.asyncDispose]();
  }
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
export type SampleKind = "visibility" | "flag" | "weight";

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

/** Visibilities, flags or weights: rows, channels, correlations. */
export class SampleRows {
  readonly shape: Shape;
  readonly dtype: DType;
  readonly memory: number;

  /** Those of the groups. */
  constructor(
    private readonly groups: Groups,
    private readonly rows: Uint32Array | undefined,
    private readonly places: SamplePlaces,
    private readonly kind: SampleKind,
  ) {
    const { channels, correlations } = places;
    this.shape = [rows?.length ?? groups.count, channels.length, correlations.size];
    const [float, complex]: [DType, DType] = groups.isDouble
      ? ["float64", "complex128"]
      : ["float32", "complex64"];
    this.dtype = kind === "visibility" ? complex : kind === "weight" ? float : "bool";
    this.memory = groups.memory;
  }

  /** The samples of the rows, or the part `cell` of each. */
  async read(start: number, stop: number, cell: Box = box([0, 0], this.shape.slice(1))): Promise<TypedArray> {
    const { groups, rows, places: { parts }, kind } = this;
    const found = zeros(this.dtype, (stop - start) * sizeOf(cell.shape));
    const places = this.#placesIn(cell);
    if (places.length === 0 || stop === start) return found;
    const low = places.reduce((least, place) => Math.min(least, place), Infinity);
    const high = places.reduce((most, place) => Math.max(most, place), 0) + (parts.size - 1) * parts.stride;
    const each = high + 1 - low, made = MADE[kind], hasWeight = parts.size > 2;
    await groups.read(
      rowsBetween(start, stop, rows),
      groups.parameters + low,
      each,
      (numbers, first, count) => {
        for (let i = 0, to = first * places.length; i < count; i++) {
          for (let p = 0; p < places.length; p++, to++) {
            const at = i * each + places[p]! - low;
            const weight = hasWeight ? numbers[at + 2 * parts.stride]! : 1;
            made(found, to, numbers[at]!, numbers[at + parts.stride]!, weight);
          }
        }
      },
    );
    return found;
  }

  /** Where the real parts of a cell lie in a group. */
  #placesIn({ origin, shape }: Box): Float64Array {
    const { channels, correlations } = this.places;
    const [from = 0, first = 0] = origin, [count = 0, across = 0] = shape;
    const found = new Float64Array(count * across);
    for (let c = 0; c < count; c++) {
      for (let k = 0; k < across; k++) {
        found[c * across + k] = channels[from + c]! + (first + k) * correlations.stride;
      }
    }
    return found;
  }

  /** Closes the file. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.groups[Symbol.asyncDispose]();
  }
}
