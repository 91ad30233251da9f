/**
 * Regions of a scan whose frames look alike: clusters by the pixels that vary most.
 *
 * ```
 * pass 1   standard deviation over the frames ─▶ ring ─▶ local maxima: the feature pixels
 * pass 2   those pixels of every frame ─▶ each divided by its mean ─▶ Ward clustering of neighbouring positions
 * ```
 *
 * @module
 */

import type { Corrections } from "../../dataset/corrections.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import type { RoiInput } from "../../dataset/roi/roi.ts";
import { throwIfAborted, TilewiseError } from "../../errors.ts";
import { ring as ringMask } from "../../masks/disks.ts";
import { checkRing } from "../../masks/geometry.ts";
import { checkOptionNames, defined, type OptionNames, withOption } from "../../options.ts";
import { callable, inner, needed, signal as signalRule, whole } from "../../options/rules.ts";
import { mustBeReal } from "../builtin/runs.ts";
import { asNumbers } from "../../space/numbers.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import type { UdfResult } from "../interface/buffer_types.ts";
import { ANNULAR_OPTIONS, type AnnularDetectorOptions } from "../builtin/detectors.ts";
import { pixelValues } from "../builtin/pixel_values.ts";
import { standardDeviation } from "../builtin/standard_deviation.ts";
import type { Context } from "../../runner/context.ts";
import { checkDataset } from "../plan/given.ts";
import { plan } from "../run/plan.ts";
import type { Progress } from "../plan/plan_facts.ts";
import { corrections as correctionsRule } from "../plan/corrections.ts";
import { context as contextRule } from "../../runner/rules.ts";
import type { UdfRef, UdfTypes } from "../interface/udf_ref.ts";
import { localMaxima } from "./local_maxima.ts";
import { checkCount, wardInTurns } from "./ward.ts";

/**
 * Parameters of {@link clusterFrames}.
 * @category Analyses
 */
export interface ClusterOptions {
  /** Number of clusters. Whole, at least 1. */
  readonly n: number;
  /** The radii between which features are searched; `ri` defaults to 0 here. Default: the whole frame. */
  readonly ring?: AnnularDetectorOptions;
  /** Largest number of feature pixels. Whole, at least 1. Default 15. */
  readonly features?: number;
  /** Smallest distance of two feature pixels along any axis. Whole, at least 1. Default 1. */
  readonly minDistance?: number;
  /** The positions used for the standard deviation; all positions are clustered. Default: all. */
  readonly roi?: RoiInput;
  /** Dark frame, gain map, dead pixels. */
  readonly corrections?: Corrections;
  /** The context in which to run. */
  readonly context?: Context;
  /** Cancels the clustering. */
  readonly signal?: AbortSignal;
  /** Called repeatedly with the progress of one of the two passes. */
  readonly onProgress?: (progress: Progress, pass: 1 | 2) => void;
}

/** The names of the options. */
// deno-fmt-ignore: written by `deno task build`
export const CLUSTER_OPTIONS: OptionNames<ClusterOptions> = {
  n: needed(whole(1)), ring: inner(ANNULAR_OPTIONS), features: whole(1), minDistance: whole(1), roi: true,
  corrections: correctionsRule, context: contextRule, signal: signalRule, onProgress: callable,
};

/**
 * What {@link clusterFrames} finds.
 * @category Analyses
 */
export interface FrameClusters {
  /** The cluster of each position, numbered from 1 in the order in which they first appear: int32, shape of the scan. */
  readonly labels: NDArray<"int32">;
  /** The feature pixels, the one that varies most first. */
  readonly pixels: readonly (readonly number[])[];
  /** Those pixels of every frame, each divided by its `scale`: float64, shape (…scan, features). */
  readonly features: NDArray<"float64">;
  /** Mean absolute value of each feature pixel: float64, shape (features). */
  readonly scale: NDArray<"float64">;
  /** The mean of `features` in each cluster: float64, shape (n, features). */
  readonly centroids: NDArray<"float64">;
  /** The standard deviation over the frames: float64, shape of a frame. */
  readonly deviation: NDArray<"float64">;
}

/**
 * Clusters the positions of a scan, in two passes over the data. The result has the same bits for any number of workers.
 * Blank frames are zeros where positions are grouped and in `centroids`; they do not count in `scale`, and their labels are not
 * valid.
 *
 * @param dataset the scan
 * @param options how many clusters, the ring and its features, region of interest, and the context
 * @returns labels over the scan, and what they were computed from
 * @throws {TilewiseError} `invalid` if no pixel varies inside the ring, or if the data are complex
 *
 * @example Two grains: in one of them the middle pixel is bright
 * ```ts
 * import { clusterFrames, open } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const frames = [2, 2, 9, 2, 9, 9].map((middle) => [1, 1, 1, 1, middle, 1, 1, 1, 1]);
 * const raw = { format: "raw", dtype: "uint8", nav: [2, 3], sig: [3, 3] } as const;
 * const scan = await open(Uint8Array.from(frames.flat()), raw);
 * const { labels, pixels } = await clusterFrames(scan, { n: 2 });
 * assertEquals(pixels, [[1, 1]]);
 * assertEquals([...labels.data], [1, 1, 2, 1, 2, 2]);
 * ```
 * @category Analyses
 */
