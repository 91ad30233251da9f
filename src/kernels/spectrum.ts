/**
 * The spectrum of one picture on the heap, for viewing: with frequency 0 in the middle.
 *
 * @module
 */

import { fft2, type Fft2Plan, fft2Scratch, rfft2Tables } from "./fft.ts";
import { instantiateKernels } from "./bind.ts";

/**
 * The spectrum of `height × width` real numbers as pairs re, im, with frequency 0 in row `height/2`, column `width/2`
 * (rounded down). Computed in float64, in a separate memory that is freed afterwards. The pack `fft` must be loaded.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { loadPacks } from "./wasm.ts";
 * await loadPacks(["fft"]);
 * assertEquals([...centredSpectrum(Float64Array.of(1, 2, 3, 4), 2, 2)], [0, 0, -4, 0, -2, 0, 10, 0]);
 * ```
 */
export function centredSpectrum(picture: ArrayLike<number>, height: number, width: number): Float64Array {
  const tables = rfft2Tables(height, width, "float64");
  const pairs = 2 * height * width;
  const numbers = pairs + tables.length + fft2Scratch(height, width, "float64");
  const pages = Math.ceil((64 + 8 * numbers) / 65536);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const data = new Float64Array(memory.buffer, 64, pairs);
  for (let i = 0; i < height * width; i++) data[2 * i] = picture[i]!;
  const at = 64 + 8 * pairs;
  new Float64Array(memory.buffer, at, tables.length).set(tables);
  const plan: Fft2Plan = { height, width, dtype: "float64", tables: at, scratch: at + tables.byteLength };
  fft2(instantiateKernels(memory), plan, 64, 64);
  const out = new Float64Array(pairs);
  centrePairs(out, data, height, width);
  return out;
}

/** Copies a spectrum of pairs with frequency 0 moved from the first row and column to the middle. */
export function centrePairs(
  to: Float64Array,
  from: Float64Array,
  height: number,
  width: number,
): void {
  const [down, right] = [Math.floor(height / 2), Math.floor(width / 2)];
  const left = width - right; // frequencies from 0 on, which move to the right
  for (let y = 0; y < height; y++) {
    const source = 2 * y * width;
    const target = 2 * ((y + down) % height) * width;
    to.set(from.subarray(source, source + 2 * left), target + 2 * right);
    to.set(from.subarray(source + 2 * left, source + 2 * width), target);
  }
}
