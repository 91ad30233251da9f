/**
 * One level of a session: the views of its logical grid, and the tiles in which its samples are loaded.
 *
 * @module
 */

import type { Context } from "../../runner/face.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { type Grid, gridOf } from "../../space/grid.ts";
import { ravel, type Shape, sizeOf } from "../../space/shape.ts";
import type { PlainArray } from "../array.ts";
import { viewGeometry } from "../geometry.ts";
import { layoutOf, type ViewLayoutOptions, type ViewPlan } from "../plan.ts";
import type { TileOrder } from "../../space/traversal.ts";
import type { Origin, OriginLevel } from "./loaders/origin.ts";

/**
 * A level of views that are loaded from tiles.
 * @category Views
 */
export interface LevelPlan {
  /** Its number. */
  readonly level: number;
  /** Samples of level 0 per sample, per dimension. */
  readonly scale: readonly number[];
  /** Its views. */
  readonly views: ViewPlan;
  /** The tiles in which samples are loaded. */
  readonly tiles: Grid;
  /** Bytes of such a tile. */
  readonly tileBytes: number;
  /** The key of its first tile in the cache. */
  readonly firstKey: number;
}

/** What all levels share. */
export interface LevelOptions extends Omit<ViewLayoutOptions, "tile"> {
  /** The order of views. */
  readonly traversal: TileOrder;
}

/** The levels of `origin`, with views of `options`; `tiles`: their tiles, by default those that are loaded. */
export function levelPlans(
  origin: Origin,
  options: LevelOptions,
  tiles: (place: number) => Shape | undefined,
  context: Context,
): LevelPlan[] {
  let firstKey = 0;
  return origin.levels.map((level, place) => {
    const plan = levelPlan(origin, level, options, tiles(place) ?? level.tile, context, firstKey);
    firstKey += sizeOf(plan.tiles.counts);
    return plan;
  });
}

function levelPlan(
  { dtype, name }: Origin,
  { level, shape, tile, scale }: OriginLevel,
  { traversal, ...options }: LevelOptions,
  asked: Shape,
  context: Context,
  firstKey: number,
): LevelPlan {
  const views = layoutOf(loadedArray(name, shape, dtype), { ...options, tile: asked });
  const tileBytes = sizeOf([...tile, dtypeInfo(dtype).itemSize]);
  return {
    level,
    scale,
    views: { ...views, traversal, context },
    tiles: gridOf(shape, tile),
    tileBytes,
    firstKey,
  };
}

/** An array whose samples come from tiles: to the views it is an array in memory. */
function loadedArray(name: string, shape: Shape, dtype: PlainArray["dtype"]): PlainArray {
  const source = { kind: "bytes", name, bytes: new Uint8Array(0) } as const;
  return { source, offset: 0, shape, dtype, byteOrder: "little" };
}

/** The key of tile `index` in the cache. */
export function keyOf({ firstKey, tiles }: LevelPlan, index: Shape): number {
  return firstKey + ravel(index, tiles.counts);
}

/** The keys of the tiles that the view of tile `index` shows, but for those that only its border shows. */
export function keysNear(level: LevelPlan, index: Shape): number[] {
  const { inside } = viewGeometry(level.views.grid, level.views.halo, index);
  const { tile } = level.tiles;
  const first = inside.origin.map((o, d) => Math.floor(o / tile[d]!));
  const counts = inside.shape.map((n, d) => Math.ceil((inside.origin[d]! + n) / tile[d]!) - first[d]!);
  const keys: number[] = [];
  const walk = (at: number[]): void => {
    if (at.length === counts.length) return void keys.push(keyOf(level, at));
    const d = at.length;
    for (let i = 0; i < counts[d]!; i++) walk([...at, first[d]! + i]);
  };
  walk([]);
  return keys;
}
