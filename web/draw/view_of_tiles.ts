/**
 * What is seen of an image in tiles: coarse tiles until the fine ones are there, and the values that are seen.
 *
 * @module
 */

import type { Limits } from "../../src/pictures/mod.ts";
import type { Display } from "../state/state.ts";
import { limitsOf } from "./limits.ts";
import { type Look, type Size, zoomDown } from "./look.ts";
import {
  keyText,
  levelFor,
  levelIndices,
  placeOfTile,
  type TileKey,
  type TilePlace,
  tilesSeen,
} from "./mosaic.ts";
import type { Planes } from "./numbers.ts";
import type { ImageSelection, StoredTile, TileStore } from "./tile_store.ts";

/** A tile, and where it is. */
export interface SeenTile extends TilePlace {
  readonly tile: StoredTile;
  readonly key: TileKey;
}

/** What is seen. */
export interface SeenTiles {
  /** The level that fits the zoom. */
  readonly level: number;
  /** Tiles in the order in which they are drawn: coarse ones first. */
  readonly tiles: readonly SeenTile[];
  /** Tiles to read, the most useful first. */
  readonly wanted: readonly TileKey[];
}

/** The tiles of `store` that are seen on a screen with `ratio` pixels per unit of the look. */
export function seenTiles(store: TileStore, look: Look, screen: Size, ratio: number): SeenTiles {
  const { levels } = store;
  const [width, height] = [Math.round(screen.width * ratio), Math.round(screen.height * ratio)];
  const zoom = look.zoom * ratio;
  const level = levelFor(levels, zoom);
  const keysOf = (one: number) => tilesSeen(levels, one, look, screen);
  const fine = keysOf(level);
  const coarsest = levels.length - 1;
  const wanted = distinct([...keysOf(coarsest), ...fine, ...store.coarse]);
  const isWhole = fine.every((key) => store.get(key));
  const tiles: SeenTile[] = [];
  for (let one = isWhole ? level : coarsest; one >= level; one--) {
    const facts = levels[one]!;
    const rows = levelIndices(height, look.y, zoomDown(look) * ratio, facts.scale[0], facts.height);
    const columns = levelIndices(width, look.x, zoom, facts.scale[1], facts.width);
    for (const key of one === level ? fine : keysOf(one)) {
      const tile = store.get(key);
      if (tile) tiles.push({ tile, key, ...placeOfTile(facts, key, rows, columns) });
    }
  }
  return { level, tiles, wanted };
}

/** The value of the sample at a place of level 0, and the level that it is from: the finest that is seen there. */
export function seenAt(
  store: TileStore,
  { tiles }: SeenTiles,
  [y, x]: readonly [number, number],
):
  | { readonly tile: StoredTile; readonly row: number; readonly column: number; readonly level: number }
  | undefined {
  for (const { tile, key } of [...tiles].reverse()) {
    const { scale, tile: size } = store.levels[key.level]!;
    const row = Math.floor((y + 0.5) / scale[0]) - key.y * size;
    const column = Math.floor((x + 0.5) / scale[1]) - key.x * size;
    const { height, width } = tile[0]!.image;
    const isIn = row >= 0 && column >= 0 && row < height && column < width;
    if (isIn) return { tile, row, column, level: key.level };
  }
  return undefined;
}

function distinct(keys: readonly TileKey[]): TileKey[] {
  return [...new Map(keys.map((key) => [keyText(key), key])).values()];
}

/** Some of the values of a channel that are seen: those of the finest tiles. */
export function seenSamples({ tiles, level }: SeenTiles, channel = 0): Float64Array {
  const fine = tiles.filter(({ key }) => key.level === level);
  return samplesOf((fine.length > 0 ? fine : tiles).map(({ tile }) => tile), channel);
}

/**
 * The images whose coarsest tiles are wanted for contrast, until it is known: those of channels without a range of their own, and
 * of channels with a name, whose values are counted.
 */
export function imagesForContrast(
  { contrast, cache: { whole } }: TileStore,
  channels: readonly { readonly id: string; readonly name: string; readonly display: Display }[],
): readonly ImageSelection[] {
  return channels.flatMap(({ id, name, display }, c) =>
    whole.has(id) || (display.range && name === "") ? [] : [contrast[c]!]
  );
}

/**
 * Keeps some of the values of a channel in the whole image, from its coarsest level, once it is there: of the image that says the
 * contrast. If that cannot be read or has only one value, those of the image that is seen, for this store alone.
 */
export function keepWhole(store: TileStore, seen: SeenTiles, channel: number, id: string): void {
  const { coarse, levels, cache: { whole }, own } = store;
  const keys = coarse.length > 0 ? coarse : seen.wanted.filter(({ level }) => level === levels.length - 1);
  const samples = (selection: ImageSelection) => {
    const tiles = keys.map((key) => store.get(key, [selection]));
    const isThere = tiles.length > 0 && tiles.every((tile) => tile !== undefined);
    return isThere ? samplesOf(tiles as StoredTile[], 0) : undefined;
  };
  const contrast = store.contrast[channel]!;
  const first = whole.has(id) ? undefined : samples(contrast);
  if (first) whole.set(id, isFlat(first) ? new Float64Array(0) : first);
  const isOfNoUse = whole.get(id)?.length === 0 || keys.some((key) => store.isRefused(key, contrast));
  const others = isOfNoUse && !own.has(id) ? samples(store.selections[channel]!) : undefined;
  if (others) own.set(id, others);
}

/** Whether values are all the same. */
function isFlat(samples: Float64Array): boolean {
  const finite = samples.filter(Number.isFinite);
  return finite.every((value) => value === finite[0]);
}

function samplesOf(tiles: readonly StoredTile[], channel: number): Float64Array {
  const parts = tiles.map((tile) => tile[channel]!.samples);
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The values of the first and the last colour: given, or percentiles of these samples, which are lengths for `directions`. */
export function limitsOfSamples(samples: Float64Array, display: Display, directions: boolean): Limits {
  const { length: width } = samples;
  const planes: Planes = {
    width,
    height: 1,
    parts: [{ width, height: 1, row: (_, into) => into.set(samples) }],
  };
  if (!directions) return limitsOf(planes, display);
  const limits = limitsOf(planes, { ...display, colormap: "viridis" }); // lengths have no sign
  return display.range ? limits : [0, limits[1]];
}

/** A text that is the same for the same tiles. */
export function nameOf({ tiles }: SeenTiles): string {
  return tiles.map(({ key }) => keyText(key)).join(" ");
}
