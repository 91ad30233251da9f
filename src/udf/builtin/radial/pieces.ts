/**
 * How the masks of a radial Fourier analysis are stored in memory: in pieces of bins that fit into the caches, each
 * with the weights of all its masks.
 *
 * @module
 */

import { binsPerPixel, eachBinAt, type RadialLayout } from "../../../masks/radial_bins.ts";
import { ringPixels } from "../../../masks/ring_pixels.ts";
import { angleOf, cosine, sine } from "../../../space/functions/functions.ts";
import type { Shape } from "../../../space/shape.ts";
import type { Steps } from "../../interface/making.ts";

// Groups the pixels of a frame that mirror each other: this reduces the work for a Fourier coefficient to a quarter.
//
// If the centre lies on a pixel or half-way between two, in both directions, each pixel (dy, dx) from it has three
// mirror images. A bin gives all four the same weight, and exp(i·o·φ) differs between them only by signs:
//
// ```
//             images of (dy, dx)     cos(oφ)     sin(oφ)       planes of fold_f32 that have the sums
//   d | c     c: dy → −dy            even        odd           0: cos, o even    1: cos, o odd
//   --+--     b: dx → −dx            o even:     o even:       3: sin, o even    2: sin, o odd
//   b | a                            even        odd
//                                    (o odd: the other way round)
// ```
//
// so every mask is multiplied with only a quarter of the pixels. Images outside of the frame are skipped. The pixel at
// the centre may have another weight in bin 0, so it is not in a quartet. For any other centre, every pixel is its own
// group.
//
// Pixels of a bin are stored as runs (see `fold_f32`), one row of the quarter after another.

/** The pixels of one bin: runs, and the factors of each pixel (or each quartet). */
interface BinOrbits {
  /** Runs of five numbers: the places of the four images, {@link NONE} if an image does not exist, and a count. */
  readonly runs: number[];
  /** Weight of each pixel of the runs. */
  readonly weights: number[];
  /** Angle of each pixel of the runs. */
  readonly angles: number[];
}

/** Stands for the place of a pixel outside of the frame. */
const NONE = -1;

/** Whether pixels around the centre mirror each other. */
function isFoldable({ cy, cx }: RadialLayout): boolean {
  return Number.isInteger(2 * cy) && Number.isInteger(2 * cx);
}

