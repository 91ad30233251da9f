/**
 * What writers of lossless WebP pictures do to pixels before they code them, undone.
 *
 * @module
 */

import { blockAt, type Blocks } from "./pixels.ts";

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
export function addPredictions(pixels: Uint32Array, width: number, blocks: Blocks): void {
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
export function addColours(pixels: Uint32Array, width: number, blocks: Blocks): void {
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
export function addGreen(pixels: Uint32Array): void {
  for (let at = 0; at < pixels.length; at++) {
    const green = pixels[at]! >> 8 & 255;
    pixels[at] = sum(pixels[at]!, green << 16 | green);
  }
}

/** Looks indexes up, several of which may lie in the green of one pixel. */
export function lookUp(
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
export function indexBits(colours: number): number {
  return colours <= 2 ? 3 : colours <= 4 ? 2 : colours <= 16 ? 1 : 0;
}

/** Colours of a table, stored as differences from the one before. */
export function addUp(colours: Uint32Array): Uint32Array {
  for (let i = 1; i < colours.length; i++) colours[i] = sum(colours[i]!, colours[i - 1]!);
  return colours;
}
