/**
 * Whole arrays in chunks, however their samples lie: for those who take their dimensions in another order, or put several together.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { sameShape, sizeOf, stridesOf, unravel } from "../space/shape.ts";
import type { StoredDataset } from "./dataset.ts";
import { type ChunkLayout, framesAsChunks } from "./layout/chunks.ts";
import { type FrameLayout, framePitch, isStoredAs } from "./layout/layout.ts";
import type { ScanFirstStorage } from "./layout/storage.ts";

/** The whole array in chunks, as it is stored. Errors: `invalid` for frames that lie in another way. */
export function wholeAsChunks(dataset: StoredDataset, purpose?: string): ChunkLayout {
  const { layout, images, frames, syncOffset, valid, shape, sigShape, corrections } = dataset;
  if (images !== frames || syncOffset !== 0 || valid || corrections) {
    throw refusedArray(
      dataset,
      "its frames do not fill the scan one by one, or come with corrections",
      {},
      purpose,
    );
  }
  if (isStoredAs(layout, "chunks")) return layout.storage.chunks;
  const scan = isStoredAs(layout, "scan-first") ? layout.storage.navShape : [];
  if (isStoredAs(layout, "scan-first") && (sameShape(scan, dataset.navShape) || sameShape(scan, [frames]))) {
    return turnedChunks(layout, dataset);
  }
  if (!isStoredAs(layout, "contiguous") || layout.storage.codec) {
    throw refusedArray(dataset, "its frames are neither plain samples nor in chunks", {}, purpose);
  }
  const { itemSize } = dtypeInfo(layout.dtype);
  const pitch = framePitch(layout);
  const all = layout.files.flatMap(({ start, end, headerBytes }, file) =>
    Array.from(
      { length: end - start },
      (_, i) => ({ file, address: headerBytes + i * pitch + layout.frameHeaderBytes }),
    )
  );
  const addresses = Float64Array.from(all, ({ address }) => address);
  const plain = framesAsChunks({ shape, sig: sigShape.length, itemSize, addresses });
  return { ...plain, files: Uint32Array.from(all, ({ file }) => file) };
}

/** Bytes of a chunk of an array without chunks, at most, unless one dimension has more. */
const CHUNK_BYTES = 2 ** 20;

/** An array of which the samples of one pixel lie together, in chunks of its fastest dimensions. */
function turnedChunks(
  { files, dtype, storage }: FrameLayout<ScanFirstStorage>,
  { shape, navShape: { length: nav } }: StoredDataset,
): ChunkLayout {
  const { itemSize } = dtypeInfo(dtype);
  const all = [...shape.keys()], [own, pixels] = [all.slice(0, nav), all.slice(nav)];
  const scan = storage.navShape.length < nav ? own : own.reverse(); // positions in a list are in the order of the scan
  const order = [...(storage.pixels === "C" ? pixels : pixels.reverse()), ...scan];
  const strides = stridesOf(order.map((d) => shape[d]!)), chunk = shape.map(() => 1);
  for (const d of order.toReversed()) {
    if (sizeOf(chunk) > 1 && itemSize * sizeOf(chunk) * shape[d]! > CHUNK_BYTES) break;
    chunk[d] = Math.max(1, shape[d]!);
  }
  const grid = shape.map((n, d) => Math.ceil(n / chunk[d]!));
  const addresses = Float64Array.from({ length: sizeOf(grid) }, (_, cell) => {
    const at = unravel(cell, grid);
    const before = order.reduce((sum, d, i) => sum + at[d]! * chunk[d]! * strides[i]!, 0);
    return files[0]!.headerBytes + itemSize * before;
  });
  return {
    shape,
    chunk,
    order,
    itemSize,
    addresses,
    sizes: new Uint32Array(addresses.length).fill(itemSize * sizeOf(chunk)),
    masks: new Uint32Array(addresses.length),
    filters: [],
    plainEdges: false,
  };
}

/** The error about an array that cannot be taken as a whole. */
export function refusedArray(
  { source }: StoredDataset,
  why: string,
  details: Record<string, unknown> = {},
  purpose: string = "split the axes of",
): TilewiseError {
  return new TilewiseError("invalid", `Cannot ${purpose} ${source}: ${why}`, { file: source, ...details });
}
