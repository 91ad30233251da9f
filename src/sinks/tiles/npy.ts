/**
 * Tiles of a `.npy` file, whose samples lie in rows.
 *
 * @module
 */

import { bytesOf } from "../../space/bytes.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { rowsOf } from "../chunks/rows.ts";
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
      encoded: ({ data: { data } }) => bytesOf(data),
    }],
  };
}
