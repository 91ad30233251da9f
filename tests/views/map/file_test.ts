/** Results in one file that workers write to: the same bytes in any order, and nothing left behind by failures. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { TilewiseError } from "../../../src/errors.ts";
import { replaceWriteCalls, writeCalls } from "../../../src/io/write/calls.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { targetNamed } from "../../../src/sinks/registry.ts";
import { rowsFile } from "../../../src/views/map/rows_file.ts";
import type { MapSink } from "../../../src/views/map/map_plan.ts";
import { localMaximum } from "../../../src/views/operations/local_extremes.ts";
import { memoryArray } from "../data.ts";

const NPY = targetNamed("npy");

Deno.test("a file has the same bytes whatever tiles, traversal and workers, and as one thread writes them", async () => {
  const folder = await Deno.makeTempDir();
  const [path, plain] = [join(folder, "out.npy"), join(folder, "plain.npy")];
  await using inline = new RunContext({ workers: 0 });
  await using threads = new RunContext({ workers: 2 });
  for (
    const [shape, traversal] of [[[7], "row-major"], [[37, 29], "diagonal"], [[2, 3, 9, 4], "snake"]] as const
  ) {
    const array = memoryArray(shape, "uint16", (i) => i * 7919 % 65521);
    const { takes, write } = rowsFile(NPY, plain);
    const sink: MapSink = { takes, write };
    await mapViews(array, localMaximum(), { sink, context: inline });
    const expected = await Deno.readFile(plain);
    for (const context of [inline, threads]) {
      const tile = shape.map((n) => Math.max(1, Math.ceil(n / 3)));
      let tiles = 0;
      const onProgress = (progress: { tiles: number }) => void (tiles = progress.tiles);
      await mapViews(array, localMaximum(), {
        tile,
        traversal,
        sink: rowsFile(NPY, path),
        onProgress,
        context,
      });
      assertEquals(await Deno.readFile(path), expected, `${shape} ${traversal} ${context.workers}`);
      assertEquals(tiles, shape.reduce<number>((all, n, d) => all * Math.ceil(n / tile[d]!), 1));
      await context.settled();
      assertEquals(context.arena.used, 0);
    }
  }
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["out.npy", "plain.npy"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a full disk ends the run with an error that names the file, and leaves the old one", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "out.npy");
  await Deno.writeTextFile(path, "old");
  await using context = new RunContext({ workers: 0 });
  const calls = await writeCalls();
  let writes = 0;
  const writeAt: typeof calls.writeAt = (part, bytes, position) => {
    if (++writes > 2) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    return calls.writeAt(part, bytes, position);
  };
  using _ = replaceWriteCalls({ ...calls, writeAt });
  const work = () =>
    mapViews(memoryArray([40, 30], "uint16"), localMaximum(), {
      tile: [8, 10],
      sink: rowsFile(NPY, path),
      context,
    });
  const error = await assertRejects(work, TilewiseError);
  assertStringIncludes(error.message, path);
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["out.npy"]);
  assertEquals(await Deno.readTextFile(path), "old");
  await context.settled();
  assertEquals(context.arena.used, 0);
  await Deno.remove(folder, { recursive: true });
});
