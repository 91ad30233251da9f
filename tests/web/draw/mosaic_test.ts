/** Tiles of pyramids: which are seen, where they are, that those that left are cancelled, and that the picture is that of the level. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createContext, open } from "@tilewise/tilewise";
import type { NDArray } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { chain, gaussian, mapViews, median, sobel } from "@tilewise/tilewise/views";
import { tileSource } from "@tilewise/tilewise/web";
import { DrawnImage } from "../../../web/draw/drawn.ts";
import { fit } from "../../../web/draw/look.ts";
import {
  levelFor,
  levelIndices,
  levelsOf,
  placeOfTile,
  type TileKey,
  tilesSeen,
} from "../../../web/draw/mosaic.ts";
import { coloursOf, paint } from "../../../web/draw/paint.ts";
import {
  TileCache,
  type TileReader,
  type TileReaderRequest,
  TileStore,
} from "../../../web/draw/tile_store.ts";
import {
  imagesForContrast,
  keepWhole,
  limitsOfSamples,
  seenAt,
  seenSamples,
  type SeenTiles,
  seenTiles,
} from "../../../web/draw/view_of_tiles.ts";
import type { Display } from "../../../web/state/state.ts";
import { shown, WHOLE } from "./made.ts";

const STORED = [1, 2, 4].map((n) => ({ height: 1000 / n, width: 600 / n, scale: [n, n] as const }));

/** Answers when the test says so. */
class SlowReader implements TileReader {
  readonly levels = STORED;
  readonly tileSize = 100;
  readonly asked: (TileReaderRequest & { answer(array?: NDArray): void; refuse(error: Error): void })[] = [];

  getTile(request: TileReaderRequest): Promise<NDArray> {
    const { promise, resolve, reject } = Promise.withResolvers<NDArray>();
    request.signal.addEventListener("abort", () => reject(request.signal.reason));
    const tile = () => ndarray(new Uint16Array(100 * 100).fill(request.level + 1), [100, 100], "uint16");
    this.asked.push({ ...request, answer: (array = tile()) => resolve(array), refuse: reject });
    return promise;
  }
}

/** Some of the values of the only channel in the whole image. */
function wholeSamples(store: TileStore, seen: SeenTiles): Float64Array | undefined {
  keepWhole(store, seen, 0, "");
  return store.valuesOf("");
}

const nobody = { changed: () => {}, failed: () => {} };

/** Lets what was answered arrive. */
const arrived = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("the level has about one sample per pixel", () => {
  const levels = levelsOf(STORED, 100);
  assertEquals([4, 1, 0.6, 0.5, 0.25, 0.01].map((zoom) => levelFor(levels, zoom)), [0, 0, 1, 1, 2, 2]);
});

Deno.test("images without small levels get them from means", () => {
  const levels = levelsOf([{ height: 4000, width: 3000, scale: [1, 1] }], 256);
  assertEquals(levels.map(({ height, width, n, tile }) => [height, width, n, tile]), [
    [4000, 3000, 1, 256],
    [2000, 1500, 2, 128],
    [1000, 750, 4, 64],
    [500, 375, 8, 32],
  ]);
  assertEquals(levelsOf([{ height: 100, width: 90, scale: [1, 1] }], 256).length, 1);
});

Deno.test("the tiles that are seen cover the screen once, wherever one looks", () => {
  const levels = levelsOf(STORED, 100);
  const screen = { width: 211, height: 157 };
  const look = fc.record({
    y: fc.double({ min: -200, max: 1200, noNaN: true }),
    x: fc.double({ min: -200, max: 800, noNaN: true }),
    zoom: fc.double({ min: 0.1, max: 9, noNaN: true }),
  });
  fc.assert(
    fc.property(look, fc.nat(2), (look, level) => {
      const one = levels[level]!;
      const rows = levelIndices(screen.height, look.y, look.zoom, one.scale[0], one.height);
      const columns = levelIndices(screen.width, look.x, look.zoom, one.scale[1], one.width);
      const covered = new Uint8Array(screen.width * screen.height);
      for (const key of tilesSeen(levels, level, look, screen)) {
        const place = placeOfTile(one, key, rows, columns);
        place.rows.forEach((row, y) =>
          place.columns.forEach((column, x) => {
            assert(row >= 0 && row < 100 && column >= 0 && column < 100);
            covered[(place.top + y) * screen.width + place.left + x]!++;
          })
        );
      }
      covered.forEach((count, i) => {
        const isInside = rows[Math.floor(i / screen.width)]! >= 0 && columns[i % screen.width]! >= 0;
        assertEquals(count, isInside ? 1 : 0);
      });
    }),
    { numRuns: 25 },
  );
});

