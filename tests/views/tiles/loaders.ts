/** Tile loaders for tests: an image whose samples are known. */

import "../../fences/mod.ts";
import { gridOf, tileBox } from "../../../src/space/box.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";
import type { TileLoader } from "../../../src/views/tiles/loaders/tile_loader.ts";

/** What a loader leaves in the part of a tile that lies outside of the image. */
export const OUTSIDE = -7777;

/** A loader that counts its loads. */
export interface CountingLoader extends TileLoader<"float64"> {
  /** Loads of each tile, as `level: index`. */
  readonly loads: Map<string, number>;
}

/** The sample at `position` of a level. */
export function sample(position: Shape, shape: Shape, level: number): number {
  return 1 + ravel(position, shape) + 100_000 * level;
}

/** The image of the recorded views. */
export function syntheticLoader(
  shapes: readonly Shape[],
  tiles: readonly Shape[],
  before: (index: Shape, level: number, signal: AbortSignal) => void | Promise<void> = () => {},
): CountingLoader {
  const loads = new Map<string, number>();
  return {
    name: "synthetic",
    dtype: "float64",
    levels: shapes.map((shape, level) => ({ shape, tile: tiles[level]! })),
    loads,
    async load(index, level, target, signal) {
      const key = `${level}: ${index}`;
      loads.set(key, (loads.get(key) ?? 0) + 1);
      await before(index, level, signal);
      fillTile(shapes[level]!, tiles[level]!, index, level, target);
    },
  };
}

/** Writes the samples of a tile. */
export function fillTile(shape: Shape, tile: Shape, index: Shape, level: number, target: Float64Array): void {
  const inside = tileBox(gridOf(shape, tile), index);
  for (let flat = 0; flat < sizeOf(tile); flat++) {
    const at = unravel(flat, tile);
    const isInside = at.every((p, d) => p < inside.shape[d]!);
    target[flat] = isInside ? sample(at.map((p, d) => p + inside.origin[d]!), shape, level) : OUTSIDE;
  }
}
