/**
 * Tiles of an array of Zarr, version 3, that consist of whole chunks.
 *
 * @module
 */

import { sizeOf, unravel } from "../../space/shape.ts";
import { chunkEncoder } from "../chunks/placing.ts";
import { stepsOf, type ZarrArray } from "../zarr/metadata.ts";
import type { TiledArray } from "./tile_files.ts";

/** The chunks of the array at `path` of a store. Those of zeros are left out where zeros are seen then. */
export async function zarrTiles(
  path: string,
  { dtype, chunk, codec, fill }: Omit<ZarrArray, "shape">,
): Promise<TiledArray> {
  const steps = stepsOf(codec, dtype);
  const encode = await chunkEncoder({ dtype, chunk, steps, sparse: fill === undefined });
  return {
    *places({ origin, shape }) {
      const counts = shape.map((n, d) => Math.ceil(n / chunk[d]!));
      for (let c = 0, all = sizeOf(counts); c < all; c++) {
        const index = unravel(c, counts).map((i, d) => origin[d]! / chunk[d]! + i);
        yield { level: 0, index, file: [path, "c", ...index].join("/"), slot: 0, last: true };
      }
    },
    encoded: (tile, { index }) => encode(tile, index),
  };
}
