/**
 * Alpha of WebP pictures with losses: plain or packed as a lossless picture, as differences from neighbours.
 *
 * ```
 * unused₂ smoothed₂ filter₂ packing₂   samples, or a lossless picture without its header, whose green they are
 * ```
 * Source: RFC 9649, section 2.7.1.2.
 *
 * @module
 */

import type { Part } from "./container.ts";
import { readPicture } from "./lossless.ts";
import { Bits, wrong } from "./prefix.ts";

/** The alpha of each pixel. */
export function readAlpha(input: Uint8Array, part: Part, width: number, height: number): Uint8Array {
  const { start, stop } = part, head = input[start]!;
  if (start >= stop || (head & 0xa2) !== 0) throw wrong("its alpha is of an unknown kind", start);
  const alpha = head & 3 ? unpack(input, part, width, height) : plain(input, part, width * height);
  addNeighbours(alpha, width, head >> 2 & 3);
  return alpha;
}

function plain(input: Uint8Array, { start, stop }: Part, count: number): Uint8Array {
  if (count > stop - start - 1) throw wrong("the input ends too early", stop);
  return Uint8Array.from(input.subarray(start + 1, start + 1 + count));
}

function unpack(input: Uint8Array, { start, stop }: Part, width: number, height: number): Uint8Array {
  const pixels = readPicture(new Bits(input.subarray(0, stop), start + 1), width, height);
  const alpha = new Uint8Array(pixels.length);
  for (let i = 0; i < alpha.length; i++) alpha[i] = pixels[i]! >> 8 & 255;
  return alpha;
}

/** Adds to each sample one of its neighbours: left, above, or left + above − corner; in the first row always left. */
function addNeighbours(alpha: Uint8Array, width: number, filter: number): void {
  if (filter === 0) return;
  for (let at = 1; at < alpha.length; at++) {
    const left = alpha[at - 1]!, above = alpha[at - width]!;
    if (at < width) alpha[at]! += left;
    else if (filter === 2 || at % width === 0) alpha[at]! += above;
    else if (filter === 1) alpha[at]! += left;
    else alpha[at]! += Math.max(0, Math.min(255, left + above - alpha[at - width - 1]!));
  }
}
