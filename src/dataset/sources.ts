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

/**
 * The files, blobs and URLs of `dataset`: those that hold frames (of a series only those with `images`), those that describe
 * them, and those of the corrections that come with them.
 */
export function allSources(
  { layout, beside, corrections }: Pick<Dataset, "layout" | "beside" | "corrections">,
  images?: ImageRange,
): SourceSpec[] {
  const { dark, gain } = corrections ?? {};
  const ofCorrections = [dark, gain].flatMap((one) => one ? frameSources(one) : []);
  return [...frameSources(layout, images), ...ofCorrections, ...beside];
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
