/**
 * Sums of products again, where samples are infinite or not numbers: their products with weights of 0 are not 0, but such weights
 * leave samples out.
 *
 * @module
 */

import type { Read } from "../../../memory/sample_reader.ts";

/** Samples of a row whose products the kernels add in lanes before these are added to the sum. */
const PIECE = 1024;

/** One frame, and the masks that it is multiplied with. */
export interface Products {
  /** Reads a sample. */
  readonly read: Read;
  /** Address of the first sample. */
  readonly data: number;
  /** Bytes of a sample. */
  readonly itemSize: number;
  /** The weights of all masks. */
  readonly masks: Float32Array | Float64Array;
  /** The weight of the first sample in the first mask. */
  readonly first: number;
  /** Weights from one mask to the next. */
  readonly pitch: number;
  /** Number of rows. */
  readonly rows: number;
  /** Samples per row. */
  readonly rowLength: number;
}

/** Whether one of the numbers is infinite or not a number. */
export function areOdd(numbers: Float64Array): boolean {
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! - numbers[i]! !== 0) return true;
  return false;
}

/** Adds the products with each mask to its sum, in the lanes of the kernels: where all samples are finite, with the same bits. */
export function addWeighted(sums: Float64Array, products: Products): void {
  const { read, data, itemSize, masks, first, rows, rowLength } = products;
  const lanes = masks instanceof Float32Array ? new Float32Array(4) : new Float64Array(2);
  const samples = new Float64Array(Math.min(PIECE, rowLength));
  for (let row = 0; row < rows; row++) {
    for (let from = 0; from < rowLength; from += PIECE) {
      const [at, n] = [row * rowLength + from, Math.min(PIECE, rowLength - from)];
      for (let i = 0; i < n; i++) samples[i] = read(data + (at + i) * itemSize);
      sums.forEach((_, m) => sums[m]! += sumOf(samples, masks, first + m * products.pitch + at, n, lanes));
    }
  }
}

/** The sum of `n` products in lanes: four of float32, or two of float64. */
function sumOf(
  samples: Float64Array,
  masks: Products["masks"],
  first: number,
  n: number,
  lanes: Float32Array | Float64Array,
): number {
  const last = lanes.length - 1, isSingle = last === 3;
  lanes.fill(0);
  for (let i = 0; i < n; i++) {
    const weight = masks[first + i]!;
    if (weight === 0) continue;
    const product = samples[i]! * weight;
    lanes[i & last]! += isSingle ? Math.fround(product) : product;
  }
  return isSingle ? lanes[0]! + lanes[2]! + (lanes[1]! + lanes[3]!) : lanes[0]! + lanes[1]!;
}
