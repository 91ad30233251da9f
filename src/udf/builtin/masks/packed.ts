/**
 * Masks that are mostly zero, stored as lists of weights: otherwise many of them would not fit into memory, and would
 * take long to process.
 *
 * @module
 */

import type { SparseMasks } from "../../../masks/mod.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../../../space/dtype.ts";
import { asNumbers, type NumberArray } from "../../../space/numbers.ts";
import { sizeOf } from "../../../space/shape.ts";

/** The non-zero weights of a real mask. */
export interface WeightList {
  /** Their pixels, ascending, without duplicates. */
  readonly pixels: Uint32Array;
  /** The weights. */
  readonly values: ArrayLike<number>;
}

/** Masks in which the share of non-zero weights is smaller than this are stored as lists. */
const SHARE = 1 / 8;

/**
 * The same mask, as a list of its weights if it is real and few weights are not zero. `values` must have been
 * allocated for this mask, as its bytes are counted.
 */
export function packed(mask: MaskWeights): MaskWeights {
  const { complex, values } = mask;
  const bytes = values.byteLength;
  if (complex) return { ...mask, bytes };
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) count++;
  if (count > SHARE * values.length) return { ...mask, bytes };
  const pixels = new Uint32Array(count), weights = values.slice(0, count);
  for (let i = 0, next = 0; next < count; i++) {
    if (values[i] === 0) continue;
    pixels[next] = i;
    weights[next++] = values[i]!;
  }
  return listed(values.length, { pixels, values: weights });
}

/** A mask of `frame` pixels from the list of its weights. */
export function listed(frame: number, list: WeightList): MaskWeights {
  return new ListedMask(frame, list);
}

/** A mask stored as a list of weights; a class, as there may be very many of them. */
class ListedMask implements MaskWeights {
  readonly complex = false;

  constructor(private readonly frame: number, readonly list: WeightList) {}

  get bytes(): number {
    return listBytes(this.list);
  }

  get values(): Float64Array {
    const dense = new Float64Array(this.frame);
    spread(this.list, (pixel, weight) => dense[pixel] = weight);
    return dense;
  }
}

/** The list of pixels with weight 1. */
export function onesAt(pixels: Uint32Array): WeightList {
  let ones = ONES[pixels.length % ONES.length];
  if (ones?.length !== pixels.length) {
    ones = ONES[pixels.length % ONES.length] = new Uint8Array(pixels.length).fill(1);
  }
  return { pixels, values: ones };
}

/** Lists of ones that were made last: many masks have the same size. They are never written to. */
const ONES: (Uint8Array | undefined)[] = new Array(64).fill(undefined);

/** A complex mask of `frame` pixels from the lists of its real and imaginary parts. */
export function complexListed(frame: number, real: WeightList, imaginary: WeightList): MaskWeights {
  return {
    complex: true,
    parts: [real, imaginary],
    bytes: listBytes(real) + listBytes(imaginary),
    get values() {
      const dense = new Float64Array(2 * frame);
      spread(real, (pixel, weight) => dense[2 * pixel] = weight);
      spread(imaginary, (pixel, weight) => dense[2 * pixel + 1] = weight);
      return dense;
    },
  };
}

function spread({ pixels, values }: WeightList, store: (pixel: number, weight: number) => void): void {
  for (let i = 0; i < pixels.length; i++) store(pixels[i]!, values[i]!);
}

/** Approximate bytes of a list: those of its numbers. */
function listBytes({ pixels, values }: WeightList): number {
  return 4 * pixels.length + ((values as Partial<TypedArray>).BYTES_PER_ELEMENT ?? 8) * values.length;
}

/** Weights that are processed in one step. */
const STEP_WEIGHTS = 2 ** 18;

/**
 * The masks of a sparse stack of real weights. If its weights are sorted already, as they mostly are for recipes, lists
 * are views of them, without a copy.
 */
export function* sparseWeights({ shape, dtype, masks, pixels, ...more }: SparseMasks): MaskSteps {
  const values = asNumbers(more.values);
  const frame = sizeOf(shape.slice(1));
  const ends = new Uint32Array(shape[0]!);
  for (let i = 0; i < masks.length; i++) ends[masks[i]!]!++;
  for (let m = 1; m < ends.length; m++) ends[m]! += ends[m - 1]!;
  const startOf = (m: number) => m === 0 ? 0 : ends[m - 1]!;
  const own = { pixels, values, kept: ends };
  const isTyped = pixels instanceof Uint32Array && values.constructor === zeros(dtype, 0).constructor;
  if (!isTyped || !isInOrder(masks, pixels, values)) {
    yield (8 + dtypeInfo(dtype).itemSize) * masks.length;
    Object.assign(own, yield* sorted({ masks, pixels, values }, ends, dtype));
  }
  const lists: MaskWeights[] = [];
  for (let m = 0; m < ends.length; m++) {
    const [start, stop] = [startOf(m), own.kept === ends ? ends[m]! : startOf(m) + own.kept[m]!];
    lists.push(listed(frame, {
      pixels: own.pixels.subarray(start, stop),
      values: own.values.subarray(start, stop),
    }));
  }
  return lists;
}

