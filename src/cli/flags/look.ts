/**
 * How results look in pictures: flags for it, and what suits a result by its name and values.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { COLORMAPS, parseColormap } from "../../pictures/colours/colormap.ts";
import { imagesOf, lookOf, type ScanShapes } from "../../pictures/images.ts";
import { picture, type PictureOptions } from "../../pictures/picture.ts";
import type { Raster } from "../../sinks/png/raster.ts";
import { limitsOf } from "../../pictures/scale.ts";
import { TilewiseError } from "../../errors.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { Arguments } from "../shell/args.ts";
import { type Flag, grouped } from "../shell/verb.ts";
import { optionFlag } from "./option_flag.ts";

/** Flags that say how pictures look. */
export const LOOK_FLAGS: readonly Flag[] = grouped("Pictures", [
  optionFlag("PictureOptions.colormap", "NAME", {
    usual: "default viridis, and signed around 0",
    values: COLORMAPS,
  }),
  optionFlag("ScaleOptions.percentile", "LOW,HIGH", { typed: "1,99 ignores 1 percent at each end" }),
  optionFlag("PictureOptions.legend"),
]);

/** Whether pictures are shown, and written beside results; a picture that is the result is always written. */
export function wantsPictures(args: Arguments): boolean {
  return !args.has("quiet") && !args.has("no-picture");
}

/** What the flags say. */
export function parseLook(args: Arguments): PictureOptions {
  const colormap = args.value("colormap", parseColormap);
  const percentile = args.value("percentile", parsePercentile);
  return {
    ...defined({ colormap, percentile }),
    ...(args.has("legend") ? { legend: true } : {}),
  };
}

function parsePercentile(text: string): readonly [number, number] {
  const [low, high, ...more] = text.split(",").map((part) => part.trim() === "" ? NaN : Number(part));
  if (more.length > 0 || !Number.isFinite(low) || !Number.isFinite(high)) {
    throw new TilewiseError("invalid", "write two numbers from 0 to 100, such as 1,99", { found: text });
  }
  limitsOf(new Float64Array(1), { percentile: [low!, high!] }); // refuses what is not a range
  return [low!, high!];
}

/** Results of both signs by their meaning: 0 is in the middle of their colours, whatever their values are. */
const SIGNED = /^(e_xx|e_yy|e_xy|theta|field|field_y|field_x|raw_shifts|divergence|curl)$/;

/** How a result is shown unless the flags say otherwise. */
export function lookFor(result: string, images: NDArray, wanted: PictureOptions = {}): PictureOptions {
  const own = SIGNED.test(result) ? { colormap: "signed" as const } : lookOf(images);
  return { ...own, ...wanted };
}

/** The most pixels of a picture that is shown as characters. */
const MOST_SHOWN = 2 ** 22;

/** The picture of a result as it is shown; `undefined` for single numbers and endless stacks. */
export function resultPicture(
  array: NDArray,
  shapes: ScanShapes,
  result: string = "",
  wanted: PictureOptions = {},
): Raster | undefined {
  const images = imagesOf(array, shapes);
  return images && picture(images, lookFor(result, images, wanted), MOST_SHOWN);
}
