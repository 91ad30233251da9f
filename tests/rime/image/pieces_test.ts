/** Images that do not fit in memory are made of smaller ones. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createContext } from "../../../mod.ts";
import { dirtyImage, type ImageGrid } from "@tilewise/tilewise/rime";
import { directionOf, subGridsOf } from "../../../src/rime/image/grid.ts";
import { errorOf, randomSamples } from "./data.ts";

const GRID: ImageGrid = { pixels: [301, 258], cell: [-1e-4, 1.2e-4], centre: [0.01, -0.02] };

Deno.test("parts of a grid have all of its pixels, each once, in the same directions", () => {
  for (const count of [1, 2, 3, 7, 20]) {
    const seen = new Map<string, readonly [number, number]>();
    for (const { grid, from: [x, y] } of subGridsOf(GRID, count)) {
      const [width, height] = grid.pixels;
      for (
        const [i, j] of [[0, 0], [width - 1, 0], [width - 1, height - 1], [width >> 1, height >> 1]] as const
      ) {
        const [[l, m], [own, other]] = [directionOf(grid, i, j), directionOf(GRID, x + i, y + j)];
        assert(Math.abs(l - own) < 1e-14 && Math.abs(m - other) < 1e-14, `${l} ${own} ${m} ${other}`);
      }
      seen.set([x, y].join(), grid.pixels);
    }
    const area = [...seen.values()].reduce((sum, [width, height]) => sum + width * height, 0);
    assertEquals(area, 301 * 258);
  }
});

Deno.test("an image in parts is the image, with any weighting and precision", async () => {
  const samples = randomSamples(40, 2, GRID, 5);
  await using large = createContext({ memory: "64MiB", workers: 0 });
  await using small = createContext({ memory: "3MiB", workers: 0 });
  for (
    const [options, tolerance] of [
      [{ epsilon: 1e-7 }, 2e-7],
      [{ epsilon: 1e-5, precision: "mixed", weighting: "uniform" }, 2e-5],
      [{ epsilon: 1e-7, weighting: { briggs: 0 }, normalize: false, convention: "casa" }, 2e-7],
      [{ epsilon: 1e-7, wTerm: false }, 2e-7],
    ] as const
  ) {
    const whole = await dirtyImage(samples, GRID, { ...options, context: large });
    const told: number[] = [];
    const found = await dirtyImage(samples, GRID, {
      ...options,
      context: small,
      onProgress: ({ tiles, tilesTotal }) => void told.push(tiles / tilesTotal),
      progressRate: Infinity,
    });
    assert(found.passes >= 4 && found.passes > whole.passes, `${found.passes} passes`);
    assertEquals([found.image.shape, found.image.dtype], [whole.image.shape, whole.image.dtype]);
    assert(Math.abs(found.sumOfWeights / whole.sumOfWeights - 1) < 1e-12);
    const error = errorOf(found.image.data, whole.image.data);
    assert(error < tolerance, `${error} for ${JSON.stringify(options)}`);
    assert(told.every((part, i) => i === 0 || part >= told[i - 1]!), `${told}`);
  }
});

Deno.test("an image of which no part fits is refused with what the whole needs", async () => {
  await using tiny = createContext({ memory: "512KiB", workers: 0 });
  const error = await assertRejects(() => dirtyImage(randomSamples(10, 1, GRID, 6), GRID, { context: tiny }));
  assert(/needs .* for planes of/.test(String(error)), String(error));
});

Deno.test("what functions hold while they bring rows is part of the memory of an image", async () => {
  const { uvw, ...samples } = randomSamples(40, 2, GRID, 5);
  const asked: number[] = [];
  const holding = (bytes: number) => ({
    ...samples,
    rows: 40,
    uvw: (start: number, stop: number) => uvw.slice(3 * start, 3 * stop),
    memory: (rows: number) => {
      asked.push(rows);
      return bytes;
    },
  });
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const image = async (bytes: number) => await dirtyImage(holding(bytes), GRID, { context });
  const [all, less] = [await image(0), await image(13 * 2 ** 20)];
  assert(asked.every((rows) => rows > 0 && rows <= 40), `${asked}`);
  assert(less.passes > all.passes, `${less.passes} passes`);
  const error = await assertRejects(() => image(16 * 2 ** 20));
  assert(/16 MiB for reading rows/.test(String(error)), String(error));
});
