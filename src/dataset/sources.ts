/**
 * Everything outside of this process that the samples of a data set depend on.
 *
 * @module
 */

import { ownSpecs, type SourceSpec } from "../io/source.ts";
import type { Dataset } from "./dataset.ts";
import type { FrameLayout } from "./layout.ts";

/** Images `first` to `last`, both included. */
export interface ImageRange {
  /** The first image. */
  readonly first: number;
  /** The last image. */
  readonly last: number;
}

/** Files of a series that are looked at once more; each of a longer one was looked at after it was read. */
const MOST_FILES = 256;

/**
 * What to look at when everything of `dataset` has been read that was wanted: the files, blobs and URLs that hold frames (of a
 * series those with `images`), those that describe them, and those of the corrections that come with them.
 */
export function sourcesAtEnd(
  { layout, beside, corrections }: Pick<Dataset, "layout" | "beside" | "corrections">,
  images?: ImageRange,
): SourceSpec[] {
  const { dark, gain } = corrections ?? {};
  const frames = frameSources(layout, images);
  const again = frames.length > MOST_FILES ? frames.filter(({ kind }) => kind !== "file") : frames;
  return [...again, ...[dark, gain].flatMap((one) => one ? frameSources(one) : []), ...beside];
}

/** The sources that hold frames: all, or of a series those with `images`. */
export function frameSources(layout: FrameLayout, images?: ImageRange): SourceSpec[] {
  const { files, sparse, chunks, pieces, sectors } = layout;
  const inOrder = !(sparse || chunks || pieces || sectors);
  const read = images && inOrder
    ? files.filter(({ start, end }) => start <= images.last && end > images.first)
    : files;
  return [...read.flatMap(({ source }) => ownSpecs(source)), ...(sparse ? ownSpecs(sparse.indices) : [])];
}
