/** Runs over arrays in memory: copies for workers are planned, frames that are not valid stay so, sparse is as dense. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import type { TypedArray } from "../../../src/space/dtype.ts";
import { mapFrames } from "../../../src/udf/builtin/map_frames.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import { radialFourier } from "../../../src/udf/builtin/radial_fourier.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { clusterFrames } from "../../../src/udf/cluster/cluster_frames.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { exportDataset } from "../../../src/udf/run/export_dataset.ts";
import { runManifest } from "../../../src/udf/results/manifest.ts";
import { objectsOf } from "../../../src/udf/buffers/object_results.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { read } from "../../../src/udf/run/read.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { both } from "../both.ts";
import { sparseCounts } from "../csr_data.ts";
import { counts, numbers } from "../data.ts";
import { countsAs, NAV, SAMPLES, SIG } from "../builtin/every_builtin.ts";
import { toSparse } from "./sparse_inputs.ts";

const MiB = 2 ** 20;
const ALL: Readonly<Record<string, UdfRef>> = Object.fromEntries(
  Object.entries(SAMPLES).flatMap(([name, refs]) => refs.map((ref, i) => [`${name} ${i}`, ref])),
);

async function results(scan: StoredDataset, workers: number, tileBytes: number, partitions = 3) {
  await using context = new RunContext({ memory: 256 * MiB, workers });
  return await run(await plan(scan, ALL, { context, tileBytes, partitions }));
}

function assertSame(found: Awaited<ReturnType<typeof results>>, expected: typeof found): void {
  for (const [key, buffers] of Object.entries(expected)) {
    for (const [name, { data, valid }] of Object.entries(buffers)) {
      const other = found[key]![name]!;
      assertEquals(bits(other.data), bits(data), `${key}.${name}`);
      assertEquals(other.valid, valid, `${key}.${name}`);
    }
    assertEquals(objectsOf(found[key]!), objectsOf(buffers), key);
  }
}

function bits({ buffer, byteOffset, byteLength }: TypedArray): Uint8Array {
  return new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

Deno.test("every built-in UDF gives for an array in memory what it gives for a file", async () => {
  const file = await results(countsAs("uint16", { order: "big", frameHeaderBytes: 3 }), 0, 4096);
  const { layout } = countsAs("uint16");
  const { source } = layout.files[0]!;
  const data = new Uint16Array((source.kind === "bytes" ? source.bytes : new Uint8Array()).slice().buffer);
  for (const workers of [0, 2]) {
    assertSame(await results(await open({ data, shape: [...NAV, ...SIG] }), workers, 4096), file);
  }
});

for (const dtype of ["uint16", "float32"] as const) {
  Deno.test(`${dtype}: every built-in UDF gives for sparse frames what it gives for the same frames with their zeros`, async () => {
    const values = sparseCounts(300, 24 * 27);
    const data = dtype === "uint16"
      ? Uint16Array.from(values)
      : Float32Array.from(values, (v, i) => v * Math.PI - (v > 0 ? (i % 7) / 3 : 0));
    const { coo, csr } = toSparse(data, 24 * 27);
    const dense = await results(await open({ data, nav: NAV, sig: SIG }), 0, 4096);
    assertSame(await results(await open({ coo, nav: NAV, sig: SIG }), 0, 2048, 5), dense);
    assertSame(await results(await open({ csr, nav: NAV, sig: SIG }), 2, 4096, 7), dense);
    assertSame(await results(await open({ coo, nav: NAV, sig: SIG }), 2, 65536, 1), dense);
  });
}

Deno.test("a copy for workers is in the plan, and all memory comes home", async () => {
  const data = new Uint8Array(6 * MiB).fill(1);
  const scan = await open({ data, shape: [6, 1024, 1024] });
  await using context = new RunContext({ memory: 64 * MiB, workers: 2 });
  const job = await plan(scan, { it: sumPixels() }, { context });
  assertEquals([job.memory.samples, job.memory.inline], [6 * MiB, false]);
  const parts = [job.memory.workers * job.memory.slab, job.memory.sets * job.memory.set, job.memory.samples];
  assert(job.memory.total >= parts.reduce((a, b) => a + b), "the copy is not in the sum");
  assertStringIncludes(job.explain(), "6 MiB for a copy of the samples");
  assertEquals(numbers((await run(job)).it!.intensity!.data), Array(6).fill(MiB));
  await context.settled();
  assertEquals(context.arena.used, 0);
  assert(context.arena.peak <= job.memory.total, `${context.arena.peak} of ${job.memory.total}`);
  assert(context.arena.peak >= 6 * MiB);
});

Deno.test("where a copy for workers does not fit the budget, the run stays on this thread and says so", async () => {
  const data = new Uint8Array(12 * MiB).fill(2);
  const scan = await open({ data, shape: [12, 1024, 1024] });
  await using context = new RunContext({ memory: 10 * MiB, workers: 2 });
  const job = await plan(scan, { it: sumPixels() }, { context });
  assertEquals([job.memory.samples, job.memory.inline, job.memory.workers], [0, true, 1]);
  assertStringIncludes(job.explain(), "thread     this one");
  assertEquals(numbers((await run(job)).it!.intensity!.data), Array(12).fill(2 * MiB));
  await context.settled();
  assert(context.arena.peak <= 10 * MiB);
  await using tiny = new RunContext({ memory: 1000, workers: 2 });
  const error = await assertRejects(() => plan(scan, { it: sumPixels() }, { context: tiny }), TilewiseError);
  assertEquals(error.code, "over-budget");
});

Deno.test("on the calling thread nothing is copied", async () => {
  const scan = await open({ data: new Uint8Array(2048), shape: [2, 32, 32] });
  assertEquals((await plan(scan, { it: sumPixels() })).memory.samples, 0);
  const closure = mapFrames((frame) => frame[0]!);
  const large = await open({ data: new Uint8Array(6 * MiB), shape: [6, 1024, 1024] });
  assertEquals((await plan(large, { it: closure })).memory.samples, 0);
});

both("a result of one run is the input of the next", async (context) => {
  const scan = await open({ data: Uint16Array.from(counts(60 * 64, 4)), shape: [6, 10, 8, 8] });
  const { spectra } = await run(
    await plan(scan, { spectra: radialFourier({ bins: 2, maxOrder: 3 }) }, { context }),
  );
  const next = await open(spectra!.intensity!);
  assertEquals([next.shape, next.dtype], [[6, 10, 2, 4], "complex128"]);
  const { total } = await run(await plan(next, { total: sumFrames() }, { context }));
  assert(numbers(total!.intensity!.data).every(Number.isFinite));
});

both("frames outside of a region stay invalid in what is computed from its result", async (context) => {
  const samples = counts(12 * 6, 8, 50);
  const scan = await open({ data: Uint8Array.from(samples), shape: [3, 4, 2, 3] });
  const roi = Uint8Array.from({ length: 12 }, (_, i) => i % 3 === 0 ? 0 : 1);
  const MODULE = import.meta.resolve("../builtin/map_functions.ts");
  const doubled = mapFrames(MODULE, { export: "rows" });
  const { filtered } = await run(await plan(scan, { filtered: doubled }, { context, roi }));
  const again = await open(filtered!.result!);
  assertEquals([again.shape, [...again.valid!]], [[3, 4, 2, 3], [...roi]]);
  const udfs = { bright: sumPixels(), dp: sumFrames(), picked: pickFrames() };
  const { bright, dp, picked } = await run(await plan(again, udfs, { context, partitions: 4 }));
  const sums = Array.from(
    roi,
    (on, i) => on ? samples.subarray(6 * i, 6 * i + 6).reduce((a, b) => a + b) : NaN,
  );
  assertEquals([numbers(bright!.intensity!.data), [...bright!.intensity!.valid!]], [sums, [...roi]]);
  const total = [0, 1, 2, 3, 4, 5].map((p) =>
    roi.reduce((sum, on, i) => sum + (on ? samples[6 * i + p]! : 0), 0)
  );
  assertEquals(numbers(dp!.intensity!.data), total);
  assertEquals(picked!.intensity!.shape, [8, 2, 3]);
  const some = await run(await plan(again, udfs, { context, roi: [[0, 0], [0, 1], [0, 3]] }));
  assertEquals([...some.bright!.intensity!.valid!], [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
});

Deno.test("a frame that is not valid is picked as zeros that are not valid, and none at all is not an error", async () => {
  const data = Float32Array.of(1, 2, 3, 4);
  const scan = await open(ndarray(data, [2, 1, 2], "float32", Uint8Array.of(1, 0)));
  assertEquals((await read(scan, [0])).valid, undefined);
  const { data: zeros, valid, shape } = await read(scan, [1]);
  assertEquals([[...zeros], [...valid!], shape], [[0, 0], [0, 0], [1, 2]]);
  for (
    const [mask, samples] of [[[0, 1], [0, 0, 3, 4]], [[1, 0], [1, 2, 0, 0]], [[0, 0], [0, 0, 0, 0]]] as const
  ) {
    const all = await read(await open(ndarray(data, [2, 1, 2], "float32", Uint8Array.from(mask))));
    assertEquals([[...all.data], [...all.valid!]], [samples, mask], "every frame at its place");
  }
  const none = await open(ndarray(data, [2, 1, 2], "float32", Uint8Array.of(0, 0)));
  const { it } = await run(await plan(none, { it: sumPixels() }));
  assertEquals([numbers(it!.intensity!.data), [...it!.intensity!.valid!]], [[NaN, NaN], [0, 0]]);
});

Deno.test("clusters and exports leave out frames that are not valid", async () => {
  const frames = [2, 2, 9, 2, 9, 9].map((middle) => [1, 1, 1, 1, middle, 1, 1, 1, 1]);
  const valid = Uint8Array.of(1, 1, 1, 0, 1, 1);
  const scan = await open(ndarray(Float32Array.from(frames.flat()), [2, 3, 3, 3], "float32", valid));
  const { labels } = await clusterFrames(scan, { n: 2 });
  assertEquals([...labels.valid!], [...valid]);
  const folder = await Deno.makeTempDir();
  try {
    const { shape } = await exportDataset(scan, `${folder}/all.npy`);
    assertEquals(shape, [5, 3, 3]);
    const back = await open(`${folder}/all.npy`);
    assertEquals(numbers((await read(back, [3])).data), frames[4]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a manifest has the digest of samples in memory", async () => {
  const scan = await open({ data: Uint8Array.of(1, 2, 3, 4), shape: [2, 1, 2] });
  const job = await plan(scan, { it: sumPixels() });
  const { dataset, inputs, command } = await runManifest(job, await run(job));
  assertEquals([dataset.format, dataset.source, inputs[0]!.bytes, command], [
    "memory",
    "memory",
    4,
    undefined,
  ]);
});