export async function clusterFrames(dataset: Dataset, options: ClusterOptions): Promise<FrameClusters> {
  checkDataset("clusterFrames()", dataset);
  checkOptionNames("clusterFrames()", options, CLUSTER_OPTIONS);
  checkAsked(options, dataset);
  const deviation = (await pass(dataset, standardDeviation(), options, 1)).std;
  const at = featurePixels(deviation, options);
  const values = (await pass(dataset, pixelValues({ at }), options, 2)).intensity;
  throwIfAborted(options.signal);
  const found = await clustersOf(values, dataset.navShape, options.n, options.signal);
  return { ...found, pixels: at, deviation };
}

/** Clusters positions by the values of some pixels, shape (…scan, pixels). */
export async function clustersOf(
  values: NDArray,
  navShape: Shape,
  n: number,
  signal?: AbortSignal,
): Promise<Pick<FrameClusters, "labels" | "features" | "scale" | "centroids">> {
  const { features, scale } = scaled(values, values.shape.at(-1)!);
  const grid = await wardInTurns(features, navShape, n, signal);
  const labels = values.valid ? { ...grid, valid: values.valid } : grid;
  return { labels, features, scale, centroids: centroids(features, grid, n) };
}

async function pass<U extends UdfRef>(
  dataset: Dataset,
  udf: U,
  options: ClusterOptions,
  number: 1 | 2,
): Promise<UdfResult<UdfTypes<U>>> {
  const { roi, corrections, context, signal, onProgress } = options;
  const planned = await plan(dataset, { udf }, {
    ...(roi && number === 1 ? { roi } : {}),
    ...defined({ corrections, context, signal }),
  });
  const results = await planned.run({
    ...defined({ signal }),
    ...(onProgress ? { onProgress: (progress) => onProgress(progress, number) } : {}),
  });
  return results.udf;
}

/** Refuses complex frames, more clusters than positions, and a ring without a pixel, before the first pass. */
export function checkAsked({ n, ring }: ClusterOptions, { dtype, frames, sigShape }: Dataset): void {
  mustBeReal(dtype, "cluster", "cluster_frames");
  withOption("n", () => checkCount(n, frames));
  if (ring && sigShape.length === 2) {
    withOption("ring", () => checkRing("a ring", sigShape, ringOf(ring, sigShape)));
  }
}

/** The pixels in the ring that vary more than their neighbours. */
export function featurePixels(
  deviation: NDArray,
  { ring, features = 15, minDistance = 1 }: ClusterOptions,
): readonly (readonly number[])[] {
  const { shape } = deviation;
  const inside = ring ? ringMask(shape, ringOf(ring, shape)).data : undefined;
  const data = Float64Array.from(
    asNumbers(deviation.data),
    (value, i) => value > 0 && (!inside || inside[i]) ? value : 0, // without frames it is NaN
  );
  const at = localMaxima(ndarray(data, shape, "float64"), { count: features, minDistance });
  if (at.length > 0) return at;
  const where = ring ? `the ring ${JSON.stringify(ring)}` : "the frame";
  const text =
    `Cannot cluster: of frames of ${showShape(shape)}, no pixel in ${where} varies more than those ` +
    `within ${minDistance} pixels of it`;
  throw new TilewiseError("invalid", text, { found: 0 });
}

function ringOf({ cy, cx, ri = 0, ro }: AnnularDetectorOptions, [height, width]: readonly number[]) {
  const least = Math.min(height!, width!);
  return { cy: cy ?? height! / 2, cx: cx ?? width! / 2, ri, ro: ro ?? least / 2 };
}

/** Each feature divided by its mean absolute value over the existing frames; features with mean 0 are not changed. */
function scaled(
  { data, shape, valid }: NDArray,
  width: number,
): Pick<FrameClusters, "features" | "scale"> {
  const values = asNumbers(data);
  const frames = data.length / width;
  const isThere = (frame: number) => !valid || valid[frame] === 1;
  const sums = new Float64Array(width);
  let there = 0;
  for (let f = 0; f < frames; f++) {
    if (!isThere(f)) continue;
    there++;
    for (let k = 0; k < width; k++) sums[k]! += Math.abs(values[f * width + k]!);
  }
  const scale = sums.map((sum) => sum / there);
  const features = new Float64Array(data.length);
  for (let f = 0; f < frames; f++) {
    if (!isThere(f)) continue;
    for (let k = 0; k < width; k++) features[f * width + k] = values[f * width + k]! / (scale[k]! || 1);
  }
  return { features: ndarray(features, shape, "float64"), scale: ndarray(scale, [width], "float64") };
}

/** The mean of the features in each cluster. */
function centroids(
  { data, shape }: NDArray<"float64">,
  labels: NDArray<"int32">,
  n: number,
): NDArray<"float64"> {
  const width = shape.at(-1)!;
  const means = new Float64Array(n * width);
  const counts = new Float64Array(n);
  labels.data.forEach((label, f) => {
    counts[label - 1]!++;
    for (let k = 0; k < width; k++) means[(label - 1) * width + k]! += data[f * width + k]!;
  });
  return ndarray(means.map((sum, i) => sum / counts[Math.floor(i / width)]!), [n, width], "float64");
}
