/**
 * Everything outside of this process that the samples of a data set depend on.
 *
 * @module
 */

import { ownSpecs, type SourceSpec } from "../io/source/source.ts";
import type { StoredDataset } from "./dataset.ts";
import type { FrameLayout } from "./layout/layout.ts";
import { kindOf, ownSources } from "./storage/kinds.ts";

/** Images `first` to `last`, both included. */
interface ImageRange {
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
  { layout, beside, corrections }: Pick<StoredDataset, "layout" | "beside" | "corrections">,
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

/** Copies of samples in memory in a process that they are sent to: as a message, and as a value. */
const COPIES_OF_SAMPLES = 2;

/** Bytes that the samples in memory among `sources` take in each process that they are sent to. */
export function bytesSent(sources: readonly SourceSpec[]): number {
  const bytes = sources.map((spec) => spec.kind === "bytes" ? spec.bytes.byteLength : 0);
  return COPIES_OF_SAMPLES * bytes.reduce((sum, one) => sum + one, 0);
}
