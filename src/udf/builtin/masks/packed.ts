/**
 * Masks that are mostly zero, kept as lists of weights while they are looked at one by one: many of them would not fit
 * into memory otherwise.
 *
 * @module
 */

import type { SparseMasks } from "../../../masks/mod.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../../../space/dtype.ts";
import { sizeOf } from "../../../space/shape.ts";
import type { MaskWeights } from "./weights.ts";

/** Masks with fewer weights than this share of the frame are kept as lists. */
const SHARE = 1 / 8;

/** The same mask; as a list of its weights, where those are few. */
export function packed(mask: MaskWeights): MaskWeights {
  const { values, complex } = mask;
  if (complex || !(values instanceof Uint8Array)) return mask;
  const count = values.reduce((sum, value) => value === 0 ? sum : sum + 1, 0);
  if (count > SHARE * values.length) return mask;
  const pixels = new Uint32Array(count);
  const weights = new Uint8Array(count);
  for (let i = 0, next = 0; next < count; i++) {
    if (values[i] === 0) continue;
    pixels[next] = i;
    weights[next++] = values[i]!;
  }
  return listed({ dtype: "uint8", frame: values.length, pixels, values: weights });
}

/** The masks of a sparse stack. */
export function sparseWeights({ shape, dtype, masks, pixels, values }: SparseMasks): MaskWeights[] {
  const frame = sizeOf(shape.slice(1));
  const units = unitsIn(dtype);
  const starts = new Uint32Array(shape[0]! + 1);
  for (const mask of masks) starts[mask + 1]!++;
  for (let m = 0; m < shape[0]!; m++) starts[m + 1]! += starts[m]!;
  const next = starts.slice();
  const [sorted, weights] = [new Uint32Array(pixels.length), zeros(dtype, pixels.length)];
  masks.forEach((mask, i) => {
    const at = next[mask]!++; // entries of one mask stay in order, as equal places add up
    sorted[at] = pixels[i]!;
    for (let u = 0; u < units; u++) weights[units * at + u] = Number(values[units * i + u]) as never;
  });
  return Array.from({ length: shape[0]! }, (_, m) => {
    const [start, stop] = [starts[m]!, starts[m + 1]!];
    const own = weights.subarray(units * start, units * stop) as TypedArray;
    return listed({ dtype, frame, pixels: sorted.subarray(start, stop), values: own });
  });
}

/** One mask as a list. */
interface WeightList {
  readonly dtype: DType;
  /** Pixels of a frame. */
  readonly frame: number;
  readonly pixels: Uint32Array;
  readonly values: TypedArray;
}

function listed(list: WeightList): MaskWeights {
  const { dtype, frame, pixels, values } = list;
  const units = unitsIn(dtype);
  const into = (room: TypedArray | undefined): TypedArray => {
    const fits = room?.constructor === values.constructor && room.length === units * frame;
    const data = (fits ? room.fill(0 as never) : zeros(dtype, frame)) as Float64Array;
    for (let i = 0; i < pixels.length; i++) {
      for (let u = 0; u < units; u++) data[units * pixels[i]! + u]! += Number(values[units * i + u]);
    }
    return data as TypedArray;
  };
  return {
    complex: units === 2,
    into,
    get values() {
      return into(undefined) as ArrayLike<number>;
    },
  };
}

function unitsIn(dtype: DType): number {
  return dtypeInfo(dtype).kind === "c" ? 2 : 1;
}
