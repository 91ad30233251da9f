/**
 * The families of kernels: what each computes and what it takes.
 *
 * Conventions: addresses (`acc`, `data`, `out`, …) and strides are in bytes, counts in samples. Frame `f` of a tile
 * starts at `data + f * frameStride` and holds its samples without gaps. No address needs to be aligned. Nothing
 * but the output is written, and kernels keep no state.
 *
 * @module
 */

/** One signature a family; the kernels of a family differ in the sample type and byte order of `data` (or `src`). */
export interface KernelFamilies {
  /**
   * Adds frames pixel by pixel: `acc[p] += Σ_f data[f][p]`, `acc` being f64.
   * Integers count exactly while sums stay below 2^53; floats are added frame after frame in f64.
   */
  sum_frames: (acc: number, data: number, frames: number, frameStride: number, pixels: number) => void;
}

/** The name of a family. */
export type KernelFamily = keyof KernelFamilies;
