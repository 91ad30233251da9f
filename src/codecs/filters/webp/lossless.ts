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

import type { ByteRange } from "./header.ts";
import { Bits, type PrefixCode, readCode, wrong } from "./prefix.ts";

// What writers of lossless WebP pictures do to pixels before they code them, undone.

/** Where the nearest 120 pixels are, as pairs across and up, by how often they are meant. */
const NEAR =
  `0,1 1,0 1,1 -1,1 0,2 2,0 1,2 -1,2 2,1 -2,1 2,2 -2,2 0,3 3,0 1,3 -1,3 3,1 -3,1 2,3 -2,3 3,2 -3,2 0,4 4,0 1,4 -1,4
4,1 -4,1 3,3 -3,3 2,4 -2,4 4,2 -4,2 0,5 3,4 -3,4 4,3 -4,3 5,0 1,5 -1,5 5,1 -5,1 2,5 -2,5 5,2 -5,2 4,4 -4,4 3,5 -3,5 5,3 -5,3
0,6 6,0 1,6 -1,6 6,1 -6,1 2,6 -2,6 6,2 -6,2 4,5 -4,5 5,4 -5,4 3,6 -3,6 6,3 -6,3 0,7 7,0 1,7 -1,7 5,5 -5,5 7,1 -7,1 4,6 -4,6
6,4 -6,4 2,7 -2,7 7,2 -7,2 3,7 -3,7 7,3 -7,3 5,6 -5,6 6,5 -6,5 8,0 4,7 -4,7 7,4 -7,4 8,1 8,2 6,6 -6,6 8,3 5,7 -5,7 7,5 -7,5
8,4 6,7 -6,7 7,6 -7,6 8,5 7,7 -7,7 8,6 8,7`.split(/\s+/).map((pair) =>
    pair.split(",").map(Number) as [number, number]
  );

/** Codes of green and lengths, red, blue, alpha, distances. */
type Group = readonly [PrefixCode, PrefixCode, PrefixCode, PrefixCode, PrefixCode];

/** Reads a picture of `width` × `height` pixels as alpha, red, green, blue from the highest bits on; `isMain`: it may have groups. */
function readPixels(bits: Bits, width: number, height: number, isMain: boolean): Uint32Array {
  const cacheBits = bits.take(1) ? bits.take(4) : 0;
  if (cacheBits > 11) throw wrong(`a cache of ${cacheBits} bits`, bits.place);
  const blocks = isMain && bits.take(1) ? readBlocks(bits, width, height) : undefined;
  const count = blocks ? blocks.map.reduce((most, pixel) => Math.max(most, pixel >> 8 & 0xffff), 0) + 1 : 1;
  if (blocks && count > blocks.map.length) throw wrong(`${count} groups of codes`, bits.place);
  const sizes = [280 + (cacheBits ? 1 << cacheBits : 0), 256, 256, 256, 40];
  const groups = Array.from(
    { length: count },
    () => sizes.map((size) => readCode(bits, size)) as unknown as Group,
  );
  const out = new Uint32Array(width * height);
  const cache = new Uint32Array(cacheBits ? 1 << cacheBits : 0);
  const keep = (pixel: number) => {
    if (cacheBits) cache[Math.imul(pixel, 0x1e35a7bd) >>> 32 - cacheBits] = pixel;
  };
  for (let at = 0; at < out.length;) {
    const group = blocks ? groups[blocks.map[blockAt(blocks, at, width)]! >> 8 & 0xffff]! : groups[0]!;
    const symbol = group[0].symbol(bits);
    if (symbol < 256) {
      const red = group[1].symbol(bits), blue = group[2].symbol(bits), alpha = group[3].symbol(bits);
      keep(out[at++] = (alpha << 24 | red << 16 | symbol << 8 | blue) >>> 0);
    } else if (symbol >= 280) keep(out[at++] = cache[symbol - 280]!);
    else {
      const length = number(bits, symbol - 256),
        distance = distanceOf(number(bits, group[4].symbol(bits)), width);
      if (distance > at) throw wrong("a match begins before the first pixel", bits.place);
      if (length > out.length - at) throw wrong("it gives more pixels than it has", bits.place);
      for (const last = at + length; at < last; at++) keep(out[at] = out[at - distance]!);
    }
  }
  return out;
}

/** Blocks of 2^bits × 2^bits pixels, and a number for each. */
interface Blocks {
  readonly bits: number;
  readonly perRow: number;
  readonly map: Uint32Array;
}

/** Reads one number per block. */
function readBlocks(bits: Bits, width: number, height: number): Blocks {
  const size = bits.take(3) + 2;
  const perRow = Math.ceil(width / (1 << size));
  return { bits: size, perRow, map: readPixels(bits, perRow, Math.ceil(height / (1 << size)), false) };
}

/** The block of pixel `at`. */
function blockAt({ bits, perRow }: Blocks, at: number, width: number): number {
  const y = Math.floor(at / width);
  return (y >> bits) * perRow + (at - y * width >> bits);
}

