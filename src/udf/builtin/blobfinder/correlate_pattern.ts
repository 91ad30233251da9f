/**
 * The UDF that finds the diffraction disks of every frame.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { KernelFamily } from "../../../kernels/families/families.ts";
import { checkOptionNames } from "../../../options.ts";
import type { Buffers, BufferTypes } from "../../interface/buffer_types.ts";
import type { BufferSpecs, Udf } from "../../interface/udf.ts";
import type { UdfMeta } from "../../interface/udf_meta.ts";
import { builtin, type UdfRef } from "../../interface/udf_ref.ts";
import { mustBeReal } from "../runs.ts";
import {
  correlateParams,
  type Correlator,
  type FoundPeaks,
  LANES,
  type Method,
  PEAK_BYTES,
  peaksOf,
  upsampling,
} from "./correlator.ts";
import { fastBytes, fastMethod, fullMethod } from "./correlate_full.ts";
import { sparseMethod, sparseSteps, tapsBytes } from "./correlate_sparse.ts";
import { COMPONENT, CORRELATE_OPTIONS, type CorrelateOptions, DISK, PLACES } from "./options/correlation.ts";
import { halfSize } from "./patterns.ts";
import { shiftAux, shiftOf } from "./lattice.ts";

/**
 * Finds a diffraction disk near every expected peak, in every frame. Results over the scan:
 *
 * - `centers` (…scan, peaks, 2), int32: the pixel of highest correlation, y before x;
 * - `refineds` (…scan, peaks, 2), float32: the same with sub-pixel precision, by the centre of mass of the correlation
 *   over 5 × 5 pixels, or by interpolation (`upsample`);
 * - `peak_values` (…scan, peaks), float32: the highest correlation;
 * - `peak_elevations` (…scan, peaks), float32: how far the peak stands out, as the smallest drop per pixel of distance
 *   from it.
 *
 * Samples are first scaled to log(x − min + 1). For `fast`, min is the least sample of the cut-out, and samples outside
 * of the frame are 0. For `full` and `sparse`, min is the least sample of the frame, and logarithms outside of the
 * frame are 0. A constant cut-out or frame leaves the peak at its place, with value and elevation 0; one with a NaN or
 * an infinity gives NaN.
 *
 * @example
 * ```ts
 * import { open, plan, run } from "@tilewise/tilewise";
 * import * as blobs from "@tilewise/tilewise/unstable/blobs";
 * import { assertEquals } from "@std/assert";
 * const frame = new Uint8Array(32 * 32);
 * for (const y of [15, 16, 17]) for (const x of [17, 18, 19]) frame[32 * y + x] = 200;
 * const scan = await open(frame, { format: "raw", dtype: "uint8", nav: [1], sig: [32, 32] });
 * const disks = blobs.correlatePattern({ pattern: blobs.circularPattern({ radius: 2 }), peaks: [[15, 16]] });
 * const found = (await run(await plan(scan, { disks }))).disks;
 * assertEquals([...found.centers.data], [16, 18]);
 * ```
 * @category Blob finding
 */
export function correlatePattern(options: CorrelateOptions): UdfRef<CorrelateTypes> {
  checkOptionNames("correlate()", options, CORRELATE_OPTIONS);
  return builtin("correlate_pattern", correlateParams(options));
}

/**
 * The dtypes of the results of the correlation.
 * @category Blob finding
 */
export type CorrelateTypes = {
  /** The pixel of the highest correlation, y and x, per frame and disk. */
  readonly centers: "int32";
  /** The same with sub-pixel precision. */
  readonly refineds: "float32";
  /** The correlation at that pixel. */
  readonly peak_values: "float32";
  /** How steeply the correlation falls off around that pixel. */
  readonly peak_elevations: "float32";
};

/** The UDF behind {@link correlate}. */
export function correlatePatternUdf(options: CorrelateOptions): Udf<CorrelateTypes, Correlating> {
  checkOptionNames("correlate()", options, CORRELATE_OPTIONS);
  return {
    name: "correlate_pattern",
    buffers: correlateBuffers(options),
    ...correlating(options),
    processFrame(frame, buffers, { taskData, aux }) {
      storePeaks(taskData.correlate(frame, shiftOf(aux)), buffers);
    },
  };
}

