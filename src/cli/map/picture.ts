/**
 * Pictures of results that may be larger than memory, of means of n × n samples.
 *
 * @module
 */

import { upsideDown } from "../../pictures/images.ts";
import type { AxisFacts } from "../../space/axes.ts";
import { TilewiseError } from "../../errors.ts";
import { filesOf, type PictureBeside } from "../../pictures/save.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { lookFor, parseLook } from "../flags/look.ts";
import type { Arguments } from "../shell/args.ts";
import type { SmallResult } from "../manifests/seen.ts";

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
