/**
 * An image as the page shows it: numbers, and what they mean.
 *
 * @module
 */

import type { NDArray } from "@tilewise/tilewise";

/** An axis of an image. */
export interface ImageAxis {
  /** Its name, such as `y`. */
  readonly name: string;
  /** Size of a sample; 1 if it is not known. */
  readonly step: number;
  /** Unit of that size, such as `nm`, `1/nm` or `px`. */
  readonly unit: string;
  /** Where its first sample is, in units; absent: 0. */
  readonly offset?: number;
  /** Whether its first sample is at the bottom. */
  readonly upwards?: true;
}

/** Numbers in rows and columns. */
export interface ShownImage {
  /** Two dimensions; entries that are not valid have not been computed. Complex numbers are shown by phase and magnitude. */
  readonly array: NDArray;
  /** What it is, such as `Sum of all frames`. */
  readonly title: string;
  /** Unit of the values, such as `counts`. */
  readonly unit?: string;
  /** What its colours must show: the side of zero, that angles begin again after a turn, or names without an order. */
  readonly meaning?: "signed" | "angle" | "label";
  /** Rows, then columns. */
  readonly axes: readonly [ImageAxis, ImageAxis];
}

/** Vectors in rows and columns: shown by a colour wheel, direction as hue and length as brightness. */
export interface ShownVectors extends Omit<ShownImage, "array"> {
  /** Components along rows. */
  readonly y: NDArray;
  /** Components along columns. */
  readonly x: NDArray;
}