/** The pixels of every bin for frames of `shape`, row by row; each step reports the share that is done. */
function* orbitsOf([height, width]: Shape, layout: RadialLayout): Generator<number, BinOrbits[]> {
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

/** Largest number of pixels of a piece: the kernel adds them in single precision. */
export const PIECE = 1024;

/**
 * Numbers between one mask (or plane) of a piece and the next, beyond its pixels. Caches place data by the lower bits
 * of its address: at a distance of a power of two, masks would compete for the same cache lines.
 */
export const GAP = 24;

/** Numbers per piece in the table of pieces. */
export const PIECE_FIELDS = 5;

/** A coefficient: its order, and whether it is the real (cosine) or the imaginary (sine) part. */
interface Coefficient {
  /** Its order. */
  readonly order: number;
  /** 0: real, 1: imaginary. */
  readonly part: 0 | 1;
}

/** The coefficients of each plane of a folded frame; a frame that is not folded is one plane with all coefficients. */
export function coefficientsOf(layout: RadialLayout, maxOrder: number): Coefficient[][] {
  const list = (part: 0 | 1, keep: (order: number) => boolean) =>
    Array.from({ length: maxOrder + 1 }, (_, order) => ({ order, part }))
      .filter(({ order }) => keep(order) && (part === 0 || order > 0)); // sin(0 φ) is 0
  if (!isFoldable(layout)) return [[...list(0, () => true), ...list(1, () => true)]];
  const [even, odd] = [(order: number) => order % 2 === 0, (order: number) => order % 2 === 1];
  return [list(0, even), list(0, odd), list(1, odd), list(1, even)];
}

/** The tables of a radial Fourier analysis. */
export interface RadialTables {
  /** Runs for the kernel that folds. */
  readonly runs: Int32Array;
  /** Per piece: bin, first run, runs, pixels, first weight. */
  readonly pieces: Int32Array;
  /** The weights of the pixels per piece, plane and coefficient, each followed by a gap. */
  readonly weights: Float32Array | Float64Array;
}

/** Bytes per bin, and per coefficient, while tables are made. */
const [BIN_BYTES, COEFFICIENT_BYTES] = [64, 32] as const;

/** Approximate share of the work for finding the pixels of all bins. */
const ORBITS_SHARE = 1 / 4;

/** Fewest bytes of {@link radialTables}: a quarter of the pixels is enough if the frame can be folded. */
export function leastRadialBytes(
  shape: Shape,
  layout: RadialLayout,
  maxOrder: number,
  single: boolean,
): number {
  const coefficients = 2 * maxOrder + 1;
  const pixels = ringPixels(shape, layout) / (isFoldable(layout) ? 4 : 1);
  const weights = pixels * binsPerPixel(layout) * coefficients;
  return weights * (single ? 4 : 8) + BIN_BYTES * layout.bins + COEFFICIENT_BYTES * coefficients;
}

/** The tables for frames of `shape`. */
export function* radialTables(
  shape: Shape,
  layout: RadialLayout,
  maxOrder: number,
  single: boolean,
): Steps<RadialTables> {
  const coefficients = coefficientsOf(layout, maxOrder).flat();
  const orbits = orbitsOf(shape, layout);
  let bins: BinOrbits[];
  for (;;) {
    const { done, value } = orbits.next();
    if (done) {
      bins = value;
      break;
    }
    yield { bytes: 0, done: ORBITS_SHARE * value };
  }
  const cut = bins.map(({ runs }) => cutRuns(runs));
  const lengths = cut.flat().map(pixelsIn);
  const size = lengths.reduce((sum, n) => sum + (n + GAP) * coefficients.length, 0);
  yield { bytes: size * (single ? 4 : 8), done: ORBITS_SHARE };
  const weights = single ? new Float32Array(size) : new Float64Array(size);
  const runs: number[] = [], pieces: number[] = [];
  let at = 0;
  for (const [bin, binPieces] of cut.entries()) {
    let pixel = 0;
    for (const piece of binPieces) {
      const n = pixelsIn(piece);
      pieces.push(bin, runs.length / 5, piece.length / 5, n, at);
      for (const value of piece) runs.push(value);
      for (const coefficient of coefficients) {
        fillWeights(weights, at, bins[bin]!, pixel, n, coefficient);
        at += n + GAP;
        yield { bytes: 0, done: ORBITS_SHARE + (1 - ORBITS_SHARE) * at / size };
      }
      pixel += n;
    }
  }
  return { runs: Int32Array.from(runs), pieces: Int32Array.from(pieces), weights };
}

function fillWeights(
  to: Float32Array | Float64Array,
  at: number,
  { weights, angles }: BinOrbits,
  first: number,
  n: number,
  { order, part }: Coefficient,
): void {
  const wave = part === 0 ? cosine : sine;
  for (let i = 0; i < n; i++) to[at + i] = weights[first + i]! * wave(order * angles[first + i]!);
}

/** Runs, split into lists of at most {@link PIECE} pixels. */
function cutRuns(runs: readonly number[]): number[][] {
  const pieces: number[][] = [];
  let room = 0;
  for (let r = 0; r < runs.length; r += 5) {
    let [a, b, c, d, n] = runs.slice(r, r + 5) as [number, number, number, number, number];
    while (n > 0) {
      if (room === 0) {
        pieces.push([]);
        room = PIECE;
      }
      const take = Math.min(n, room);
      pieces.at(-1)!.push(a, b, c, d, take);
      n -= take;
      if (n > 0) { // all pixels of the rest are in the frame: no step leads to −1, which is NONE
        [a, c] = [a, c].map((start) => start === NONE ? NONE : start + take) as [number, number];
        [b, d] = [b, d].map((start) => start === NONE ? NONE : start - take) as [number, number];
      }
      room -= take;
    }
  }
  return pieces;
}

function pixelsIn(runs: readonly number[]): number {
  return runs.reduce((sum, value, i) => i % 5 === 4 ? sum + value : sum, 0);
}

// Real values from Fourier coefficients along rings: amplitude, phase, share of the mean, the dominant order.

/** Real channels of a list of complex numbers in groups of `orders`, and the dominant order per group. */
interface RadialChannels {
  /** |c|, float32. */
  readonly absolute: Float32Array;
  /** Angle of c in radians, float32. */
  readonly phase: Float32Array;
  /** |c| divided by |c| of order 0, or by 1 if that is less; float32. */
  readonly normalised: Float32Array;
  /** The order from 1 on with the largest |c|; 0 if none reaches a fifth of the largest |c| of its bin over the scan. */
  readonly dominant: Uint16Array;
}

/** The channels of coefficients `[frame][bin][order]`. */
export function radialChannels(complex: Float64Array, bins: number, orders: number): RadialChannels {
  const count = complex.length / 2;
  const absolute = new Float32Array(count),
    phase = new Float32Array(count),
    normalised = new Float32Array(count);
  const strongest = new Float64Array(count / orders), dominant = new Uint16Array(count / orders);
  const limits = new Float64Array(bins);
  for (let group = 0; group < count / orders; group++) {
    for (let order = 0; order < orders; order++) {
      const i = group * orders + order;
      const [re, im] = [complex[2 * i]!, complex[2 * i + 1]!];
      const size = Math.sqrt(re * re + im * im);
      absolute[i] = size;
      phase[i] = angleOf(im, re);
      normalised[i] = size / Math.max(1, order === 0 ? size : absolute[group * orders]!);
      if (order === 0 || !(size > strongest[group]!)) continue;
      strongest[group] = size;
      dominant[group] = order;
    }
    limits[group % bins] = Math.max(limits[group % bins]!, 0.2 * strongest[group]!);
  }
  strongest.forEach((size, group) => {
    if (size < limits[group % bins]!) dominant[group] = 0;
  });
  return { absolute, phase, normalised, dominant };
}
