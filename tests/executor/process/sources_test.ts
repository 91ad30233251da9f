/** Worker processes read whatever threads read, with leave for nothing else; results and updates are the same. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { openAllStored as openAll, type OpenInput, openStored as open } from "../../../src/formats/open.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { arrayDigest } from "../../../src/udf/results/digest.ts";
import { run } from "../../../src/run.ts";
import { rightAnswer, serve } from "../../io/range_server.ts";
import { pattern } from "../../io/pattern.ts";
import { counts, memoryScan } from "../../udf/data.ts";

const BYTES = pattern(64 * 1024 + 512);
const RAW = { format: "raw", dtype: "uint16", nav: [8, 8], sig: [16, 32], headerBytes: 512 } as const;
const HDF5 = new URL("../../data/hdf5/", import.meta.url);
const MEMORY = 2 ** 27;

async function digests(scan: StoredDataset, options: PlanOptions): Promise<string[]> {
  const job = await plan(scan, { a: sumFrames(), b: sumPixels(), c: standardDeviation() }, {
    partitions: 4,
    ...options,
  });
  const all = Object.values(await run(job)).flatMap((buffers) => Object.values(buffers));
  return await Promise.all(all.map((array) => arrayDigest(array)));
}

async function onProcesses(body: (context: RunContext) => Promise<void>): Promise<void> {
  await using executor = processExecutor({ workers: 2 });
  await using context = new RunContext({ memory: MEMORY, executor });
  await body(context);
  await context.settled();
  assertEquals(context.arena.used, 0);
}

/** The same on this thread and on processes. */
async function same(scan: StoredDataset, context: RunContext, options: PlanOptions = {}): Promise<void> {
  await using inline = new RunContext({ memory: MEMORY, workers: 0 });
  const found = await digests(scan, { ...options, context });
  assertEquals(found, await digests(scan, { ...options, context: inline }), scan.source);
}

Deno.test("processes read files, servers, bytes and shared bytes", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeFile(`${folder}/scan.raw`, BYTES);
  const shared = new Uint8Array(new SharedArrayBuffer(BYTES.length));
  shared.set(BYTES);
  await using server = serve((question) => rightAnswer(BYTES, question));
  await onProcesses(async (context) => {
    const inputs: OpenInput[] = [`${folder}/scan.raw`, server.url, BYTES, shared];
    for (const input of inputs) await same(await open(input, RAW), context);
  });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("processes read HDF5: virtual and external files, filters of ours and of packages", async () => {
  await onProcesses(async (context) => {
    let read = 0;
    for (
      const name of [
        "filters.h5",
        "virtual.h5",
        "external.h5",
        "family_0.h5",
        "series_master.h5",
        "library.h5",
      ]
    ) {
      for (const scan of await openAll(new URL(name, HDF5))) {
        if (scan.frames < 2 || scan.pixels === 0) continue;
        await same(scan, context);
        read++;
      }
    }
    assert(read > 10, `${read} arrays`);
  });
});

Deno.test("a Blob stays in its process: that is said, with what would work", async () => {
  const scan = await open(new File([BYTES], "scan.raw"), RAW);
  await onProcesses(async (context) => {
    const job = await plan(scan, { sum: sumPixels() }, { context });
    const error = await assertRejects(async () => await run(job), TilewiseError, "it is a Blob");
    assertEquals([error.code, error.details.option], ["unsupported", "executor"]);
  });
});

Deno.test("corrections, regions and constants are the same on processes", async () => {
  const values = counts(64 * 512, 5);
  const map = (f: (i: number) => number) =>
    ndarray(Float32Array.from({ length: 512 }, (_, i) => f(i)), [16, 32], "float32");
  const corrections = {
    dark: map((i) => i % 3),
    gain: map((i) => 1 + (i % 7) / 10),
    excluded: [[3, 4], [0, 0]],
  };
  await onProcesses(async (context) => {
    await same(memoryScan(values, [8, 8], [16, 32], "uint16"), context, {
      corrections,
      roi: [[0, 1], [3, 3], [7, 7]],
    });
    await same(memoryScan(values, [8, 8], [16, 32], "float32", { order: "big" }), context, { corrections });
  });
});

Deno.test("a plan for processes counts what they copy, and says so", async () => {
  const scan = memoryScan(counts(64 * 512, 5), [8, 8], [16, 32], "uint16");
  const masks = applyMasks({ masks: [ndarray(new Float32Array(512).fill(0.5), [16, 32], "float32")] });
  await onProcesses(async (context) => {
    const job = await plan(scan, { masks }, { context });
    const { workers, constants, set, copies, total } = job.memory;
    assertEquals([workers, copies], [2, 2 * (constants + set + 2 * 64 * 1024)]);
    assertStringIncludes(job.explain(), "for copies that workers have");
    await run(job);
    await context.settled();
    assert(context.arena.peak > copies && context.arena.peak <= total, `${context.arena.peak} of ${total}`);
  });
  await using executor = processExecutor({ workers: 2 });
  await using small = new RunContext({ memory: 200_000, executor });
  const { memory } = await plan(scan, { masks }, { context: small });
  assert(memory.inline && memory.copies === 0, "it runs on this thread where the copies do not fit");
});

Deno.test("parameters change while processes compute", async () => {
  const module = import.meta.resolve("../../udf/run/update_udf.ts");
  const scan = memoryScan(counts(1024 * 64, 1), [32, 32], [8, 8], "uint16");
  await onProcesses(async (context) => {
    const own = udf(module, { params: { factor: 1, gain: 1, ms: 0.1 } });
    const running = run(await plan(scan, { own }, { context, partitions: 32 }));
    let used: number[] = []; // a part may bring several partitions
    for await (const { results, version } of running) {
      if (version === 0) await running.update({ own: { factor: 10 } });
      used = Array.from(results.own!.used!.data, Number);
    }
    assert(used.every((factor) => [1, 10].includes(factor)));
    assertEquals([used.at(0), used.at(-1)], [1, 10]);
  });
});