Deno.test("the tiles in the middle come first, six at once, and those that left the view are cancelled", async () => {
  const reader = new SlowReader();
  const store = new TileStore(reader, [{ c: 3 }], nobody);
  const seen = seenTiles(store, { y: 500, x: 300, zoom: 1 }, { width: 400, height: 400 }, 1);
  store.want(seen.wanted);
  assertEquals([reader.asked.length, reader.asked[0]!.level, reader.asked[0]!.selection], [6, 2, { c: 3 }]);

  const away = seenTiles(store, { y: 50, x: 50, zoom: 1 }, { width: 80, height: 80 }, 1);
  const places = (keys: readonly TileKey[]) => keys.map(({ level, y, x }) => [level, y, x]);
  assertEquals(places(away.wanted.slice(0, 2)), [[2, 0, 0], [0, 0, 0]]);
  assertEquals(away.wanted.slice(2).map(({ level }) => level), [2, 2, 2, 2, 2]); // for the contrast of the whole image
  store.want(away.wanted);
  await arrived();
  const waiting = reader.asked.filter(({ signal }) => !signal.aborted);
  assertEquals(waiting.filter(({ level }) => level < 2).map(({ level, y, x }) => [level, y, x]), [[0, 0, 0]]);
  assert(reader.asked.length > waiting.length);
  store.close();
  assert(reader.asked.every(({ signal }) => signal.aborted));
});

Deno.test("coarse tiles are seen until the fine ones are there", async () => {
  const reader = new SlowReader();
  let changes = 0;
  const store = new TileStore(reader, [{}], { ...nobody, changed: () => changes++ });
  const [look, screen] = [{ y: 50, x: 50, zoom: 1 }, { width: 80, height: 80 }];
  store.want(seenTiles(store, look, screen, 1).wanted);
  const answer = (level: number) => reader.asked.find((one) => one.level === level)!.answer();
  answer(2);
  await arrived();
  const coarse = seenTiles(store, look, screen, 1);
  assertEquals([coarse.tiles.map(({ key }) => key.level), store.missing, changes], [[2], 6, 1]);
  assertEquals(new Set(seenSamples(coarse)), new Set([3]));
  assertEquals(wholeSamples(store, coarse), undefined);
  answer(0);
  await arrived();
  const fine = seenTiles(store, look, screen, 1);
  assertEquals([fine.tiles.map(({ key }) => key.level), store.missing, changes], [[0], 5, 2]);
  assertEquals(limitsOfSamples(seenSamples(fine), WHOLE, false), [1, 1]);
  assertEquals(seenAt(store, fine, [20.2, 33.6])?.column, 34);
  for (const one of reader.asked.filter(({ level }) => level === 2)) one.answer();
  await arrived();
  assertEquals(new Set(wholeSamples(store, seenTiles(store, look, screen, 1))), new Set([3]));
  store.close();
});

Deno.test("where nearly all values are the same, all are shown; lengths begin at 0", () => {
  const display = { ...WHOLE, percentile: [0.5, 99.5] } as const;
  const sparse = Float64Array.from({ length: 1000 }, (_, i) => i === 7 ? 50 : 0);
  assertEquals(limitsOfSamples(sparse, display, false), [0, 50]);
  assertEquals(limitsOfSamples(Float64Array.of(3, 4), WHOLE, true), [0, 4]);
  assertEquals(limitsOfSamples(Float64Array.of(-2, 1), { ...WHOLE, colormap: "signed" }, false), [-2, 2]);
  assertEquals(limitsOfSamples(sparse, { ...display, range: [1, 3] }, true), [1, 3]);
});

