/** Sinks: who takes the result of an operation over views, in which order, and what happens when something fails. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { run } from "../../../src/run.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { ravel } from "../../../src/space/shape.ts";
import { arrayOf } from "../../../src/views/array.ts";
import { planMap } from "../../../src/views/map/plan.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { targetNamed } from "../../../src/sinks/registry.ts";
import { rowsFile } from "../../../src/views/map/rows_file.ts";
import { boxMean } from "../../../src/views/operations/box_mean.ts";
import { localMaximum } from "../../../src/views/operations/local_extremes.ts";
import type { BlockFunction, MapSink, ResultFacts } from "../../../src/views/map/map_plan.ts";
import { memoryArray } from "../data.ts";

const NPY = targetNamed("npy");

const SHAPE = [40, 30];
const IMAGE = memoryArray(SHAPE, "uint16");
const OPTIONS = { radius: 0, tile: [8, 10] };
const SAMPLES = Array.from({ length: 40 * 30 }, (_, i) => i + 1);

/** A sink of tiles that puts them together. */
function tiles(): MapSink & { readonly found: number[]; facts?: ResultFacts; blocks: number } {
  return {
    takes: "tiles",
    found: [],
    blocks: 0,
    async write(facts, blocks) {
      this.facts = facts;
      for await (const { origin, shape, data } of blocks) {
        this.blocks++;
        data.forEach((value, i) => {
          const [y, x] = [Math.floor(i / shape[1]!), i % shape[1]!];
          const at = ravel([origin[0]! + y, origin[1]! + x], facts.shape);
          assert(this.found[at] === undefined, "every sample comes once");
          this.found[at] = Number(value);
        });
      }
    },
  };
}

async function home(context: RunContext): Promise<void> {
  await context.settled();
  assertEquals(context.arena.used, 0);
}

Deno.test("a function gets bands from the first row to the last, whatever the traversal", async () => {
  for (const workers of [0, 2]) {
    for (const traversal of ["row-major", "naive", "snake"]) {
      await using context = new RunContext({ workers });
      const found: number[] = [];
      const sink: BlockFunction = async ({ origin, shape, data }) => {
        assertEquals([origin, shape], [[found.length / 30, 0], [8, 30]]);
        await Promise.resolve();
        found.push(...Array.from(data, Number));
      };
      await mapViews(IMAGE, localMaximum(), { ...OPTIONS, traversal, sink, context });
      assertEquals(found, SAMPLES);
      await home(context);
    }
  }
});

Deno.test("bands of a stack come in the order of the file, also where the traversal turns back", async () => {
  const stack = memoryArray([3, 12, 5], "uint8", (i) => i % 200);
  await using context = new RunContext({ workers: 2 });
  const plan = await planMap(stack, boxMean(), { radius: 0, tile: [1, 4, 2], traversal: "snake", context });
  const origins: unknown[] = [];
  await run(plan, { sink: ({ origin }) => void origins.push(origin) });
  assertEquals(origins, [0, 1, 2].flatMap((z) => [0, 4, 8].map((y) => [z, y, 0])));
});

Deno.test("a sink of tiles gets each tile once", async () => {
  for (const workers of [0, 2]) {
    await using context = new RunContext({ workers });
    const sink = tiles();
    await mapViews(IMAGE, localMaximum(), { ...OPTIONS, traversal: "snake", sink, context });
    assertEquals([sink.found, sink.blocks], [SAMPLES, 15]);
    assertEquals([sink.facts?.shape, sink.facts?.dtype, sink.facts?.tile], [SHAPE, "uint16", [8, 10]]);
    await home(context);
  }
});

Deno.test("a sink of tiles does not take the bands of a plan, nor a function its tiles", async () => {
  await using context = new RunContext({ workers: 0 });
  const bands = await planMap(IMAGE, boxMean(), { context });
  const refused = (work: () => Promise<void>, words: string) => assertRejects(work, TilewiseError, words);
  await refused(async () => await run(bands, { sink: tiles() }), 'give { blocks: "tiles" } to planMap()');
  const single = await planMap(IMAGE, boxMean(), { blocks: "tiles", context });
  await refused(async () => await run(single, { sink: () => {} }), "run(): the sink takes bands");
  await refused(async () => await run(bands, { sink: {} as never }), 'run(): the option "sink"');
});

