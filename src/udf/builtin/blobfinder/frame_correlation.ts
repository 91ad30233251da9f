/**
 * The correlation of a whole frame with a pattern, by Fourier transforms. It is circular: the pattern wraps around at
 * the edges.
 *
 * @module
 */

import { type Fft2Plan, irfft2, rfft2, rfft2Scratch, rfft2Tables } from "../../../kernels/fft.ts";
import { hasKernel } from "../../../kernels/exists.ts";
import { kernel } from "../../../kernels/registry.ts";
import { instantiateKernels, type Kernels } from "../../../kernels/bind.ts";
import { type ByteOrder, type DType, typedArray } from "../../../space/dtype.ts";
import type { ScratchSpec } from "../../interface/udf.ts";
import type { MatchPattern } from "./options/patterns.ts";
import { wrappedMask } from "./patterns.ts";

/** Height and width of a frame. */
export type Size = readonly [height: number, width: number];

/** Arrays for correlations of frames of one size with one pattern: tables, and the spectrum of the pattern. */
export function frameConstants(
  pattern: MatchPattern,
  size: Size,
): { tables: Float32Array; spectrum: Float32Array } {
  const tables = rfft2Tables(...size, "float32");
  return { tables, spectrum: conjugate(spectrumOf(wrappedMask(pattern, size), size, tables)) };
}

/** Arrays of one worker: the frame (later its correlation), its spectrum, and scratch of the transforms. */
export function frameScratch(
  [height, width]: Size,
): Record<"frame" | "spectrum" | "transforms", ScratchSpec> {
  return {
    frame: { dtype: "float32", length: height * width },
    spectrum: { dtype: "float32", length: Math.max(8, pairs([height, width]) * 2) },
    transforms: { dtype: "float32", length: rfft2Scratch(height, width, "float32") },
  };
}

/** Addresses of the arrays of {@link frameConstants} and {@link frameScratch}. */
export interface FrameMemory {
  /** The tables of the transforms. */
  readonly tables: number;
  /** The spectrum of the pattern. */
  readonly pattern: number;
  /** The frame, later its correlation. */
  readonly frame: number;
  /** The spectrum of the frame. */
  readonly spectrum: number;
  /** Scratch of the transforms. */
  readonly transforms: number;
}

/** Samples of a frame in memory. */
interface FrameSamples {
  /** Address of the first one. */
  readonly pointer: number;
  /** Their type. */
  readonly dtype: DType;
  /** Their byte order. */
  readonly byteOrder: ByteOrder;
}

/**
 * Scales a frame to `log(x − min + 1)` and correlates it with the pattern; the result replaces the frame in
 * `memory.frame`. Returns 1. There is no correlation if it returns 0 (constant frame) or NaN (frame with a NaN or an
 * infinity).
 */
export function correlateFrame(
  kernels: Kernels,
  size: Size,
  memory: FrameMemory,
  source: FrameSamples,
): number {
  const { frame, spectrum } = memory;
  const range = scaleFrame(kernels, size[0] * size[1], { frame, spare: spectrum }, source);
  if (!(range > 0)) return range;
  const plan = planOf(size, memory);
  rfft2(kernels, plan, frame, spectrum);
  kernel(kernels, "multiply_pairs", "float32")(spectrum, memory.pattern, pairs(size));
  irfft2(kernels, plan, spectrum, frame);
  return 1;
}

/**
 * Copies a frame to `memory.frame` in float32, scaled to `log(x − min + 1)` with the least sample of the frame. If
 * float32 does not hold the samples exactly, differences are computed in float64. Returns 1, or, without scaling, 0 for
 * a constant frame and NaN for one with a NaN or an infinity. `memory.spare` has room for three numbers of 8 bytes.
 */
export function scaleFrame(
  kernels: Kernels,
  pixels: number,
  { frame, spare }: { readonly frame: number; readonly spare: number },
  source: FrameSamples,
): number {
  copySingle(kernels, pixels, { frame, spare }, source);
  const { least, most, sum } = statistics(kernels, frame, spare, pixels);
  if (!Number.isFinite(sum)) return NaN;
  if (most === least) return 0;
  kernel(kernels, "log_scale", "float32")(frame, pixels, least!);
  return 1;
}

/**
 * Samples as float32; the least sample is subtracted if float32 does not hold the samples exactly, such as counts on an
 * offset.
 */
function copySingle(
  kernels: Kernels,
  pixels: number,
  { frame, spare }: { readonly frame: number; readonly spare: number },
  { pointer, dtype, byteOrder }: FrameSamples,
): void {
  if (!hasKernel("lower_f32", dtype)) {
    kernel(kernels, "convert_f32", dtype, byteOrder)(frame, pointer, pixels);
    return;
  }
  const found = typedArray("float64", kernels.memory.buffer, spare, 2);
  found.set([Infinity, -Infinity]);
  kernel(kernels, "min_max", dtype, byteOrder)(spare, pointer, pixels);
  kernel(kernels, "lower_f32", dtype, byteOrder)(frame, pointer, pixels, found[0]!);
}

/** Extremes and sum; a NaN or an infinity shows in the sum. `spare` has room for three f64. */
function statistics(kernels: Kernels, data: number, spare: number, n: number) {
  const found = typedArray("float64", kernels.memory.buffer, spare, 3);
  found.set([Infinity, -Infinity, 0]);
  kernel(kernels, "min_max", "float32")(spare, data, n);
  kernel(kernels, "sum_pixels", "float32")(spare + 16, 8, data, 1, 4 * n, 1, n);
  return { least: found[0]!, most: found[1]!, sum: found[2]! };
}

function pairs([height, width]: Size): number {
  return height * (Math.floor(width / 2) + 1);
}

function planOf(
  [height, width]: Size,
  { tables, transforms }: Pick<FrameMemory, "tables" | "transforms">,
): Fft2Plan {
  return { height, width, dtype: "float32", tables, scratch: transforms };
}

/** The spectrum of one image, computed in a separate memory. */
function spectrumOf(image: Float32Array, size: Size, tables: Float32Array): Float32Array {
  const own = new OwnMemory({
    tables,
    image,
    spectrum: 2 * pairs(size),
    transforms: rfft2Scratch(...size, "float32"),
  });
  const { tables: at, image: from, spectrum: to, transforms } = own.at;
  rfft2(own.kernels, planOf(size, { tables: at!, transforms: transforms! }), from!, to!);
  return own.array("spectrum", 2 * pairs(size)).slice();
}

function conjugate(spectrum: Float32Array): Float32Array {
  return spectrum.map((v, i) => i % 2 ? -v : v);
}

/** A private memory that holds arrays of float32, for work on the calling thread. */
export class OwnMemory {
  /** The kernels over this memory. */
  readonly kernels: Kernels;
  /** Addresses by name. */
  readonly at: Readonly<Record<string, number>>;

  /** Room for arrays: arrays are copied, numbers are lengths. */
  constructor(arrays: Readonly<Record<string, Float32Array | number>>) {
    let end = 1024;
    const at: Record<string, number> = {};
    for (const [name, array] of Object.entries(arrays)) {
      at[name] = end;
      end += Math.ceil((typeof array === "number" ? array : array.length) / 16) * 64;
    }
    this.at = at;
    this.kernels = instantiateKernels(new WebAssembly.Memory({ initial: Math.ceil(end / 65536) }));
    for (const [name, array] of Object.entries(arrays)) {
      if (typeof array !== "number") this.array(name, array.length).set(array);
    }
  }

  /** An array by name. */
  array(name: string, length: number): Float32Array {
    return typedArray("float32", this.kernels.memory.buffer, this.at[name]!, length);
  }
}
