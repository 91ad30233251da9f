/** Views from tiles of data sets and of loaders that travel, on all executors. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { fromFileUrl } from "@std/path";
import fc from "fast-check";
import { keepFamily } from "../../../src/dataset/families.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { open } from "../../../src/formats/open.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { type Border, BORDERS } from "../../../src/space/border.ts";
import { gridOf } from "../../../src/space/box.ts";
import { type Shape, sizeOf } from "../../../src/space/shape.ts";
import { type Traversal, TRAVERSALS } from "../../../src/space/traversal.ts";
import { predictMisses } from "../../../src/views/prediction.ts";
import { arrayOf } from "../../../src/views/array.ts";
import { planViews } from "../../../src/views/plan.ts";
import { ViewReader } from "../../../src/views/view.ts";
import type { ViewsInput } from "../../../src/views/tiles/loaders/origin.ts";
import { tileLoader } from "../../../src/views/tiles/loaders/tile_loader.ts";
import { openViews, type OpenViewsOptions } from "../../../src/views/tiles/open.ts";
import { slowView } from "../data.ts";
import { chunked } from "./datasets.ts";
import { syntheticLoader } from "./loaders.ts";

const ROOT = fromFileUrl(new URL("../../../", import.meta.url));
const MODULE = import.meta.resolve("./module_loader.ts");

/** All views, as `level:index` and samples. */
async function allViews(input: ViewsInput, options: OpenViewsOptions): Promise<Map<string, number[]>> {
  await using views = await openViews(input, options);
  views.requestAll();
  const found = new Map<string, number[]>();
  for await (using view of views) found.set(`${view.level}:${view.index}`, Array.from(view.data, Number));
  return found;
}

/** An array, and tiles, radius and border of its views. */
const cases = fc.integer({ min: 1, max: 3 }).chain((rank) => {
  const list = (min: number, max: number) =>
    fc.array(fc.integer({ min, max }), { minLength: rank, maxLength: rank });
  return fc.record({
    shape: list(1, 9),
    chunk: list(1, 5),
    tile: list(1, 7),
    radius: list(0, 6),
    border: fc.constantFrom(...Object.keys(BORDERS) as Border[]),
    byteOrder: fc.constantFrom("little" as const, "big" as const),
    tiles: fc.integer({ min: 1, max: 12 }),
    traversal: fc.constantFrom(
      ...(Object.keys(TRAVERSALS) as Traversal[]).filter((name) => name !== "spiral"),
    ),
    policy: fc.constantFrom("plan" as const, "lru" as const),
  });
});

