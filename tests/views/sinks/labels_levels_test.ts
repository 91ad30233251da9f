/** Pyramids of labels: every sample of a level is one of those below it, and stores say what they are. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { Dataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { labelImage } from "../../../src/views/measure/label_image.ts";
import { reductionFor } from "../../../src/sinks/chunks/reduce.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { fileSink, type FileSinkOptions } from "../../../src/views/sinks/registry.ts";
import { endingsFor } from "../../../src/sinks/registry.ts";
import { memoryArray } from "../data.ts";
import { level, REGION_ROWS } from "../measure/regions.ts";
import { withFolder } from "./data.ts";

const { shape, kind, seed } = REGION_ROWS[1]!;
const IMAGE = memoryArray(shape, "uint8", level(kind, shape, seed));

/** Kinds of files that have levels. */
const LEVELLED = endingsFor("results").filter(takesLevels);

function takesLevels(ending: string): boolean {
  try {
    fileSink(`a${ending}`, optionsFor(ending));
    return true;
  } catch {
    return false; // it has no such option
  }
}

function optionsFor(ending: string): FileSinkOptions {
  return { levels: 3, ...ending.includes("zarr") ? { chunk: [64, 64] } : { tile: 64 } };
}

/** Samples of later levels that are none of the four below them. */
async function strange(path: string, context: Context): Promise<{ levels: number; strange: number }> {
  const { levels } = await open(path);
  let below = await mapViews(await open(path, { level: 0 }), copySamples(), { context });
  let strange = 0;
  for (let level = 1; level < levels.length; level++) {
    const now = await mapViews(await open(path, { level }), copySamples(), { context });
    const [rows, columns] = now.shape as [number, number];
    for (let i = 0; i < rows * columns; i++) {
      const [y, x] = [2 * Math.floor(i / columns), 2 * (i % columns)];
      const under = [[y, x], [y, x + 1], [y + 1, x], [y + 1, x + 1]]
        .filter(([y, x]) => y! < below.shape[0]! && x! < below.shape[1]!)
        .map(([y, x]) => below.data[y! * below.shape[1]! + x!]);
      strange += under.includes(now.data[i]) ? 0 : 1;
    }
    below = now;
  }
  return { levels: levels.length, strange };
}

Deno.test("levels of labels have labels of the samples below them, in every kind of file and after conversions", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0 });
    assert(LEVELLED.length >= 8);
    for (const ending of LEVELLED) {
      const path = `${folder}/labels${ending}`;
      await labelImage(IMAGE, { threshold: 50, context, sink: fileSink(path, optionsFor(ending)) });
      assertEquals(await strange(path, context), { levels: 3, strange: 0 }, ending);
      if (!ending.includes("zarr")) continue;
      const again = await open(path) as Dataset;
      assertEquals(again.values, { kind: "label" }, ending);
      for (const other of [".ome.zarr", ".ome.tif"]) {
        const copy = `${folder}/copy-${ending.slice(1)}${other}`;
        await mapViews(again, copySamples(), { context, sink: fileSink(copy, optionsFor(other)) });
        assertEquals(await strange(copy, context), { levels: 3, strange: 0 }, `${ending} to ${other}`);
      }
    }
  });
});

Deno.test("lone Zarr arrays say that they are labels, and amounts say nothing", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0 });
    for (const format of [2, 3] as const) {
      const path = `${folder}/${format}.zarr`;
      await labelImage(IMAGE, { threshold: 50, context, sink: fileSink(path, { format }) });
      assertEquals((await open(path)).values, { kind: "label" });
      const amounts = `${folder}/${format}-amounts.zarr`;
      await mapViews(IMAGE, copySamples(), { context, sink: fileSink(amounts, { format }) });
      assertEquals((await open(amounts)).values, { kind: "amount" });
      assert(!JSON.stringify((await open(amounts)).metadata).includes("tilewise"));
    }
  });
});

Deno.test("who writes can say what samples mean, where the source does not", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0 });
    const { labels } = await labelImage(IMAGE, { threshold: 50, context });
    const source = await open({ data: labels.data, shape: labels.shape }); // without what they mean
    const write = async (name: string, options: FileSinkOptions) => {
      const path = `${folder}/${name}`;
      await mapViews(source, copySamples(), {
        context,
        sink: fileSink(path, { ...optionsFor(name), ...options }),
      });
      return { kind: (await open(path)).values.kind, ...await strange(path, context) };
    };
    assertEquals(await write("a.ome.zarr", { values: { kind: "label" } }), {
      kind: "label",
      levels: 3,
      strange: 0,
    });
    assert((await write("b.ome.zarr", {})).strange > 0);
    await assertRejects(
      () => write("c.ome.zarr", { values: { kind: "label" }, reduce: "mean" }),
      TilewiseError,
      "names have no mean",
    );
    await assertRejects(
      () => write("d.ome.zarr", { values: { kind: "names" as never } }),
      TilewiseError,
      "kind",
    );
    assertEquals(
      await write("e.ome.zarr", { values: { kind: "label" }, reduce: "max" }),
      { kind: "label", levels: 3, strange: 0 },
    );
  });
});

Deno.test("a number that means missing is mixed into no level", () => {
  assertEquals(reductionFor(undefined, { kind: "amount", missing: -1000 }, "int16"), "nearest");
  assertEquals(reductionFor("mean", { kind: "amount", missing: -1000 }, "int16"), "mean", "as asked");
});

Deno.test("levels of phases have phases of the samples below them, and means are refused", () => {
  assertEquals(reductionFor(undefined, { kind: "phase" }, "float32"), "nearest");
  const { message } = assertThrows(() => reductionFor("mean", { kind: "phase" }, "float32"), TilewiseError);
  assert(message.includes("begin again after a turn"));
});
