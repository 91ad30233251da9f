/** Runs that end in the middle of a write: by a cancel, an error, or the end of a worker. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { replaceWriteCalls, type WriteCalls, writeCalls } from "../../../src/io/write/calls.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import { viewFunction } from "../../../src/views/operations/view_function.ts";
import { fileSink } from "../../../src/views/sinks/registry.ts";
import { arrayWith, digestOf, withFolder } from "./data.ts";

const { samples: _, ...IMAGE } = await arrayWith([100, 120], "uint16");
const SYSTEM = await writeCalls();
const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

/** Every kind of file: bands and chunks that workers write, chunks that the calling thread writes, pieces of levels. */
const KINDS: Readonly<Record<string, object>> = {
  "a.npy": {},
  "a.zarr": { chunk: [32, 32] },
  "a.ome.zarr": { chunk: [32, 32], shard: [64, 64], levels: 2 },
  "a.zarr.zip": { chunk: [32, 32] },
  "a.tif": { tile: 32 },
  "a.ome.tif": { tile: 32, levels: 2 },
  "plain.tif": { tile: 32, compression: "none" },
};

/** Copies the image to `path`. */
async function copied(
  path: string,
  resume: boolean,
  context: RunContext,
  { signal, by = copySamples() }: { signal?: AbortSignal; by?: ViewOperation } = {},
): Promise<void> {
  const name = path.replace(/^.*\//, "");
  const sink = fileSink(path, { ...KINDS[name], ...(resume ? { resume } : {}) });
  await mapViews(IMAGE, by, {
    sink,
    context,
    ...(name === "a.npy" ? { tile: [16, 120] } : {}),
    ...(signal ? { signal } : {}),
  });
}

/** What is at `path` after complete runs, of the same bytes for all. */
async function complete(path: string, context: RunContext): Promise<string> {
  await copied(path, false, context);
  return await digestOf(path);
}

/** Calls `work` with a call of `note` for each write. */
async function counting<T>(work: () => Promise<T>, note: () => void): Promise<T> {
  using _ = replaceWriteCalls({ ...SYSTEM, writeAt: (...args) => (note(), SYSTEM.writeAt(...args)) });
  return await work();
}

/** Calls by which the `n`-th write does half of its work, and then calls `end`. */
function halfWritten(n: number, end: () => void): WriteCalls {
  let writes = 0;
  return {
    ...SYSTEM,
    writeAt(path, bytes, position) {
      if (++writes !== n) return SYSTEM.writeAt(path, bytes, position);
      const half = SYSTEM.writeAt(path, bytes.subarray(0, Math.ceil(bytes.length / 2)), position);
      end();
      return half;
    },
  };
}

/** After a run that has failed: the old result or none, and parts only if they are kept; then a run that goes on. */
async function mustGoOn(folder: string, name: string, resume: boolean, before: string, context: RunContext) {
  const path = `${folder}/${name}`;
  await context.settled();
  assertEquals(context.arena.used, 0);
  const left = names(folder).filter((one) => one !== name);
  assert(resume ? left.every((one) => one.endsWith(".partial")) : left.length === 0, `${name}: ${left}`);
  assertEquals(names(folder).includes(name) ? await digestOf(path) : "absent", before, name);
  await copied(path, resume, context);
  assertEquals(names(folder), [name]);
}

for (const how of ["a cancel", "a full disk"]) {
  Deno.test(`${how} in the middle of a write leaves the old result or none, and the next run completes it`, async () => {
    await using context = new RunContext({ workers: 0 });
    for (const name of Object.keys(KINDS)) {
      for (
        const [part, resume, isOld] of [[0, false, true], [0.6, true, false]] as const
      ) {
        if (resume && name === "a.npy") continue;
        await withFolder(async (folder) => {
          const path = `${folder}/${name}`;
          let writes = 0;
          const whole = await counting(() => complete(path, context), () => writes++);
          const n = 1 + Math.floor(part * (writes - 1));
          if (!isOld) await Deno.remove(path, { recursive: true });
          const stop = new AbortController();
          let ended = false;
          const end = () => {
            ended = true;
            if (how === "a cancel") return stop.abort();
            throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
          };
          const run = () => copied(path, resume, context, { signal: stop.signal });
          const calls = replaceWriteCalls(halfWritten(n, end));
          const error = await assertRejects(run, TilewiseError);
          calls[Symbol.dispose]();
          assert(ended);
          assertEquals(error.code, how === "a cancel" ? "aborted" : "io", `${name}: ${error.message}`);
          if (how === "a full disk") assertEquals(error.details.file, path);
          await mustGoOn(folder, name, resume, isOld ? whole : "absent", context);
          assertEquals(await digestOf(path), whole, name);
        });
      }
    }
  });
}

/** Copies samples on threads that end in the middle of a write. */
function dying(last: Readonly<Record<string, string>>): ViewOperation {
  const module = new URL(`dying_writer.ts?${new URLSearchParams(last)}`, import.meta.url);
  return viewFunction(module, { export: "dying", input: "uint16", dtype: "uint16" });
}

Deno.test("a worker that dies in the middle of a write is replaced, and the file is complete", async () => {
  await using context = new RunContext({ workers: 2 });
  for (const name of ["a.ome.zarr", "plain.tif"]) {
    await withFolder(async (folder) => {
      const path = `${folder}/${name}`, mark = `${folder}/dead`;
      const whole = await complete(path, context);
      await copied(path, false, context, { by: dying({ write: "2", mark }) });
      assertEquals([names(folder), await digestOf(path)], [[name, "dead"].sort(), whole]);
    });
  }
});

Deno.test("workers that always die in the middle of a write end the run; what was complete is not lost", async () => {
  await using context = new RunContext({ workers: 1 });
  for (const name of ["plain.tif", "a.ome.tif"]) {
    const resume = name !== "plain.tif";
    await withFolder(async (folder) => {
      const path = `${folder}/${name}`;
      const whole = await complete(path, context);
      await Deno.remove(path, { recursive: true });
      const run = () => copied(path, resume, context, { by: dying({ write: "1" }) });
      const error = await assertRejects(run, TilewiseError);
      assertEquals(error.code, "worker", error.message);
      await mustGoOn(folder, name, resume, "absent", context);
      assertEquals(await digestOf(path), whole, name);
    });
  }
});