Deno.test("views of any array in chunks are pad(array)[box], for any cache, order and radius", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  await fc.assert(
    fc.asyncProperty(cases, async ({ shape, chunk, byteOrder, tiles, ...options }) => {
      const dataset = chunked(shape, chunk, { byteOrder });
      const grid = gridOf(shape, options.tile);
      const found = await allViews(dataset, { ...options, cache: tiles * 1536, fill: 9, context });
      assertEquals(found.size, sizeOf(grid.counts));
      for (const index of TRAVERSALS.snake(grid.counts)) {
        assertEquals(found.get(`0:${index}`), slowView(shape, index, { ...options, fill: 9 }), `${index}`);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("tiles are loaded at most as often as predicted for the best choice of tiles that leave", async () => {
  await using context = createContext({ memory: "1MiB", workers: 0 });
  await fc.assert(
    fc.asyncProperty(cases, async ({ shape, chunk, radius, tiles, traversal }) => {
      const loader = syntheticLoader([shape], [chunk]);
      const all = sizeOf(gridOf(shape, chunk).counts);
      const cacheTiles = Math.min(tiles, all);
      const tileBytes = Math.ceil(sizeOf(chunk) * 8 / 64) * 64;
      await allViews(loader, { radius, ahead: 0, traversal, cache: cacheTiles * tileBytes, context });
      const loads = [...loader.loads.values()].reduce((sum, n) => sum + n, 0);
      const predicted = predictMisses(gridOf(shape, chunk), { radius, cacheTiles, traversal });
      assert(loads <= predicted && loads >= all, `${loads} loads, not ${predicted}`);
    }),
    { numRuns: 60 },
  );
});

/** The same image as a data set in chunks, as a file without chunks, and as the module of a loader. */
const SHAPE = [40, 52];
const image = () => chunked(SHAPE, [16, 20], { byteOrder: "big" });

function expected(options: { tile: Shape; radius: number; border: Border }): Map<string, number[]> {
  const { counts } = gridOf(SHAPE, options.tile);
  const view = { ...options, radius: [options.radius, options.radius], fill: 0 };
  return new Map(
    [...TRAVERSALS["row-major"](counts)].map((index) => [`0:${index}`, slowView(SHAPE, index, view)]),
  );
}

async function conforms(context: Context): Promise<void> {
  const scan = { data: Uint16Array.from({ length: sizeOf(SHAPE) }, (_, i) => i + 1), shape: SHAPE };
  const module = tileLoader(MODULE, {
    export: "synthetic",
    params: { shape: SHAPE, tile: [13, 11], slow: 1 },
  });
  for (const input of [image(), await open(scan), module]) {
    const options = { tile: [16, 16], radius: 5, border: "reflect" } as const;
    const ordered = input === module;
    const found = await allViews(input, { ...options, ahead: 6, ordered, cache: "16KiB", context });
    if (ordered) assertEquals([...found.keys()], [...expected(options).keys()]);
    for (const [key, samples] of expected(options)) assertEquals(found.get(key), samples, key);
  }
}

for (const workers of [0, 1, 3]) {
  Deno.test(`views from tiles are the same on ${workers} workers`, async () => {
    await using context = createContext({ memory: "8MiB", workers });
    await conforms(context);
    await context.settled();
    assertEquals(context.used, 0);
  });
}

Deno.test("views from tiles are the same on worker processes", async () => {
  await using executor = processExecutor({ workers: 2, permissions: { read: [ROOT] } });
  await using context = createContext({ memory: "8MiB", executor });
  await conforms(context);
});

Deno.test("a tile that fails on a worker rejects the views that need it, and the others come", async () => {
  await using context = createContext({ memory: "1MiB", workers: 2 });
  const params = { shape: [12, 12], tile: [4, 4], broken: ["1,1"] };
  const loader = tileLoader(MODULE, { export: "synthetic", dtype: "float64", params });
  await using views = await openViews(loader, { context });
  views.requestAll();
  let [found, failed] = [0, 0];
  while (found + failed < 9) {
    try {
      for await (using view of views) found += view.data.subarray(0, 16).length / 16; // a Float64Array
    } catch (error) {
      assert(
        error instanceof TilewiseError &&
          error.message.includes("tile (1, 1) of level 0 of module: it is broken"),
      );
      failed++;
    }
  }
  assertEquals([found, failed], [8, 1]);
});

Deno.test("what is not a tile loader is refused before anything runs", async () => {
  await using context = createContext({ memory: "1MiB", workers: 0 });
  const refused = (input: unknown, text: string) =>
    assertRejects(() => openViews(input as ViewsInput, { context }), TilewiseError, text);
  await refused(tileLoader(MODULE, { export: "wrong" }), "must be a function that gives a tile loader");
  const params = { shape: [4], tile: [2] };
  await refused(
    tileLoader(MODULE, { export: "synthetic", dtype: "uint8", params }),
    "it loads float64, not uint8",
  );
  await refused(tileLoader(MODULE, { export: "none" }), 'has no export "none"');
  await refused({ load: () => {}, dtype: "uint8" }, "it has no levels");
  await refused({ load: () => {}, dtype: "byte", levels: [] }, "its dtype");
  await refused({ load: () => {}, dtype: "uint8", levels: [{ shape: [4], tile: [0] }] }, "into tiles of 0");
  await refused([], "a data set");
  await refused(image().shape, "a data set");
});

Deno.test("all levels of a pyramid come in one run, each from its own tiles", async () => {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  const levels = [[40, 52], [20, 26], [10, 13]].map((shape, level) => ({
    array: `level${level}`,
    shape,
    scale: [2 ** level, 2 ** level],
  }));
  const family = levels.map(({ shape }, level) =>
    chunked(shape, [8 + level, 12], { first: 1000 * level, level, levels })
  );
  keepFamily(family.slice(0, 2), (array) => Promise.resolve(family.find((one) => one.array === array)));
  const options = { tile: [16, 16], radius: 2, context };
  const found = await allViews(family[0]!, { ...options, levels: "all" });
  const counts = levels.map(({ shape }) => sizeOf(gridOf(shape, [16, 16]).counts));
  assertEquals(found.size, counts.reduce((sum, n) => sum + n, 0));
  for (const [level, { shape }] of levels.entries()) {
    const view = { tile: [16, 16], radius: [2, 2], border: "constant", fill: 0 } as const;
    assertEquals(found.get(`${level}:0,0`), slowView(shape, [0, 0], view, (flat) => flat + 1000 * level));
  }
  assertEquals([...(await allViews(family[1]!, options)).keys()][0], "1:0,0");
  assertEquals(await allViews(family, options), found);
  await assertRejects(
    () => openViews(family[0]!, { levels: [3], context }),
    TilewiseError,
    "3 levels, 0 to 2",
  );
  await using views = await openViews(family[1]!, { levels: [2, 0], context });
  assertEquals((await views.read([0, 0])).scale, [4, 4]);
});

Deno.test("views from tiles are those of a reader of views, also clipped and with sides of their own", async () => {
  await using context = createContext({ memory: "1MiB", workers: 0 });
  const dataset = image();
  for (
    const more of [{ clipped: true }, { border: ["wrap", "edge"] }, {
      border: (i: number, n: number) => ((i % n) + n) % n,
    }]
  ) {
    const options = { tile: [9, 14], radius: { front: [1, 2], back: [12, 0] }, ...more, context };
    const found = await allViews(dataset, options);
    await using reader = await ViewReader.open(planViews(arrayOf(dataset), options));
    for await (const { geometry: { index }, data } of reader) {
      assertEquals(found.get(`0:${index}`), Array.from(data, Number));
    }
  }
});
