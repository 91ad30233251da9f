/**
 * The digest of samples that are read back from a file before it gets its name; see {@link Seen}. A result that has been computed
 * is not lost for want of memory to read it back.
 *
 * @module
 */

import { isTilewiseError } from "../../errors.ts";
import { defined } from "../../options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { open } from "../../formats/open.ts";
import { targetAt } from "../../sinks/registry.ts";
import { mapViews, type MapViewsOptions } from "../../views/map/map_views.ts";
import { copySamples } from "../../views/operations/copy_samples.ts";
import { type Seen, seenFor } from "./seen.ts";
import type { MapBlock } from "../../views/map/blocks.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";

/** Rows and columns of tiles that do not keep chunks whole. */
const LOW = [32, 2048] as const;

/**
 * Does `work`; where the budget has no room for tiles of whole chunks, again with lower ones, for which chunks are decoded more than
 * once.
 */
async function orInLowTiles<T>(
  shape: Shape,
  work: (options: { readonly tile?: Shape }) => Promise<T>,
): Promise<T> {
  try {
    return await work({});
  } catch (error) {
    if (!isTilewiseError(error) || error.code !== "over-budget") throw error;
    const tile = shape.map((_, d) => LOW[d - (shape.length - 2)] ?? 1);
    return await work({ tile }).catch((other) => {
      throw isTilewiseError(other) && ["over-budget", "invalid"].includes(other.code) ? error : other;
    });
  }
}

/** Bytes of a tile. */
const STRETCH = 2 ** 20;

/** The digest of a result that is read back from the file or folder at `path`, which will be called `out`. */
export async function digestOfFile(
  path: string,
  out: string,
  { signal, array, ...options }: Pick<MapViewsOptions, "context" | "onProgress"> & {
    readonly signal: AbortSignal;
    readonly array?: string;
  },
): Promise<string> {
  const format = targetAt(out, "results")!.format!;
  const result = await open(path, {
    format,
    signal,
    ...defined({ array }),
  }) as StoredDataset;
  const seen = seenFor(result);
  await readAgain(result, seen, { ...options, signal });
  return seen.made().sha256!;
}

/** Shows all samples of a file in their order. */
export async function readAgain(
  result: StoredDataset,
  seen: Seen,
  options: Pick<MapViewsOptions, "context" | "onProgress" | "signal">,
): Promise<void> {
  const sink = ({ data }: MapBlock) => seen.add(data);
  await orInLowTiles(
    result.shape,
    (tile) => mapViews(result, copySamples(), { ...options, ...largeTile(result), ...tile, sink }),
  );
}

/** Tiles of more than rows and columns, where there are more dimensions: samples that follow each other. */
function largeTile({ shape, dtype }: StoredDataset): { readonly tile?: Shape } {
  if (shape.length < 3) return {};
  let room = Math.floor(STRETCH / dtypeInfo(dtype).itemSize);
  const tile = shape.toReversed().map((size) => {
    const most = Math.max(1, Math.min(size, room));
    room = most < size ? 1 : Math.floor(room / most);
    return most;
  });
  return { tile: tile.toReversed() };
}
