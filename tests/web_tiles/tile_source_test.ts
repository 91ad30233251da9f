/** Tiles for pages: the samples of the array, of any image and level; filtered as the whole would be. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { createContext, open, TilewiseError } from "@tilewise/tilewise";
import { copySamples } from "@tilewise/tilewise/unstable/views";
import { boxMean, downSample, fileSink, gaussian, mapViews, median } from "@tilewise/tilewise/views";
import { seadragonSource, vivSources } from "@tilewise/tilewise/unstable/web";
import { tileSource } from "@tilewise/tilewise/web";
import { planeIn, positionOf } from "../../src/web_tiles/plane.ts";
import { sample, syntheticLoader } from "../views/tiles/loaders.ts";
import { withFolder } from "../cli/harness.ts";
import { rightAnswer, serve } from "../io/range_server.ts";

/** A stack in memory: sample `[n, y, x]` is its own index, more or less. */
async function stack(images: number, height: number, width: number) {
  const data = Uint16Array.from({ length: images * height * width }, (_, i) => (i * 7919) % 65521);
  return { data, dataset: await open({ data, shape: [images, height, width] }) };
}

Deno.test("tiles of any size and place have the samples of the image", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const sides = fc.integer({ min: 1, max: 40 });
  await fc.assert(
    fc.asyncProperty(
      sides,
      sides,
      fc.integer({ min: 1, max: 45 }),
      fc.nat(),
      async (height, width, tileSize, seed) => {
        const [rows, columns] = [Math.ceil(height / tileSize), Math.ceil(width / tileSize)];
        fc.pre(rows * columns <= 120); // fences around the memory of a tile need 128 KiB
        const { data, dataset } = await stack(3, height, width);
        await using tiles = await tileSource(dataset, { tileSize, context });
        const image = seed % 3;
        const [y, x] = [seed % rows, (seed >> 3) % columns];
        const tile = await tiles.getTile({ y, x, selection: [image, 0, 0] });
        const wanted: number[] = [];
        for (let i = y * tileSize; i < Math.min(height, (y + 1) * tileSize); i++) {
          const row = (image * height + i) * width;
          wanted.push(...data.subarray(row + x * tileSize, row + Math.min(width, (x + 1) * tileSize)));
        }
        assertEquals([...tile.data], wanted);
        assertEquals(tile.shape, [
          Math.min(tileSize, height - y * tileSize),
          Math.min(tileSize, width - x * tileSize),
        ]);
        const whole = await tiles.getRaster({ selection: [image, 0, 0] });
        assertEquals(whole.data, data.slice(image * height * width, (image + 1) * height * width));
        const [top, left] = [seed % height, (seed >> 2) % width];
        const [bottom, right] = [
          top + 1 + (seed >> 1) % (height - top),
          left + 1 + (seed >> 4) % (width - left),
        ];
        const part = await tiles.getRaster({
          rows: [top, bottom],
          columns: [left, right],
          selection: [image, 0, 0],
        });
        const firsts = Array.from({ length: bottom - top }, (_, i) => (image * height + top + i) * width);
        assertEquals([...part.data], firsts.flatMap((at) => [...data.subarray(at + left, at + right)]));
        assertEquals(part.shape, [bottom - top, right - left]);
      },
    ),
    { numRuns: 25 },
  );
});

Deno.test("filtered tiles have the bits of the whole result, for any tile and border", async () => {
  await using context = createContext({ memory: "32MiB", workers: 0 });
  const chains = [
    boxMean({ radius: [0, 2, 3] }),
    gaussian({ sigma: [0, 1.5, 1.5] }),
    median({ radius: [0, 1, 1] }),
    [median({ radius: [0, 1, 1] }), gaussian({ sigma: [0, 1, 2] })],
    median({ radius: [1, 0, 0] }), // neighbours in the stack
  ] as const;
  const { dataset } = await stack(3, 37, 29);
  for (const filters of chains) {
    for (const border of ["edge", "reflect", "constant"] as const) {
      const whole = await mapViews(dataset, filters, { border, context });
      for (const tileSize of [13, 64]) {
        await using tiles = await tileSource(dataset, { tileSize, filters, border, context });
        assertEquals(tiles.dtype, whole.dtype);
        for (const image of [0, 1, 2]) {
          const { data } = await tiles.getRaster({ selection: [image, 0, 0] });
          assertEquals(data, whole.data.slice(image * 37 * 29, (image + 1) * 37 * 29) as typeof data);
        }
      }
    }
  }
});

