/** Zarr and TIFF files of sinks: other readers find the same samples, and the bytes do not depend on the run. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { RunContext } from "../../../src/runner/context.ts";
import type { DType } from "../../../src/space/dtype.ts";
import type { Shape } from "../../../src/space/shape.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { boxMean } from "../../../src/views/operations/box_mean.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { fileSink, type FileSinkOptions } from "../../../src/views/sinks/registry.ts";
import { arrayWith, digestOf, halved, withFolder } from "./data.ts";
import { type Read, readTiff, readZarr } from "./readers.ts";

const DTYPES: readonly DType[] = [
  "bool",
  "uint8",
  "int8",
  "uint16",
  "int16",
  "uint32",
  "int32",
  "uint64",
  "int64",
  "float16",
  "float32",
  "float64",
  "complex64",
  "complex128",
];
const STACK = [2, 37, 53];

/** The levels by definition. */
function levelsOf(read: Read, count: number): Read[] {
  const levels = [read];
  while (levels.length < count) {
    const { data, dtype, shape } = levels.at(-1)!;
    const factors = shape.map((_, d) => d < shape.length - 2 ? 1 : 2);
    levels.push({ ...halved(data, dtype, shape, factors, "mean"), dtype });
  }
  return levels;
}

async function written(
  path: string,
  shape: Shape,
  dtype: DType,
  options: FileSinkOptions,
  context: RunContext,
): Promise<Read> {
  const { samples, ...array } = await arrayWith(shape, dtype);
  await mapViews(array, copySamples(), { sink: fileSink(path, options), context });
  return { shape, dtype, data: samples };
}

Deno.test("Zarr arrays have the samples, whatever their type, codec, shards and version", async () => {
  const ways: FileSinkOptions[] = [
    { compression: "none" },
    { compression: "zstd:3", shard: [2, 32, 32] },
    { compression: "blosc", shard: "4KiB" },
    { compression: "gzip", format: 2 },
    { compression: "zlib", format: 2 },
    { compression: "blosc:9", format: 2 },
  ];
  await withFolder(async (folder) => {
    await using context = new RunContext({ workers: 0 });
    for (const [n, dtype] of DTYPES.entries()) {
      for (const options of [ways[n % 6]!, ways[(n + 3) % 6]!]) {
        const path = `${folder}/${dtype}-${options.compression}.zarr`;
        const expected = await written(path, STACK, dtype, { chunk: [1, 16, 16], ...options }, context);
        assertEquals(readZarr(path), expected);
      }
    }
  });
});

Deno.test("chunks of zeros are not stored, and shards without any are not files", async () => {
  await withFolder(async (folder) => {
    await using context = new RunContext({ workers: 0 });
    const options = { chunk: [1, 4, 8], shard: [1, 8, 8] };
    const expected = await written(`${folder}/a.zarr`, [4, 8, 8], "uint8", options, context);
    assertEquals(readZarr(`${folder}/a.zarr`), expected);
    assertEquals([...Deno.readDirSync(`${folder}/a.zarr/c`)].map(({ name }) => name).sort(), ["1", "2", "3"]);
  });
});

Deno.test("OME-Zarr pyramids have their levels, and say what they are", async () => {
  await withFolder(async (folder) => {
    await using context = new RunContext({ workers: 0 });
    for (const [dtype, format] of [["uint16", 3], ["int32", 2], ["float32", 3]] as const) {
      const path = `${folder}/${dtype}.ome.zarr`;
      const axes = [{ name: "z" }, { name: "y", scale: 0.5, unit: "µm" }, {
        name: "x",
        scale: 0.5,
        unit: "µm",
      }];
      const full = await written(path, STACK, dtype, { chunk: [1, 16, 16], format, axes }, context);
      const text = await Deno.readTextFile(`${path}/${format === 3 ? "zarr.json" : ".zattrs"}`);
      const meta = format === 3 ? JSON.parse(text).attributes.ome : JSON.parse(text);
      const [pyramid] = meta.multiscales;
      assertEquals(format === 3 ? meta.version : pyramid.version, format === 3 ? "0.5" : "0.4");
      assertEquals(pyramid.axes[2], { name: "x", type: "space", unit: "micrometer" });
      assertEquals(pyramid.datasets[2].coordinateTransformations, [
        { type: "scale", scale: [1, 2, 2] },
        { type: "translation", translation: [0, 0.75, 0.75] },
      ]);
      const found = pyramid.datasets.map((set: { path: string }) => readZarr(`${path}/${set.path}`));
      assertEquals(found, levelsOf(full, 3));
    }
  });
});

