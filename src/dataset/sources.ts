/**
 * Everything outside of this process that the samples of a data set depend on.
 *
 * @module
 */

import { ownSpecs, type SourceSpec } from "../io/source/source.ts";
import type { Dataset } from "./dataset.ts";
import type { FrameLayout } from "./layout/layout.ts";
import { kindOf, ownSources } from "./storage/kinds.ts";

/** Images `first` to `last`, both included. */
export interface ImageRange {
  /** The first image. */
  readonly first: number;
  /** The last image. */
  readonly last: number;
}

/**
 * The sources to check after all reads from `dataset`: the files, blobs and URLs that hold frames (of a series, those with
 * `images`), those that describe the frames, and those of the corrections that come with them.
 */
export function sourcesAtEnd(
  { layout, beside, corrections }: Pick<Dataset, "layout" | "beside" | "corrections">,
  images?: ImageRange,
): SourceSpec[] {
  const { dark, gain } = corrections ?? {};
  return [
    ...frameSources(layout, images),
    ...[dark, gain].flatMap((one) => one ? frameSources(one) : []),
    ...beside,
  ];
}

/** The sources that readers of frames open. */
export function readSources(layout: FrameLayout): SourceSpec[] {
  return [...layout.files.map(({ source }) => source), ...ownSources(layout)];
}

/** The sources that hold frames: all, or those of a series with `images`. */
export function frameSources(layout: FrameLayout, images?: ImageRange): SourceSpec[] {
  const { files } = layout;
  const read = images && kindOf(layout).inOrder
    ? files.filter(({ start, end }) => start <= images.last && end > images.first)
    : files;
  return [...read.flatMap(({ source }) => ownSpecs(source)), ...ownSources(layout)];
}
