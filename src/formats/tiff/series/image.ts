/**
 * One image of a TIFF file, and what kind of image it is.
 *
 * @module
 */

import type { Directory } from "../container/directory.ts";
import type { ImageFacts } from "../image/facts.ts";

/** One image of a file. */
export interface TiffImage {
  /** Its name: `ifd` with the number of its directory. */
  readonly name: string;
  /** Its directory. */
  readonly directory: Directory;
  /** Number of the member of the chain of directories that it is, or lies below. */
  readonly page: number;
  /** Whether it is a member of the chain. */
  readonly isPage: boolean;
  /** What its directory says. */
  readonly facts: ImageFacts;
  /** Reduced copies of it, the largest first. */
  readonly levels: TiffImage[];
  /** Bytes from the samples that its directory names to its own; absent: 0. */
  readonly shift?: number;
  /** Where its strips lie, if its directory does not say so. */
  readonly offsets?: Float64Array;
}

/** A bit of the kind of an image. */
export const [REDUCED, MASK] = [1, 4];

/** Whether an image says which parts of another one are valid. */
export function isMask({ facts }: TiffImage): boolean {
  return (facts.subfile & MASK!) !== 0 || facts.photometric === MASK;
}

/** Whether an image only shows another one, or the slide that it is from. */
export function isReduced({ facts }: TiffImage): boolean {
  return (facts.subfile & REDUCED!) !== 0;
}
