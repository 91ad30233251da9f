/**
 * Plans views that are loaded from tiles: levels, memory, order.
 *
 * @module
 */

import { defined, type OptionNames, withOption } from "../../options.ts";
import { either, limit, list, must, number, oneOf, truth, whole } from "../../options/rules.ts";
import { showAccount } from "../../memory/account.ts";
import { insideOf } from "../../runner/context.ts";
import { notCut, type Planned } from "../../runner/plan.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { TilewiseError } from "../../errors.ts";
import { byteCount, bytes, dtypeName } from "../../space/rules.ts";
import type { DType } from "../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { borderRule } from "../../space/border.ts";
import { radiusRule } from "../../space/halo.ts";
import { orderOf, type TileOrder, traversalRule } from "../../space/traversal.ts";
import type { ViewOptions } from "../plan.ts";
import type { CachePolicy } from "../prediction.ts";
import { type LevelPlan, levelPlans } from "./levels.ts";
import { type LoadingMemory, memoryFor } from "./memory.ts";
import { type Origin, originOf, type ViewsInput } from "./loaders/origin.ts";

/**
 * Options of {@link planLoading}.
 * @category Views
 */
export interface LoadingOptions extends Omit<ViewOptions, "tile" | "dtype"> {
  /**
   * Size of the tile in the middle of each view, of any size: one for all levels, or a list with one per level. Default:
   * the tiles in which the samples are stored.
   */
  readonly tile?: Shape | readonly Shape[];
  /** The levels of a pyramid that can be requested, or `all`. Default: that of the data set, of a tile loader level 0. */
  readonly levels?: readonly number[] | "all";
  /** Views that are loaded while the caller works on one. Whole, at least 0. Default 3, fewer in a small budget. */
  readonly ahead?: number;
  /** Most bytes for tiles, as a number or as text such as `64MiB`. Default: enough to load no tile twice, if they fit. */
  readonly cache?: number | string;
  /** Whether views come in the order of their requests, also across levels. If not, they come as they are ready. Default true. */
  readonly ordered?: boolean;
  /**
   * How many times each view is returned before its memory is used again: the number of its users. Whole, at least 1.
   * Default 1.
   */
  readonly users?: number;
  /** How many times the load of a tile is tried again after an error. Whole, at least 0. Default 0. */
  readonly retries?: number;
  /**
   * Milliseconds after which views that wait are rejected, with `timeout`, if no tile has come meanwhile: the loader
   * does not answer. Above 0 or infinite. Default 300 000.
   */
  readonly loadTimeout?: number;
  /**
   * Which tile leaves the cache: with `plan` the one whose next use is farthest away, with `lru` the one that was not used
   * for the longest time. Default `plan`.
   */
  readonly policy?: CachePolicy;
  /** Levels whose tiles stay in the cache as long as those of other levels can leave it. Default: none. */
  readonly keep?: readonly number[];
}

/**
 * Views in another type than that of the data.
 * @category Views
 */
export interface ViewsAs<V extends DType = DType> {
  /** Type of the samples in views, which holds those of the data. Default: that of the data. */
  readonly dtype?: V;
}

/** Whether a value is a list of levels, each of them once. */
function isLevels(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && new Set(value).size === value.length;
}

/** Rules for them. */
export const LOADING_OPTIONS: OptionNames<LoadingOptions & ViewsAs> = {
  radius: radiusRule,
  border: borderRule,
  fill: number,
  clipped: truth,
  traversal: traversalRule,
  context: contextRule,
  tile: list,
  levels: either(
    '"all", or a list of levels, each once',
    oneOf("all"),
    must<readonly number[]>("", isLevels),
  ),
  ahead: whole(0),
  cache: bytes,
  ordered: truth,
  users: whole(1),
  retries: whole(0),
  loadTimeout: limit,
  policy: oneOf("lru", "plan"),
  keep: list,
  dtype: dtypeName,
};

/**
 * What is known of planned views.
 * @category Views
 */
