/**
 * Complex masks and complex frames as products of real numbers.
 *
 * A complex number is a pair of floats, in frames, in masks and in results. Each mask becomes one real row, or two
 * where the result is complex: one for the real part, one for the imaginary part. Frames stay as they are.
 *
 * ```
 * frame   mask      rows for the real and the imaginary part, per sample of the frame
 * real    a         a
 * real    a + ib    a        |  b
 * x + iy  a + ib    a, −b    |  b, a           (x + iy)(a + ib) = (ax − by) + i(bx + ay)
 * ```
 *
 * @module
 */

import { type DType, dtypeInfo, type TypedArray } from "../../../space/dtype.ts";
import type { MaskWeights } from "./weights.ts";

/** Rows one after another: each is good until the next one is asked for. */
export interface RowList extends Iterable<ArrayLike<number>> {
  /** How many. */
  readonly length: number;
}

/** Masks as real rows. */
export interface MaskRows {
  /** The rows; two a mask where the result is complex. */
  readonly rows: RowList;
  /** How many masks. */
  readonly masks: number;
  /** Whether the result is complex. */
  readonly complex: boolean;
}

/** Real numbers a sample of `dtype`. */
export function unitsOf(dtype: DType): number {
  return dtypeInfo(dtype).kind === "c" ? 2 : 1;
}

/** The rows of masks for frames of `dtype`; `wanted`: for a complex result in any case. */
export function rowsOf(weights: readonly MaskWeights[], dtype: DType, wanted = false): MaskRows {
  const units = unitsOf(dtype);
  const complex = wanted || units === 2 || weights.some((mask) => mask.complex);
  const masks = weights.length;
  if (!complex) return { rows: oneByOne(weights), masks, complex };
  return { rows: weights.flatMap((mask) => units === 2 ? forComplex(mask) : forReal(mask)), masks, complex };
}

/** The weights of real masks; those that are lists are written to the same place, one after another. */
function oneByOne(weights: readonly MaskWeights[]): RowList {
  return {
    length: weights.length,
    *[Symbol.iterator]() {
      let room: TypedArray | undefined;
      for (const mask of weights) {
        if (mask.into) yield (room = mask.into(room)) as ArrayLike<number>;
        else yield mask.values;
      }
    },
  };
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
