/**
 * Products of frames with real rows of weights: how masks are stored in memory, and which kernel takes them.
 *
 * @module
 */

import { kernel } from "../../../kernels/registry.ts";
import { type DType, dtypeInfo, isExact, type TypedArray, unitsOf, unitType } from "../../../space/dtype.ts";
import { asNumbers } from "../../../space/numbers.ts";
import type { Tile } from "../../interface/tile.ts";
import type { UdfContext, UdfMeta } from "../../interface/udf.ts";
import { reader } from "../../../memory/sample_reader.ts";
import { addWeighted, areOdd } from "./odd_sums.ts";
import type { MaskWeights, WeightList } from "./packed.ts";

// Complex masks and complex frames as products of real numbers.
//
// In frames, masks and results, a complex number is a pair of floats. Each mask becomes one real row, or, if the result
// is complex, two: one for the real part, one for the imaginary part. Frames are not changed.
//
// ```
// frame   mask      rows for the real and the imaginary part, per sample of the frame
// real    a         a
// real    a + ib    a        |  b
// x + iy  a + ib    a, −b    |  b, a           (x + iy)(a + ib) = (ax − by) + i(bx + ay)
// ```

/** A row of real weights: all of them, or a list of the non-zero ones. */
export type MaskRow = { readonly values: ArrayLike<number>; readonly list?: undefined } | {
  readonly list: WeightList;
};

/** Masks as real rows. */
export interface MaskRows {
  /** The rows; two per mask if the result is complex. */
  readonly rows: MaskRow[];
  /** Number of masks. */
  readonly masks: number;
  /** Whether the result is complex. */
  readonly complex: boolean;
}

/**
 * The rows of masks for frames of `dtype`; `wanted`: make rows for a complex result in any case. Works in steps, which
 * report how many bytes of rows there will be. Empties `weights`.
 */
export function* rowsOf(weights: MaskWeights[], dtype: DType, wanted = false): Generator<number, MaskRows> {
  const units = unitsOf(dtype);
  const complex = wanted || units === 2 || weights.some((mask) => mask.complex);
  const masks = weights.length;
  const rows: MaskRow[] = [];
  let held = 0;
  for (let m = 0; m < masks; m++) {
    const mask = weights[m]!;
    weights[m] = NOTHING; // so that its memory can be freed
    if (!complex) rows.push(asRow(mask));
    else if (units === 1 && (mask.parts || mask.list)) {
      for (const list of mask.parts ?? [mask.list!, EMPTY]) rows.push({ list });
    } else {
      const { values } = mask;
      held += 2 * Float64Array.BYTES_PER_ELEMENT * units * values.length;
      yield held;
      const both = units === 2 ? forComplex(mask) : forReal(mask);
      for (const values of both) rows.push({ values });
    }
  }
  return { rows, masks, complex };
}

const EMPTY: WeightList = { pixels: new Uint32Array(0), values: [] };
const NOTHING: MaskWeights = { values: new Float64Array(0), complex: false };

function asRow(mask: MaskWeights): MaskRow {
  return mask.list ? { list: mask.list } : { values: mask.values };
}

function forReal({ values, complex }: MaskWeights): ArrayLike<number>[] {
  if (!complex) return [values, new Float64Array(values.length)];
  const part = (first: number) =>
    Float64Array.from({ length: values.length / 2 }, (_, i) => values[2 * i + first]!);
  return [part(0), part(1)];
}

function forComplex({ values, complex }: MaskWeights): ArrayLike<number>[] {
  const pixels = complex ? values.length / 2 : values.length;
  const [real, imaginary] = [new Float64Array(2 * pixels), new Float64Array(2 * pixels)];
  for (let i = 0; i < pixels; i++) {
    const [a, b] = complex ? [values[2 * i]!, values[2 * i + 1]!] : [values[i]!, 0];
    real.set([a, -b], 2 * i);
    imaginary.set([b, a], 2 * i);
  }
  return [real, imaginary];
}

/**
 * Entries from one mask to the next. Caches place data by the lower bits of its address: with a power of two, all masks
 * would compete for the same cache lines.
 */
export function maskPitch({ pixels, nativeDType }: UdfMeta): number {
  return pixels * unitsOf(nativeDType) + 1024 + 32;
}

/** The types of weights that kernels take. */
export type StackType = Int16ArrayConstructor | Float32ArrayConstructor | Float64ArrayConstructor;

/** Finds the type that holds all weights. */
export class WeightSizes {
  #short: boolean;
  #single: boolean;
  #largest = 1;

  /** Starts without weights. */
  constructor({ nativeDType }: UdfMeta) {
    this.#short = isSmall(nativeDType);
    this.#single = isSmall(nativeDType) || unitType(nativeDType) === "float32";
  }