Deno.test("the three samples of pixels in colours are loaded once, whichever are asked for", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const loader = { ...syntheticLoader([[40, 50, 3]], [[32, 32, 3]]), names: ["y", "x", "s"] };
  await using tiles = await tileSource(loader, { tileSize: 32, context });
  const planes = await Promise.all(
    [0, 1, 2].map((s) => tiles.getTile({ y: 1, x: 1, selection: { s } })),
  );
  assertEquals([...loader.loads], [["0: 1,1,0", 1]]);
  planes.forEach(({ data }, s) => assertEquals(data[1], sample([32, 33, s], [40, 50, 3], 0)));
});

Deno.test("levels of a pyramid in a file, read by workers, and cancelled", async () => {
  await withFolder(async (folder) => {
    const { dataset } = await stack(1, 500, 700);
    await using context = createContext({ memory: "64MiB", workers: 1 });
    const sink = fileSink(`${folder}/a.ome.tif`, { tile: [128, 128], levels: 3 });
    await mapViews(dataset, copySamples(), { sink, context });
    const image = await open(`${folder}/a.ome.tif`);
    await using tiles = await tileSource(image, { context });
    assertEquals(tiles.tileSize % 128, 0); // whole tiles of the file
    assertEquals(tiles.levels.map(({ height, width }) => [height, width]), [[500, 700], [250, 350], [
      125,
      175,
    ]]);
    for (const level of [0, 1, 2]) {
      const { data } = await tiles.getRaster({ level });
      const expected = await mapViews(await open(`${folder}/a.ome.tif`, { level }), copySamples(), {
        context,
      });
      assertEquals(data, expected.data as typeof data);
    }
    const controller = new AbortController();
    const loading = tiles.getTile({ y: 1, x: 2, signal: controller.signal });
    controller.abort();
    const error = await loading.then(() => undefined, (error) => error);
    assert(error === undefined || error.code === "aborted", String(error));
    await assertRejects(() => tiles.getTile({ y: 0, x: 0, signal: AbortSignal.abort() }), TilewiseError);
    const viv = vivSources(tiles);
    assertEquals(viv.map(({ shape }) => shape.slice(-2)), [[500, 700], [250, 350], [125, 175]]);
    const stopped = viv[0]!.getTile({ x: 0, y: 0, selection: {}, signal: AbortSignal.abort() });
    assertEquals(await stopped.catch((error) => error), "__vivSignalAborted");
  });
});

Deno.test("what does not exist, or cannot be shown, is refused with what there is", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const { dataset } = await stack(2, 20, 30);
  await using tiles = await tileSource(dataset, { tileSize: 16, context });
  const [label] = tiles.labels;
  const asked = [
    { y: 2, x: 0 },
    { y: 0, x: 2 },
    { y: 0, x: 0, level: 1 },
    { y: 0, x: 0, selection: { [label!]: 2 } },
    { y: 0, x: 0, selection: { [label!]: -1 } },
    { y: 0, x: 0, selection: { [label!]: 0.5 } },
    { y: 0, x: 0, selection: { channel: 0 } },
    { y: 0, x: 0, selection: [1] },
    { y: 0.5, x: 0 },
    { y: -1, x: 0 },
    { y: 0, x: 0, levels: 0 } as never,
  ];
  for (const request of asked) {
    const error = await assertRejects(() => tiles.getTile(request), TilewiseError);
    assertEquals(error.code, "invalid", error.message);
  }
  for (const rows of [[0, 21], [-1, 3], [3, 3], [0.5, 3]] as const) {
    const error = await assertRejects(() => tiles.getRaster({ rows }), TilewiseError);
    assertEquals([error.code, error.details.option], ["invalid", "rows"], error.message);
  }
  for (
    const [filters, border] of [[downSample({ factor: [1, 2, 2] }), "edge"], [
      boxMean({ radius: 1 }),
      "wrap",
    ]] as const
  ) {
    const error = await assertRejects(() => tileSource(dataset, { filters, border, context }), TilewiseError);
    assertEquals(error.code, "unsupported", error.message);
  }
  const complex = await open({ data: new Float32Array(32), shape: [4, 4], dtype: "complex64" });
  await using waves = await tileSource(complex, { context });
  const error = await assertRejects(() => Promise.try(() => vivSources(waves)), TilewiseError);
  assertEquals(error.code, "unsupported");
});