/** Whether weights are sorted by mask, then by pixel, without duplicates and without zeros. */
function isInOrder(masks: Uint32Array, pixels: Uint32Array, values: TypedArray): boolean {
  for (let i = 0; i < masks.length; i++) {
    if (values[i] === 0) return false;
    if (i === 0 || masks[i]! > masks[i - 1]!) continue;
    if (masks[i]! < masks[i - 1]! || pixels[i]! <= pixels[i - 1]!) return false;
  }
  return true;
}

/** Sorted weights, where those of one pixel are added and zeros are removed: the first `kept` entries of each mask. */
function* sorted(
  { masks, pixels, values }: Pick<SparseMasks, "masks" | "pixels"> & { readonly values: NumberArray },
  ends: Uint32Array,
  dtype: DType,
): Generator<number, { pixels: Uint32Array; values: NumberArray; kept: Uint32Array }> {
  const next = Uint32Array.from(ends, (_, m) => m === 0 ? 0 : ends[m - 1]!);
  const starts = next.slice();
  const order = new Uint32Array(masks.length); // sorted by mask; within a mask in the given order
  for (let i = 0; i < masks.length; i++) order[next[masks[i]!]!++] = i;
  const at = new Uint32Array(masks.length), sums = asNumbers(zeros(dtype, masks.length));
  const bytes = 4 * masks.length + at.byteLength + sums.byteLength;
  let looked = 0;
  for (let m = 0; m < ends.length; m++) {
    const own = order.subarray(starts[m], ends[m]);
    if (!isAscending(own, pixels)) own.sort((a, b) => pixels[a]! - pixels[b]! || a - b);
    next[m] = addUp(own, pixels, values, { at, sums, start: starts[m]! });
    looked += own.length;
    if (looked < STEP_WEIGHTS) continue;
    looked = 0;
    yield bytes;
  }
  return { pixels: at, values: sums, kept: next };
}

function isAscending(order: Uint32Array, pixels: Uint32Array): boolean {
  for (let i = 1; i < order.length; i++) if (pixels[order[i - 1]!]! >= pixels[order[i]!]!) return false;
  return true;
}

/** Adds the weights of each pixel, then removes zeros; returns how many are left. */
function addUp(
  order: Uint32Array,
  pixels: Uint32Array,
  values: NumberArray,
  { at, sums, start }: { readonly at: Uint32Array; readonly sums: NumberArray; readonly start: number },
): number {
  let end = start;
  for (let k = 0; k < order.length; k++) {
    const i = order[k]!;
    if (end === start || at[end - 1] !== pixels[i]!) {
      if (end > start && sums[end - 1] === 0) end--;
      sums[end] = 0;
      at[end++] = pixels[i]!;
    }
    sums[end - 1]! += values[i]!;
  }
  if (end > start && sums[end - 1] === 0) end--;
  return end - start;
}

/** Whether a stack of masks can be stored as lists; stacks of complex weights and of bigints are stored dense. */
export function canList({ dtype }: SparseMasks): boolean {
  const { kind, itemSize } = dtypeInfo(dtype);
  return kind === "f" || kind !== "c" && itemSize <= 4;
}

/** The weights of one mask, row by row; complex ones as pairs. */
export interface MaskWeights {
  /** The numbers. */
  readonly values: NumberArray;
  /** Whether they are pairs. */
  readonly complex: boolean;
  /** Its weights as a list, if it is real and few are not zero; `values` is then computed from the list at each access. */
  readonly list?: WeightList;
  /** The lists of its real and imaginary parts, if it is complex and few are not zero. */
  readonly parts?: readonly [WeightList, WeightList];
  /** Bytes allocated for it; 0 for arrays that the caller gave. */
  readonly bytes?: number;
}

/** Makes masks in steps; each step reports how many bytes will be allocated after the next one. */
export type MaskSteps = Generator<number, MaskWeights[]>;
