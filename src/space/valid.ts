/**
 * Valid masks: which entries of an array are valid, where these are, and masks that are broadcast to larger ones.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { inWords } from "../options.ts";
import { type Box, box } from "./box.ts";
import { type NDArray, ndarray } from "./ndarray.ts";
import { type Shape, showShape, sizeOf, stridesOf } from "./shape.ts";
import type { TypedArray } from "./dtype.ts";
import { copyNumbers, zerosLike } from "./numbers.ts";

/**
 * An array, or anything else with a shape and a mask.
 * @category Arrays
 */
export type Maskable = Pick<NDArray, "shape" | "valid">;

/**
 * A mask as users write it: one truth value for all, a list, nested lists, or values and shape.
 * @category Arrays
 */
export type MaskInput =
  | boolean
  | Uint8Array
  | NestedBits
  | {
    /** Truth values, or numbers that are not 0 where it is true. */
    readonly data: ArrayLike<boolean | number | bigint>;
    /** Its shape. */
    readonly shape: Shape;
  };

/**
 * Nested lists of truth values.
 * @category Arrays
 */
export type NestedBits = readonly (boolean | NestedBits)[];

/**
 * One byte per sample of the whole array: 1 where it is valid. The `valid` of an array may have one byte per entry of many
 * samples instead.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...fullMask({ shape: [2, 2], valid: Uint8Array.of(1, 0) })], [1, 1, 0, 0]);
 * ```
 * @category Arrays
 */
export function fullMask({ shape, valid }: Maskable): Uint8Array {
  const size = sizeOf(shape);
  const mask = new Uint8Array(size).fill(1);
  if (!valid) return mask;
  const each = size / valid.length;
  for (let i = 0; i < size; i++) mask[i] = valid[Math.floor(i / each)] ? 1 : 0;
  return mask;
}

/**
 * The smallest box that holds all valid samples; if there are none, an empty box at the origin.
 *
 * @example
 * ```ts
 * import { validBox } from "@tilewise/tilewise/unstable/arrays";
 * import { assertEquals } from "@std/assert";
 * const valid = Uint8Array.of(0, 0, 0, 0, 1, 0);
 * assertEquals(validBox({ shape: [2, 3], valid }), { origin: [1, 1], shape: [1, 1] });
 * ```
 * @category Arrays
 */
export function validBox(array: Maskable): Box {
  const { shape } = array;
  const low = [...shape];
  const high = shape.map(() => 0);
  const strides = stridesOf(shape);
  fullMask(array).forEach((on, flat) => {
    if (!on) return;
    for (let d = 0; d < shape.length; d++) {
      const at = Math.floor(flat / strides[d]!) % shape[d]!;
      low[d] = Math.min(low[d]!, at);
      high[d] = Math.max(high[d]!, at + 1);
    }
  });
  const empty = high.some((end, d) => end <= low[d]!);
  return empty ? box(shape.map(() => 0), shape.map(() => 0)) : box(low, high.map((end, d) => end - low[d]!));
}

/**
 * The first run `[start, stop)` along `axis` in which every sample is valid, for all other coordinates. It need not be
 * the longest run. If there is none, the run is empty and lies at the end.
 *
 * @example
 * ```ts
 * import { validRun } from "@tilewise/tilewise/unstable/arrays";
 * import { assertEquals } from "@std/assert";
 * const valid = Uint8Array.of(1, 0, 1, 1, 1, 1);
 * assertEquals(validRun({ shape: [3, 2], valid }), { start: 1, stop: 3 });
 * assertEquals(validRun({ shape: [3, 2], valid }, 1), { start: 0, stop: 1 });
 * ```
 * @category Arrays
 */
export function validRun(
  array: Maskable,
  axis: number = 0,
): {
  /** The first valid index. */
  readonly start: number;
  /** One past the last valid index. */
  readonly stop: number;
} {
  const { shape } = array;
  const length = shape[axis];
  if (length === undefined) {
    const text = `Cannot look along axis ${axis} of an array of ${showShape(shape)}`;
    throw new TilewiseError("invalid", text, { found: axis });
  }
  const stride = stridesOf(shape)[axis]!;
  const all = new Uint8Array(length).fill(1);
  fullMask(array).forEach((on, flat) => {
    if (!on) all[Math.floor(flat / stride) % length] = 0;
  });
  const first = all.indexOf(1);
  if (first < 0) return { start: length, stop: length };
  const next = all.indexOf(0, first);
  return { start: first, stop: next < 0 ? length : next };
}

