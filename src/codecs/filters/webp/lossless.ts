/**
 * Lossless WebP pictures.
 *
 * ```
 * "VP8L"    2f  width − 1₁₄ height − 1₁₄ alpha₁ version₃   (1₁ transform)… 0₁   pixels
 * ```
 * Source: RFC 9649, section 3.
 *
 * @module
 */

import type { ByteRange } from "./container.ts";
import {
  addColours,
  addGreen,
  addPredictions,
  addUp,
  indexBits,
  lookUp,
  readBlocks,
  readPixels,
} from "./transforms.ts";
import { Bits, wrong } from "./prefix.ts";

/** Makes sure that the pixels fit the tile. */
export type CheckSize = (width: number, height: number) => void;

/** Writes the pixels of the picture to `output`, each of `samples` samples. */
export function readLossless(
  input: Uint8Array,
  { start, stop }: ByteRange,
  check: CheckSize,
  output: Uint8Array,
  samples: number,
): void {
  const bits = new Bits(input.subarray(0, stop), start);
  if (bits.take(8) !== 0x2f) throw wrong("no picture begins here", bits.place);
  const width = bits.take(14) + 1, height = bits.take(14) + 1;
  bits.take(1);
  if (bits.take(3) !== 0) throw wrong("its version is unknown", bits.place);
  check(width, height);
  const pixels = readPicture(bits, width, height);
  for (let at = 0, to = 0; at < pixels.length; at++, to += samples) {
    const pixel = pixels[at]!;
    output[to] = pixel >> 16;
    output[to + 1] = pixel >> 8;
    output[to + 2] = pixel;
    if (samples === 4) output[to + 3] = pixel >>> 24;
  }
}

/** Undoes a transform of pixels, which may become others. */
type Undo = (pixels: Uint32Array) => Uint32Array;

/** Reads a picture without its header: alpha, red, green, blue of each pixel, from the highest bits on. */
export function readPicture(bits: Bits, width: number, height: number): Uint32Array {
  const undo: Undo[] = [];
  const seen = new Set<number>();
  let stored = width; // pixels of a row, of which each may hold several
  while (bits.take(1)) {
    const kind = bits.take(2), across = stored;
    if (seen.has(kind)) throw wrong("a transform is there twice", bits.place);
    seen.add(kind);
    if (kind === 2) undo.push((pixels) => (addGreen(pixels), pixels));
    else if (kind === 3) {
      const colours = addUp(readPixels(bits, bits.take(8) + 1, 1, false));
      stored = Math.ceil(across / (1 << indexBits(colours.length)));
      undo.push((pixels) => lookUp(pixels, across, height, colours));
    } else {
      const blocks = readBlocks(bits, across, height);
      const add = kind === 0 ? addPredictions : addColours;
      undo.push((pixels) => (add(pixels, across, blocks), pixels));
    }
  }
  const pixels = readPixels(bits, stored, height, true);
  return undo.reduceRight((made, one) => one(made), pixels);
}
