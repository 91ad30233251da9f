/**
 * The arrays of a TIFF file: its images one by one, and the series and pyramids that are made of them.
 *
 * @module
 */

import type { Instrument } from "../../../dataset/facts.ts";
import type { SaidAxis } from "../../../dataset/said_axes.ts";
import type { SourceSpec } from "../../../io/source/source.ts";
import type { AxisFacts } from "../../../space/axes.ts";
import type { Shape } from "../../../space/shape.ts";
import type { Directory } from "../container/directory.ts";
import type { ImageFacts } from "../image/facts.ts";

/** An image of a series, and the number of its file. */
export interface SeriesPlane {
  /** The image. */
  readonly image: TiffImage;
  /** Number of its file. */
  readonly file: number;
}

/** Dimensions by their letters. */
export const DIMENSIONS: Readonly<Record<string, AxisFacts & { readonly name: string }>> = {
  T: { name: "t", kind: "time" },
  C: { name: "channel", kind: "channel" },
  Z: { name: "z", kind: "space" },
  Y: { name: "y", kind: "space" },
  X: { name: "x", kind: "space" },
  S: { name: "sample", kind: "colour" },
};

/** A series of images, and what is known about it. */
export interface Series {
  /** Its name. */
  readonly name: string;
  /** Dimensions that count images, slowest first. */
  readonly navShape: Shape;
  /** Its images in row-major order of these; `undefined` where one is missing. At least one is there. */
  readonly planes: readonly (SeriesPlane | undefined)[];
  /** The files of the images. */
  readonly sources: readonly SourceSpec[];
  /** Facts about it. */
  readonly facts: MemberFacts;
  /** Whether it is opened only by its name, and not listed. */
  readonly isHidden?: boolean;
}

/** An array of a file: a series, or one of its resolutions. */
export interface Member extends Series {
  /** Bytes of its samples. */
  readonly byteLength: number;
  /** Number of its resolution, 0 is full. */
  readonly level: number;
  /** Names of the members with its other resolutions and its own, the largest first; empty if there are no others. */
  readonly pyramid: readonly string[];
  readonly isHidden: boolean;
  /** Whether it describes other images, as masks do. */
  readonly isAuxiliary: boolean;
}

/** Facts about an array that lie beside its samples. */
export interface MemberFacts {
  /** Axes that count images, then those of an image; missing ones are filled in. */
  readonly axes: readonly SaidAxis[];
  /** Axes of one sample that the file tells and that are no dimensions. */
  readonly of?: readonly AxisFacts[];
  /** Microscope and detector. */
  readonly instrument: Instrument;
  /** Further facts. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** What the user should know. */
  readonly warnings: readonly string[];
  /** Whether it has one dimension, and its image is a row. */
  readonly isRow?: boolean;
}

/** No facts. */
export const NO_FACTS: MemberFacts = { axes: [], instrument: {}, metadata: {}, warnings: [] };

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