Deno.test("channels that are shown together are one tile, and a channel that is shown again is not read again", async () => {
  const reader = new SlowReader();
  const cache = new TileCache();
  const [look, screen] = [{ y: 500, x: 300, zoom: 0.2 }, { width: 10, height: 10 }];
  const open = (channels: readonly number[]) => {
    const store = new TileStore(reader, channels.map((c) => ({ c, z: 1 })), nobody, cache);
    store.want(seenTiles(store, look, screen, 1).wanted);
    return store;
  };
  const both = open([0, 2]);
  const answer = (channel: number) => {
    for (const one of reader.asked) if (one.selection["c"] === channel) one.answer();
  };
  answer(0);
  await arrived();
  assertEquals(seenTiles(both, look, screen, 1).tiles.length, 0);
  while (both.missing > 0) {
    for (const one of reader.asked) one.answer();
    await arrived();
  }
  const { tiles } = seenTiles(both, look, screen, 1);
  assertEquals([tiles.length > 0, tiles.every(({ tile }) => tile.length === 2)], [true, true]);
  both.close();
  const asked = reader.asked.length;
  const one = open([2]);
  assertEquals([one.missing, reader.asked.length], [0, asked]);
  one.close();
  const other = open([2, 1]);
  assert(other.missing > 0 && reader.asked.slice(asked).every(({ selection }) => selection["c"] === 1));
  other.close();
});

/** A tile with the values `low` and `low + 1`. */
function plane(low: number): NDArray {
  return ndarray(Uint16Array.from({ length: 100 * 100 }, (_, i) => low + i % 2), [100, 100], "uint16");
}

Deno.test("a plane of a stack has the contrast of the first one, whichever is seen first", async () => {
  const reader = new SlowReader();
  const store = new TileStore(reader, [{ z: 4 }], nobody, new TileCache(), [{ z: 0 }]);
  const [look, screen] = [{ y: 500, x: 300, zoom: 0.2 }, { width: 10, height: 10 }];
  const see = () => seenTiles(store, look, screen, 1);
  store.want(see().wanted, store.contrast);
  while (store.missing > 0) {
    for (const { selection, answer } of reader.asked) {
      answer(plane(selection["z"]!));
    }
    await arrived();
  }
  assertEquals(new Set(seenSamples(see())), new Set([4, 5]));
  assertEquals(new Set(wholeSamples(store, see())), new Set([0, 1]));
  const asked = reader.asked.length;
  store.want(see().wanted); // it is known
  assertEquals(reader.asked.length, asked);
  store.close();
});

Deno.test("the first plane is read for contrast where a channel has no range, or its values are counted", () => {
  const [selections, contrast] = [[{ z: 4, c: 0 }, { z: 4, c: 1 }], [{ z: 0, c: 0 }, { z: 0, c: 1 }]];
  const store = new TileStore(new SlowReader(), selections, nobody, new TileCache(), contrast);
  const given = { ...WHOLE, range: [0, 9] } as const;
  const read = (names: readonly string[], ...displays: readonly Display[]) =>
    imagesForContrast(store, displays.map((display, c) => ({ id: `${c}`, name: names[c]!, display })))
      .map(({ c }) => c);
  assertEquals(read(["", ""], given, given), []);
  assertEquals(read(["", ""], given, WHOLE), [1]);
  assertEquals(read(["DAPI", ""], given, given), [0]);
  store.cache.whole.set("1", Float64Array.of(1, 2));
  assertEquals(read(["", ""], WHOLE, WHOLE), [0]);
});

for (const first of ["cannot be read", "has one value"]) {
  Deno.test(`if the first plane ${first}, another one has its own contrast, and nothing is told`, async () => {
    const reader = new SlowReader();
    const errors: unknown[] = [];
    const listener = { ...nobody, failed: (error: unknown) => errors.push(error) };
    const cache = new TileCache();
    for (const z of [4, 7]) {
      const store = new TileStore(reader, [{ z }], listener, cache, [{ z: 0 }]);
      const see = () => seenTiles(store, { y: 500, x: 300, zoom: 0.2 }, { width: 10, height: 10 }, 1);
      store.want(see().wanted, store.contrast);
      while (store.missing > 0) {
        for (const { selection, answer, refuse } of reader.asked) {
          if (selection["z"] !== 0) answer(plane(selection["z"]!));
          else if (first === "has one value") answer();
          else refuse(new Error("damaged"));
        }
        await arrived();
      }
      assertEquals([new Set(wholeSamples(store, see())), errors], [new Set([z, z + 1]), []]);
      store.close();
    }
  });
}

