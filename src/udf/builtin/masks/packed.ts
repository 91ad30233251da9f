/**
 * Masks that are mostly zero, stored as lists of weights: otherwise many of them would not fit into memory, and would
 * take long to process.
 *
 * @module
 */

import type { TypedArray } from "../../../space/dtype.ts";
import type { NumberArray } from "../../../space/numbers.ts";

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
