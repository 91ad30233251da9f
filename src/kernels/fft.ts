/**
 * Fourier transforms in two dimensions over addresses: any height and width, float32 and float64.
 *
 * Conventions are those of `numpy.fft`: `X[k] = Σ_j x[j] exp(−2πi jk/n)`, the inverse transform divides by the number
 * of samples, complex numbers are pairs re, im. A plan is plain data: make its tables once (as constants of a UDF),
 * give it scratch (one per worker), and use it for any number of transforms.
 *
 * @module
 */

import { type ArrayOf, zeros } from "../space/dtype.ts";
import { type FftDType, fftLength, fftScratch, fftTables } from "./families/fft_tables.ts";
import { kernel } from "./registry.ts";
import type { Kernels } from "./bind.ts";

export { type FftDType, fftLength, fftTables };

/** The parameters of a transform: its size, its type, and the addresses of tables and scratch. */
export interface Fft2Plan {
  /** Number of rows. */
  readonly height: number;
  /** Samples per row; for real transforms, of the real side. */
  readonly width: number;
  /** The type in which it computes. */
  readonly dtype: FftDType;
  /** Address of the numbers of {@link rfft2Tables}; read only. */
  readonly tables: number;
  /**
   * Address of scratch with the number of entries given by {@link rfft2Scratch} ({@link fft2Scratch} for complex
   * transforms).
   */
  readonly scratch: number;
}

/** The tables of transforms of `height × width`, real or complex, forward and inverse. */
export function rfft2Tables<D extends FftDType>(height: number, width: number, dtype: D): ArrayOf<D> {
  const [rows, columns] = [fftTables(width, dtype), fftTables(height, dtype)];
  const tables = zeros(dtype, rows.length + columns.length);
  tables.set(rows);
  tables.set(columns, rows.length);
  return tables;
}

/** Number of scratch entries that {@link rfft2} and {@link irfft2} need. */
export function rfft2Scratch(height: number, width: number, dtype: FftDType): number {
  return fftScratch(height, width, Math.floor(width / 2) + 1, dtype);
}

/**
 * Number of scratch entries that {@link fft2} needs; it is enough for {@link rfft2} and {@link irfft2}
 * as well.
 */
export function fft2Scratch(height: number, width: number, dtype: FftDType): number {
  return fftScratch(height, width, width, dtype);
}

/**
 * The spectrum of `height × width` real numbers at `src`: `height × (width/2 + 1)` pairs at `dst`, as
 * `numpy.fft.rfft2`. With `columns`, only that number of columns, in rows of that length.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { instantiateKernels, loadPacks } from "./wasm.ts";
 * await loadPacks(["fft"]);
 * const memory = new WebAssembly.Memory({ initial: 1 });
 * const tables = new Float64Array(memory.buffer, 4096, 80);
 * tables.set(rfft2Tables(2, 2, "float64"));
 * new Float64Array(memory.buffer, 1024, 4).set([1, 2, 3, 4]);
 * const plan = { height: 2, width: 2, dtype: "float64", tables: 4096, scratch: 8192 } as const;
 * rfft2(instantiateKernels(memory), plan, 1024, 2048);
 * assertEquals([...new Float64Array(memory.buffer, 2048, 8)], [10, 0, -2, 0, -4, 0, 0, 0]);
 * ```
 */
export function rfft2(
  kernels: Kernels,
  plan: Fft2Plan,
  src: number,
  dst: number,
  columns: number = Math.floor(plan.width / 2) + 1,
): void {
  const { height, width, dtype, tables, scratch } = plan;
  kernel(kernels, "rfft2", dtype)(dst, src, height, width, columns, tables, scratch);
}

/**
 * The inverse of {@link rfft2}: `height × width` real numbers at `dst`, from their spectrum of `height × (width/2 + 1)`
 * pairs at `src`, as `numpy.fft.irfft2` with the shape given.
 */
export function irfft2(kernels: Kernels, plan: Fft2Plan, src: number, dst: number): void {
  const { height, width, dtype, tables, scratch } = plan;
  kernel(kernels, "irfft2", dtype)(dst, src, height, width, tables, scratch);
}

/** The spectrum of `height × width` pairs at `src`; `dst` may be `src`. */
export function fft2(kernels: Kernels, plan: Fft2Plan, src: number, dst: number): void {
  const { height, width, dtype, tables, scratch } = plan;
  kernel(kernels, "fft2", dtype)(dst, src, height, width, 0, tables, scratch);
}
