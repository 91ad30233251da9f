/**
 * Complex masks and complex frames as products of real numbers.
 *
 * In frames, masks and results, a complex number is a pair of floats. Each mask becomes one real row, or, if the result
 * is complex, two: one for the real part, one for the imaginary part. Frames are not changed.
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

import { type DType, dtypeInfo } from "../../../space/dtype.ts";
import type { MaskWeights, WeightList } from "./packed.ts";

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

/** Real numbers per sample of `dtype`. */
export function unitsOf(dtype: DType): number {
  return dtypeInfo(dtype).kind === "c" ? 2 : 1;
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
