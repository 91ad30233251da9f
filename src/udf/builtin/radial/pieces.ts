/**
 * How the masks of a radial Fourier analysis are stored in memory: in pieces of bins that fit into the caches, each
 * with the weights of all its masks.
 *
 * @module
 */

import { cosine, sine } from "../../../space/functions/functions.ts";
import { ringPixels } from "../../../masks/ring_pixels.ts";
import { binsPerPixel, type RadialLayout } from "../../../masks/radial_bins.ts";
import type { Shape } from "../../../space/shape.ts";
import type { Steps } from "../../interface/making.ts";
import { type BinOrbits, isFoldable, NONE, orbitsOf } from "./orbits.ts";

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
export interface Coefficient {
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
