/** Runs that store chunks: what is there before they end, after they fail, and when they go on. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { run } from "../../../src/run.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { planMap } from "../../../src/views/map/plan.ts";
import { boxMean } from "../../../src/views/operations/box_mean.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { fileSink } from "../../../src/views/sinks/registry.ts";
import { arrayWith, digestOf, withFolder } from "./data.ts";

const { samples: _, ...IMAGE } = await arrayWith([100, 120], "uint16");
const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

/** Options of a sink: small chunks and levels; workers write those of plain files. */
function optionsFor(path: string) {
  if (/zarr(\.zip)?$/.test(path)) return { levels: 3, chunk: [16, 16] };
  return /plain/.test(path) ? { tile: 16, compression: "none", levels: /levels/.test(path) ? 3 : 1 } : {
    tile: 16,
    levels: 3,
  };
}

/** A run that is cancelled after `chunks` chunks. */
async function stopped(path: string, chunks: number, resume: boolean, workers: number): Promise<void> {
  await using context = new RunContext({ workers });
  const stop = new AbortController();
  const sink = fileSink(path, { ...optionsFor(path), resume });
  const onProgress = ({ tiles }: { tiles: number }) => tiles >= chunks && stop.abort();
  const going = mapViews(IMAGE, boxMean({ radius: 1 }), {
    sink,
    context,
    signal: stop.signal,
    onProgress,
    progressRate: 1e6,
  });
  if (chunks < Infinity) await assertRejects(() => going, TilewiseError);
  else await going;
  await context.settled();
  assertEquals(context.arena.used, 0);
}

Deno.test("a run that is cancelled leaves the old result and nothing else", async () => {
  await withFolder(async (folder) => {
    for (const name of ["a.zarr", "a.tif", "plain.tif"]) {
      await stopped(`${folder}/${name}`, Infinity, false, 0);
      const before = await digestOf(folder);
      await stopped(`${folder}/${name}`, 5, false, 2);
      assertEquals(await digestOf(folder), before);
    }
  });
});

Deno.test("a run that is resumed makes only what is missing, and ends with the same bytes", async () => {
  await withFolder(async (folder) => {
    for (const name of ["a.ome.zarr", "a.ome.zarr.zip", "a.tif", "plain.tif", "plain-levels.tif"]) {
      await stopped(`${folder}/whole-${name}`.replace("whole-", ""), Infinity, false, 0);
      const whole = await digestOf(`${folder}/${name}`);
      await Deno.remove(`${folder}/${name}`, { recursive: true });
      const all = name === "plain.tif" ? 56 : 76; // a cancel may be seen when all are written
      const stops = /plain/.test(name) ? [3, 20] : [3, 25, 40];
      for (const [i, chunks] of stops.entries()) {
        const workers = i === 0 ? 2 : 0; // which may be done before a cancel is seen: only where there is much to do
        await stopped(`${folder}/${name}`, chunks, true, workers);
      }
      assertEquals(names(folder).filter((one) => one.endsWith(".partial")).length, 1);
      await using context = new RunContext({ workers: 0 });
      let first: number | undefined;
      const sink = fileSink(`${folder}/${name}`, { ...optionsFor(name), resume: true });
      const onProgress = ({ tiles }: { tiles: number }) => void (first ??= tiles);
      await mapViews(IMAGE, boxMean({ radius: 1 }), { sink, context, onProgress, progressRate: 1e6 });
      assert(first! >= stops.at(-1)! && first! <= all, `it begins with ${first} of ${all} chunks`);
      assertEquals(await digestOf(`${folder}/${name}`), whole);
      assertEquals(names(folder).filter((one) => one.endsWith(".partial")), []);
    }
  });
});

Deno.test("damaged parts of a stopped run are made again", async () => {
  await withFolder(async (folder) => {
    for (
      const [name, ...parts] of [["a.zarr", "journal", "halves-0", "result/0/c/3/1"], ["plain.tif", "result"]]
    ) {
      const path = `${folder}/${name}`;
      await stopped(path, Infinity, false, 0);
      const whole = await digestOf(path);
      await Deno.remove(path, { recursive: true });
      for (const damaged of parts) {
        await stopped(path, 40, true, 0);
        const file = `${folder}/${names(folder)[0]}/${damaged}`;
        const bytes = await Deno.readFile(file);
        bytes[name === "plain.tif" ? bytes.length - 20 : 20]! ^= 255;
        await Deno.writeFile(file, bytes);
        await stopped(path, Infinity, true, 0);
        assertEquals(await digestOf(path), whole, damaged);
        await Deno.remove(path, { recursive: true });
      }
    }
  });
});

