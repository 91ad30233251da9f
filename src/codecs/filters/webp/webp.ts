/**
 * WebP, as TIFF tiles have it: lossless pictures. Lossy ones are not supported.
 *
 * ```
 * file      "RIFF" bytes₃₂ "WEBP"   chunks: name₃₂ bytes₃₂ …
 * "VP8L"    2f  width − 1₁₄ height − 1₁₄ alpha₁ version₃   (1₁ transform)… 0₁   pixels
 * ```
 * Source: RFC 9649, section 3.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { ChunkFilter } from "../common/filter.ts";
import { readBlocks, readPixels } from "./pixels.ts";
import { Bits, wrong } from "./prefix.ts";
import { addColours, addGreen, addPredictions, addUp, indexBits, lookUp } from "./transforms.ts";

/** Undoes WebP; values: samples of a pixel, 3 or 4. */
export const webp: ChunkFilter = ({ input, output, values: [samples = 3] }) => {
  const bits = new Bits(input, picture(input));
  if (bits.take(8) !== 0x2f) throw wrong("no picture begins here", bits.place);
  const width = bits.take(14) + 1, height = bits.take(14) + 1;
  bits.take(1);
  if (bits.take(3) !== 0) throw wrong("its version is unknown", bits.place);
  const bytes = width * height * samples;
  if ((samples !== 3 && samples !== 4) || bytes > output.length) {
    throw wrong(`${width} × ${height} pixels of ${samples} samples do not fit ${output.length} bytes`, 0);
  }
  const pixels = readPicture(bits, width, height);
  for (let at = 0, to = 0; at < pixels.length; at++, to += samples) {
    const pixel = pixels[at]!;
    output[to] = pixel >> 16;
    output[to + 1] = pixel >> 8;
    output[to + 2] = pixel;
    if (samples === 4) output[to + 3] = pixel >>> 24;
  }
  return bytes;
};

/** Where the lossless picture begins. */
function picture(input: Uint8Array): number {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const name = (at: number) => String.fromCharCode(...input.subarray(at, at + 4));
  if (name(0) !== "RIFF" || name(8) !== "WEBP") throw wrong("it does not begin with RIFF and WEBP", 0);
  for (let at = 12; at + 8 <= input.length;) {
    const kind = name(at);
    if (kind === "VP8L") return at + 8;
    if (kind === "VP8 " || kind === "ANMF") {
      const text = "Cannot undo the filter webp: pictures that are lossy or move are not supported";
      throw new TilewiseError("unsupported", text, { place: at });
    }
    const bytes = view.getUint32(at + 4, true);
    at += 8 + bytes + bytes % 2;
  }
  throw wrong("it has no picture", input.length);
}

/** Undoes a transform of pixels, which may become others. */
type Undo = (pixels: Uint32Array) => Uint32Array;

function readPicture(bits: Bits, width: number, height: number): Uint32Array {
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
