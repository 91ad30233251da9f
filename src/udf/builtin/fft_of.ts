/**
 * Fourier transforms for viewing: of the sum of all frames, and of each selected frame.
 *
 * @module
 */

import { fft2, fft2Scratch, rfft2Tables } from "../../kernels/fft.ts";
import { kernel } from "../../kernels/registry.ts";
import { centredSpectrum, centrePairs } from "../../kernels/spectrum.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { inner } from "../../options/rules.ts";
import { clearRuns, type Disk, DISK_NAMES, diskRuns, heightAndWidth, mustBeReal } from "./runs.ts";
import { sumFramesUdf } from "./sum_frames.ts";
import { builtin, type Params, type UdfRef } from "../interface/udf_ref.ts";
import type { Udf, UdfMeta } from "../interface/udf.ts";

/**
 * The dtypes of the results of {@link fftOfSum} and {@link fftOfFrames}.
 * @category Analyses
 */
export type Transforms = {
  /** The transform, with the zero frequency in the middle. */
  readonly fft: "complex128";
  /** Its magnitude. */
  readonly magnitude: "float64";
};

/**
 * Parameters of {@link fftOfSum} and {@link fftOfFrames}.
 * @category Analyses
 */
export interface FftOptions {
  /** A disk of the frame that is set to 0 first, such as the unscattered beam. Default: none. */
  readonly real?: Disk;
}

/** The names of the options. */
const FFT_OPTIONS: OptionNames<FftOptions> = { real: inner(DISK_NAMES) };

/**
 * The Fourier transform of the sum of all frames. Results, of the shape of a frame, frequency 0 in row `height/2`,
 * column `width/2` (rounded down): `fft` complex128, `magnitude` float64.
 *
 * @param options a disk of the frame that is set to 0 first
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example
 * ```ts
 * import { fftOfSum, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 1, 1, 4, 0, 1, 2, 0), { format: "raw", dtype: "uint8", nav: [2], sig: [2, 2] });
 * const { spectrum } = await run(await plan(scan, { spectrum: fftOfSum() }));
 * assertEquals([...spectrum.magnitude.data], [0, 4, 2, 10]); // of 1 2 / 3 4
 * ```
 * @category Analyses
 */
export function fftOfSum(options: FftOptions = {}): UdfRef<Transforms> {
  checkOptionNames("fftOfSum()", options, FFT_OPTIONS);
  return builtin("fft_of_sum", paramsOf(options));
}

/**
 * The Fourier transform of each selected frame, in float64. Results: `fft` complex128 and `magnitude` float64, of shape
 * (frames selected, …frame) with a region of interest, else (…scan, …frame); frequencies as in {@link fftOfSum}.
 *
 * @param options a disk of the frame that is set to 0 first
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example
 * ```ts
 * import { fftOfFrames, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [1], sig: [2, 2] });
 * const { spectra } = await run(await plan(scan, { spectra: fftOfFrames() }));
 * assertEquals([...spectra.magnitude.data], [0, 4, 2, 10]);
 * ```
 * @category Analyses
 */
export function fftOfFrames(options: FftOptions = {}): UdfRef<Transforms> {
  checkOptionNames("fftOfFrames()", options, FFT_OPTIONS);
  return builtin("fft_of_frames", paramsOf(options));
}

function paramsOf({ real }: FftOptions): Params {
  return real ? { real: { ...real } } : {};
}

/** The parts of the transform of frames besides its buffers. */
interface Parts {
  readonly constants: { readonly tables: Float32Array | Float64Array; readonly hole: Int32Array };
  readonly scratch: { readonly frame: "float64"; readonly pairs: "float64"; readonly fft: "float64" };
}

/** What transforms are. */
const SPECTRUM = { values: "sums", axes: "spectrum" } as const;

/** The UDF behind `fftOfSum`. */
export function fftOfSumUdf(options: FftOptions = {}): Udf<Transforms & { intensity: "float64" }> {
  checkReal("fft_of_sum", options);
  const { buffers: _, name: __, ...rest } = sumFramesUdf();
  return {
    ...rest as Omit<Udf, "buffers" | "name">,
    name: "fft_of_sum",
    kernels: ["convert_f64", "fft2"],
    buffers: (meta) => {
      sizeFor(meta);
      mustBeReal(meta.nativeDType, "transform", "fft_of_sum");
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
export function fftOfFramesUdf(options: FftOptions = {}): Udf<Transforms, Parts> {
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
      mustBeReal(meta.nativeDType, "transform", "fft_of_frames");
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

function sizeFor({ sigShape }: UdfMeta): [height: number, width: number] {
  return heightAndWidth(sigShape, "transform");
}

/** The magnitude of every pair. */
function magnitudes(pairs: Float64Array, out: Float64Array): Float64Array {
  for (let i = 0; i < out.length; i++) out[i] = Math.hypot(pairs[2 * i]!, pairs[2 * i + 1]!);
  return out;
}
