/**
 * A simulated micrograph of cells as a tiled TIFF file with reduced copies: uint16, and the number of cells is known.
 *
 * @module
 */

import { Random } from "./poisson.ts";

/** Pixels along both sides of the largest level. */
export const PYRAMID_SIDE = 2048;
/** Cells in the image. No cell touches another. */
export const PYRAMID_CELLS = 400;
/** Levels: 2048, 1024, 512, 256. */
const LEVELS = 4;
const TILE = 256;
/** Pixels per centimetre: half a micrometre each. */
const PER_CENTIMETRE = 20_000;

/** Background and largest value of a cell, in counts. */
const [BACKGROUND, BRIGHT] = [200, 3000];
/** Cells lie in squares of a grid, so that they do not touch. */
const GRID = 20;

/** Draws the file; gives the share that is done, and at the end the bytes. */
export function* samplePyramid(): Generator<number, Uint8Array<ArrayBuffer>> {
  let level = new Uint16Array(PYRAMID_SIDE ** 2).map(() => BACKGROUND);
  const random = new Random(7);
  const share = () => random.next() / 2 ** 32;
  for (let cell = 0; cell < PYRAMID_CELLS; cell++) {
    drawCell(level, cell, share);
    yield 0.6 * cell / PYRAMID_CELLS;
  }
  for (let y = 0; y < PYRAMID_SIDE; y++) {
    for (let i = y * PYRAMID_SIDE; i < (y + 1) * PYRAMID_SIDE; i++) level[i]! += random.next() >>> 26; // 0 to 63
    if (y % 64 === 0) yield 0.6 + 0.3 * y / PYRAMID_SIDE;
  }
  const levels = [level];
  for (let side = PYRAMID_SIDE; levels.length < LEVELS; side /= 2) {
    level = halved(level, side);
    levels.push(level);
    yield 0.9;
  }
  return tiffOf(levels);
}

/** A soft disk with a bright middle, anywhere in its square. */
function drawCell(level: Uint16Array, cell: number, share: () => number): void {
  const square = PYRAMID_SIDE / GRID;
  const [top, left] = [Math.floor(cell / GRID) * square, (cell % GRID) * square];
  const radius = 14 + 22 * share();
  const room = square - 2 * radius - 4;
  const [cy, cx] = [top + 2 + radius + room * share(), left + 2 + radius + room * share()];
  const bright = BRIGHT * (0.4 + 0.6 * share());
  for (let y = Math.floor(cy - radius); y <= cy + radius; y++) {
    for (let x = Math.floor(cx - radius); x <= cx + radius; x++) {
      const distance = Math.hypot(y - cy, x - cx) / radius;
      if (distance < 1) level[y * PYRAMID_SIDE + x]! += bright * (1 - distance * distance) ** 0.5;
    }
  }
}

/** Means of 2 × 2 samples. */
function halved(level: Uint16Array, side: number): Uint16Array<ArrayBuffer> {
  const half = side / 2;
  const result = new Uint16Array(half * half);
  for (let y = 0; y < half; y++) {
    for (let x = 0; x < half; x++) {
      const at = 2 * y * side + 2 * x;
      result[y * half + x] = (level[at]! + level[at + 1]! + level[at + side]! + level[at + side + 1]!) / 4;
    }
  }
  return result;
}

/** Tags of a directory, with 2-byte or 4-byte values. */
type Tag = readonly [tag: number, type: 3 | 4, value: number];

/**
 * A classic TIFF file of little-endian pages, one per level; those behind the first say that they are reduced copies.
 *
 * ```
 * header₈ ( tiles of a level · places of its tiles · bytes of its tiles · resolution₈ · directory )*
 * ```
 */
function tiffOf(levels: readonly Uint16Array[]): Uint8Array<ArrayBuffer> {
  const tags = 15;
  const sizeOf = (side: number) => 2 * side * side + 8 * (side / TILE) ** 2 + 8 + 2 + 12 * tags + 4;
  const sides = levels.map((level) => Math.sqrt(level.length));
  const file = new Uint8Array(sides.reduce((sum, side) => sum + sizeOf(side), 8));
  const view = new DataView(file.buffer);
  file.set([0x49, 0x49, 42, 0]);
  let [at, link] = [8, 4];
  levels.forEach((level, n) => {
    const side = sides[n]!;
    const count = (side / TILE) ** 2;
    const tiles = at;
    putTiles(view, tiles, level, side);
    const places = tiles + 2 * level.length;
    for (let tile = 0; tile < count; tile++) {
      view.setUint32(places + 4 * tile, tiles + tile * 2 * TILE * TILE, true);
      view.setUint32(places + 4 * (count + tile), 2 * TILE * TILE, true);
    }
    const resolution = places + 8 * count;
    view.setUint32(resolution, Math.round(PER_CENTIMETRE / 2 ** n), true);
    view.setUint32(resolution + 4, 1, true);
    const [one, lists] = [count === 1, [places, places + 4 * count] as const];
    link = putDirectory(view, resolution + 8, link, [
      [254, 4, n === 0 ? 0 : 1],
      [256, 4, side],
      [257, 4, side],
      [258, 3, 16],
      [259, 3, 1],
      [262, 3, 1],
      [277, 3, 1],
      [282, 4, resolution],
      [283, 4, resolution],
      [296, 3, 3],
      [322, 3, TILE],
      [323, 3, TILE],
      [324, 4, one ? tiles : lists[0]],
      [325, 4, one ? 2 * TILE * TILE : lists[1]],
      [339, 3, 1],
    ], count);
    at = link + 4;
  });
  return file;
}

function putTiles(view: DataView, to: number, level: Uint16Array, side: number): void {
  for (let top = 0; top < side; top += TILE) {
    for (let left = 0; left < side; left += TILE) {
      for (let y = top; y < top + TILE; y++) {
        for (let x = left; x < left + TILE; x++, to += 2) view.setUint16(to, level[y * side + x]!, true);
      }
    }
  }
}

/** Puts a directory at `at`, links it from `link`; gives the place of its own link. */
function putDirectory(view: DataView, at: number, link: number, tags: readonly Tag[], tiles: number): number {
  view.setUint32(link, at, true);
  view.setUint16(at, tags.length, true);
  tags.forEach(([tag, type, value], i) => {
    const to = at + 2 + 12 * i;
    const isRatio = tag === 282 || tag === 283;
    view.setUint16(to, tag, true);
    view.setUint16(to + 2, isRatio ? 5 : type, true);
    view.setUint32(to + 4, tag === 324 || tag === 325 ? tiles : 1, true);
    if (type === 3) view.setUint16(to + 8, value, true);
    else view.setUint32(to + 8, value, true);
  });
  return at + 2 + 12 * tags.length;
}
