/**
 * Fourier transforms for viewing: of the sum of all frames, and of each selected frame.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { inner } from "../../options/rules.ts";
import type { Params } from "../interface/params.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";
import { type Disk, DISK_NAMES } from "./disk.ts";

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
export const FFT_OPTIONS: OptionNames<FftOptions> = { real: inner(DISK_NAMES) };

/**
 * The Fourier transform of the sum of all frames. Results, of the shape of a frame, frequency 0 in row `height/2`,
 * column `width/2` (rounded down): `fft` complex128, `magnitude` float64.
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
 * @category Analyses
 */
export function fftOfFrames(options: FftOptions = {}): UdfRef<Transforms> {
  checkOptionNames("fftOfFrames()", options, FFT_OPTIONS);
  return builtin("fft_of_frames", paramsOf(options));
}

function paramsOf({ real }: FftOptions): Params {
  return real ? { real: { ...real } } : {};
}
