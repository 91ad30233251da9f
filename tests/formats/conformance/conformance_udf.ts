/**
 * UDFs that give every frame a number which depends on every byte and its place, however frames are cut into tiles.
 *
 * @module
 */

import type { DType } from "../../../src/space/dtype.ts";
import type { Tile } from "../../../src/udf/interface/tile.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { ravel, sizeOf, unravel } from "../../../src/space/shape.ts";

/** What byte `at` of a frame adds to its number: products and sums of 32 bits, in any order. */
function term(byte: number, at: number): number {
  return Math.imul(byte + 1, Math.imul(at + 1, 0x9e3779b1) | 1);
}

/** The number of a frame whose bytes (little endian, row-major) are these. */
export function frameNumber(bytes: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < bytes.length; i++) sum = (sum + term(bytes[i]!, i)) | 0;
  return sum >>> 0;
}

function add({ data, frames, box }: Tile, numbers: Uint32Array, sigShape: readonly number[]): void {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const rowLength = box.shape.at(-1) ?? 1;
  const rows = sizeOf(box.shape) / rowLength;
  const itemSize = bytes.length / frames / sizeOf(box.shape);
  const outer = box.shape.slice(0, -1);
  const starts = Array.from({ length: rows }, (_, row) => {
    const at = [...unravel(row, outer), 0].slice(0, box.shape.length);
    return ravel(at.map((c, d) => c + box.origin[d]!), sigShape) * itemSize;
  });
  const rowBytes = rowLength * itemSize;
  for (let f = 0; f < frames; f++) {
    let sum = numbers[f]!;
    for (let row = 0; row < rows; row++) {
      const from = (f * rows + row) * rowBytes;
      for (let i = 0; i < rowBytes; i++) sum = (sum + term(bytes[from + i]!, starts[row]! + i)) | 0;
    }
    numbers[f] = sum;
  }
}

const common = {
  buffers: { number: { kind: "nav", dtype: "uint32" } },
  inputDType: "native",
} as const;

/** By tiles of any size. */
export const byTile: Udf<Record<"number", DType>> = {
  ...common,
  name: "by-tile",
  processTile: (tile, { number }, { meta }) => add(tile, number as Uint32Array, meta.sigShape),
};

/** By whole frames. */
export const byFrame: Udf<Record<"number", DType>> = {
  ...common,
  name: "by-frame",
  processFrame: (frame, { number }, { meta }) => add(frame, number as Uint32Array, meta.sigShape),
};

/** By all frames of a partition at once. */
export const byPartition: Udf<Record<"number", DType>> = {
  ...common,
  name: "by-partition",
  processPartition: (partition, { number }, { meta }) => add(partition, number as Uint32Array, meta.sigShape),
};
