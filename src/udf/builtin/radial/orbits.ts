/**
 * Groups the pixels of a frame that mirror each other: this reduces the work for a Fourier coefficient to a quarter.
 *
 * If the centre lies on a pixel or half-way between two, in both directions, each pixel (dy, dx) from it has three
 * mirror images. A bin gives all four the same weight, and exp(i·o·φ) differs between them only by signs:
 *
 * ```
 *             images of (dy, dx)     cos(oφ)     sin(oφ)       planes of fold_f32 that have the sums
 *   d | c     c: dy → −dy            even        odd           0: cos, o even    1: cos, o odd
 *   --+--     b: dx → −dx            o even:     o even:       3: sin, o even    2: sin, o odd
 *   b | a                            even        odd
 *                                    (o odd: the other way round)
 * ```
 *
 * so every mask is multiplied with only a quarter of the pixels. Images outside of the frame are skipped. The pixel at
 * the centre may have another weight in bin 0, so it is not in a quartet. For any other centre, every pixel is its own
 * group.
 *
 * Pixels of a bin are stored as runs (see `fold_f32`), one row of the quarter after another.
 *
 * @module
 */

import { angleOf } from "../../../space/functions/functions.ts";
import { eachBinAt, type RadialLayout } from "../../../masks/radial_bins.ts";
import type { Shape } from "../../../space/shape.ts";

/** The pixels of one bin: runs, and the factors of each pixel (or each quartet). */
export interface BinOrbits {
  /** Runs of five numbers: the places of the four images, {@link NONE} if an image does not exist, and a count. */
  readonly runs: number[];
  /** Weight of each pixel of the runs. */
  readonly weights: number[];
  /** Angle of each pixel of the runs. */
  readonly angles: number[];
}

/** Stands for the place of a pixel outside of the frame. */
export const NONE = -1;

/** Whether pixels around the centre mirror each other. */
export function isFoldable({ cy, cx }: RadialLayout): boolean {
  return Number.isInteger(2 * cy) && Number.isInteger(2 * cx);
}

/** The pixels of every bin for frames of `shape`, row by row; each step reports the share that is done. */
export function* orbitsOf([height, width]: Shape, layout: RadialLayout): Generator<number, BinOrbits[]> {
  const bins = Array.from({ length: layout.bins }, (): BinOrbits => ({ runs: [], weights: [], angles: [] }));
  const { cy, cx, patch } = layout;
  const pairs = isFoldable(layout) ? mirrored : alone;
  const columns = pairs(cx, width!);
  const rows = pairs(cy, height!);
  for (const [row, y] of rows.entries()) {
    yield row / rows.length;
    for (const x of columns) {
      const images = quartet(y, x, width!);
      const angle = angleOf(y.distance, x.distance);
      const centre = patch ? images.indexOf(patch.pixel) : -1;
      if (centre >= 0) append(bins[0]!, only(images, centre), patch!.weight, angle);
      const others = centre >= 0 ? images.map((image, q) => q === centre ? NONE : image) : images;
      const r = Math.sqrt(y.distance * y.distance + x.distance * x.distance);
      eachBinAt(layout, r, (bin, weight) => {
        append(bins[bin]!, bin === 0 ? others : images, weight, angle);
      });
    }
  }
  return bins;
}

/**
 * The two rows (or columns) at one distance from the centre; {@link NONE} for one that does not exist or equals the
 * other.
 */
interface Pair {
  readonly distance: number;
  readonly ahead: number;
  readonly behind: number;
}

/** All rows (or columns) of a frame, in pairs that mirror each other, the nearest first. */
function mirrored(centre: number, size: number): Pair[] {
  const pairs: Pair[] = [];
  for (let i = Math.max(0, Math.ceil(centre)); i < size; i++) {
    const mirror = 2 * centre - i;
    pairs.push({ distance: i - centre, ahead: i, behind: mirror >= 0 && mirror < i ? mirror : NONE });
  }
  // Indices in front of the centre whose mirror images lie beyond the end.
  for (let i = Math.min(size - 1, Math.floor(2 * centre) - size); i >= 0; i--) {
    pairs.push({ distance: centre - i, ahead: NONE, behind: i });
  }
  return pairs;
}

/** All rows (or columns), each alone; the distance of those before the centre is negative. */
function alone(centre: number, size: number): Pair[] {
  return Array.from({ length: size }, (_, i) => ({ distance: i - centre, ahead: i, behind: NONE }));
}

/** The places of a pixel and its images, without duplicates. */
function quartet(y: Pair, x: Pair, width: number): number[] {
  const place = (row: number, column: number) =>
    row === NONE || column === NONE ? NONE : row * width + column;
  return [
    place(y.ahead, x.ahead),
    place(y.ahead, x.behind),
    place(y.behind, x.ahead),
    place(y.behind, x.behind),
  ];
}

function only(images: readonly number[], which: number): number[] {
  return images.map((image, q) => q === which ? image : NONE);
}

/** Steps of the four images along a run. */
const STEPS = [1, -1, 1, -1];

/** Adds a pixel and its images: to the last run if they continue it, else as a new run. */
function append(
  { runs, weights, angles }: BinOrbits,
  images: readonly number[],
  weight: number,
  angle: number,
): void {
  if (images.every((image) => image === NONE)) return;
  weights.push(weight);
  angles.push(angle);
  const last = runs.length - 5;
  const count = runs[last + 4];
  const follows = count !== undefined && images.every((image, q) => {
    const first = runs[last + q]!;
    // A run that goes backwards and has reached pixel 0 ends there: −1 is not a place.
    if (first === NONE || image === NONE) return first === image;
    return image === first + STEPS[q]! * count;
  });
  if (follows) runs[last + 4]!++;
  else runs.push(...images, 1);
}