export interface LoadingFacts<D extends DType = DType> extends Planned {
  /** Type of the samples in views. */
  readonly dtype: D;
  /**
   * Where tiles come from.
   * @internal
   */
  readonly origin: Origin;
  /** The levels. */
  readonly levels: readonly LevelPlan[];
  /** The memory that will be held; nothing else is used. */
  readonly memory: LoadingMemory;
  /** The order of views that are requested together. */
  readonly traversal: TileOrder;
  /** Whether views come in the order of their requests. */
  readonly ordered: boolean;
  /** How many times each view is returned. */
  readonly users: number;
  /** How many times a tile is tried again. */
  readonly retries: number;
  /** Milliseconds without any tile after which views that wait are rejected. */
  readonly loadTimeout: number;
  /** Which tile leaves the cache. */
  readonly policy: CachePolicy;
  /** Levels whose tiles stay in the cache. */
  readonly keep: readonly number[];
}

/** Milliseconds without any tile, unless the user says otherwise: a server may be slow. */
const LOAD_TIMEOUT = 300_000;

/** The plan; errors name `call`. Options have been checked. */
export async function loadingPlan(
  call: string,
  input: ViewsInput,
  { tile, levels, traversal = "row-major", ahead, cache, ...options }: LoadingOptions & ViewsAs,
): Promise<LoadingFacts> {
  const { context: given, ordered = true, users = 1, retries = 0, policy = "plan", keep = [] } = options;
  const { loadTimeout = LOAD_TIMEOUT } = options;
  const { radius, border, fill, clipped, dtype } = options;
  const layout = defined({ radius, border, fill, clipped, dtype });
  const order = withOption("traversal", () => orderOf(traversal));
  const context = insideOf(given);
  const tiles = tilesOf(tile);
  const origin = await originOf(call, input, levels, tiles);
  if (Array.isArray(tile?.[0]) && tile.length !== origin.levels.length) {
    throw wrongTiles(call, tile.length, origin.levels.length);
  }
  const plans = levelPlans(origin, { ...layout, traversal: order }, tiles, context);
  const limit = cache === undefined ? undefined : byteCount(call, "cache", cache);
  const plan = {
    dtype: dtype ?? origin.dtype,
    origin,
    levels: plans,
    memory: memoryFor(origin, plans, context, { ahead, cache: limit }),
    traversal: order,
    ordered,
    users,
    retries,
    loadTimeout,
    policy,
    keep,
    context,
    parts: notCut,
  };
  return { ...plan, explain: () => explained(plan) };
}

function tilesOf(tile: Shape | readonly Shape[] | undefined): (place: number) => Shape | undefined {
  const perLevel = (list: Shape | readonly Shape[]): list is readonly Shape[] => Array.isArray(list[0]);
  return (place) => tile && (perLevel(tile) ? tile[place] : tile);
}

function wrongTiles(call: string, found: number, expected: number): TilewiseError {
  const text = `${call}: there are ${found} tiles for ${expected} levels; give one for all, or one per level`;
  return new TilewiseError("invalid", text, { option: "tile", expected, found });
}

function explained(
  { origin, levels, memory, ordered, context, policy }: Omit<LoadingFacts, "explain">,
): string {
  const { workers } = memory;
  return [
    ...levels.map((level) => explainedLevel(origin.name, level)),
    `views come ${ordered ? "in the order of their requests" : "as they are ready"}`,
    `of tiles, ${
      policy === "lru" ? "the least recently used one leaves" : "the one that is needed last leaves"
    }`,
    `tiles are loaded by ${workers === 0 ? "the calling thread" : counted(workers, "worker")}`,
    `memory: ${showAccount(memory, insideOf(context))}`,
  ].join("\n");
}

function explainedLevel(name: string, { level, views: { grid, shape, array }, tiles }: LevelPlan): string {
  const [views, loaded] = [counted(sizeOf(grid.counts), "view"), counted(sizeOf(tiles.counts), "tile")];
  return `level ${level} of ${name}: ${showShape(array.shape)} ${array.dtype}; ${views} of ${
    showShape(shape)
  } ` +
    `around tiles of ${showShape(grid.tile)}, from ${loaded} of ${showShape(tiles.tile)}`;
}

function counted(n: number, what: string): string {
  return n === 1 ? `1 ${what}` : `${n} ${what}s`;
}
