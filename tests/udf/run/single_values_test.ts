/** Arrays of no dimensions, frames of single values, and arrays without samples are read, picked and converted. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { exportDataset } from "@tilewise/tilewise/unstable/results";
import { open, type OpenInput, type OpenOptions } from "../../../src/formats/open.ts";
import { read } from "../../../src/udf/run/read.ts";
import { createContext } from "../../../src/runner/context.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { labelImage } from "../../../src/views/measure/label_image.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { gaussian } from "../../../src/views/operations/filters/gaussian.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import { threshold } from "../../../src/views/operations/threshold.ts";
import { fileSink } from "../../../src/views/sinks/registry.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { failure } from "../../formats/helpers.ts";
import { ALL, ONE_SHARD, serving, smallStore } from "../../formats/zarr/stores.ts";
import { listed, zipped } from "../../formats/zarr/writer.ts";
import "../../fences/mod.ts";

/** A `.npy` file. */
function npy(shape: readonly number[], data: Uint8Array): Uint8Array<ArrayBuffer> {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const text = `{'descr': '|u1', 'fortran_order': False, 'shape': (${sizes}), }`.padEnd(117) + "\n";
  const head = new TextEncoder().encode(`?NUMPY????${text}`);
  head.set([0x93], 0);
  head.set([1, 0, text.length, 0], 6);
  return Uint8Array.from([...head, ...data]);
}

async function values(source: OpenInput, options: OpenOptions = {}): Promise<[readonly number[], number[]]> {
  const { shape, data } = await read(await open(source, options));
  return [shape, Array.from(data, Number)];
}

const SCALAR = { shape: [], chunk: [] } as const;

Deno.test("an array of no dimensions is one sample, in any file", async () => {
  for (const version of [2, 3] as const) {
    const entries = smallStore({ version, ...SCALAR });
    await using server = serving(entries);
    for (const source of [listed(entries), zipped(entries, 6), new URL("/store.zarr/", server.url)]) {
      assertEquals(await values(source), [[], [0]]);
    }
    const missing = smallStore({ version, ...SCALAR, missing: () => true });
    for (const key of missing.keys()) if (!/z(arr|array)/.test(key)) missing.delete(key);
    assertEquals(await values(listed(missing)), [[], [9]]);
  }
  assertEquals(await values(npy([], Uint8Array.of(7))), [[], [7]]);
  assertEquals(await values({ data: Uint8Array.of(5), shape: [] }), [[], [5]]);
});

Deno.test("frames of single values are read, however their chunks are stored", async () => {
  const stores = [{}, ONE_SHARD, { order: [1, 0] }, { version: 2 as const, order: [1, 0] }, {
    codecs: ["gzip"],
  }];
  for (const changes of stores) {
    const entries = smallStore(changes);
    for (const source of [listed(entries), zipped(entries, 0)]) {
      assertEquals(await values(source, { sigDims: 0 }), [[6, 8], [...ALL]], JSON.stringify(changes));
    }
    await withFolder(async (folder) => {
      const { path, shape } = await exportDataset(
        await open(listed(entries), { sigDims: 0 }) as never,
        `${folder}/a.npy`,
      );
      assertEquals([shape, await values(path)], [[6, 8], [[6, 8], [...ALL]]]);
    });
  }
});

Deno.test("an array of no dimensions is stored as such, by conversions and filters", async () => {
  await withFolder(async (folder) => {
    const one = await open({ data: Float32Array.of(-7.5), shape: [] });
    await using context = createContext({ workers: 0 });
    const filters = [[copySamples(), -7.5], [gaussian({ sigma: 2 }), -7.5], [
      threshold({ value: 3 }),
      0,
    ]] as const;
    const sinks = [["a.npy", {}], ["b.zarr", {}], ["c.zarr", { format: 2 }], ["d.zarr", { shard: 64 }], [
      "e.zarr.zip",
      {},
    ]] as const;
    for (const [filter, value] of filters) {
      const { shape, data } = await mapViews(one, filter as ViewOperation, { context });
      assertEquals([shape, [...data].map(Number)], [[], [value]]);
      for (const [name, options] of sinks) {
        const sink = fileSink(`${folder}/${name}`, options);
        await mapViews(one, filter as ViewOperation, { sink, context });
        assertEquals(await values(`${folder}/${name}`), [[], [value]], name);
      }
    }
    assertEquals((await labelImage(one, { context })).labels.shape, []);
    assertEquals([...Deno.readDirSync(`${folder}/b.zarr`)].map(({ name }) => name), ["zarr.json"]); // zeros
    for (const name of ["f.ome.zarr", "g.tif"]) {
      const written = mapViews(one, copySamples(), { sink: fileSink(`${folder}/${name}`), context });
      assertStringIncludes((await failure(written, "unsupported")).message, "dimensions");
    }
  });
});

Deno.test("arrays without samples are read as such, in every shape", async () => {
  for (const shape of [[0], [0, 4], [3, 0, 4], [0, 2, 2], [2, 3, 0]]) {
    assertEquals(await values(npy(shape, new Uint8Array())), [shape, []]);
    const entries = smallStore({ shape, chunk: shape.map(() => 2) });
    assertEquals(await values(listed(entries)), [shape, []]);
    const dataset = await open(npy(shape, new Uint8Array()));
    assertEquals((await read(dataset, shape.map(() => ":"))).shape, shape);
  }
});

Deno.test("convert and pick take single values and arrays without samples", async () => {
  await withFolder(async (folder) => {
    const arrays = [[[], [7]], [[0, 4], []], [[3, 0], []]] as const;
    for (
      const [shape, data, ending] of arrays.flatMap((one) => [[...one, "npy"], [...one, "zarr"]] as const)
    ) {
      const [from, to] = ["", "-out"].map((end) =>
        `${folder}/${shape.length}${data}${end}.${end ? ending : "npy"}`
      );
      await Deno.writeFile(from!, npy(shape, Uint8Array.from(data)));
      assertEquals((await cli(["convert", from!, to!])).code, 0);
      assertEquals(await values(to!), [[...shape], [...data]]);
      const [told] = (await cli(["stats", "--json", to!])).json();
      assertEquals([told!.shape, told!.count], [[...shape], data.length]);
    }
    await Deno.writeFile(`${folder}/one.npy`, npy([], Uint8Array.of(7)));
    const [picked] = (await cli(["pick", "--json", `${folder}/one.npy`])).json();
    assertEquals([picked!.shape, picked!.values], [[], 7]);
    await Deno.writeFile(`${folder}/none.npy`, npy([0, 4], new Uint8Array()));
    const dataset = await open(`${folder}/none.npy`);
    for (const ending of ["raw", "mib"]) {
      const error = await failure(exportDataset(dataset as never, `${folder}/none.${ending}`), "unsupported");
      assertStringIncludes(error.message, "frames of one sample or more");
    }
  });
});
