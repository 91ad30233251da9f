/**
 * Pictures of results that may be larger than memory: means of n × n samples, computed tile by tile.
 *
 * @module
 */

import { upsideDown } from "../../pictures/images.ts";
import type { AxisFacts } from "../../space/axes.ts";
import { haveMeans } from "../../space/meaning/values.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { TilewiseError } from "../../errors.ts";
import { reductionOf } from "../../pictures/plane.ts";
import { filesOf, type PictureBeside } from "../../pictures/save.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { mapViews, type MapViewsOptions } from "../../views/map/map_views.ts";
import { chain } from "../../views/operations/chain.ts";
import { downSample } from "../../views/operations/down_sample.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { lookFor, parseLook } from "../flags/look.ts";
import type { Arguments } from "../shell/args.ts";
import type { ImageFacts } from "./asked.ts";
import { orInLowTiles } from "./low_tiles.ts";

/** Most pixels of a picture that is the only file of a result. */
export const MOST_ALONE = 2 ** 22;
/** Most pixels of a picture beside a file with all samples: a look, which takes a fourth of the memory and time. */
export const MOST_BESIDE = 2 ** 20;
/** Most images on a sheet. */
const MOST_IMAGES = 64;

/** Whether results of this shape are shown: as an image, or as a sheet of a few. */
export function canBeShown(shape: Shape): boolean {
  return shape.length >= 2 && sizeOf(shape) > 1 && sizeOf(shape.slice(0, -2)) <= MOST_IMAGES;
}

/** A result at a size for pictures. */
export interface SmallResult {
  /** Its samples. */
  readonly array: NDArray;
  /** A sample is the mean of n × n, or, of labels, the first of them. */
  readonly n: number;
}

/** What an operation makes, at a size for pictures; `most`: largest number of pixels. */
export async function smallResult(
  dataset: Dataset,
  operation: ViewOperation,
  { shape, values }: Pick<ImageFacts, "shape" | "values">,
  { most, ...options }: MapViewsOptions & { readonly most: number },
): Promise<SmallResult> {
  const n = reductionOf(shape, most);
  if (n === 1) return { array: await mapViews(dataset, operation, options), n };
  const factor = shape.map((_, d) => d < shape.length - 2 ? 1 : n);
  const { tile: _, ...others } = options; // that of the result need not be a multiple of n
  const steps = [operation, downSample({ factor, how: haveMeans(values) ? "mean" : "nearest" })];
  const work = (low: { readonly tile?: Shape }) => mapViews(dataset, chain(steps), { ...others, ...low });
  return { array: await orInLowTiles(dataset.shape, work, n), n };
}

/** The picture at `path`. */
export function pictureFile(
  { array, n }: SmallResult,
  axes: readonly AxisFacts[],
  path: string,
  title: string,
  args: Arguments,
): PictureBeside {
  const options = { ...lookFor("", array, parseLook(args)), text: { Title: title } };
  const [file] = filesOf(axes.at(-2)?.upwards ? upsideDown(array) : array, path, options);
  return { ...file!, ...(n > 1 ? { reduced: n } : {}) };
}

/** Refuses results that no picture shows. */
export function mustBeShown(out: string, shape: Shape): void {
  if (canBeShown(shape)) return;
  const text =
    `Cannot show ${showShape(shape)} samples in ${out}: a picture has up to ${MOST_IMAGES} images, of two ` +
    "dimensions; .npy, .zarr and .tif take any number";
  throw new TilewiseError("unsupported", text, { file: out, found: showShape(shape) });
}