/** A length or a distance: a prefix, then bits. */
function number(bits: Bits, prefix: number): number {
  if (prefix < 4) return prefix + 1;
  const extra = prefix - 2 >> 1;
  return (2 + (prefix & 1)) * 2 ** extra + bits.take(extra) + 1;
}

function distanceOf(code: number, width: number): number {
  if (code > NEAR.length) return code - NEAR.length;
  const [across, up] = NEAR[code - 1]!;
  return Math.max(1, across + up * width);
}

/** Adds the four bytes of two pixels, each by itself. */
function sum(a: number, b: number): number {
  return ((a & 0xff00ff00) + (b & 0xff00ff00) & 0xff00ff00 |
    (a & 0x00ff00ff) + (b & 0x00ff00ff) & 0x00ff00ff) >>> 0;
}

/** The mean of two pixels, byte by byte, rounded down. */
function mean(a: number, b: number): number {
  return (((a ^ b) & 0xfefefefe) >>> 1) + (a & b) >>> 0;
}

/** Makes a pixel byte by byte. */
function each(make: (shift: number) => number): number {
  let pixel = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    const value = make(shift);
    pixel |= (value < 0 ? 0 : value > 255 ? 255 : value) << shift;
  }
  return pixel >>> 0;
}

const byte = (pixel: number, shift: number) => pixel >>> shift & 255;

/** Left or above, whichever is nearer to left + above − corner. */
function nearer(left: number, above: number, corner: number): number {
  let toLeft = 0, toAbove = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    toLeft += Math.abs(byte(above, shift) - byte(corner, shift));
    toAbove += Math.abs(byte(left, shift) - byte(corner, shift));
  }
  return toLeft < toAbove ? left : above;
}

const BLACK = 0xff000000;

function predicted(mode: number, left: number, above: number, right: number, corner: number): number {
  switch (mode) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return right;
    case 4:
      return corner;
    case 5:
      return mean(mean(left, right), above);
    case 6:
      return mean(left, corner);
    case 7:
      return mean(left, above);
    case 8:
      return mean(corner, above);
    case 9:
      return mean(above, right);
    case 10:
      return mean(mean(left, corner), mean(above, right));
    case 11:
      return nearer(left, above, corner);
    case 12:
      return each((s) => byte(left, s) + byte(above, s) - byte(corner, s));
    case 13: {
      const middle = mean(left, above);
      return each((s) => byte(middle, s) + Math.trunc((byte(middle, s) - byte(corner, s)) / 2));
    }
    default:
      return BLACK;
  }
}

/** Adds to each pixel what its neighbours predict. */
function addPredictions(pixels: Uint32Array, width: number, blocks: Blocks): void {
  pixels[0] = sum(pixels[0]!, BLACK);
  for (let at = 1; at < pixels.length; at++) {
    const x = at % width;
    const other = at < width ? pixels[at - 1]! : x === 0 ? pixels[at - width]! : predicted(
      blocks.map[blockAt(blocks, at, width)]! >> 8 & 15,
      ...[pixels[at - 1]!, pixels[at - width]!, pixels[at - width + 1]!, pixels[at - width - 1]!] as const,
    );
    pixels[at] = sum(pixels[at]!, other);
  }
}

/** Adds to red and blue what depends on green, and to blue what depends on red. */
function addColours(pixels: Uint32Array, width: number, blocks: Blocks): void {
  const part = (factor: number, value: number) => (factor << 24 >> 24) * (value << 24 >> 24) >> 5;
  for (let at = 0; at < pixels.length; at++) {
    const factors = blocks.map[blockAt(blocks, at, width)]!, pixel = pixels[at]!;
    const green = pixel >> 8;
    const red = (pixel >> 16) + part(factors, green) & 255;
    const blue = pixel + part(factors >> 8, green) + part(factors >> 16, red) & 255;
    pixels[at] = (pixel & 0xff00ff00 | red << 16 | blue) >>> 0;
  }
}

/** Adds green to red and blue. */
function addGreen(pixels: Uint32Array): void {
  for (let at = 0; at < pixels.length; at++) {
    const green = pixels[at]! >> 8 & 255;
    pixels[at] = sum(pixels[at]!, green << 16 | green);
  }
}

/** Looks indexes up, several of which may lie in the green of one pixel. */
function lookUp(
  pixels: Uint32Array,
  width: number,
  height: number,
  colours: Uint32Array,
): Uint32Array {
  const bits = indexBits(colours.length), perRow = Math.ceil(width / (1 << bits)), size = 8 >> bits;
  const out = new Uint32Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const packed = pixels[y * perRow + (x >> bits)]! >> 8 & 255;
      out[at] = colours[packed >> (x & (1 << bits) - 1) * size & (1 << size) - 1] ?? 0;
    }
  }
  return out;
}

/** Indexes of a table of `colours` that share a pixel, as a power of two. */
function indexBits(colours: number): number {
  return colours <= 2 ? 3 : colours <= 4 ? 2 : colours <= 16 ? 1 : 0;
}

/** Colours of a table, stored as differences from the one before. */
function addUp(colours: Uint32Array): Uint32Array {
  for (let i = 1; i < colours.length; i++) colours[i] = sum(colours[i]!, colours[i - 1]!);
  return colours;
}

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