  /** Examines further weights. */
  add(weights: ArrayLike<number>): void {
    if (this.#short) this.#short = this.#areShort(weights);
    if (!this.#short && this.#single) this.#single = fitSingle(weights);
  }

  /** The type. */
  get type(): StackType {
    return this.#short ? Int16Array : this.#single ? Float32Array : Float64Array;
  }

  /** Number of vectors of exact products that a 32-bit lane can hold: each adds at most 2 · 2^15 · the largest weight. */
  get flushInterval(): number {
    if (!this.#short) return 0;
    return Math.max(1, Math.floor((2 ** 31 - 1) / (2 * 32768 * this.#largest)));
  }

  /** Whether all weights are 16-bit integers. */
  #areShort(weights: ArrayLike<number>): boolean {
    let largest = this.#largest;
    for (let i = 0; i < weights.length; i++) {
      const weight = weights[i]!;
      if (weight !== (weight << 16 >> 16)) return false;
      if (weight > largest) largest = weight;
      else if (-weight > largest) largest = -weight;
    }
    this.#largest = largest;
    return true;
  }
}

/** All masks, one after another, in the type that the kernels for this data take; one mask per step. */
export function* maskStack(
  rows: (MaskRow | undefined)[],
  meta: UdfMeta,
  type: StackType,
): RowSteps<TypedArray> {
  const stack = new type(rows.length * maskPitch(meta));
  for (const [m, row] of rows.entries()) {
    const at = m * maskPitch(meta);
    if (row!.list) {
      const { pixels, values } = row!.list;
      for (let i = 0; i < pixels.length; i++) stack[at + pixels[i]!] = values[i]!;
    } else stack.set(row!.values, at);
    rows[m] = undefined; // so that its memory can be freed
    yield m;
  }
  return stack;
}

/** Processes rows in steps; each step gives the number of the last row. */
export type RowSteps<T> = Generator<number, T>;

/** Whether float32 holds all weights exactly. */
function fitSingle(weights: ArrayLike<number>): boolean {
  if (weights instanceof Float32Array) return true;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    if (Math.fround(weight) !== weight && !Number.isNaN(weight)) return false;
  }
  return true;
}

/** Whether samples are integers of at most 16 bits, whose products with such weights are exact. */
export function isSmall(dtype: DType): boolean {
  return isExact(dtype) && dtypeInfo(dtype).itemSize <= 2;
}

/** Which samples are multiplied with which weights. */
export interface MaskedRows {
  /** The first pixel, in the frames of the tile. */
  readonly pixel: number;
  /** The pixel of the masks that is multiplied with it. */
  readonly mask: number;
  /** Number of frames. */
  readonly frames: number;
  /** Number of rows, stored one right after another. */
  readonly rows: number;
  /** Pixels per row. */
  readonly rowLength: number;
}

/** Adds the products of a part of the tile with all masks to `out`, the address of f64 numbers, frame after frame. */
export function multiply(tile: Tile, out: number, part: MaskedRows, context: UdfContext): void {
  const { raw } = tile, { masks } = context.constants, dtype = unitType(raw.dtype);
  const areFloats = masks instanceof Float32Array || masks instanceof Float64Array;
  if (!areFloats || isExact(dtype)) return addProducts(tile, out, part, context);
  const { memory } = context.kernels, pitch = maskPitch(context.meta), count = masks.length / pitch;
  const sums = new Float64Array(memory.buffer, out, part.frames * count), before = sums.slice();
  addProducts(tile, out, part, context);
  if (!areOdd(sums)) return;
  const [units, { itemSize }, read] = [
    unitsOf(raw.dtype),
    dtypeInfo(dtype),
    reader(memory, dtype, raw.byteOrder),
  ];
  const rows = { rows: part.rows, rowLength: part.rowLength * units, first: part.mask * units };
  for (let f = 0; f < part.frames; f++) {
    const [start, end] = [f * count, (f + 1) * count];
    const own = sums.subarray(start, end);
    if (!areOdd(own)) continue;
    own.set(before.subarray(start, end));
    const data = raw.pointer + f * raw.frameStride + part.pixel * units * itemSize;
    addWeighted(own, { read, data, itemSize, masks, pitch, ...rows });
  }
}

/** The products by kernels, as if each sample counted. */
function addProducts(
  { raw }: Tile,
  out: number,
  part: MaskedRows,
  { kernels, constants, meta }: UdfContext,
): void {
  const masks = constants.masks!;
  const itemSize = masks.BYTES_PER_ELEMENT;
  const units = unitsOf(raw.dtype);
  const dtype = unitType(raw.dtype);
  const data = raw.pointer + part.pixel * dtypeInfo(raw.dtype).itemSize;
  const pointer = masks.byteOffset + part.mask * units * itemSize;
  const stride = maskPitch(meta) * itemSize;
  const count = masks.length / maskPitch(meta);
  const args = [out, 8 * count, data, part.frames, raw.frameStride, pointer, count, stride] as const;
  const pixels = [part.rows, part.rowLength * units] as const;
  if (masks instanceof Int16Array) {
    const flush = asNumbers(constants.flush!)[0]!;
    kernel(kernels, "dot_i16", dtype, raw.byteOrder)(...args, ...pixels, flush);
  } else if (masks instanceof Float32Array) {
    kernel(kernels, "dot_f32", dtype, raw.byteOrder)(...args, ...pixels);
  } else kernel(kernels, "dot_f64", dtype, raw.byteOrder)(...args, ...pixels);
}
