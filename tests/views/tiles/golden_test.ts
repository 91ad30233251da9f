/** Recorded views, loads and caches of FastLoader. */

import { assert, assertEquals } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import { ravel, type Shape, sizeOf } from "../../../src/space/shape.ts";
import { TRAVERSALS } from "../../../src/space/traversal.ts";
import { TileCache } from "../../../src/views/tiles/cache.ts";
import { openViews } from "../../../src/views/tiles/open.ts";
import { golden, type GoldenCase } from "../golden.ts";
import { syntheticLoader } from "./loaders.ts";

interface TiledCase extends GoldenCase {
  readonly logicalTileDims?: Shape[];
  readonly traversal: string;
  readonly nbViews: number;
  readonly tileLoads: number;
  readonly deliveryOrderUnspecified?: boolean;
}

interface CacheCase {
  readonly gridDims: Shape;
  readonly capacityTiles: number;
  readonly effectiveCapacity: number;
  readonly steps: readonly {
    readonly access: Shape;
    readonly hit: boolean;
    readonly evicted: Shape | null;
    readonly lruMostRecentFirst: Shape[];
  }[];
  readonly hits: number;
  readonly misses: number;
}

for (const name of ["views-1d", "views-2d", "views-3d", "views-border", "orders", "pyramid", "adaptive"]) {
  const cases = golden<TiledCase>(name);
  Deno.test({
    name: `recorded views come from tiles, each loaded once: ${name}`,
    ignore: !cases,
    async fn() {
      await using context = createContext({ memory: "4MiB", workers: 0 });
      for (const one of cases!) {
        for (const ordered of [true, false]) await check(one, ordered, context);
      }
    },
  });
}

async function check(
  one: TiledCase,
  ordered: boolean,
  context: ReturnType<typeof createContext>,
): Promise<void> {
  const loader = syntheticLoader(one.fullDims, one.tileDims);
  await using views = await openViews(loader, {
    levels: "all",
    ...(one.logicalTileDims ? { tile: one.logicalTileDims } : {}),
    radius: one.radii,
    border: "constant",
    fill: one.border.value ?? 0,
    ahead: 3,
    ordered,
    traversal: one.traversal.includes("reverse") ? reversed : one.traversal,
    cache: "1MiB",
    context,
  });
  const all = one.nbTilesDims.reduce((sum, counts) => sum + sizeOf(counts), 0);
  if (all === one.nbViews) views.requestAll();
  else for (const { index, level } of one.views) views.request(index, { level });
  const found: { level: number; index: Shape; data: number[] }[] = [];
  for await (using view of views) {
    const { level, index, geometry } = view;
    const expected = one.views.find((other) => other.level === level && `${other.index}` === `${index}`)!;
    assertEquals(view.shape, expected.viewDims);
    assertEquals(geometry.centralOffset, expected.centralOffset);
    assertEquals([geometry.inside.origin, geometry.front], [expected.minPos, expected.frontFill]);
    found.push({ level, index, data: Array.from(view.data, Number) });
  }
  assertEquals(found.length, one.nbViews, one.name);
  if (ordered && !one.deliveryOrderUnspecified && one.views.length === one.nbViews) {
    assertEquals(found.map(({ index }) => index), one.views.map(({ index }) => index), one.name);
  }
  for (const { level, index, data } of found) {
    const recorded = one.views.find((other) => other.level === level && `${other.index}` === `${index}`)
      ?.data;
    if (!recorded) continue;
    const wrong = data.findIndex((value, i) => recorded[i] !== null && recorded[i] !== value);
    assert(wrong < 0, `${one.name} (${index}) of level ${level}, sample ${wrong}: ${data[wrong]}`);
  }
  assertEquals(views.statistics().tiles.loads, one.tileLoads, one.name);
  assertEquals([...loader.loads.values()].reduce((sum, n) => sum + n, 0), one.tileLoads, one.name);
}

function reversed(counts: Shape): Shape[] {
  return [...TRAVERSALS["row-major"](counts)].reverse();
}

/** Tiles that a cache of FastLoader holds if it is given no size. */
const FAST_LOADER_TILES = 18;

const caches = golden<CacheCase>("cache-lru");

Deno.test({
  name: "a cache without a known future is the recorded LRU cache, step by step",
  ignore: !caches,
  fn() {
    for (const { gridDims, capacityTiles, effectiveCapacity, steps, hits, misses } of caches!) {
      const slots = Math.max(1, Math.min(capacityTiles || FAST_LOADER_TILES, sizeOf(gridDims)));
      assertEquals(slots, effectiveCapacity);
      for (const nextUse of [undefined, () => Infinity]) {
        const cache = new TileCache(slots, nextUse);
        for (const { access, hit, evicted, lruMostRecentFirst } of steps) {
          const key = ravel(access, gridDims);
          const before = cache.recent;
          assertEquals(cache.find(key) !== undefined, hit);
          if (!hit) cache.add(key)!.pins--;
          const gone = before.filter((other) => !cache.recent.includes(other));
          assertEquals(gone, evicted ? [ravel(evicted, gridDims)] : []);
          assertEquals(cache.recent, lruMostRecentFirst.map((index) => ravel(index, gridDims)));
        }
        assertEquals([cache.counts.hits, cache.counts.misses], [hits, misses]);
      }
    }
  },
});
