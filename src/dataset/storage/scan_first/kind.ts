/**
 * Frames whose scan is stored fastest: the facts for planners.
 *
 * @module
 */

import { dtypeInfo } from "../../../space/dtype.ts";
import { gridOf, tileBoxes } from "../../../space/box.ts";
import { type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import { formatBytes } from "../../../space/size.ts";
import { type FrameLayout, sourcesOf } from "../../layout/layout.ts";
import type { ScanFirstStorage } from "../../layout/storage.ts";
import { floorPowerOfTwo, type TilingScheme } from "../../tiling/tiling_scheme.ts";
import { type StorageKind, USUAL } from "../common/kind.ts";
import { scanFirstBuffers } from "./buffers.ts";

// Tiles of frames in Fortran order: a few rows of all frames of a partition.
//
// The samples of one pixel lie together for all positions of the scan. A tile of whole frames needs a few bytes out of
// every page of the file, and the next tile needs the same pages again; a tile of a few rows needs its own part of the
// file only.

/** Factor on the usual bytes of a tile, if one row of all frames needs it: then each part of the file is read once. */
const DEEP = 8;

/**
 * Tiles for functions that accept any tiles; `undefined` if every read is a request to a server.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { frameLayout, storedAs } from "../../layout/layout.ts";
 * const source = { kind: "file", path: "scan.npy", size: 2 ** 31 } as const;
 * const files = [{ source, start: 0, end: 8192, headerBytes: 128 }];
 * const frames = frameLayout({ files, sigShape: [256, 256], dtype: "uint16" });
 * const layout = storedAs(frames, { kind: "scan-first", navShape: [64, 128] });
 * const { tileShape } = scanFirstTiles(layout, { partitionFrames: 1024, bytes: 2 ** 20 })!;
 * assertEquals(tileShape, [1024, 2, 256]);
 * ```
 */
export function scanFirstTiles(
  layout: FrameLayout,
  { partitionFrames, bytes }: { readonly partitionFrames: number; readonly bytes: number },
): TilingScheme | undefined {
  const { sigShape, dtype } = layout;
  if (sigShape.length === 0 || sourcesOf(layout).some(({ kind }) => kind === "http")) return undefined;
  const rowBytes = sizeOf(sigShape.slice(1)) * dtypeInfo(dtype).itemSize;
  const most = floorPowerOfTwo(DEEP * bytes / rowBytes);
  const depth = Math.min(most, partitionFrames);
  const rows = Math.min(sigShape[0]!, Math.max(1, Math.floor(bytes / (depth * rowBytes))));
  const slabs = Math.ceil(sigShape[0]! / rows);
  const even: Shape = [Math.ceil(sigShape[0]! / slabs), ...sigShape.slice(1)];
  const tileShape = [depth, ...even];
  return {
    tileShape,
    slices: [...tileBoxes(gridOf(sigShape, even))],
    intent: "tile",
    depth,
    why: [
      `Tiles of ${showShape(tileShape)}, ${formatBytes(depth * sizeOf(even) * dtypeInfo(dtype).itemSize)}: ` +
      "the file has the samples of one pixel together, for all positions of the scan",
    ],
    warnings: [],
  };
}

/** Partitions of a scan: each may read all of the file, as neighbours in the scan need not be neighbours there. */
const PARTITIONS = 4;

/** How a scan of `frames` positions is cut into partitions for such tiles: into few. */
export function scanFirstBands(frames: number): { readonly band: number; readonly least: number } {
  return { band: floorPowerOfTwo(frames / PARTITIONS), least: PARTITIONS };
}

/** The samples of one pixel together, those of one frame apart. */
export const SCAN_FIRST: StorageKind<ScanFirstStorage> = {
  ...USUAL,
  buffers: (layout, { frames, box }) => scanFirstBuffers(layout, frames, box),
  bands: (_layout, frames, { deep, boxes }) => deep && boxes ? scanFirstBands(frames) : {},
  tiles: (layout, wish) => wish.deep ? scanFirstTiles(layout, wish) : undefined,
  whole: () => "the samples of a frame lie apart in the file",
  facts: ({ byteOrder }) => ({ order: "F", words: [`${byteOrder} endian`, "Fortran order"] }),
};