/** The buffers of {@link correlatePatternUdf}. */
export function correlateBuffers(options: CorrelateOptions): BufferSpecs<CorrelateTypes> {
  const count = peaksOf(options).length / 2;
  const places = { extraShape: [count, 2], values: PLACES, axes: [DISK, COMPONENT] } as const;
  const heights = { extraShape: [count], values: "unknown", axes: [DISK] } as const; // of logarithms, or of weighted samples
  return {
    centers: { kind: "nav", dtype: "int32", ...places },
    refineds: { kind: "nav", dtype: "float32", ...places },
    peak_values: { kind: "nav", dtype: "float32", ...heights },
    peak_elevations: { kind: "nav", dtype: "float32", ...heights },
  };
}

/** The parts of such a UDF besides its buffers. */
export interface Correlating {
  readonly taskData: Correlator;
}

/** The families that its methods call. */
const CORRELATION_KERNELS: readonly KernelFamily[] = [
  "lower_f32",
  "convert_f32",
  "rfft2",
  "irfft2",
  "fft2",
  "multiply_pairs",
  "log_scale",
  "lanes_crop",
  "lanes_crop_low",
  "lanes_log",
  "lanes_fft",
  "lanes_multiply",
  "lanes_correlate",
  "lanes_peaks",
  "upsample_peak",
  "min_max",
];

/** What a UDF that correlates needs. */
export function correlating(
  given: CorrelateOptions,
): Pick<
  Udf<BufferTypes, Correlating>,
  "inputDType" | "raw" | "kernels" | "aux" | "leastBytes" | "constants" | "scratch" | "taskData"
> {
  const options = { ...given, peaks: peaksOf(given) }; // as lists they take several times as many bytes
  return {
    inputDType: "native",
    raw: "kernels",
    kernels: CORRELATION_KERNELS,
    aux: () => shiftAux(options),
    leastBytes: (meta) => leastBytes(options, meta),
    constants: (meta) => methodOf(options, meta).constants(),
    scratch: (meta) => methodOf(options, meta).scratch(),
    taskData: (context) => methodOf(options, context.meta).create(context),
  };
}

/**
 * Fewest bytes of the constants and scratch of a method (cut-outs, and arrays made from the pattern), without making
 * them.
 */
function leastBytes(options: CorrelateOptions, meta: UdfMeta): number {
  const { method = "fast", pattern } = options;
  const side = 2 * halfSize(pattern);
  const tables = PEAK_BYTES * peaksOf(options).length / 2;
  if (method === "fast") return tables + fastBytes(side);
  if (method === "sparse") return tables + 4 * meta.pixels + tapsBytes(pattern, sparseSteps(options));
  return tables + 4 * LANES * side * side + FRAME_BYTES * meta.pixels;
}

/**
 * Bytes per pixel of a frame that is correlated as a whole: the frame, its spectrum, the spectrum of the pattern, its
 * mask.
 */
const FRAME_BYTES = 20;

function methodOf(options: CorrelateOptions, meta: UdfMeta): Method {
  const { method = "fast" } = options;
  upsampling(options);
  mustBeReal(meta.nativeDType, "correlate", "correlate_pattern");
  if (method === "fast") return fastMethod(options);
  if (method === "full") return fullMethod(options, meta);
  if (method === "sparse") return sparseMethod(options, meta);
  const text = `Cannot correlate by the method "${method}"; there are fast, full and sparse`;
  throw new TilewiseError("invalid", text, { option: "method", found: String(method) });
}

/** Copies the peaks that were found into the buffers of one frame. */
export function storePeaks(
  { centers, refineds, values, elevations }: FoundPeaks,
  buffers: Buffers<CorrelateTypes>,
): void {
  buffers.centers.set(centers);
  buffers.refineds.set(refineds);
  buffers.peak_values.set(values);
  buffers.peak_elevations.set(elevations);
}
