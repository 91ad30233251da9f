/**
 * The range of values in which an image is shown if nobody says another.
 *
 * @module
 */

import { type Limits, limitsOf } from "../pictures/scale.ts";
import { asNumbers } from "../space/numbers.ts";
import type { TileSelection } from "./plane.ts";
import type { TileSource } from "./tile_source.ts";

/** Most samples that are looked at: of larger images, only the tile in the middle. */
const MOST = 2 ** 22;

/** Values of the coarsest level that leave out a few at both ends. */
export async function rangeOf(source: TileSource, selection: TileSelection = {}): Promise<Limits> {
  const level = source.levels.length - 1;
  const { height, width } = source.levels[level]!;
  const middle = (size: number) => Math.floor(size / 2 / source.tileSize);
  const image = height * width <= MOST
    ? await source.getRaster({ level, selection })
    : await source.getTile({ level, selection, y: middle(height), x: middle(width) });
  return limitsOf(Float64Array.from(asNumbers(image.data)), { percentile: [0.5, 99.5] });
}
