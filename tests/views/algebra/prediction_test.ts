/** Predicted reads: the table of known figures, an optimum found by trying, and loads of a cache that is kept by hand. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { type Grid, gridOf } from "../../../src/space/box.ts";
import { haloOf } from "../../../src/space/halo.ts";
import { type Shape, sizeOf } from "../../../src/space/shape.ts";
import { orderOf, TRAVERSALS } from "../../../src/space/traversal.ts";
import { geometryOf } from "../../../src/views/geometry.ts";
import { bestTraversal, predictMisses } from "../../../src/views/prediction.ts";

/** Reads per tile of 32 × 32 tiles with a halo of at most a tile; lru: rows, snake, Z, Hilbert; plan: rows, Hilbert. */
const TABLE: Readonly<Record<number, readonly string[]>> = {
  9: ["2.94", "5.36", "4.51", "5.30", "2.83", "2.43"],
  24: ["2.94", "2.57", "1.91", "1.80", "2.35", "1.31"],
  48: ["2.94", "2.20", "1.42", "1.38", "1.58", "1.12"],
  66: ["2.93", "1.89", "1.34", "1.35", "1.00", "1.06"],
  100: ["1.00", "1.40", "1.25", "1.21", "1.00", "1.02"],
};
const COLUMNS = [
  ["row-major", "lru"],
  ["snake", "lru"],
  ["z-order", "lru"],
  ["hilbert", "lru"],
  ["row-major", "plan"],
  ["hilbert", "plan"],
] as const;

Deno.test("predicted reads are those of the known table, for any halo up to a tile", () => {
  for (const radius of [1, 32]) {
    const grid = gridOf([1024, 1024], [32, 32]);
    for (const [cacheTiles, expected] of Object.entries(TABLE)) {
      const found = COLUMNS.map(([traversal, policy]) => {
        const misses = predictMisses(grid, { radius, traversal, policy, cacheTiles: Number(cacheTiles) });
        return (misses / 1024).toFixed(2);
      });
      assertEquals(found, expected, `${cacheTiles} tiles`);
    }
  }
});

Deno.test("no tile is read again from 2 W + 2 tiles on with the plan known, from 3 W − 1 on without", () => {
  for (const width of [10, 17]) {
    const grid = gridOf([12 * 8, width * 8], [8, 8]);
    const reads = (cacheTiles: number, policy: "lru" | "plan") =>
      predictMisses(grid, { cacheTiles, policy, radius: 3 });
    assertEquals(reads(2 * width + 2, "plan"), 12 * width);
    assert(reads(2 * width + 1, "plan") > 12 * width);
    assertEquals(reads(3 * width - 1, "lru"), 12 * width);
    assert(reads(3 * width - 2, "lru") > 12 * width);
  }
});

/** The tiles that views use, from their geometry. */
function uses(grid: Grid, radius: Shape, order: Iterable<Shape>): string[] {
  return [...order].flatMap((index) => {
    const { tiles } = geometryOf(grid, haloOf(radius, grid.shape), index, false);
    return [...TRAVERSALS["row-major"](tiles.shape)].map((at) =>
      at.map((i, d) => i + tiles.origin[d]!).join()
    );
  });
}

/** The fewest reads, found by trying every tile that a full cache could give up. */
function fewest(tiles: readonly string[], capacity: number): number {
  const known = new Map<string, number>();
  const from = (at: number, cache: readonly string[]): number => {
    if (at === tiles.length) return 0;
    const key = `${at}:${[...cache].sort().join(";")}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const tile = tiles[at]!;
    const least = cache.includes(tile)
      ? from(at + 1, cache)
      : 1 + (cache.length < capacity
        ? from(at + 1, [...cache, tile])
        : Math.min(...cache.map((_, i) => from(at + 1, [...cache.toSpliced(i, 1), tile]))));
    known.set(key, least);
    return least;
  };
  return from(0, []);
}

Deno.test("the plan reads as few tiles as can be, and the least recently used tile is given up by hand", () => {
  for (
    const [shape, tile, radius] of [[[7, 9], [3, 4], [1, 1]], [[9], [2], [3]], [[4, 2, 4], [2, 2, 2], [
      1,
      0,
      1,
    ]]]
  ) {
    const grid = gridOf(shape!, tile!);
    for (const traversal of ["row-major", "snake", "z-order"]) {
      const used = uses(grid, radius!, orderOf(traversal).tiles(grid.counts));
      for (const cacheTiles of [1, 2, 3, 5]) {
        const options = { radius: radius!, traversal, cacheTiles };
        assertEquals(predictMisses(grid, options), fewest(used, cacheTiles), JSON.stringify(options));
        let [cache, misses] = [[] as string[], 0];
        for (const one of used) {
          if (!cache.includes(one)) misses++;
          cache = [one, ...cache.filter((other) => other !== one)].slice(0, cacheTiles);
        }
        assertEquals(predictMisses(grid, { ...options, policy: "lru" }), misses);
      }
    }
  }
});

Deno.test("borders from the other end read tiles there; orders of your own may leave out and repeat", () => {
  const grid = gridOf([64], [4]);
  const reads = (border: string) => predictMisses(grid, { cacheTiles: 3, radius: 2, border, policy: "lru" });
  assertEquals([reads("reflect"), reads("edge"), reads("wrap")], [16, 16, 18]);
  const order = [[0], [15], [0], [15], [0]];
  const visits = { traversal: order, radius: 0, policy: "lru" } as const;
  assertEquals([1, 2].map((cacheTiles) => predictMisses(grid, { ...visits, cacheTiles })), [5, 2]);
});

Deno.test("the best traversal is the one with the fewest reads; a spiral is tried in planes", () => {
  const grid = gridOf([320, 640, 64], [32, 32, 64]);
  for (const policy of ["lru", "plan"] as const) {
    for (const cacheTiles of [3, 20, 500]) {
      const options = { cacheTiles, policy, radius: [1, 1, 0] };
      const { traversal, misses } = bestTraversal(grid, options);
      const all = Object.keys(TRAVERSALS).map((name) => predictMisses(grid, { ...options, traversal: name }));
      assertEquals([misses, predictMisses(grid, { ...options, traversal })], [Math.min(...all), misses]);
    }
  }
  const cube = gridOf([64, 64, 64], [16, 16, 16]);
  assert(bestTraversal(cube, { cacheTiles: 20, radius: 1 }).misses >= sizeOf(cube.counts));
});

Deno.test("what cannot be predicted is refused", () => {
  const grid = gridOf([64, 64], [4, 4]);
  assertThrows(
    () => predictMisses(grid, { cacheTiles: 0 }),
    TilewiseError,
    "it must be a whole number from 1",
  );
  assertThrows(() => predictMisses(grid, {} as never), TilewiseError, "cacheTiles");
  assertThrows(() => predictMisses(grid, { cacheTiles: 9, traversal: "zigzag" }), TilewiseError, "Unknown");
  assertThrows(() => predictMisses(grid, { cacheTiles: 9, radius: [1] }), TilewiseError, "takes 2 counts");
  const border = { module: "file:///b.ts", export: "b" };
  assertThrows(
    () => predictMisses(grid, { cacheTiles: 9, border }),
    TilewiseError,
    "give the function itself",
  );
});
