/**
 * The UDFs that transform frames, and their sum.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { fft2, fft2Scratch, rfft2Tables } from "../../../kernels/fft.ts";
import { kernel } from "../../../kernels/registry.ts";
import { checkOptionNames } from "../../../options.ts";
import { centredSpectrum, centrePairs } from "../../../kernels/spectrum.ts";
import type { Udf, UdfMeta } from "../../interface/udf.ts";
import { clearRuns, diskRuns, heightAndWidth } from "../runs.ts";
import { sum } from "./sum_frames.ts";
import { FFT_OPTIONS, type FftOptions, type Transforms } from "../fft_of.ts";

/** The parts of the transform of frames besides its buffers. */
interface Parts {
  readonly constants: { readonly tables: Float32Array | Float64Array; readonly hole: Int32Array };
  readonly scratch: { readonly frame: "float64"; readonly pairs: "float64"; readonly fft: "float64" };
}

/** What transforms are. */
const SPECTRUM = { values: "sums", axes: "spectrum" } as const;

/** The UDF behind `fftOfSum`. */
export function fft_of_sum(options: FftOptions = {}): Udf<Transforms & { intensity: "float64" }> {
  checkReal("fft_of_sum", options);
  const { buffers: _, name: __, ...rest } = sum();
  return {
    ...rest as Omit<Udf, "buffers" | "name">,
    name: "fft_of_sum",
    kernels: ["convert_f64", "fft2"],
    buffers: (meta) => {
      sizeFor(meta);
      return {
        intensity: { kind: "sig", dtype: "float64", use: "private" },
        fft: { kind: "sig", dtype: "complex128", use: "result", ...SPECTRUM },
        magnitude: { kind: "sig", dtype: "float64", use: "result", ...SPECTRUM },
      };
    },
    results({ intensity }, meta) {
      const size = sizeFor(meta);
      const picture = Float64Array.from(intensity);
      clearRuns(picture, size[1], diskRuns(size, options.real));
      const fft = centredSpectrum(picture, ...size);
      return { fft, magnitude: magnitudes(fft, new Float64Array(meta.pixels)) };
    },
  };
}

/** The UDF behind `fftOfFrames`. */
export function fft_of_frames(options: FftOptions = {}): Udf<Transforms, Parts> {
  checkReal("fft_of_frames", options);
  return {
    name: "fft_of_frames",
    buffers: ({ sigShape }) => ({
      fft: { kind: "nav", dtype: "complex128", extraShape: sigShape, compressed: true, ...SPECTRUM },
      magnitude: { kind: "nav", dtype: "float64", extraShape: sigShape, compressed: true, ...SPECTRUM },
    }),
    inputDType: "native",
    raw: true,
    kernels: ["convert_f64", "fft2"],
    leastBytes: ({ pixels }) => 24 * pixels,
    constants(meta) {
      const size = sizeFor(meta);
      return { tables: rfft2Tables(...size, "float64"), hole: diskRuns(size, options.real) };
    },
    scratch: (meta) => ({
      frame: { dtype: "float64", length: meta.pixels },
      pairs: { dtype: "float64", length: 2 * meta.pixels },
      fft: { dtype: "float64", length: fft2Scratch(...sizeFor(meta), "float64") },
    }),
    processFrame({ raw, pixels }, { fft, magnitude }, { kernels, constants, scratch, meta }) {
      const [height, width] = sizeFor(meta);
      const { frame, pairs } = scratch;
      kernel(kernels, "convert_f64", raw.dtype, raw.byteOrder)(frame.byteOffset, raw.pointer, pixels);
      clearRuns(frame, width, constants.hole);
      for (let i = 0; i < pixels; i++) [pairs[2 * i], pairs[2 * i + 1]] = [frame[i]!, 0];
      const [tables, room] = [constants.tables.byteOffset, scratch.fft.byteOffset];
      const plan = { height, width, dtype: "float64", tables, scratch: room } as const;
      fft2(kernels, plan, pairs.byteOffset, pairs.byteOffset);
      centrePairs(fft, pairs, height, width);
      magnitudes(fft, magnitude);
    },
  };
}

function checkReal(name: string, options: FftOptions): void {
  checkOptionNames(name, options, FFT_OPTIONS);
}

function sizeFor({ sigShape, nativeDType }: UdfMeta): [height: number, width: number] {
  if (nativeDType.startsWith("complex")) {
    throw new TilewiseError("invalid", `Cannot transform ${nativeDType} frames: they must be real`);
  }
  return heightAndWidth(sigShape, "transform");
}

/** The magnitude of every pair. */
function magnitudes(pairs: Float64Array, out: Float64Array): Float64Array {
  for (let i = 0; i < out.length; i++) out[i] = Math.hypot(pairs[2 * i]!, pairs[2 * i + 1]!);
  return out;
}