Deno.test("a file appears when it is complete, and holds the result", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "out.npy");
  await using context = new RunContext({ workers: 2 });
  const sink: MapSink = rowsFile(NPY, path);
  const seen: string[] = [];
  const watching: MapSink = {
    takes: sink.takes,
    write: (facts, blocks) =>
      sink.write(facts, {
        async *[Symbol.asyncIterator]() {
          for await (const block of blocks) {
            seen.push(...[...Deno.readDirSync(folder)].map(({ name }) => name));
            yield block;
          }
        },
      }),
  };
  await mapViews(IMAGE, boxMean(), { ...OPTIONS, sink: watching, context });
  assert(seen.length > 0 && !seen.includes("out.npy"));
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["out.npy"]);
  const written = await open(path);
  assertEquals([written.shape, written.dtype], [SHAPE, "float32"]);
  const { data } = await mapViews(arrayOf(written), localMaximum(), { radius: 0, context });
  assertEquals([...data], SAMPLES);
  const none = join(folder, "none.npy");
  await mapViews(memoryArray([0, 5], "uint8"), boxMean(), { sink: rowsFile(NPY, none), context });
  assertEquals((await Deno.stat(none)).size, 128);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a run that fails leaves the old file and no part of a new one", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "out.npy");
  await Deno.writeTextFile(path, "old");
  for (const workers of [0, 2]) {
    await using context = new RunContext({ workers });
    const tooLong = { ...IMAGE, shape: [60, 30] };
    const error = await assertRejects(
      () => mapViews(tooLong, boxMean(), { ...OPTIONS, sink: rowsFile(NPY, path), context }),
      TilewiseError,
    );
    assertEquals(error.code, "truncated");
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["out.npy"]);
    assertEquals(await Deno.readTextFile(path), "old");
    await home(context);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a file that is being read is not written over, under whatever name", async () => {
  const folder = await Deno.makeTempDir();
  const [path, other] = [join(folder, "image.raw"), join(folder, "other.npy")];
  await Deno.writeFile(path, new Uint8Array(64).fill(7));
  await Deno.link(path, other);
  const image = arrayOf(await open(path, { format: "raw", dtype: "uint8", nav: [], sig: [8, 8] }));
  await using context = new RunContext({ workers: 0 });
  for (const [target, words] of [[path, "that file is being read"], [other, "it is"]] as const) {
    const work = () => mapViews(image, boxMean(), { sink: rowsFile(NPY, target), context });
    const error = await assertRejects(work, TilewiseError, words);
    assertStringIncludes(error.message, "choose another name");
    await home(context);
  }
  assertEquals(await Deno.readFile(path), new Uint8Array(64).fill(7));
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a sink that fails ends the run with an error that says where, and memory comes home", async () => {
  await using context = new RunContext({ workers: 2 });
  let blocks = 0;
  const fails = () => {
    if (++blocks === 3) throw new RangeError("the disk is tired");
  };
  const error = await assertRejects(
    () => mapViews(IMAGE, boxMean(), { ...OPTIONS, sink: fails, context }),
    TilewiseError,
    "The sink failed for the block at (16, 0): the disk is tired",
  );
  assertEquals([error.code, blocks], ["udf", 3]);
  await home(context);
  const idle: MapSink = { takes: "bands", write: () => Promise.resolve() };
  const partly: MapSink = {
    takes: "bands",
    async write(_, blocks) {
      for await (const { origin } of blocks) if (origin[0] === 32) break;
    },
  };
  for (const sink of [idle, partly]) {
    const work = () => mapViews(IMAGE, boxMean(), { ...OPTIONS, sink, context });
    await assertRejects(work, TilewiseError, "until there are no more");
  }
  const throws: MapSink = { takes: "tiles", write: () => Promise.reject(new Error("no")) };
  await assertRejects(() => mapViews(IMAGE, boxMean(), { ...OPTIONS, sink: throws, context }), Error, "no");
  await home(context);
});

Deno.test("a cancel does not wait for a sink that hangs; its memory does", async () => {
  await using context = new RunContext({ workers: 0 });
  const stop = new AbortController();
  const hang = Promise.withResolvers<void>();
  const sink = () => {
    setTimeout(() => stop.abort(), 1);
    return hang.promise;
  };
  const error = await assertRejects(
    () => mapViews(IMAGE, boxMean(), { ...OPTIONS, sink, signal: stop.signal, context }),
    TilewiseError,
  );
  assertEquals(error.code, "aborted");
  assert(context.arena.used > 0);
  hang.resolve();
  await home(context);
});

Deno.test("errors of a run name run(), not what it calls", async () => {
  await using context = new RunContext({ workers: 0 });
  await using other = new RunContext({ workers: 0 });
  const plan = await planMap(IMAGE, boxMean(), { context });
  const refused = (options: object, words: string) =>
    assertRejects(async () => await run(plan, options), TilewiseError, words);
  await refused({ stall: 1 }, 'run() has no option "stall"');
  await refused({ context: other }, "run() runs a plan in the context that it was made for");
  const broken = async () => await run({ views: plan.views } as never, {});
  await assertRejects(broken, TilewiseError, "run() takes a plan; it was given an object");
});
