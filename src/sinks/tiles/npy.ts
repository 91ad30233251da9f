/**
 * Tiles of a `.npy` file, whose samples lie in rows.
 *
 * @module
 */

import type { Box } from "../../space/box.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../space/shape.ts";
import type { PlacedRow } from "../chunks/target.ts";
import { npyHeader } from "../npy/npy_header.ts";
import type { TiledFiles } from "./tile_files.ts";

/** The file of an array: each tile is one chunk of it, with rows all over the file. */
export function npyTiles(dtype: DType, shape: Shape): TiledFiles {
  const head = npyHeader(dtype, shape), { itemSize } = dtypeInfo(dtype);
  return {
    kind: "file",
    size: head.length + sizeOf([...shape, itemSize]),
    documents: () => [["", head]],
    arrays: [{
      places: (box) => [{
        level: 0,
        index: box.origin,
        file: "",
        slot: 0,
        last: false,
        rows: () => rowsOf(box, shape, itemSize, head.length),
      }],
      encoded: ({ data: { data: { buffer, byteOffset, byteLength } } }) =>
        new Uint8Array(buffer, byteOffset, byteLength),
    }],
  };
}

/** The rows of a box in an array of the shape `whole` behind `head` bytes; as long as they can be. */
function* rowsOf({ origin, shape }: Box, whole: Shape, itemSize: number, head: number): Generator<PlacedRow> {
  let depth = shape.length;
  while (depth > 0 && (depth === shape.length || shape[depth] === whole[depth])) depth--;
  const outer = shape.slice(0, depth);
  const bytes = sizeOf([...shape.slice(depth), itemSize]);
  for (let n = 0, rows = sizeOf(outer); n < rows && bytes > 0; n++) {
    const at = unravel(n, outer);
    const first = origin.map((lower, d) => lower + (d < depth ? at[d]! : 0));
    yield { from: n * bytes, to: head + ravel(first, whole) * itemSize, bytes };
  }
}
