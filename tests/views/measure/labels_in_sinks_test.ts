/** Labels are those of SciPy in every sink, whatever tiles it cuts: both passes have its tiles. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { workerPool } from "../../../src/executor/pool/pool.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { isChunkSink } from "../../../src/views/map/sink.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { planMap } from "../../../src/views/map/plan.ts";
import { mapInto } from "../../../src/views/map/run.ts";
import { labelImage } from "../../../src/views/measure/label_image.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { fileSink } from "../../../src/views/sinks/registry.ts";
import { cases } from "../../suite/cases.ts";
import { chunkedArray, memoryArray } from "../data.ts";
import { withFolder } from "../sinks/data.ts";
import { drawing, everySink } from "../sinks/every_sink.ts";
import { labelEverySink } from "./label_every_sink.ts";
import { digest, level, REGION_ROWS } from "./regions.ts";

Deno.test("labels in every sink are those of SciPy, on this thread", async () => {
  await using context = createContext({ workers: 0 });
  await labelEverySink(1, context, REGION_ROWS.filter((_, n) => n % cases(18, 6) === 0));
});

Deno.test("labels in every sink are those of SciPy, on two workers", async () => {
  await using executor = workerPool({ workers: 2 });
  await using context = createContext({ executor, memory: "64MiB" });
  await labelEverySink(101, context, REGION_ROWS.filter((_, n) => n % cases(24, 12) === 4));
});

Deno.test("labels of arrays in chunks are those of memory, in sinks with other chunks", async () => {
  await using context = createContext({ workers: 0 });
  const shape = [90, 130];
  const of = level("blocks", shape, 5);
  const { array, seen } = chunkedArray(shape, "uint8", [17, 24], of);
  const expected = await labelImage(memoryArray(shape, "uint8", seen), { threshold: 50, context });
  await withFolder(async (folder) => {
    for (const { name, sink, result } of everySink(drawing(7), { shape, dtype: "uint32" }, folder)) {
      const { count } = await labelImage(array, { threshold: 50, context, sink });
      assertEquals([count, (await result(context)).data], [expected.count, expected.labels.data], name);
    }
  });
});

Deno.test("labels that are stopped and resumed are those of one run", async () => {
  const { shape, kind, seed, count, sha256 } = REGION_ROWS[5]!;
  const array = memoryArray(shape, "uint8", level(kind, shape, seed));
  await withFolder(async (folder) => {
    for (const name of ["a.zarr", "a.ome.zarr", "a.zarr.zip", "a.tif"]) {
      await using context = createContext({ workers: 0 });
      const options = name === "a.tif" ? { tile: 32 } : { chunk: [32, 48] };
      const sink = fileSink<"uint32">(`${folder}/${name}`, { ...options, resume: true });
      if (!isChunkSink(sink)) throw new Error(name);
      const stop = new AbortController();
      const stopping: typeof sink = {
        ...sink,
        store: (plan, settings) =>
          sink.store(plan, {
            ...settings,
            signal: stop.signal,
            onProgress: ({ tiles }) => tiles >= 5 && stop.abort(),
            progressRate: 1e6,
          }),
      };
      const run = { threshold: 50, connectivity: REGION_ROWS[5]!.connectivity, context };
      await assertRejects(() => labelImage(array, { ...run, sink: stopping }), TilewiseError);
      assertEquals([...Deno.readDirSync(folder)].filter((one) => one.name.endsWith(".partial")).length, 1);
      assertEquals(await labelImage(array, { ...run, sink }), { count });
      const { data } = await mapViews(await open(`${folder}/${name}`), copySamples(), { context });
      assertEquals(await digest(data as Uint32Array), sha256, name);
    }
  });
});

Deno.test("numbers of the components of some tiles are refused for other tiles", async () => {
  await using context = createContext({ workers: 0 });
  const array = memoryArray([8, 8], "uint8");
  const grid = { shape: [8, 8], tile: [4, 4], counts: [2, 2] };
  const table = { grid, starts: new Float64Array(5), labels: new Uint32Array(4) };
  for (const found of [{ table }, {}]) {
    const params = { above: null, connectivity: 1, ...found };
    const plan = await planMap(array, { name: "labelImage", operation: "relabel", params }, {
      tile: [8, 4],
      context,
    });
    await assertRejects(() => mapInto(plan, {}, () => {}), TilewiseError, "both passes have one plan");
  }
});
