/**
 * Differences of neighbours along rows, which pack better than samples. Source: TIFF revision 6.0, section 14, and Adobe's
 * technical note 3 on photoshop files for floats.
 *
 * @module
 */

import type { Encode } from "./encoder.ts";

/** The unsigned samples of each size. */
const WORDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array } as const;

/** Every sample becomes its difference to the one before it in its row; values: sample bytes, 0, samples of a row, samples per pixel. */
export const differences: Encode = (bytes, [itemSize = 1, , width = 1, samples = 1]) => {
  const words = new WORDS[itemSize as keyof typeof WORDS](
    bytes.buffer,
    bytes.byteOffset,
    bytes.length / itemSize,
  );
  const row = width * samples;
  for (let start = 0; start < words.length; start += row) {
    if (words instanceof BigUint64Array) differ64(words, start, start + row, samples);
    else for (let i = start + row - 1; i >= start + samples; i--) words[i]! -= words[i - samples]!;
  }
  return bytes;
};

function differ64(words: BigUint64Array, start: number, stop: number, samples: number): void {
  for (let i = stop - 1; i >= start + samples; i--) words[i]! -= words[i - samples]!;
}

/**
 * Floats: the bytes of a row are sorted by significance, the highest first, then every byte becomes its difference to the
 * one before it; values as above.
 */
export const floatDifferences: Encode = (bytes, [itemSize = 4, , width = 1, samples = 1]) => {
  const items = width * samples;
  const row = items * itemSize;
  const sorted = new Uint8Array(row);
  for (let start = 0; start < bytes.length; start += row) {
    for (let byte = 0; byte < itemSize; byte++) {
      const to = (itemSize - 1 - byte) * items;
      for (let i = 0; i < items; i++) sorted[to + i] = bytes[start + i * itemSize + byte]!;
    }
    for (let i = row - 1; i >= samples; i--) sorted[i]! -= sorted[i - samples]!;
    bytes.set(sorted, start);
  }
  return bytes;
};
