/**
 * Tiles of an array of Zarr, version 3, that consist of whole chunks.
 *
 * @module
 */

import { encoderOf } from "../../codecs/encoders/registry.ts";
import { copyBox } from "../../memory/copy_box.ts";
import { viewOf } from "../../memory/strided.ts";
import { zeros } from "../../space/dtype.ts";
import { sameShape, sizeOf, unravel } from "../../space/shape.ts";
import { isZero } from "../chunks/made.ts";
import { stepsOf, type ZarrArray } from "../zarr/metadata.ts";
import type { TiledArray } from "./tile_files.ts";

/** The chunks of the array at `path` of a store. Those of zeros are left out where zeros are seen then. */
export async function zarrTiles(
  path: string,
  { dtype, chunk, codec, fill }: Omit<ZarrArray, "shape">,
): Promise<TiledArray> {
  const encode = await encoderOf(stepsOf(codec, dtype));
  const samples = zeros(dtype, sizeOf(chunk)), view = viewOf(samples, dtype, chunk);
  const bytes = new Uint8Array(samples.buffer as ArrayBuffer);
  const corner = chunk.map(() => 0);
  return {
    *places({ origin, shape }) {
      const counts = shape.map((n, d) => Math.ceil(n / chunk[d]!));
      for (let c = 0, all = sizeOf(counts); c < all; c++) {
        const index = unravel(c, counts).map((i, d) => origin[d]! / chunk[d]! + i);
        yield { level: 0, index, file: [path, "c", ...index].join("/"), slot: 0, last: true };
      }
    },
    async encoded({ origin, data: { data, shape } }, { index }) {
      const from = index.map((i, d) => i * chunk[d]! - origin[d]!);
      const part = { origin: from, shape: from.map((n, d) => Math.min(chunk[d]!, shape[d]! - n)) };
      if (!sameShape(part.shape, chunk)) bytes.fill(0);
      copyBox(viewOf(data, dtype, shape), part, view, corner);
      return fill === undefined && isZero(bytes) ? undefined : await encode(bytes);
    },
  };
}
