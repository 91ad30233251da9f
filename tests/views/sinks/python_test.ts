/**
 * What sinks write is read by the packages zarr and tifffile, where there is a Python with them (PYTHON=…, or python3), and by
 * tensorstore and zarrs, where it has those too.
 */

import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { createContext } from "../../../src/runner/context.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { labelImage } from "../../../src/views/measure/label_image.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { arrayOf, type ArraySpec } from "../../../src/views/array.ts";
import { open } from "../../../src/formats/open.ts";
import { type DType, dtypeInfo, DTYPES, zeros } from "../../../src/space/dtype.ts";
import { type Shape, sizeOf } from "../../../src/space/shape.ts";
import { fileSink, type FileSinkOptions } from "../../../src/views/sinks/registry.ts";
import { arrayWith, withFolder } from "./data.ts";
import { PYTHON } from "../../sinks/python.ts";
import "../../fences/mod.ts";

async function python(...args: readonly string[]): Promise<string> {
  try {
    const { success, stderr } = await new Deno.Command(PYTHON, { args: [...args], stdout: "null" }).output();
    return success ? "" : new TextDecoder().decode(stderr);
  } catch (error) {
    return String(error);
  }
}

const missing = await python("-c", "import zarr, tifffile, imagecodecs; assert zarr.__version__[0] == '3'");

/** Every kind of file, with every codec. */
const FILES: readonly (readonly [name: string, options: FileSinkOptions])[] = [
  ...["none", "zstd", "blosc", "gzip"].map((codec) =>
    [`${codec}.zarr`, { codec, chunk: [1, 32, 32] }] as const
  ),
  ...["none", "zstd", "blosc", "gzip"].map((codec) =>
    [`${codec}.ome.zarr`, { codec, chunk: [1, 32, 32], shard: [2, 64, 96] }] as const
  ),
  ...["zlib", "zstd", "blosc"].map((codec) =>
    [`${codec}-2.ome.zarr`, { codec, chunk: [2, 32, 32], format: 2 }] as const
  ),
  ...["none", "deflate", "zstd", "lzw", "packbits"].flatMap((compression) => [
    [`${compression}.ome.tif`, { compression, tile: 32 }] as const,
    [`${compression}.tif`, { compression, tile: 48, levels: 3, big: true }] as const,
  ]),
];

/** Ways to store an array without dimensions. */
const SCALARS: readonly FileSinkOptions[] = [{}, { format: 2 }, { shard: 1024 }, { compression: "blosc" }];

const SCRIPT = fromFileUrl(new URL("read_written.py", import.meta.url));

/** Noise does not pack: the chunks of Zstandard and others are larger than the memory that a runtime first gives them. */
async function noiseOf(dtype: DType, shape: Shape): Promise<ArraySpec> {
  const data = zeros(dtype, sizeOf(shape));
  const bytes = new Uint8Array(data.buffer);
  const isFloat = "fc".includes(dtypeInfo(dtype).kind);
  let state = 11;
  for (let i = 0; i < bytes.length; i++) {
    const byte = ((state = state * 48271 % 2147483647) >> 8) & 255;
    bytes[i] = dtype === "bool" ? byte & 1 : isFloat && i % 2 === 1 ? byte & 0x3f : byte; // no NaN
  }
  return arrayOf(await open({ data, shape, dtype } as never));
}

Deno.test({
  name: "zarr, tensorstore and zarrs read every type of sample, as the defaults store it",
  ignore: missing !== "",
  fn: () =>
    withFolder(async (folder) => {
      await using context = createContext({ workers: 0 });
      for (const dtype of DTYPES) {
        const array = await noiseOf(dtype, [2, 150, 181]);
        const write = async (name: string, options: FileSinkOptions) => {
          await mapViews(array, copySamples(), { sink: fileSink(`${folder}/${name}`, options), context });
          return `${folder}/${name}`;
        };
        const expected = await write(`${dtype}.npy`, {});
        const files = await Promise.all(
          ([2, 3] as const).map((format) => write(`${dtype}-${format}.zarr`, { format })),
        );
        assertEquals(await python(SCRIPT, expected, ...files), "", dtype);
      }
    }),
});

Deno.test({
  name: "zarr, tensorstore and zarrs read an array without dimensions",
  ignore: missing !== "",
  fn: () =>
    withFolder(async (folder) => {
      await using context = createContext({ workers: 0 });
      for (const dtype of ["bool", "int16", "complex64"] as const) {
        const one = await noiseOf(dtype, []);
        const files = ["a.npy", ...SCALARS.map((_, n) => `${dtype}-${n}.zarr`)].map((name) =>
          `${folder}/${name}`
        );
        for (const [n, file] of files.entries()) {
          await mapViews(one, copySamples(), { sink: fileSink(file, SCALARS[n - 1]), context });
        }
        assertEquals(await python(SCRIPT, ...files), "", dtype);
      }
    }),
});

Deno.test({
  name: "zarr, tifffile and ome-zarr-models read labels as labels, with levels of labels",
  ignore: missing !== "",
  fn: () =>
    withFolder(async (folder) => {
      await using context = createContext({ workers: 0 });
      const { samples: _, ...image } = await arrayWith([101, 130], "uint8");
      const files: string[] = [];
      for (const [name, options] of [["expected.npy", {}], ...FILES] as const) {
        const chunk = "chunk" in options ? { chunk: [32, 32] } : {};
        const shard = "shard" in options ? { shard: [64, 96] } : {};
        const sink = fileSink<"uint32">(`${folder}/${name}`, { ...options, ...chunk, ...shard });
        await labelImage(image, { threshold: 60, sink, context });
        files.push(`${folder}/${name}`);
      }
      assertEquals(await python(SCRIPT, "--labels", ...files), "");
    }),
});

Deno.test({
  name: "zarr and tifffile read the same samples and levels",
  ignore: missing !== "",
  fn: () =>
    withFolder(async (folder) => {
      await using context = createContext({ workers: 0 });
      for (const dtype of ["uint8", "int16", "float32"] as const) {
        const { samples: _, ...array } = await arrayWith([3, 101, 130], dtype);
        const write = (name: string, options: FileSinkOptions) =>
          mapViews(array, copySamples(), { sink: fileSink(`${folder}/${dtype}-${name}`, options), context });
        await write("expected.npy", {});
        for (const [name, options] of FILES) await write(name, options);
        const [expected, ...files] = ["expected.npy", ...FILES.map(([name]) => name)].map((name) =>
          `${folder}/${dtype}-${name}`
        );
        assertEquals(await python(SCRIPT, expected!, ...files), "");
      }
    }),
});
