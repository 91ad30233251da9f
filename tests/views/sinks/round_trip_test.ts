/** What sinks write is read by the formats of Tilewise: the same samples, level by level. */

import "../../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { fileSink, type FileSinkOptions } from "../../../src/views/sinks/registry.ts";
import { arrayWith, halved, withFolder } from "./data.ts";

const SHAPE = [3, 70, 90];

/** Every kind of file. */
const FILES: readonly (readonly [name: string, options: FileSinkOptions])[] = [
  ["a.zarr", { chunk: [1, 32, 32], compression: "blosc" }],
  ["b.ome.zarr", { chunk: [1, 32, 32], shard: [2, 64, 64] }],
  ["c.ome.zarr", { chunk: [2, 32, 32], format: 2, compression: "zlib" }],
  ["d.ome.tif", { tile: 32 }],
  ["e.tif", { tile: 48, levels: 2, big: true, compression: "lzw" }],
];

Deno.test("stored files are opened again, with the same samples at every level", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0 });
    for (const dtype of ["uint16", "float32"] as const) {
      const { samples, ...array } = await arrayWith(SHAPE, dtype);
      for (const [name, options] of FILES) {
        const path = `${folder}/${dtype}-${name}`;
        await mapViews(array, copySamples(), { sink: fileSink(path, options), context });
        const count = Math.max(1, (await open(path)).levels.length);
        let expected = { data: samples, shape: SHAPE };
        for (let level = 0; level < count; level++) {
          const { data } = await mapViews(await open(path, { level }), copySamples(), { context });
          assertEquals(
            [...data as Uint16Array],
            [...expected.data as Uint16Array],
            `${path}, level ${level}`,
          );
          expected = halved(expected.data, dtype, expected.shape, [1, 2, 2], "mean");
        }
        assertEquals(count, name === "a.zarr" ? 1 : name === "e.tif" ? 2 : 3);
      }
    }
  });
});

Deno.test("colours of a TIFF file are colours in the next one", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0 });
    const { samples, ...array } = await arrayWith([20, 30, 3], "uint8");
    const axes = ["y", "x", "s"].map((name) => ({ name }));
    await mapViews(array, copySamples(), { sink: fileSink(`${folder}/a.tif`, { axes }), context });
    await mapViews(await open(`${folder}/a.tif`), copySamples(), {
      sink: fileSink(`${folder}/b.tif`),
      context,
    });
    const { data, shape } = await mapViews(await open(`${folder}/b.tif`), copySamples(), { context });
    assertEquals([shape, [...data as Uint8Array]], [[20, 30, 3], [...samples as Uint8Array]]);
  });
});
