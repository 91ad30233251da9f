/**
 * Images in tiles: which tiles of which level are seen, and the pixels that each of them covers.
 *
 * @module
 */

import type { Look, Size } from "./look.ts";

/** A level of an image in tiles. Its samples may be means over `n × n` samples of a level that is stored. */
export interface MosaicLevel extends Size {
  /** The number of the stored level. */
  readonly stored: number;
  /** Samples of the stored level along each side that make one. */
  readonly n: number;
  /** Samples of level 0 per sample, along rows and columns. */
  readonly scale: readonly [y: number, x: number];
  /** Samples along the sides of a tile. */
  readonly tile: number;
}

/** A tile. */
export interface TileKey {
  /** Which level, in the list of levels. */
  readonly level: number;
  /** Its number along columns. */
  readonly y: number;
  /** Its number along rows. */
  readonly x: number;
}

/** Pixels that a tile covers, and the samples that they show. */
export interface TilePlace {
  /** Pixels above it. */
  readonly top: number;
  /** Pixels at its left. */
  readonly left: number;
  /** For each of its rows of pixels, the row of the tile. */
  readonly rows: Int32Array;
  /** For each of its columns of pixels, the column of the tile. */
  readonly columns: Int32Array;
}

/** A level that is small enough to be always there. */
const SMALL = 512;

/** Pixels per sample, from which a coarser level is enough. */
const ENOUGH = 0.7;

/** A stored level. */
export interface StoredLevel extends Size {
  /** Samples of level 0 per sample. */
  readonly scale: readonly [y: number, x: number];
}

/** The stored levels, and means of the last one until the image is small. */
export function levelsOf(stored: readonly StoredLevel[], tile: number): MosaicLevel[] {
  const levels = stored.map((level, i): MosaicLevel => ({
    ...sizeOf(level),
    scale: level.scale,
    stored: i,
    n: 1,
    tile,
  }));
  const last = levels.at(-1);
  if (!last) return [];
  const { height, width, scale: [y, x] } = last;
  for (let n = 2; Math.max(height, width) * 2 / n > SMALL && tile % n === 0; n *= 2) {
    const size = { height: Math.ceil(height / n), width: Math.ceil(width / n) };
    levels.push({ ...size, scale: [y * n, x * n], stored: last.stored, n, tile: tile / n });
  }
  return levels;
}

function sizeOf({ height, width }: Size): Size {
  return { height, width };
}

/** The level for a zoom: the coarsest that still has about one sample per pixel. */
export function levelFor(levels: readonly MosaicLevel[], zoom: number): number {
  const fine = levels.findLastIndex(({ scale: [y, x] }) => Math.min(y, x) * zoom * ENOUGH <= 1);
  return Math.max(0, fine);
}

/** The tiles of a level that are on the screen, those in the middle first. */
export function tilesSeen(
  levels: readonly MosaicLevel[],
  level: number,
  look: Look,
  screen: Size,
): TileKey[] {
  const one = levels[level];
  if (!one) return [];
  const rows = rangeSeen(look.y, screen.height / look.zoom, one.scale[0], one.height, one.tile);
  const columns = rangeSeen(look.x, screen.width / look.zoom, one.scale[1], one.width, one.tile);
  const keys = rows.tiles.flatMap((y) => columns.tiles.map((x) => ({ level, y, x })));
  const far = ({ y, x }: TileKey) => (y + 0.5 - rows.middle) ** 2 + (x + 0.5 - columns.middle) ** 2;
  return keys.sort((a, b) => far(a) - far(b));
}

function rangeSeen(centre: number, seen: number, scale: number, size: number, tile: number) {
  const middle = (centre + 0.5) / scale / tile;
  const half = seen / 2 / scale / tile;
  const first = Math.max(0, Math.floor(middle - half));
  const last = Math.min(Math.ceil(size / tile) - 1, Math.ceil(middle + half) - 1);
  return { middle, tiles: Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i) };
}

/** A name for a tile. */
export function keyText({ level, y, x }: TileKey): string {
  return `${level}/${y}/${x}`;
}

/** For each of `count` pixels, the sample of a level with `scale`; −1 outside of the image. */
export function levelIndices(
  count: number,
  centre: number,
  zoom: number,
  scale: number,
  size: number,
): Int32Array {
  const indices = new Int32Array(count);
  const first = centre + 0.5 - count / 2 / zoom;
  for (let i = 0; i < count; i++) {
    const sample = Math.floor((first + (i + 0.5) / zoom) / scale);
    indices[i] = sample >= 0 && sample < size ? sample : -1;
  }
  return indices;
}

/** The pixels of a tile, from the samples of its level that rows and columns of pixels show. */
export function placeOfTile(
  { tile }: MosaicLevel,
  { y, x }: TileKey,
  rows: Int32Array,
  columns: Int32Array,
): TilePlace {
  const [top, below] = part(rows, y * tile, (y + 1) * tile);
  const [left, right] = part(columns, x * tile, (x + 1) * tile);
  return {
    top,
    left,
    rows: rows.subarray(top, below).map((row) => row - y * tile),
    columns: columns.subarray(left, right).map((column) => column - x * tile),
  };
}

/** Where indices that rise are from `start` to before `stop`. */
function part(indices: Int32Array, start: number, stop: number): readonly [first: number, end: number] {
  let first = 0;
  while (first < indices.length && !(indices[first]! >= start && indices[first]! < stop)) first++;
  let end = first;
  while (end < indices.length && indices[end]! >= start && indices[end]! < stop) end++;
  return [first, end];
}
