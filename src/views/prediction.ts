/**
 * Predicts how often tiles are read: the cache of tiles is simulated for all views in the order of a traversal.
 *
 * A view needs its own tile and those that its halo touches. How many of them are in the cache depends on the order of
 * views, on the size of the cache, and on which tile it gives up:
 *
 * - `lru` gives up the tile that has not been used for the longest time; it needs to know nothing of the future.
 * - `plan` gives up the tile whose next use is farthest away (L. Belady, IBM Systems Journal 5, 1966): no policy reads
 *   fewer tiles. It knows all views that will come.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { checkOptionNames, type OptionNames, withOption } from "../options.ts";
import { needed, oneOf, whole } from "../options/rules.ts";
import { type AxisBorder, type BorderInput, borderRule, BORDERS, bordersOf } from "../space/border.ts";
import type { Grid } from "../space/box.ts";
import { haloOf, type Radius, radiusRule, withHalo } from "../space/halo.ts";
import { type Shape, sizeOf, stridesOf } from "../space/shape.ts";
import {
  orderOf,
  type Traversal,
  type TraversalInput,
  traversalRule,
  TRAVERSALS,
} from "../space/traversal.ts";
import { axisRuns } from "./geometry.ts";

/**
 * Which tile a full cache gives up: the one that was not used for the longest time, or the one whose next use is
 * farthest away.
 * @category Views
 */
export type CachePolicy = "lru" | "plan";

/**
 * Options of {@link bestTraversal}.
 * @category Views
 */
export interface CacheOptions {
  /** Tiles that fit into the cache. Whole, at least 1. */
  readonly cacheTiles: number;
  /** Samples of halo, as for views. Default 0. */
  readonly radius?: Radius;
  /** What is seen outside of the array, by name: some borders need tiles from the other end. Default `constant`. */
  readonly border?: BorderInput | readonly BorderInput[];
  /** Which tile a full cache gives up. Default `plan`. */
  readonly policy?: CachePolicy;
}

/**
 * Options of {@link predictMisses}.
 * @category Views
 */
export interface PredictionOptions extends CacheOptions {
  /** The order of views. Default `row-major`. */
  readonly traversal?: TraversalInput;
}

/**
 * What a traversal costs.
 * @category Views
 */
export interface TraversalCost {
  /** The traversal. */
  readonly traversal: Traversal;
  /** Tiles that are read, those that are read again included. */
  readonly misses: number;
}

// deno-fmt-ignore: written by `deno task build`
const CACHE_OPTIONS: OptionNames<CacheOptions> = {
  cacheTiles: needed(whole(1)), radius: radiusRule, border: borderRule, policy: oneOf("lru", "plan"),
};
const PREDICTION_OPTIONS: OptionNames<PredictionOptions> = { ...CACHE_OPTIONS, traversal: traversalRule };

/** Most uses of tiles that are simulated at a time for the policy `plan`, which keeps a few numbers for each. */
const MOST_USES = 2 ** 26;

/**
 * Tiles that are read for the views of all tiles of a grid, if the cache holds `cacheTiles` of them; each tile counts
 * every time it is read. The best there is are as many as the grid has.
 *
 * @example An image of 32 × 32 tiles: rows to and fro are worse than rows, if the cache is large enough for rows
 * ```ts
 * import { gridOf, predictMisses } from "@tilewise/tilewise/unstable/views";
 * import { assertEquals } from "@std/assert";
 * const grid = gridOf([8192, 8192], [256, 256]);
 * const reads = (traversal: string, policy: "lru" | "plan") =>
 *   predictMisses(grid, { cacheTiles: 66, radius: 8, traversal, policy });
 * assertEquals(reads("row-major", "plan"), 1024);
 * assertEquals(reads("row-major", "lru") > reads("hilbert", "lru"), true);
 * ```
 * @category Views
 */
export function predictMisses(grid: Grid, options: PredictionOptions): number {
  checkOptionNames("predictMisses()", options, PREDICTION_OPTIONS);
  const { cacheTiles, policy = "plan", traversal = "row-major" } = options;
  const touched = touchedTiles(grid, options);
  const order = withOption("traversal", () => orderOf(traversal));
  const uses = () => usesOf(touched, order.tiles(grid.counts), grid.counts);
  return policy === "lru" ? missesByAge(uses(), cacheTiles) : missesByNextUse(uses(), cacheTiles, grid);
}

/**
 * The traversal that reads the fewest tiles, by {@link predictMisses}; of several, the first of {@link TRAVERSALS}.
 *
 * @example
 * ```ts
 * import { bestTraversal, gridOf } from "@tilewise/tilewise/unstable/views";
 * import { assertEquals } from "@std/assert";
 * const grid = gridOf([8192, 8192], [256, 256]);
 * assertEquals(bestTraversal(grid, { cacheTiles: 100, radius: 8 }), { traversal: "row-major", misses: 1024 });
 * assertEquals(bestTraversal(grid, { cacheTiles: 48, radius: 8, policy: "lru" }).traversal, "hilbert");
 * ```
 * @category Views
 */
export function bestTraversal(grid: Grid, options: CacheOptions): TraversalCost {
  checkOptionNames("bestTraversal()", options, CACHE_OPTIONS);
  const flat = grid.counts.filter((n) => n > 1).length <= 2;
  const names = (Object.keys(TRAVERSALS) as Traversal[]).filter((name) => name !== "spiral" || flat);
  let best: TraversalCost | undefined;
  for (const traversal of names) {
    const misses = predictMisses(grid, { ...options, traversal });
    if (!best || misses < best.misses) best = { traversal, misses };
    if (misses === sizeOf(grid.counts)) break; // there is nothing better
  }
  return best!;
}