Deno.test("rows and columns are found by their names", () => {
  assertEquals(planeIn(["t", "c", "z", "Y", "X"]).labels, ["t", "c", "z", "y", "x"]);
  assertEquals(planeIn(["y", "x", "s"]), { labels: ["y", "x", "s"], y: 0, x: 1 });
  assertEquals(planeIn(["x", "y"]).labels, ["y", "x"]); // stored the other way round: shown as it is stored
  assertEquals(planeIn(["c", "c", "y", "x"]).labels, ["axis0", "axis1", "y", "x"]);
  const plane = planeIn(["c", "y", "x", "s"]);
  assertEquals(positionOf({ c: 1, s: 2 }, plane, [2, 9, 9, 3]), [1, 0, 0, 2]);
  assertEquals(positionOf([1, 5, 5, 2], plane, [2, 9, 9, 3]), [1, 0, 0, 2]);
});

Deno.test("tiles of a scan are its frames, and a tile reads one of them", async () => {
  assertEquals(planeIn(["t", "y", "x", "ky", "kx"]).labels, ["t", "scan_y", "scan_x", "y", "x"]);
  assertEquals(planeIn(["y", "y", "ky", "kx"]).labels, ["axis0", "axis1", "y", "x"]);
  const scan = await open({
    data: Uint16Array.from({ length: 2 * 3 * 4 * 5 }, (_, i) => i),
    shape: [2, 3, 4, 5],
  });
  await using context = createContext({ memory: "16MiB", workers: 0 });
  await using tiles = await tileSource(scan, { context });
  assertEquals([tiles.labels, tiles.levels[0]!.shape], [["scan_y", "scan_x", "y", "x"], [2, 3, 4, 5]]);
  for (const [y, x] of [[0, 0], [1, 2]] as const) {
    const { data, shape } = await tiles.getTile({
      level: 0,
      x: 0,
      y: 0,
      selection: { scan_y: y, scan_x: x },
    });
    assertEquals(shape, [4, 5]);
    assertEquals([...data], Array.from({ length: 20 }, (_, i) => (y * 3 + x) * 20 + i));
  }
});

Deno.test("tiles for OpenSeadragon have names of their own, and sizes of levels that are not powers of two", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const levels = await Promise.all(
    [[1023, 700], [511, 350], [170, 116]].map(([height, width]) =>
      open({ data: new Uint8Array(height! * width!), shape: [height!, width!] })
    ),
  );
  await using tiles = await tileSource(levels, { tileSize: 256, context });
  const [one, other] = [seadragonSource(tiles), seadragonSource(tiles)];
  assertEquals([one.maxLevel, one.width, one.height], [2, 700, 1023]);
  assertEquals([0, 1, 2].map(one.getNumTiles), [{ x: 1, y: 1 }, { x: 2, y: 2 }, { x: 3, y: 4 }]);
  assertEquals(one.getLevelScale(2), 1);
  assert(one.getTileUrl(0, 0, 0) !== other.getTileUrl(0, 0, 0));
  const failed = Promise.withResolvers<string>();
  const job = { tile: { level: 0, x: 0, y: 0 }, userData: {}, finish: () => {}, fail: failed.resolve };
  one.downloadTileStart(job);
  assert((await failed.promise).includes("no page"));
});

Deno.test("a tile of an image on a server takes few requests: rows that are near are one read", async () => {
  const [height, width] = [200, 260];
  const data = Uint8Array.from({ length: height * width }, (_, i) => (i * 7919) % 251);
  await using server = serve((question) => rightAnswer(data, question));
  const image = await open(`${server.url}/image.raw`, {
    format: "raw",
    nav: [],
    sig: [height, width],
    dtype: "uint8",
  });
  await using tiles = await tileSource(image);
  const before = server.questions.length;
  const tile = await tiles.getTile({ y: 0, x: 0 });
  const wanted = Array.from({ length: height * 256 }, (_, i) => data[Math.floor(i / 256) * width + i % 256]!);
  assertEquals([tile.shape, [...tile.data]], [[height, 256], wanted]);
  assert(server.questions.length - before <= 2, `${server.questions.length - before} requests`);
});
