/**
 * Which pixels of a frame belong together under reflection: the work of a Fourier coefficient, cut to a quarter.
 *
 * If the centre lies on a pixel or half-way between two, in both directions, each pixel (dy, dx) from it has three
 * mirror images. A bin gives all four the same weight, and exp(i·o·φ) at them differs by signs alone:
 *
 * ```
 *             images of (dy, dx)     cos(oφ)     sin(oφ)       planes of fold_f32 that have the sums
 *   d | c     c: dy → −dy            even        odd           0: cos, o even    1: cos, o odd
 *   --+--     b: dx → −dx            o even:     o even:       3: sin, o even    2: sin, o odd
 *   b | a                            even        odd
 *                                    (o odd: the other way round)
 * ```
 *
 * so every mask meets a quarter of the pixels. Images off the frame are left out. The pixel at the centre may have a
 * weight of its own in bin 0: it is taken out of its quartet. For any other centre every pixel stands for itself.
 *
 * Pixels of a bin come as runs (see `fold_f32`), those of one row of the quarter together.
 *
 * @module
 */

import { eachBinAt, type RadialLayout } from "../../../masks/radial_bins.ts";
import type { Shape } from "../../../space/shape.ts";

/** The pixels of one bin: as runs, and what each of them (or each quartet) is multiplied with. */
export interface BinOrbits {
  /** Runs of five numbers: places of the four images, −1 for none, and a count. */
  readonly runs: number[];
  /** Per pixel of the runs: its weight. */
  readonly weights: number[];
  /** Per pixel of the runs: its angle. */
  readonly angles: number[];
}

/** Whether pixels around the centre mirror each other. */
export function isFoldable({ cy, cx }: RadialLayout): boolean {
  return Number.isInteger(2 * cy) && Number.isInteger(2 * cx);
}

/** The pixels of every bin for frames of `shape`. */
export function orbitsOf(shape: Shape, layout: RadialLayout): BinOrbits[] {
  const bins = Array.from({ length: layout.bins }, (): BinOrbits => ({ runs: [], weights: [], angles: [] }));
  const { cy, cx, patch } = layout;
  const width = shape[1]!;
  const place = placeOf(shape);
  const fold = isFoldable(layout);
  for (const dy of fold ? distances(cy, shape[0]!) : offsets(cy, shape[0]!)) {
    for (const dx of fold ? distances(cx, width) : offsets(cx, width)) {
      const images = fold ? quartet(place, cy, cx, dy, dx) : [place(cy + dy, cx + dx), -1, -1, -1];
      if (images.every((image) => image < 0)) continue;
      const angle = Math.atan2(dy, dx);
      const centre = patch ? images.indexOf(patch.pixel) : -1;
      if (centre >= 0) append(bins[0]!, only(images, centre), patch!.weight, angle);
      const others = centre >= 0 ? images.map((image, q) => q === centre ? -1 : image) : images;
      eachBinAt(layout, Math.sqrt(dy * dy + dx * dx), (bin, weight) => {
        append(bins[bin]!, bin === 0 ? others : images, weight, angle);
      });
    }
  }
  return bins;
}

/** Distances from the centre along one direction, as far as the frame goes. */
function distances(centre: number, size: number): number[] {
  const first = centre - Math.floor(centre);
  const last = Math.max(centre, size - 1 - centre);
  return Array.from({ length: Math.max(0, Math.floor(last - first) + 1) }, (_, i) => first + i);
}

function offsets(centre: number, size: number): number[] {
  return Array.from({ length: size }, (_, i) => i - centre);
}

/** The place of a pixel; −1 off the frame. */
function placeOf([height, width]: Shape): (y: number, x: number) => number {
  return (y, x) => {
    const [row, column] = [Math.round(y), Math.round(x)];
    return row < 0 || row >= height! || column < 0 || column >= width! ? -1 : row * width! + column;
  };
}

/** A pixel and its images, each once. */
function quartet(
  place: (y: number, x: number) => number,
  cy: number,
  cx: number,
  dy: number,
  dx: number,
): number[] {
  const left = dx > 0, above = dy > 0;
  return [
    place(cy + dy, cx + dx),
    left ? place(cy + dy, cx - dx) : -1,
    above ? place(cy - dy, cx + dx) : -1,
    left && above ? place(cy - dy, cx - dx) : -1,
  ];
}

function only(images: readonly number[], which: number): number[] {
  return images.map((image, q) => q === which ? image : -1);
}

/** Steps of the four images along a run. */
const STEPS = [1, -1, 1, -1];

/** Adds a pixel and its images: to the last run, if they are its next ones. */
function append(
  { runs, weights, angles }: BinOrbits,
  images: readonly number[],
  weight: number,
  angle: number,
): void {
  if (images.every((image) => image < 0)) return;
  weights.push(weight);
  angles.push(angle);
  const last = runs.length - 5;
  const count = runs[last + 4];
  const follows = count !== undefined && images.every((image, q) => {
    const first = runs[last + q]!;
    return first < 0 ? image < 0 : image === first + STEPS[q]! * count;
  });
  if (follows) runs[last + 4]!++;
  else runs.push(...images, 1);
}
