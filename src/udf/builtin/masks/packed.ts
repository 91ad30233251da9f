/**
 * Masks that are mostly zero, kept as lists of weights: many of them would not fit into memory otherwise, and would take
 * long to look at.
 *
 * @module
 */

import type { SparseMasks } from "../../../masks/mod.ts";
import { dtypeInfo, type TypedArray, zeros } from "../../../space/dtype.ts";
import { sizeOf } from "../../../space/shape.ts";
import type { MaskWeights } from "./weights.ts";

/** The weights of a real mask that are not zero. */
export interface WeightList {
  /** Their pixels, ascending, each once. */
  readonly pixels: Uint32Array;
  /** The weights. */
  readonly values: ArrayLike<number>;
}

/** Masks with fewer weights than this share of the frame are kept as lists. */
const SHARE = 1 / 8;

/** The same mask; as a list of its weights, where those are few. */
export function packed(mask: MaskWeights): MaskWeights {
  const { values, complex } = mask;
  if (complex || !(values instanceof Uint8Array)) return mask;
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) count++;
  if (count > SHARE * values.length) return mask;
  const pixels = new Uint32Array(count);
  for (let i = 0, next = 0; next < count; i++) if (values[i] !== 0) pixels[next++] = i;
  return listed(values.length, { pixels, values: Uint8Array.from(pixels, (pixel) => values[pixel]!) });
}

/** A mask of `frame` pixels from the list of its weights. */
export function listed(frame: number, list: WeightList): MaskWeights {
  return {
    complex: false,
    list,
    get values() {
      const dense = new Float64Array(frame);
      list.pixels.forEach((pixel, i) => dense[pixel] = list.values[i]!);
      return dense;
    },
  };
}

/** The masks of a sparse stack of real weights. */
export function sparseWeights({ shape, dtype, masks, pixels, values }: SparseMasks): MaskWeights[] {
  const frame = sizeOf(shape.slice(1));
  const ends = new Uint32Array(shape[0]!);
  for (const mask of masks) ends[mask]!++;
  for (let m = 1; m < ends.length; m++) ends[m]! += ends[m - 1]!;
  const next = Uint32Array.from(ends, (_, m) => m === 0 ? 0 : ends[m - 1]!);
  const order = new Uint32Array(masks.length); // by mask; those of one mask as they came
  masks.forEach((mask, i) => order[next[mask]!++] = i);
  return Array.from(ends, (end, m) => {
    const own = order.subarray(m === 0 ? 0 : ends[m - 1]!, end);
    if (!isAscending(own, pixels)) own.sort((a, b) => pixels[a]! - pixels[b]! || a - b);
    return listed(frame, added(own, pixels, values, zeros(dtype, own.length)));
  });
}

/** Whether a stack of masks can be kept as lists: those of complex weights and of bigints are made whole. */
export function canList({ dtype }: SparseMasks): boolean {
  const { kind, itemSize } = dtypeInfo(dtype);
  return kind === "f" || kind !== "c" && itemSize <= 4;
}

function isAscending(order: Uint32Array, pixels: Uint32Array): boolean {
  for (let i = 1; i < order.length; i++) if (pixels[order[i - 1]!]! >= pixels[order[i]!]!) return false;
  return true;
}

/** The weights in `order`, those of one pixel added up in `sums`, without those that are zero. */
function added(order: Uint32Array, pixels: Uint32Array, values: TypedArray, sums: TypedArray): WeightList {
  const at = new Uint32Array(order.length);
  const numbers = sums as Float64Array;
  let count = 0;
  for (const i of order) {
    if (count === 0 || at[count - 1] !== pixels[i]!) {
      if (count > 0 && numbers[count - 1] === 0) count--;
      numbers[count] = 0;
      at[count++] = pixels[i]!;
    }
    numbers[count - 1]! += Number(values[i]);
  }
  if (count > 0 && numbers[count - 1] === 0) count--;
  return { pixels: at.slice(0, count), values: numbers.slice(0, count) };
}