Deno.test("a tile that cannot be read is told once, and read again when asked", async () => {
  const reader = new SlowReader();
  const errors: unknown[] = [];
  const store = new TileStore(reader, [{}], { ...nobody, failed: (error) => errors.push(error) });
  const [look, screen] = [{ y: 500, x: 300, zoom: 0.2 }, { width: 10, height: 10 }];
  const { wanted } = seenTiles(store, look, screen, 1);
  store.want(wanted);
  const before = reader.asked.length;
  reader.asked[0]!.refuse(new Error("gone"));
  await arrived();
  store.want(wanted);
  assertEquals([errors.length, reader.asked.length], [1, before]);
  store.retry();
  assertEquals(reader.asked.length, before + 1);
  store.close();
});

/** A picture of an image in tiles, as the page draws it. */
async function pictureOfTiles(reader: TileReader, size: readonly [number, number], zoom: number) {
  const [height, width] = size;
  const screen = { width: Math.round(width * zoom), height: Math.round(height * zoom) };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const store: TileStore = new TileStore(reader, [{}], {
    changed: () => store.missing === 0 && resolve(),
    failed: reject,
  });
  const look = { ...fit({ width, height }, screen), zoom };
  store.want(seenTiles(store, look, screen, 1).wanted);
  await promise;
  const seen = seenTiles(store, look, screen, 1);
  const pixels = new Uint8ClampedArray(4 * screen.width * screen.height);
  const colours = coloursOf(WHOLE, [0, 4000], false);
  for (const { tile, rows, columns, top, left } of seen.tiles) {
    const part = new Uint8ClampedArray(4 * rows.length * columns.length);
    paint(part, tile[0]!.image.planes, rows, columns, colours);
    rows.forEach((_, y) => {
      const line = part.subarray(4 * y * columns.length, 4 * (y + 1) * columns.length);
      pixels.set(line, 4 * ((top + y) * screen.width + left));
    });
  }
  store.close();
  return { pixels, level: store.levels[seen.level]!, colours };
}

Deno.test("filtered tiles put together are the filtered level: no seams", async () => {
  const [height, width] = [150, 130];
  const data = Uint16Array.from(
    { length: height * width },
    (_, i) => (Math.imul(i, 2654435761) >>> 21) + (i % 130),
  );
  const image = await open({ data, shape: [height, width] });
  await using context = createContext({ memory: "64MiB", workers: 0 });
  for (
    const filters of [gaussian({ sigma: 3 }), median({ radius: 2 }), chain([gaussian({ sigma: 2 }), sobel()])]
  ) {
    await using tiles = await tileSource(image, { tileSize: 32, filters, context });
    const { pixels, colours } = await pictureOfTiles(tiles, [height, width], 1);
    const whole = new DrawnImage(shown(await mapViews(image, filters, { border: "edge", context })));
    const expected = new Uint8ClampedArray(pixels.length);
    const along = (count: number) => Int32Array.from({ length: count }, (_, i) => i);
    paint(expected, whole.planes, along(height), along(width), colours);
    assertEquals(pixels, expected);
  }
});

Deno.test("an image without levels is seen whole by means of its tiles", async () => {
  const side = 1024;
  const data = Uint16Array.from({ length: side * side }, (_, i) => (Math.imul(i, 2654435761) >>> 21));
  const image = await open({ data, shape: [side, side] });
  await using context = createContext({ memory: "64MiB", workers: 0 });
  await using tiles = await tileSource(image, { tileSize: 256, context });
  const { pixels, level, colours } = await pictureOfTiles(tiles, [side, side], 0.5);
  assertEquals(level.n, 2);
  const whole = new DrawnImage(shown(ndarray(data, [side, side], "uint16")));
  const expected = new Uint8ClampedArray(pixels.length);
  const along = Int32Array.from({ length: 512 }, (_, i) => i);
  paint(expected, whole.reduced(2), along, along, colours);
  assertEquals(pixels, expected);
});
