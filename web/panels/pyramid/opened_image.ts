/**
 * An image that is open in the panel: its tiles, its channels, the dimensions of its stack, and what is written about it.
 *
 * @module
 */

import type { Dataset } from "@tilewise/tilewise";
import type { TileSource } from "@tilewise/tilewise/web";
import type { ImageAxis } from "../../draw/image.ts";
import { type Sky, skyOf, skyText } from "./sky/sky.ts";
import { TileCache } from "../../draw/tile_store.ts";
import { lengthUnit, numberText } from "../../draw/words.ts";
import type { ImageFacts } from "../../pictures/mod.ts";
import { type ChannelAxis, channelAxis } from "./channel_looks.ts";
import type { StackAxis } from "./stack_axis.ts";

/** An image that is open. */
export interface OpenedImage {
  readonly dataset: Dataset;
  readonly source: TileSource;
  readonly facts: ImageFacts;
  /** Where its pixels are on the sky. */
  readonly sky: Sky | undefined;
  readonly axis: ChannelAxis | undefined;
  readonly stack: readonly StackAxis[];
  readonly cache: TileCache;
}

/** The image of `dataset`, with the tiles of `source`. */
export function openedImage(dataset: Dataset, source: TileSource): OpenedImage {
  const sky = skyOf(dataset.metadata);
  return {
    dataset,
    source,
    facts: factsOf(dataset, source, sky),
    sky,
    axis: channelAxis(dataset, source.labels),
    stack: stackOf(dataset, source),
    cache: new TileCache(),
  };
}

/** The same image with other tiles, such as those of other filters: what is known of it stays the same. */
export function withTiles(image: OpenedImage, source: TileSource): OpenedImage {
  return { ...image, source, cache: new TileCache() };
}

/** The dimensions of an image but rows and columns, as far as there is something to choose. */
function stackOf({ axes }: Dataset, { labels, levels }: TileSource): StackAxis[] {
  return labels.flatMap((label, d) => {
    const size = levels[0]?.shape[d] ?? 1;
    if (label === "y" || label === "x" || size < 2) return [];
    const { names, scale, offset = 0, unit = "" } = axes[d] ?? {};
    const at = (position: number) =>
      names?.[position] ??
        (scale === undefined || !unit ? "" : `${numberText(offset + position * scale)} ${lengthUnit(unit)}`);
    const isPlaced = scale !== undefined && scale !== 0 && unit !== "" && unit !== "px";
    return [{ label, size, at, ...(isPlaced ? { place: { offset, scale, unit } } : {}) }];
  });
}

/** What is written about an image. */
function factsOf(dataset: Dataset, source: TileSource, sky: Sky | undefined): ImageFacts {
  const axis = (name: string): ImageAxis => {
    const { scale, unit, upwards, offset } = dataset.axes[source.labels.indexOf(name)] ?? {};
    const isKnown = scale !== undefined && scale > 0 && unit;
    const step = isKnown
      ? { name, step: scale, unit, ...(offset ? { offset } : {}) }
      : { name, step: 1, unit: "px" };
    return upwards ? { ...step, upwards } : step;
  };
  const { unit } = dataset.values;
  return {
    title: titleOf(dataset),
    ...(unit ? { unit } : {}),
    ...(sky ? onSky(sky, axis("y"), axis("x"), source.levels[0]!.height) : { axes: [axis("y"), axis("x")] }),
  };
}

/** What is written about an image of the sky: lengths in the angle that suits its height, and places in hours and degrees. */
function onSky(sky: Sky, y: ImageAxis, x: ImageAxis, height: number): Pick<ImageFacts, "axes" | "where"> {
  const span = sky.step * height;
  const [unit, parts] = span > 2
    ? ["deg", 1] as const
    : span > 1 / 30
    ? ["arcmin", 60] as const
    : ["arcsec", 3600] as const;
  const along = (axis: ImageAxis): ImageAxis => ({ ...axis, step: sky.step * parts, unit });
  return {
    axes: [{ ...y, step: 1, unit: "px" }, along(x)],
    where(row, column) {
      const place = sky.at(row, column);
      return place ? skyText(place, sky.step) + (sky.frame ? ` ${sky.frame}` : "") : "";
    },
  };
}

/** The last part of its name, and the name of the array if it says something. */
function titleOf({ source, array }: Dataset): string {
  const name = source.split(/[\\/]/).findLast((part) => part !== "") ?? "";
  return [name, /^(ifd\d*|series0|\d*)$/.test(array) ? "" : array].filter((part) => part !== "").join(
    " · ",
  ) || "Image";
}
