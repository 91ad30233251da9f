import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { encodePng } from "../../src/sinks/png/png.ts";
import type { Raster } from "../../src/sinks/png/raster.ts";
import { readPng } from "./read_png.ts";

const rasters = fc.record({
  width: fc.integer({ min: 1, max: 9 }),
  height: fc.integer({ min: 1, max: 7 }),
  channels: fc.constantFrom(1, 2, 3, 4) as fc.Arbitrary<1 | 2 | 3 | 4>,
  wide: fc.boolean(),
  seed: fc.integer({ min: 1 }),
});

function raster(
  { width, height, channels, wide, seed }: {
    width: number;
    height: number;
    channels: 1 | 2 | 3 | 4;
    wide: boolean;
    seed: number;
  },
): Raster {
  const data = new (wide ? Uint16Array : Uint8Array)(width * height * channels);
  let state = seed;
  for (let i = 0; i < data.length; i++) data[i] = state = Math.imul(state, 48271) + 11;
  return { width, height, channels, data };
}

Deno.test("a PNG holds its pixels for every size, depth and number of channels", async () => {
  await fc.assert(
    fc.asyncProperty(rasters, async (shape) => {
      const image = raster(shape);
      const read = readPng(await encodePng(image));
      assertEquals([read.width, read.height, read.bits], [image.width, image.height, shape.wide ? 16 : 8]);
      assertEquals(read.colourType, [0, 4, 2, 6][image.channels - 1]);
      assertEquals(read.samples, [...image.data]);
    }),
    { numRuns: 150, seed: 7 },
  );
});

Deno.test("rows are filtered by what makes their differences small", async () => {
  const ramp = (at: (x: number, y: number) => number) =>
    Uint8Array.from({ length: 64 * 64 }, (_, i) => at(i % 64, Math.floor(i / 64)));
  for (const [filter, at] of [[1, (x: number) => 3 * x + 7], [2, (x: number) => x * x]] as const) {
    const image = { width: 64, height: 64, channels: 1 as const, data: ramp(at) };
    const read = readPng(await encodePng(image));
    assertEquals(read.filters.has(filter), true);
    assertEquals(read.samples, [...image.data]);
  }
});

Deno.test("text travels as tEXt in Latin-1 and as iTXt beyond", async () => {
  const image: Raster = { width: 1, height: 1, channels: 1, data: Uint8Array.of(1) };
  const { texts } = readPng(await encodePng(image, { text: { Title: "1.5 µm", Unit: "Å ≈ 0.1 nm" } }));
  assertEquals(texts.map(({ type }) => type), ["tEXt", "iTXt"]);
  assertEquals(new TextDecoder("latin1").decode(texts[0]!.body), "Title\x001.5 µm");
  assertEquals(new TextDecoder().decode(texts[1]!.body), "Unit\0\0\0\0\0Å ≈ 0.1 nm");
  await assertRejects(() => encodePng(image, { text: { "": "x" } }), TilewiseError, "keyword");
});

Deno.test("a raster whose numbers do not fit its size is refused", async () => {
  for (const [width, height] of [[2, 2], [0, 1], [1.5, 2], [-1, -3]]) {
    const image = { width: width!, height: height!, channels: 1 as const, data: new Uint8Array(3) };
    await assertRejects(() => encodePng(image), TilewiseError, "Cannot write a PNG");
  }
});