/** Per dimension and index of a tile: the indices of the tiles that its view reads in that dimension. */
function touchedTiles(grid: Grid, options: CacheOptions): Shape[][] {
  const { shape, tile, counts } = grid;
  const halo = haloOf(options.radius ?? 0, shape);
  const lengths = withHalo(tile, halo);
  const borders = withOption("border", () => bordersOf(options.border ?? "constant", shape));
  return counts.map((count, d) => {
    const map = mapOf(borders[d]!);
    return Array.from({ length: count }, (_, i) => {
      const runs = axisRuns(map, i * tile[d]! - halo.front[d]!, lengths[d]!, shape[d]!);
      const read = runs.filter(({ kind }) => kind === "read").flatMap(({ from, step, count }) => {
        const ends = [from, from + step * (count - 1)].map((at) => Math.floor(at / tile[d]!));
        const [first, last] = [Math.min(...ends), Math.max(...ends)];
        return Array.from({ length: last - first + 1 }, (_, n) => first + n);
      });
      return [...new Set(read)].sort((a, b) => a - b);
    });
  });
}

function mapOf(border: AxisBorder): (i: number, n: number) => number {
  if (typeof border === "string") return border === "uninitialised" ? BORDERS.constant : BORDERS[border];
  if (border.function) return border.function;
  const text =
    `Cannot predict the reads of the border "${border.export}" of a module; give the function itself`;
  throw new TilewiseError("unsupported", text, { option: "border", found: border.export });
}

/** The tiles that views use, one after another, as flat indices: those of one view in row-major order. */
function* usesOf(touched: readonly Shape[][], order: Iterable<Shape>, counts: Shape): Generator<number> {
  const strides = stridesOf(counts);
  const walk = function* (index: Shape, d: number, flat: number): Generator<number> {
    if (d === counts.length) return yield flat;
    for (const i of touched[d]![index[d]!]!) yield* walk(index, d + 1, flat + i * strides[d]!);
  };
  for (const index of order) yield* walk(index, 0, 0);
}

/** A set keeps the order in which tiles were put into it: the first one was not used for the longest time. */
function missesByAge(uses: Iterable<number>, capacity: number): number {
  const cache = new Set<number>();
  let misses = 0;
  for (const tile of uses) {
    if (!cache.delete(tile)) {
      misses++;
      if (cache.size === capacity) cache.delete(cache.values().next().value!);
    }
    cache.add(tile);
  }
  return misses;
}

function missesByNextUse(uses: Iterable<number>, capacity: number, { counts }: Grid): number {
  const tiles = collected(uses);
  const next = nextUses(tiles, sizeOf(counts));
  const cached = new Uint8Array(sizeOf(counts));
  const queue = new FarthestFirst(tiles, next);
  let [misses, held] = [0, 0];
  for (const [at, tile] of tiles.entries()) {
    if (cached[tile] === 0) {
      misses++;
      if (held === capacity) cached[queue.takeFarthest(cached, at)] = 0;
      else held++;
      cached[tile] = 1;
    }
    queue.put(at);
  }
  return misses;
}

function collected(uses: Iterable<number>): Uint32Array {
  let [list, length] = [new Uint32Array(1024), 0];
  for (const tile of uses) {
    if (length === MOST_USES) {
      const text =
        `Cannot predict more than ${MOST_USES} uses of tiles; use the policy "lru", larger tiles or a part ` +
        "of the grid";
      throw new TilewiseError("over-budget", text, { expected: MOST_USES });
    }
    if (length === list.length) {
      const longer = new Uint32Array(2 * length);
      longer.set(list);
      list = longer;
    }
    list[length++] = tile;
  }
  return list.subarray(0, length);
}

/** For each use of a tile, the next use of the same tile; beyond the end if there is none. */
function nextUses(tiles: Uint32Array, count: number): Uint32Array {
  const next = new Uint32Array(tiles.length);
  const seen = new Uint32Array(count).fill(0xffffffff);
  for (let at = tiles.length - 1; at >= 0; at--) {
    next[at] = seen[tiles[at]!]!;
    seen[tiles[at]!] = at;
  }
  return next;
}

/** Uses of tiles, by their next use: a heap whose first item is the farthest. Items that are out of date stay inside. */
class FarthestFirst {
  readonly #heap: number[] = [];

  constructor(private readonly tiles: Uint32Array, private readonly next: Uint32Array) {}

  /** Notes the use `at`. */
  put(at: number): void {
    const heap = this.#heap;
    let i = heap.push(at) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (this.next[heap[parent]!]! >= this.next[heap[i]!]!) break;
      [heap[parent], heap[i]] = [heap[i]!, heap[parent]!];
      i = parent;
    }
  }

  /** The tile in the cache whose next use is the farthest from now. */
  takeFarthest(cached: Uint8Array, now: number): number {
    for (;;) {
      const use = this.#take();
      const tile = this.tiles[use]!;
      if (cached[tile] === 1 && this.next[use]! >= now) return tile; // else it has been used again, or given up
    }
  }

  #take(): number {
    const heap = this.#heap;
    const [first, last] = [heap[0]!, heap.pop()!];
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let i = 0;;) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let far = i;
      for (const child of [left, right]) {
        if (child < heap.length && this.next[heap[child]!]! > this.next[heap[far]!]!) far = child;
      }
      if (far === i) return first;
      [heap[far], heap[i]] = [heap[i]!, heap[far]!];
      i = far;
    }
  }
}