/**
 * Only the selected rows of a result over the scan: shape (rows, …entry). A row is selected where `selected` is not
 * zero (default: where the array is valid); `mask` of a region of interest will do.
 *
 * @example
 * ```ts
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { assertEquals } from "@std/assert";
 * const array = ndarray(Float64Array.of(1, 2, 3, 4), [2, 2], "float64", Uint8Array.of(0, 1, 0, 1));
 * assertEquals([...selectedRows(array).data], [2, 4]);
 * ```
 * @category Arrays
 */
export function selectedRows(array: NDArray, selected: Uint8Array | undefined = array.valid): NDArray {
  const { data, shape, dtype, valid } = array;
  const rows = selected?.length ?? shape[0] ?? 1;
  const entry = entryShape(shape, rows);
  const unit = data.length / rows;
  const chosen = Array.from({ length: rows }, (_, i) => i).filter((i) => !selected || selected[i]);
  const pick = <A extends TypedArray>(from: A, each: number): A => {
    const to = zerosLike(from, chosen.length * each);
    chosen.forEach((row, i) => copyNumbers(to, from.subarray(row * each, (row + 1) * each), i * each));
    return to;
  };
  const mask = valid && (valid.length % rows === 0 ? valid : fullMask(array));
  return ndarray(pick(data, unit), [chosen.length, ...entry], dtype, mask && pick(mask, mask.length / rows));
}

/** The rest of `shape` after the first dimensions, which have `rows` positions. */
function entryShape(shape: Shape, rows: number): Shape {
  for (let d = 0; d <= shape.length; d++) {
    if (sizeOf(shape.slice(0, d)) === rows) return shape.slice(d);
  }
  const text = `Cannot select rows: no first dimensions of ${showShape(shape)} have ${rows} positions`;
  throw new TilewiseError("invalid", text, { expected: showShape(shape), found: rows });
}

/**
 * The mask `input` for an array of `shape`, one byte per sample, by NumPy's rules of broadcasting. A flat list with one
 * value per sample of the array is taken in row-major order.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...broadcastMask([true, false], [2, 2])], [1, 0, 1, 0]);
 * assertEquals([...broadcastMask([[true], [false]], [2, 2])], [1, 1, 0, 0]);
 * ```
 * @category Arrays
 */
export function broadcastMask(input: MaskInput, shape: Shape): Uint8Array {
  const size = sizeOf(shape);
  const given = bitsOf(input);
  const from = given.shape.length === 1 && given.bits.length === size ? { ...given, shape } : given;
  const lead = shape.length - from.shape.length;
  const fits = lead >= 0 && from.shape.every((n, d) => n === 1 || n === shape[lead + d]);
  if (!fits) {
    const text = `a mask of ${showShape(given.shape)} does not broadcast to ${showShape(shape)}`;
    throw new TilewiseError("invalid", text, { expected: showShape(shape), found: showShape(given.shape) });
  }
  const strides = stridesOf(from.shape).map((stride, d) => from.shape[d] === 1 ? 0 : stride);
  const own = stridesOf(shape);
  return Uint8Array.from({ length: size }, (_, flat) => {
    let at = 0;
    for (let d = lead; d < shape.length; d++) {
      at += Math.floor(flat / own[d]!) % shape[d]! * strides[d - lead]!;
    }
    return from.bits[at]!;
  });
}

interface Bits {
  readonly bits: Uint8Array;
  readonly shape: Shape;
}

function bitsOf(input: MaskInput): Bits {
  if (typeof input === "boolean") return { bits: Uint8Array.of(input ? 1 : 0), shape: [] };
  if (input instanceof Uint8Array) return { bits: checkedBits(input), shape: [input.length] };
  if (typeof input === "object" && input !== null && "data" in input) {
    const bits = checkedBits(input.data);
    if (sizeOf(input.shape) === bits.length) return { bits, shape: input.shape };
    const text = `a mask of ${showShape(input.shape)} has ${bits.length} values`;
    throw new TilewiseError("invalid", text, { expected: sizeOf(input.shape), found: bits.length });
  }
  if (!Array.isArray(input)) throw new TilewiseError("invalid", `${inWords(input)} is not a mask`);
  const shape: number[] = [];
  for (let level: unknown = input; Array.isArray(level); level = level[0]) shape.push(level.length);
  const bits = checkedBits(input.flat(Infinity));
  if (bits.length === sizeOf(shape)) return { bits, shape };
  throw new TilewiseError("invalid", "the rows of a nested mask differ in length");
}

function checkedBits(values: ArrayLike<unknown>): Uint8Array {
  const isBytes = values instanceof Uint8Array;
  return Uint8Array.from(values as ArrayLike<number>, (value: unknown) => {
    if (value === true || isBytes && value === 1) return 1;
    if (value === false || isBytes && value === 0) return 0;
    throw new TilewiseError("invalid", `${String(value)} in a mask is not a truth value`, {
      found: String(value),
    });
  });
}