Deno.test("another plan does not go on with the parts of the first, and removes them", async () => {
  await withFolder(async (folder) => {
    await stopped(`${folder}/a.zarr`, 20, true, 0);
    await using context = new RunContext({ workers: 0 });
    const sink = fileSink(`${folder}/a.zarr`, { chunk: [50, 50], resume: true });
    await mapViews(IMAGE, copySamples(), { sink, context });
    assertEquals(names(folder), ["a.zarr"]);
  });
});

Deno.test("inputs, and folders that are not Zarr stores, are not replaced", async () => {
  await withFolder(async (folder) => {
    await using context = new RunContext({ workers: 0 });
    await Deno.mkdir(`${folder}/in.zarr`);
    await Deno.writeTextFile(`${folder}/in.zarr/zarr.json`, "{}");
    await mapViews(IMAGE, copySamples(), { sink: fileSink(`${folder}/in.zarr/image.npy`), context });
    const image = await open(`${folder}/in.zarr/image.npy`);
    const refused = async (path: string, text: string) => {
      const sink = fileSink(path);
      const error = await assertRejects(
        () => mapViews(image, copySamples(), { sink, context }),
        TilewiseError,
        text,
      );
      assertEquals(error.code, "invalid");
    };
    await refused(`${folder}/in.zarr`, "image.npy, which is in it, is being read");
    await Deno.mkdir(`${folder}/other.zarr`);
    await Deno.writeTextFile(`${folder}/other.zarr/thesis.txt`, "x");
    await refused(`${folder}/other.zarr`, "is not a Zarr store");
    await Deno.symlink(`${folder}/in.zarr/image.npy`, `${folder}/link.tif`);
    await refused(`${folder}/link.tif`, "which is being read");
    assertEquals(names(folder), ["in.zarr", "link.tif", "other.zarr"]);
  });
});

Deno.test("two runs do not write to one target at the same time", async () => {
  await withFolder(async (folder) => {
    await using context = new RunContext({ workers: 0 });
    const other = new RunContext({ workers: 0 });
    const sink = () => fileSink(`${folder}/a.ome.zarr`, { chunk: [16, 16] });
    const first = mapViews(IMAGE, copySamples(), { sink: sink(), context });
    const both = await Promise.allSettled([
      first,
      mapViews(IMAGE, copySamples(), { sink: sink(), context: other }),
    ]);
    assertEquals(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    const [failed] = both.flatMap((one) => one.status === "rejected" ? [String(one.reason)] : []);
    assert(failed?.includes("this process is writing it"), failed);
    assertEquals(names(folder), ["a.ome.zarr"]);
    await other[Symbol.asyncDispose]();
  });
});

Deno.test("plans must have the tiles of the sink, and contexts the memory for its chunks", async () => {
  await withFolder(async (folder) => {
    await using context = new RunContext({ workers: 0, memory: "1MiB" });
    const sink = fileSink(`${folder}/a.zarr`, { chunk: [32, 32] });
    const other = await planMap(IMAGE, copySamples(), { blocks: "tiles", tile: [16, 16], context });
    await assertRejects(() => run(other, { sink }) as Promise<void>, TilewiseError, "tile: [32, 32]");
    const same = await planMap(IMAGE, copySamples(), { blocks: "tiles", tile: [32, 32], context });
    await run(same, { sink });
    assertEquals(names(folder), ["a.zarr"]);
    const { samples: _, ...large } = await arrayWith([600, 600], "float64");
    const huge = fileSink(`${folder}/b.zarr`, { chunk: [200, 200] });
    const error = await assertRejects(
      () => mapViews(large, copySamples(), { sink: huge, context }),
      TilewiseError,
    );
    assertEquals(error.code, "over-budget");
  });
});

Deno.test("what is said of axes is checked, and that there is one for every dimension", async () => {
  await using context = new RunContext({ workers: 0 });
  const wrong: [object[], string, string][] = [
    [[{ name: 5 }, {}], "axes[0].name", "is 5"],
    [[{}, { scale: NaN }], "axes[1].scale", "other than 0"],
    [[{}, { offset: Infinity }], "axes[1].offset", "a finite number"],
    [[{ nam: "y" }, {}], "axes[0].nam", 'did you mean "name"?'],
    [[{ name: "x" }], "axes", "give one for each of the 2"],
  ];
  await withFolder(async (folder) => {
    for (const name of ["a.zarr", "a.ome.zarr", "a.tif", "a.ome.tif"]) {
      for (const [axes, option, text] of wrong) {
        const error = await assertRejects(async () => {
          await mapViews(IMAGE, copySamples(), { sink: fileSink(`${folder}/${name}`, { axes }), context });
        }, TilewiseError);
        assertEquals([error.code, error.details.option], ["invalid", option], error.message);
        assert(error.message.includes(text), error.message);
      }
    }
    assertEquals(names(folder), []);
    assertThrows(() => fileSink("a.zarr", null as never), TilewiseError, "options are an object");
  });
});
