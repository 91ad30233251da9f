/** A tile loader that each worker makes for itself. */

import type { TileLoader } from "../../../src/views/tiles/loaders/tile_loader.ts";
import { fillTile } from "./loaders.ts";

/** The synthetic image; tiles in `broken` fail, `slow` ones take a while. */
export function synthetic(
  { shape, tile, broken = [], slow = 0 }: {
    shape: number[];
    tile: number[];
    broken?: string[];
    slow?: number;
  },
): TileLoader<"float64"> {
  return {
    name: "module",
    dtype: "float64",
    levels: [{ shape, tile }],
    async load(index, level, target) {
      if (broken.includes(`${index}`)) throw new Error("it is broken");
      if ((index.at(-1)! + index[0]!) % 3 < slow) await new Promise((resolve) => setTimeout(resolve, 2));
      fillTile(shape, tile, index, level, target);
    },
  };
}

/** No loader. */
export const wrong = () => ({ load: 5 });
