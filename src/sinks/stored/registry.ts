/**
 * The kinds of files that results are stored in, in chunks, by their names in the table of all files.
 *
 * @module
 */

import type { ChunkKind } from "../chunks/file.ts";
import type { Keeps } from "../losses.ts";
import { type ChunkId, type FileTarget, targetAt } from "../registry.ts";
import { rowTarget } from "../rows/registry.ts";
import { omeTiffKind, tiffKind } from "../tiff/file.ts";
import type { TiffOptions } from "../tiff/target.ts";
import { omeZarrKind, zarrKind, zspyKind } from "../zarr/file.ts";
import type { ZarrOptions } from "../zarr/target.ts";

/** Options of all kinds. */
type StoredOptions = ZarrOptions & TiffOptions;

const BY_ID: Readonly<Record<ChunkId, ChunkKind<StoredOptions>>> = {
  zarr: zarrKind,
  "ome-zarr": omeZarrKind,
  zspy: zspyKind,
  tiff: tiffKind,
  "ome-tiff": omeTiffKind,
};

/** How results are stored in such a file; `undefined` where they are not stored in chunks. */
export function chunkKind({ id, results }: FileTarget): ChunkKind<StoredOptions> | undefined {
  return results === "chunks" ? BY_ID[id as ChunkId] : undefined;
}

/** What the file at `path` keeps of the description of an array. */
export async function keptBy(path: string): Promise<Keeps> {
  const target = targetAt(path, "results") ?? targetAt(path, "frames");
  return target === undefined ? {} : chunkKind(target)?.keeps ?? (await rowTarget(target.id)).keeps;
}
