/**
 * One level of a session: the views of its logical grid, and the tiles in which its samples are loaded.
 *
 * @module
 */

import type { Context } from "../../runner/context.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { type Grid, gridOf } from "../../space/box.ts";
import { ravel, type Shape, sizeOf } from "../../space/shape.ts";
import type { PlainArray } from "../array.ts";
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
interface LevelOptions extends Omit<ViewLayoutOptions, "tile"> {
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
  const { grid, halo } = level.views;
  const { counts, tile } = level.tiles;
  let keys = [0];
  for (let d = 0; d < index.length; d++) {
    const start = index[d]! * grid.tile[d]!;
    const first = Math.floor(Math.max(0, start - halo.front[d]!) / tile[d]!);
    const end = Math.min(grid.shape[d]!, start + grid.tile[d]! + halo.back[d]!);
    const last = Math.ceil(end / tile[d]!) - 1;
    const longer: number[] = [];
    for (const key of keys) for (let i = first; i <= last; i++) longer.push(key * counts[d]! + i);
    keys = longer;
  }
  return keys.map((key) => level.firstKey + key);
}
