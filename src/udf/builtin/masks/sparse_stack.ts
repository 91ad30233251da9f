/**
 * Masks of sparse stacks as lists of weights.
 *
 * @module
 */

import type { SparseMasks } from "../../../masks/mod.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../../../space/dtype.ts";
import { asNumbers, type NumberArray } from "../../../space/numbers.ts";
import { sizeOf } from "../../../space/shape.ts";
import { listed, type MaskSteps, type MaskWeights } from "./packed.ts";

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
