/** One computation by tile, by frame and by partition, as a module that workers import. */

import type { DType } from "../../../src/space/dtype.ts";
import type { Tile } from "../../../src/udf/interface/tile.ts";
import type { Method, Udf } from "../../../src/udf/interface/udf.ts";

type Names = "total" | "image" | "most";

/** The sum of each frame, the sum of each pixel and the brightest sample; every process method does the same. */
export default function sums(
  { method, depth }: { method: Method; depth: number },
): Udf<Record<Names, DType>> {
  const add = (tile: Tile, { total, image, most }: Record<Names, Float64Array>) => {
    for (let f = 0; f < tile.frames; f++) {
      for (let p = 0; p < tile.pixels; p++) {
        const value = Number(tile.data[f * tile.pixels + p]);
        total[f]! += value;
        image[p]! += value;
        most[0] = Math.max(most[0]!, value);
      }
    }
  };
  const run = add as unknown as NonNullable<Udf<Record<Names, DType>>["processTile"]>;
  return {
    name: "sums",
    buffers: {
      total: { kind: "nav", dtype: "float64" },
      image: { kind: "sig", dtype: "float64" },
      most: { kind: "single", dtype: "float64" },
    },
    inputDType: "native",
    method: () => method,
    tiling: { depth, totalBytes: depth * 32768 },
    processTile: run,
    processFrame: run,
    processPartition: run,
    merge(into, from) {
      for (let p = 0; p < into.image.length; p++) {
        into.image[p] = Number(into.image[p]) + Number(from.image[p]);
      }
      into.most[0] = Math.max(Number(into.most[0]), Number(from.most[0]));
    },
  };
}
