/**
 * The UDF that integrates the disks of every frame, at positions that differ from frame to frame.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { reader } from "../../../memory/sample_reader.ts";
import { hasKernel } from "../../../kernels/exists.ts";
import { kernel } from "../../../kernels/registry.ts";
import { checkOptionNames } from "../../../options.ts";
import { roundHalfEven } from "../../../masks/frame.ts";
import { type DType, dtypeInfo } from "../../../space/dtype.ts";
import { asNumbers } from "../../../space/numbers.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { auxData, type AuxSpec } from "../../interface/aux_data.ts";
import type { RawSamples } from "../../interface/tile.ts";
import type { Udf } from "../../interface/udf.ts";
import type { UdfContext } from "../../interface/udf_meta.ts";
import { mustBeReal } from "../runs.ts";
import { builtin, type UdfRef } from "../../interface/udf_ref.ts";
import { tapsBytes, tapsOf } from "./correlate_sparse.ts";
import { frameSize, LANES } from "./correlator.ts";
import { DISK, INTEGRATE_OPTIONS, type IntegrateOptions } from "./options/correlation.ts";
import { reachOf } from "./patterns.ts";
import { FAR } from "./lattice.ts";

/**
 * The sum of each frame weighted by the pattern, at the positions given for this frame. Result `integration`: float64,
 * shape (…scan, peaks). Pixels outside of the frame count as 0; a position that is NaN gives NaN.
 * @category Blob finding
 */
export function integratePeaks(options: IntegrateOptions): UdfRef<IntegrateTypes> {
  checkOptionNames("integratePeaks()", options, INTEGRATE_OPTIONS);
  const { pattern, positions } = options;
  const spec = "kind" in positions ? positions : positionData(positions);
  return builtin("integrate_peaks", { pattern, positions: spec });
}

function positionData({ data, shape }: NDArray): AuxSpec {
  if (shape.length < 2 || shape.at(-1) !== 2) {
    const text = `Cannot integrate at positions of shape ${shape.join(" × ")}: they need (…scan, peaks, 2)`;
    throw new TilewiseError("invalid", text, {
      option: "positions",
      expected: 2,
      found: shape.at(-1) ?? 0,
    });
  }
  return auxData(Float64Array.from(asNumbers(data)), { extraShape: shape.slice(-2) });
}

/**
 * The dtypes of its results.
 * @category Blob finding
 */
export type IntegrateTypes = {
  /** The sum in each disk, per frame. */
  readonly integration: "float64";
};

/** Its parts besides the buffers. */
interface Parts {
  readonly constants: { readonly taps: Int32Array; readonly weights: Float32Array };
  readonly scratch: { readonly corners: "int32"; readonly images: "float32" };
  readonly aux: { readonly positions: DType };
}

/** The UDF behind {@link integratePeaks}. */
export function integratePeaksUdf(options: IntegrateOptions): Udf<IntegrateTypes, Parts> {
  checkOptionNames("integratePeaks()", options, INTEGRATE_OPTIONS);
  const positions = "kind" in options.positions ? options.positions : positionData(options.positions);
  const count = positions.extraShape![0]!;
  const half = Math.ceil(reachOf(options.pattern) + 0.5);
  const side = 2 * half + 1;
  return {
    name: "integrate_peaks",
    buffers: {
      integration: {
        kind: "nav",
        dtype: "float64",
        extraShape: [count],
        values: "sums",
        axes: [DISK],
      },
    },
    inputDType: "native",
    raw: "kernels",
    kernels: ["convert_f32", "lanes_crop", "lanes_crop_low", "min_max"],
    aux: () => ({ positions }),
    leastBytes: () => tapsBytes(options.pattern),
    constants({ nativeDType }) {
      mustBeReal(nativeDType, "sum disks of", "integrate_peaks");
      return tapsOf(options.pattern, half, side);
    },
    scratch: () => ({
      corners: { dtype: "int32", length: 2 * LANES },
      images: { dtype: "float32", length: LANES * side * side },
    }),
    processFrame({ raw }, { integration }, context) {
      const integrate = hasKernel("lanes_crop_low", raw.dtype) ? integrateSamples : integrateImages;
      integrate(raw, integration, half, context);
    },
  };
}

/** Sums of cut-outs in float32, for samples that float32 holds exactly, eight at a time. */
function integrateImages(
  raw: RawSamples,
  sums: Float64Array,
  half: number,
  context: UdfContext<IntegrateTypes, Parts>,
): void {
  const { kernels, meta, aux, constants, scratch } = context;
  const [height, width] = frameSize(meta);
  const crop = kernel(kernels, "lanes_crop", raw.dtype, raw.byteOrder);
  const { images, corners } = scratch;
  const { taps, weights } = constants;
  const places = asNumbers(aux.positions);
  for (let first = 0; first < sums.length; first += LANES) {
    const lanes = Math.min(LANES, sums.length - first);
    for (let i = 0; i < 2 * lanes; i++) corners[i] = pixelOf(places[2 * first + i]!) - half;
    crop(images.byteOffset, 2 * half + 1, raw.pointer, height, width, corners.byteOffset, lanes);
    for (let lane = 0; lane < lanes; lane++) {
      const place = places[2 * (first + lane)]! + places[2 * (first + lane) + 1]!;
      sums[first + lane] = Number.isFinite(place) ? weighted(images, lane, taps, weights) : NaN;
    }
  }
}

/** Sums of the samples themselves, for samples that float32 does not hold. */
function integrateSamples(
  raw: RawSamples,
  sums: Float64Array,
  half: number,
  context: UdfContext<IntegrateTypes, Parts>,
): void {
  const { kernels, meta, aux, constants } = context;
  const [height, width] = frameSize(meta);
  const read = reader(kernels.memory, raw.dtype, raw.byteOrder);
  const { itemSize } = dtypeInfo(raw.dtype);
  const { taps, weights } = constants;
  const places = asNumbers(aux.positions);
  const side = 2 * half + 1;
  for (let p = 0; p < sums.length; p++) {
    const place = [places[2 * p]!, places[2 * p + 1]!] as const;
    const [top, left] = [pixelOf(place[0]) - half, pixelOf(place[1]) - half];
    let sum = Number.isFinite(place[0] + place[1]) ? 0 : NaN;
    for (let t = 0; t < taps.length; t++) {
      const y = top + Math.floor(taps[t]! / side), x = left + taps[t]! % side;
      const isInside = y >= 0 && x >= 0 && y < height && x < width;
      if (isInside) sum += weights[t]! * read(raw.pointer + (y * width + x) * itemSize);
    }
    sums[p] = sum;
  }
}

/** The nearest pixel; positions far outside of the frame are clamped. */
function pixelOf(place: number): number {
  return Math.max(-FAR, Math.min(FAR, roundHalfEven(place)));
}

/** The weighted sum of one image, in float64. */
function weighted(images: Float32Array, lane: number, taps: Int32Array, weights: Float32Array): number {
  let sum = 0;
  for (let t = 0; t < taps.length; t++) sum += weights[t]! * images[LANES * taps[t]! + lane]!;
  return sum;
}
