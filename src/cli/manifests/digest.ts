/**
 * The digest of samples that are read back from a file before it gets its name; see {@link Seen}.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import { throwIfAborted } from "../../errors.ts";
import { open } from "../../formats/open.ts";
import { targetAt } from "../../sinks/registry.ts";
import { mapViews, type MapViewsOptions } from "../../views/map/map_views.ts";
import { copySamples } from "../../views/operations/copy_samples.ts";
import { orInLowTiles } from "./low_tiles.ts";
import { Seen, type SeenFacts } from "./seen.ts";

/** Bytes after which others have a turn. */
const TURN = 2 ** 24;

/** What makes the digest of samples. */
export function seenFor({ shape, dtype }: Pick<SeenFacts, "shape" | "dtype">): Seen {
  return new Seen({ shape, dtype, values: { kind: "amount" } }, { hasDigest: true }); // what they mean is that of pictures
}

/** The digest of samples that come piece by piece, in their order. */
export async function digestOfPieces(
  facts: Pick<SeenFacts, "shape" | "dtype">,
  pieces: Iterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const seen = seenFor(facts);
  let since = 0;
  for (const piece of pieces) {
    seen.add(piece);
    since += piece.length;
    if (since < TURN) continue;
    since = 0;
    await new Promise((resolve) => setTimeout(resolve)); // lets a signal come
    throwIfAborted(signal);
  }
  return seen.made().sha256!;
}

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
  const result = await open(path, { format, signal, ...(array === undefined ? {} : { array }) }) as Dataset;
  const seen = seenFor(result);
  await orInLowTiles(
    result.shape,
    (tile) =>
      mapViews(result, copySamples(), {
        ...options,
        signal,
        ...tile,
        sink: ({ data }) => seen.add(data),
      }),
  );
  return seen.made().sha256!;
}
