/**
 * The rows of an observation as imaging takes them: arrays, or functions that read ranges of rows.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, inWords, type OptionNames, type OptionRule } from "../../options.ts";
import { callable, either, must, needed, whole } from "../../options/rules.ts";
import { float64Array, mustBeFinite } from "../geometry/check.ts";

/**
 * Values of rows: an array with those of all rows, or a function that brings those from `start` to `stop`. Functions are
 * called for ranges in ascending order, and possibly several times for the same range.
 * @category Measurement equation
 */
export type RowValues<T> = T | ((start: number, stop: number) => T | Promise<T>);

/**
 * Where visibilities are.
 * @category Measurement equation
 */
export interface ImagingRows {
  /** Baselines (nrow, 3) in metres. */
  readonly uvw: RowValues<Float64Array>;
  /** Channels (nchan) in Hz. */
  readonly frequency: Float64Array;
  /** Number of rows. Whole, at least 0. Default: that of `uvw`, which must be given if that is a function. */
  readonly rows?: number;
  /** Bytes that functions hold while they bring so many rows, beside these rows: part of the memory of the run. Default: none. */
  readonly memory?: (rows: number) => number;
}

/**
 * Visibilities of one polarisation product.
 * @category Measurement equation
 */
export interface ImagingInput extends ImagingRows {
  /** Visibilities (nrow, nchan), as pairs of re and im. */
  readonly visibilities: RowValues<Float32Array | Float64Array>;
  /** Weights (nrow, nchan), from 0; what has the weight 0, as flagged samples should, may be NaN. Default: 1. */
  readonly weights?: RowValues<Float32Array | Float64Array>;
}

const floats = must<Float32Array | Float64Array>(
  "a Float32Array or Float64Array",
  (value) => value instanceof Float32Array || value instanceof Float64Array,
);
const orReader = <V>(what: string, rule: OptionRule<V>) =>
  either(`${what} of all rows, or a function that reads rows from start to stop`, rule, callable);

/** The rules of rows. */
// deno-fmt-ignore: written by `deno task build`
export const IMAGING_ROWS: OptionNames<ImagingRows> = {
  uvw: needed(orReader("a Float64Array", float64Array)), frequency: needed(float64Array), rows: whole(0),
  memory: callable,
};

/** The rules of visibilities. */
// deno-fmt-ignore: written by `deno task build`
export const IMAGING_INPUT: OptionNames<ImagingInput> = {
  ...IMAGING_ROWS, visibilities: needed(orReader("a Float32Array or Float64Array", floats)),
  weights: orReader("a Float32Array or Float64Array", floats),
};

/** Rows that have been checked: their number, and functions that bring ranges of them. */
export interface CheckedRows {
  /** Number of rows. */
  readonly nrow: number;
  /** Number of channels. */
  readonly nchan: number;
  /** Channels. */
  readonly frequency: Float64Array;
  /** Bytes that are held while so many rows are read. */
  memory(rows: number): number;
  /** Baselines of a range. */
  uvw(start: number, stop: number): Promise<Float64Array>;
  /** Visibilities of a range; absent: all are 1. */
  visibilities?(start: number, stop: number): Promise<Float32Array | Float64Array>;
  /** Weights of a range; absent: all are 1. */
  weights?(start: number, stop: number): Promise<Float32Array | Float64Array>;
}

/** Checks an input with or without visibilities. */
export function checkRows(
  call: string,
  input: ImagingRows & Partial<ImagingInput>,
  names: OptionNames<ImagingInput> | OptionNames<ImagingRows>,
): CheckedRows {
  checkOptionNames<ImagingInput>(call, input as ImagingInput, names as OptionNames<ImagingInput>, "input");
  const { uvw, frequency, visibilities, weights, memory = () => 0 } = input;
  mustBeFinite(call, "frequency", frequency);
  const wrong = frequency.findIndex((value) => value <= 0);
  if (wrong >= 0) {
    const text = `${call}: frequency[${wrong}] is ${frequency[wrong]}; channels are above 0 Hz`;
    throw new TilewiseError("invalid", text, { option: "frequency", index: wrong, found: frequency[wrong]! });
  }
  const nrow = rowsOf(call, input), nchan = frequency.length;
  const part = <T extends Float32Array | Float64Array>(name: string, values: RowValues<T>, unit: number) =>
    partReader(call, name, values, unit, nrow);
  return {
    nrow,
    nchan,
    frequency,
    memory,
    uvw: part("uvw", uvw, 3),
    ...(visibilities ? { visibilities: part("visibilities", visibilities, 2 * nchan) } : {}),
    ...(weights ? { weights: part("weights", weights, nchan) } : {}),
  };
}

function rowsOf(call: string, { uvw, rows }: ImagingRows): number {
  if (typeof uvw !== "function") {
    if (rows === undefined && uvw.length % 3 === 0) return uvw.length / 3;
    if (rows !== undefined) return rows;
    const text = `${call}: uvw has ${uvw.length} numbers; it must have 3 for each row`;
    throw new TilewiseError("invalid", text, { option: "uvw", found: uvw.length, expected: 3 });
  }
  if (rows !== undefined) return rows;
  const text = `${call}: uvw is a function, which does not say how many rows there are; give rows as well`;
  throw new TilewiseError("invalid", text, { option: "rows" });
}

/** A function that brings rows of an array or of a reader, of the right length. */
function partReader<T extends Float32Array | Float64Array>(
  call: string,
  name: string,
  values: RowValues<T>,
  unit: number,
  nrow: number,
): (start: number, stop: number) => Promise<T> {
  if (typeof values !== "function") {
    mustHave(call, name, values, unit * nrow, `${nrow} rows`);
    return (start, stop) => Promise.resolve(values.subarray(unit * start, unit * stop) as T);
  }
  return async (start, stop) => {
    const found = await values(start, stop);
    mustHave(call, name, found, unit * (stop - start), `rows ${start} to ${stop}`);
    return found;
  };
}

function mustHave(call: string, name: string, values: unknown, expected: number, what: string): void {
  const isFloats = values instanceof Float64Array || (name !== "uvw" && values instanceof Float32Array);
  if (isFloats && values.length === expected) return;
  const found = isFloats ? `${values.length} numbers` : inWords(values);
  const text = `${call}: ${name} for ${what} is ${found}; it must be ${expected} numbers, as a ${
    name === "uvw" ? "Float64Array" : "Float32Array or Float64Array"
  }`;
  throw new TilewiseError("invalid", text, { option: name, found, expected });
}
