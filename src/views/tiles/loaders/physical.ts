/**
 * The tiles in which an array is loaded: as it is stored where it is stored in chunks, otherwise of a size that reads
 * well.
 *
 * @module
 */

import type { StoredDataset } from "../../../dataset/dataset.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { sameShape, type Shape, sizeOf } from "../../../space/shape.ts";

/** Tiles of smaller chunks are several chunks: a task for a worker takes as long as decoding some tens of KiB. */
const LEAST_BYTES = 128 * 1024;
/** Tiles of arrays that are not stored in chunks. */
const USUAL_BYTES = 1024 * 1024;

/** The tile in which an array is loaded; `asked` is the tile of its views. */
export function physicalTile(dataset: StoredDataset, asked: Shape | undefined): Shape {
  const { shape, dtype, layout: { storage }, syncOffset } = dataset;
  const { itemSize } = dtypeInfo(dtype);
  const chunked = storage.kind === "chunks" && syncOffset === 0 && sameShape(storage.chunks.shape, shape);
  if (chunked) return grown(within(storage.chunks.chunk, shape), shape, LEAST_BYTES / itemSize);
  return within(asked ?? usualTile(shape, USUAL_BYTES / itemSize), shape);
}

function within(tile: Shape, shape: Shape): Shape {
  return tile.map((n, d) => Math.max(1, Math.min(n, shape[d]!)));
}

/** Whole rows of the last dimensions, as many as `samples` allows. */
function usualTile(shape: Shape, samples: number): Shape {
  const tile = shape.map(() => 1);
  for (let d = shape.length - 1, left = samples; d >= 0 && left >= 1; d--) {
    const most = shape.length > 1 && d === shape.length - 1 ? 2048 : Infinity;
    tile[d] = Math.max(1, Math.min(shape[d]!, Math.floor(left), most));
    left /= tile[d]!;
    if (tile[d]! < shape[d]! && d < shape.length - 1) break;
  }
  return tile;
}

/** Several chunks along the last two dimensions, where one is small; the longer side of the array first. */
function grown(chunk: Shape, shape: Shape, samples: number): Shape {
  const tile = [...chunk];
  for (let d = tile.length - 1; d >= Math.max(0, tile.length - 2); d--) {
    const times = Math.floor(samples / sizeOf(tile));
    if (times <= 1) break;
    const room = Math.ceil(shape[d]! / tile[d]!);
    tile[d] = tile[d]! * Math.min(room, times);
  }
  return within(tile, shape);
}
