/**
 * The bright disk in a pattern: where it is and how large, for analyses that begin there.
 *
 * ```
 * 1. pixels that hang together with the brightest one and have more than half of its value
 * 2. points on their rim, between pixels, where the value is half of theirs
 * 3. of circles through three of these points, the one that most of them lie on: what a beam stop or noise cuts off, does not
 * 4. the circle of least squares through the points that lie on it
 * ```
 *
 * @module
 */

import type { NDArray } from "@tilewise/tilewise";

/** A disk: its centre, and its radius in pixels. */
export interface Disk {
  /** Row. */
  readonly cy: number;
  /** Column. */
  readonly cx: number;
  /** Radius. */
  readonly r: number;
}

type Point = readonly [y: number, x: number];

/** Pixels brighter than this share of the brightness of the disk belong to it. */
const SHARE = 0.5;

/** Circles that are tried. */
const TRIES = 400;

/**
 * The disk that the brightest pixel lies in, with one decimal. Nothing where there is none: in an empty pattern, or if it would
 * cover more than half of the pattern.
 */
export function brightDisk({ data, shape: [height = 0, width = 0] }: NDArray): Disk | undefined {
  const size = [height, width] as const;
  const pixels = withoutSpikes(data as ArrayLike<number>, size);
  let brightest = 0;
  for (let i = 1; i < height * width; i++) if (pixels[i]! > pixels[brightest]!) brightest = i;
  const rough = SHARE * pixels[brightest]!;
  if (!(rough > 0) || rough === Infinity) return undefined;
  const middle = median(together(brightest, size, (i) => pixels[i]! > rough).map((i) => pixels[i]!));
  const least = SHARE * middle;
  const found = together(brightest, size, (i) => pixels[i]! > least);
  if (found.length === 0 || 2 * found.length > height * width) return undefined;
  const { cy, cx, r } = circleOf(rimOf(found, pixels, size, least), size) ?? sameArea(found, width);
  const short = (value: number) => Number(value.toFixed(1));
  return { cy: short(cy), cx: short(cx), r: short(r) };
}

/** The pattern with each pixel no brighter than the second of its neighbours: no pixel of the detector stands out alone. */
function withoutSpikes(pixels: ArrayLike<number>, [height, width]: readonly [number, number]): Float64Array {
  return Float64Array.from({ length: height * width }, (_, i) => {
    const [y, x] = [Math.floor(i / width), i % width];
    let [first, second] = [-Infinity, -Infinity];
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
        const value = v === y && u === x ? -Infinity : pixels[v * width + u]!;
        if (value > first) [first, second] = [value, first];
        else if (value > second) second = value;
      }
    }
    return Math.min(pixels[i]!, second);
  });
}

/** The pixels that are `inside` and hang together with the first one by their sides. */
function together(
  first: number,
  [height, width]: readonly [number, number],
  inside: (index: number) => boolean,
): number[] {
  const seen = new Uint8Array(height * width);
  const found = inside(first) ? [first] : [];
  seen[first] = 1;
  for (let n = 0; n < found.length; n++) {
    for (const next of neighbours(found[n]!, height, width)) {
      if (seen[next] || !inside(next)) continue;
      seen[next] = 1;
      found.push(next);
    }
  }
  return found;
}

function* neighbours(index: number, height: number, width: number): Generator<number> {
  const [y, x] = [Math.floor(index / width), index % width];
  if (y > 0) yield index - width;
  if (y < height - 1) yield index + width;
  if (x > 0) yield index - 1;
  if (x < width - 1) yield index + 1;
}

/** Where the value falls to `level` between a pixel of the disk and one outside. */
function rimOf(
  disk: readonly number[],
  pixels: ArrayLike<number>,
  [height, width]: readonly [number, number],
  level: number,
): Point[] {
  const rim: Point[] = [];
  for (const index of disk) {
    for (const next of neighbours(index, height, width)) {
      const [inner, outer] = [pixels[index]!, pixels[next]!];
      if (!(outer <= level)) continue;
      const share = (inner - level) / (inner - outer);
      const [y, x] = [Math.floor(index / width), index % width];
      rim.push([y + share * (Math.floor(next / width) - y), x + share * (next % width - x)]);
    }
  }
  return rim;
}

/** The circle on which most points lie; nothing if they are too few. */
function circleOf(rim: readonly Point[], [height, width]: readonly [number, number]): Disk | undefined {
  if (rim.length < 12) return undefined;
  let [best, most]: [Disk | undefined, number] = [undefined, 0];
  for (let n = 0; n < TRIES; n++) {
    const circle = through(drawn(rim, 3 * n), drawn(rim, 3 * n + 1), drawn(rim, 3 * n + 2));
    if (!circle || 2 * circle.r > Math.min(height, width)) continue;
    const count = near(rim, circle, 0.75).length;
    if (count > most) [best, most] = [circle, count];
  }
  for (let round = 0; best && round < 3; round++) best = fitted(near(rim, best, 1)) ?? best;
  return best;
}

/** Every call with the same number gives the same point. */
function drawn(rim: readonly Point[], n: number): Point {
  return rim[(Math.imul(n + 1, 0x9e3779b1) >>> 8) % rim.length]!;
}

function near(rim: readonly Point[], { cy, cx, r }: Disk, distance: number): Point[] {
  return rim.filter(([y, x]) => Math.abs(Math.hypot(y - cy, x - cx) - r) < distance);
}

/** The circle through three points. */
function through(a: Point, b: Point, c: Point): Disk | undefined {
  return fitted([a, b, c]);
}

/** The circle of least squares (Kåsa): y² + x² = 2·cy·y + 2·cx·x + rest, around the mean of the points. */
function fitted(points: readonly Point[]): Disk | undefined {
  const n = points.length;
  const my = points.reduce((sum, [y]) => sum + y, 0) / n;
  const mx = points.reduce((sum, [, x]) => sum + x, 0) / n;
  let [yy, xx, yx, ys, xs, squares] = [0, 0, 0, 0, 0, 0];
  for (const [py, px] of points) {
    const [y, x] = [py - my, px - mx];
    const square = y * y + x * x;
    [yy, xx, yx] = [yy + y * y, xx + x * x, yx + y * x];
    [ys, xs, squares] = [ys + y * square, xs + x * square, squares + square];
  }
  const determinant = 2 * (yy * xx - yx * yx);
  if (!(Math.abs(determinant) > 1e-6)) return undefined;
  const y = (ys * xx - xs * yx) / determinant;
  const x = (xs * yy - ys * yx) / determinant;
  return { cy: my + y, cx: mx + x, r: Math.sqrt(squares / n + y * y + x * x) };
}

/** The disk with as many pixels, around their mean. */
function sameArea(disk: readonly number[], width: number): Disk {
  const mean = (of: (index: number) => number) =>
    disk.reduce((sum, index) => sum + of(index), 0) / disk.length;
  return {
    cy: mean((index) => Math.floor(index / width)),
    cx: mean((index) => index % width),
    r: Math.sqrt(disk.length / Math.PI),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
