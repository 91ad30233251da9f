/** Who sees the samples of a result on their way to a file sees all of them in their order, or is told too few. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { isTilewiseError } from "../../../src/errors.ts";
import { sha256Of } from "../../../src/io/hash.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { type DType, dtypeInfo, DTYPES } from "../../../src/space/dtype.ts";
import { showShape, sizeOf } from "../../../src/space/shape.ts";
import { mapViews, type MapViewsOptions } from "../../../src/views/map/map_views.ts";
import { isStoring, withBeside } from "../../../src/views/map/sink.ts";
import type { AnySink } from "../../../src/views/map/map_plan.ts";
import { boxMean } from "../../../src/views/operations/box_mean.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { fileSink } from "../../../src/views/sinks/registry.ts";
import { cases } from "../../suite/cases.ts";
import { arrayWith, withFolder } from "./data.ts";
import { drawing, fileSinks } from "./every_sink.ts";

/** Writes a copy of `array`; returns the bytes that were seen, one after another. */
async function seen(
  array: Awaited<ReturnType<typeof arrayWith>>,
  sink: AnySink,
  options: MapViewsOptions & { readonly context: RunContext },
): Promise<Uint8Array<ArrayBuffer>> {
  assert(isStoring(sink));
  const { samples: _, ...image } = array, pieces: Uint8Array<ArrayBuffer>[] = [];
  const seeing = withBeside(sink, () => Promise.resolve([]), (bytes) => pieces.push(Uint8Array.from(bytes)));
  await mapViews(image, copySamples(), { ...options, sink: seeing as AnySink });
  await options.context.settled();
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

const bytesOf = ({ buffer }: ArrayBufferView) => new Uint8Array(buffer as ArrayBuffer);

for (const [workers, rounds] of [[0, cases(4, 10)], [2, cases(2, 5)]] as const) {
  Deno.test(`samples are seen in order, whatever takes them, with ${workers} workers`, async () => {
    await using context = new RunContext({ workers, memory: "64MiB" });
    let compared = 0;
    for (let round = 0; round < rounds; round++) {
      const draw = drawing(2900 + 100 * workers + round);
      const outer = Array.from({ length: draw(3) }, () => 1 + draw(4));
      const shape = [...outer, 1 + draw(90), 1 + draw(150)];
      const dtype = DTYPES[draw(DTYPES.length)]!;
      const array = await arrayWith(shape, dtype);
      await withFolder(async (folder) => {
        for (const { name, sink } of fileSinks<DType>(draw, shape, folder)) {
          const found = await seen(array, sink, { context }).catch((error) => {
            if (isTilewiseError(error, "unsupported")) return undefined; // not every file holds every type
            throw error;
          });
          if (!found) continue;
          const text = `${round}: ${showShape(shape)} ${dtype} in ${name}`;
          assertEquals(found.length, sizeOf([...shape, dtypeInfo(dtype).itemSize]), text);
          assertEquals(await sha256Of([found]), await sha256Of([bytesOf(array.samples)]), text);
          compared++;
        }
      });
      assertEquals(context.arena.used, 0);
    }
    assert(compared > 5 * rounds);
  });
}

Deno.test("where the budget has no room for rows of chunks, results are right and nothing is seen", async () => {
  const array = await arrayWith([64, 3000], "float64");
  await withFolder(async (folder) => {
    const path = `${folder}/a.zarr`;
    const options = { chunk: [16, 120], compression: "none" };
    for (const [memory, isSeen] of [["700KiB", false], ["16MiB", true]] as const) {
      await using context = new RunContext({ workers: 0, memory });
      const found = await seen(array, fileSink(path, options), { context });
      assertEquals(found.length, isSeen ? array.samples.byteLength : 0, memory);
    }
    await using context = new RunContext({ workers: 0, memory: "16MiB" });
    const shards = fileSink(path, { ...options, chunk: [8, 60], shard: [64, 600] }); // rows of chunks end with the last shard
    assertEquals(await seen(array, shards, { context }), bytesOf(array.samples));
  });
});

Deno.test("a run that is resumed shows nothing, as its first samples do not come by", async () => {
  const array = await arrayWith([100, 120], "uint16");
  await using context = new RunContext({ workers: 0 });
  await withFolder(async (folder) => {
    for (const name of ["a.tif", "a.zarr"]) {
      const sink = fileSink(`${folder}/${name}`, {
        ...(name === "a.tif" ? { tile: 16 } : { chunk: [16, 16] }),
        resume: true,
      });
      const stop = new AbortController();
      const onProgress = ({ tiles }: { tiles: number }) => tiles >= 20 && stop.abort();
      const often = { context, progressRate: 1e6 };
      await assertRejects(() => seen(array, sink, { ...often, onProgress, signal: stop.signal }));
      assertEquals((await seen(array, sink, often)).length, 0);
      assertEquals(await seen(array, sink, often), bytesOf(array.samples)); // all of it is new again
    }
  });
});

Deno.test("who fails to see samples ends the run, which leaves nothing", async () => {
  const { samples: _, ...image } = await arrayWith([100, 120], "uint16");
  await using context = new RunContext({ workers: 2 });
  await withFolder(async (folder) => {
    for (const name of ["a.tif", "a.zarr", "a.npy"]) {
      const fails = () => {
        throw new Error("no more");
      };
      const sink = withBeside(fileSink(`${folder}/${name}`) as never, () => Promise.resolve([]), fails);
      await assertRejects(() => mapViews(image, boxMean(), { sink, context }), Error, "no more");
      await context.settled();
      assertEquals([[...Deno.readDirSync(folder)], context.arena.used], [[], 0]);
    }
  });
});