Deno.test("tiled TIFF files have the samples and levels, whatever their type and compression", async () => {
  const ways = ["none", "deflate", "zstd", "lzw", "packbits"];
  await withFolder(async (folder) => {
    await using context = new RunContext({ workers: 0 });
    for (const [n, dtype] of DTYPES.entries()) {
      for (const compression of [ways[n % 5]!, ways[(n + 2) % 5]!]) {
        const path = `${folder}/${dtype}-${compression}.tif`;
        const options = { tile: [32, 16] as const, compression, levels: 2, big: n % 2 === 1 };
        const full = await written(path, STACK, dtype, options, context);
        const { pages, big } = readTiff(path);
        assertEquals(big, options.big);
        const [first, second] = levelsOf(full, 2);
        const stored = dtype === "bool" ? "uint8" : dtype;
        const joined = (level: number) => pages.flatMap((page) => [...page[level]!.data as Uint8Array]);
        assertEquals(pages.map((page) => page.map(({ dtype }) => dtype)), [[stored, stored], [
          stored,
          stored,
        ]]);
        assertEquals(joined(0), [...first!.data as Uint8Array], `${dtype} ${compression}`);
        assertEquals(joined(1), [...second!.data as Uint8Array], `${dtype} ${compression}, level 1`);
      }
    }
  });
});

Deno.test("OME-TIFF says what its dimensions are; colours lie together", async () => {
  await withFolder(async (folder) => {
    await using context = new RunContext({ workers: 0 });
    const axes = ["t", "c", "y", "x"].map((name) => ({
      name,
      ...("yx".includes(name) ? { scale: 2, unit: "nm" } : {}),
    }));
    await written(`${folder}/a.ome.tif`, [3, 2, 40, 50], "uint16", { tile: 16, axes }, context);
    const { text, pages } = readTiff(`${folder}/a.ome.tif`);
    for (
      const part of [
        'DimensionOrder="XYCTZ"',
        'SizeX="50" SizeY="40" SizeZ="1" SizeC="2" SizeT="3"',
        'PhysicalSizeX="2" PhysicalSizeXUnit="nm"',
        'PlaneCount="6"',
      ]
    ) assert(text.includes(part), text);
    assertEquals(
      pages.map((levels) => levels.map(({ shape }) => shape)),
      Array(6).fill([[40, 50], [20, 25], [10, 13]]),
    );
    const colours = ["y", "x", "s"].map((name) => ({ name }));
    const full = await written(
      `${folder}/b.ome.tif`,
      [20, 30, 3],
      "uint8",
      { tile: 16, axes: colours },
      context,
    );
    const [[image]] = readTiff(`${folder}/b.ome.tif`).pages as [[Read]];
    assertEquals(image, full);
    await assertRejects(
      () =>
        written(`${folder}/b.ome.zarr`, [20, 30, 3], "uint8", { chunk: [16, 16, 3], axes: colours }, context),
      TilewiseError,
      'channels ("s") must come before rows and columns',
    );
    const channels = ["s", "y", "x"].map((name) => ({ name }));
    await written(
      `${folder}/b.ome.zarr`,
      [3, 20, 30],
      "uint8",
      { chunk: [1, 16, 16], axes: channels },
      context,
    );
    assertEquals(readZarr(`${folder}/b.ome.zarr/1`).shape, [3, 10, 15]);
    const { attributes } = JSON.parse(await Deno.readTextFile(`${folder}/b.ome.zarr/zarr.json`));
    assertEquals(attributes.ome.multiscales[0].axes.map(({ name }: { name: string }) => name), [
      "c",
      "y",
      "x",
    ]);
  });
});

Deno.test("the bytes do not depend on workers, and the result of an operation is stored", async () => {
  await withFolder(async (folder) => {
    const { samples: _, ...array } = await arrayWith([3, 100, 120], "uint16");
    const digests = new Set<string>();
    for (const workers of [0, 1, 3]) {
      await using context = new RunContext({ workers });
      for (const ending of ["ome.zarr", "ome.tif"]) {
        const shard = ending === "ome.zarr" ? { chunk: [1, 32, 32], shard: [1, 64, 64] } : { tile: 32 };
        const sink = fileSink(`${folder}/${workers}/a.${ending}`, shard);
        await Deno.mkdir(`${folder}/${workers}`, { recursive: true });
        await mapViews(array, boxMean({ radius: [0, 2, 2] }), { sink, context });
      }
      digests.add(await digestOf(`${folder}/${workers}`));
      await context.settled();
      assertEquals(context.arena.used, 0);
    }
    assertEquals(digests.size, 1);
    await using context = new RunContext({ workers: 0 });
    const { data } = await mapViews(array, boxMean({ radius: [0, 2, 2] }), { context });
    assertEquals(readZarr(`${folder}/3/a.ome.zarr/0`).data, data);
  });
});
