/** How runs go: parts, progress, cancel, errors, budgets, blanks. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { noop } from "../../../src/udf/builtin/noop.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import type { WorkerPool } from "../../../src/executor/pool/pool.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { dryRun } from "../../../src/udf/results/dry_run.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { counts, goldenScan, memoryScan, numbers } from "../data.ts";

const OWN = import.meta.resolve("../own_udf.ts");
const FRAMES = 256;
const big = () => memoryScan(counts(FRAMES * 1024, 1), [16, 16], [32, 32], "uint16");
const MIB = 2 ** 20;

Deno.test("parts grow, damage grows, progress ends at all", async () => {
  await using context = new RunContext({ memory: 16 * MIB, workers: 0 });
  const job = await plan(big(), { bright: sumPixels(), sum: sumFrames() }, { context, partitions: 8 });
  const seen: number[] = [];
  let last = 0;
  for await (const { results, damage, progress } of run(job)) {
    const done = numbers(damage.data).reduce((sum, d) => sum + d, 0);
    assertEquals(progress.frames, done);
    assertEquals([...results.bright!.intensity!.valid!], numbers(damage.data));
    const total = numbers(results.sum!.intensity!.data).reduce((sum, v) => sum + v, 0);
    const bright = numbers(results.bright!.intensity!.data).filter((v) => !Number.isNaN(v));
    assertEquals(total, bright.reduce((sum, v) => sum + v, 0), "the sum image covers the same frames");
    seen.push(progress.partitions);
    last = done;
  }
  assertEquals(seen, [1, 2, 3, 4, 5, 6, 7, 8, 8]);
  assertEquals(last, FRAMES);
  assertEquals(context.arena.used, 0);
});

Deno.test("an empty region gives results without a frame", async () => {
  await using context = new RunContext({ memory: 16 * MIB, workers: 0 });
  const job = await plan(goldenScan(), { bright: sumPixels(), sum: sumFrames() }, { context, roi: [] });
  const { bright, sum } = await run(job);
  assertEquals(numbers(sum!.intensity!.data), Array(20).fill(0));
  assert(numbers(bright!.intensity!.data).every(Number.isNaN));
});

Deno.test("blank positions are invalid: sync offset of both signs", async () => {
  await using context = new RunContext({ memory: 16 * MIB, workers: 0 });
  const values = Array.from({ length: 16 }, (_, i) => i + 1);
  const of = async (syncOffset: number) => {
    const scan = memoryScan(values, [4, 4], [1, 1], "uint16", { syncOffset });
    const { it } = await run(await plan(scan, { it: sumPixels() }, { context }));
    return numbers(it!.intensity!.data).map((v, i) => it!.intensity!.valid![i] ? v : -1);
  };
  assertEquals(await of(-3), [-1, -1, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  assertEquals(await of(2), [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, -1, -1]);
});

Deno.test("a dry run has the shapes and no numbers", async () => {
  await using context = new RunContext({ memory: 16 * MIB, workers: 0 });
  const results = dryRun(await plan(goldenScan(), { bright: sumPixels(), sum: sumFrames() }, { context }));
  assertEquals(results.bright!.intensity!.shape, [3, 4]);
  assertEquals(results.sum!.intensity!.shape, [4, 5]);
});

Deno.test("the plan says what it will do, and refuses what does not fit", async () => {
  await using context = new RunContext({ memory: 16 * MIB, workers: 2 });
  const job = await plan(big(), { sum: sumFrames() }, { context });
  assertEquals(job.bytesToRead, FRAMES * 2048);
  assert(job.memory.total <= 16 * MIB);
  for (const word of ["512 KiB", "sum", "tiles", "memory"]) assertStringIncludes(job.explain(), word);
  await using small = new RunContext({ memory: 8192, workers: 1 });
  const error = await assertRejects(
    () => plan(big(), { sum: sumFrames() }, { context: small }),
    TilewiseError,
  );
  assertEquals(error.code, "over-budget");
  assertStringIncludes(error.message, "8 KiB");
});

Deno.test("cancel before and during a run", async () => {
  await using context = new RunContext({ memory: 16 * MIB, workers: 2 });
  const slow = udf(OWN, { export: "slow", params: { ms: 1 } });
  const job = await plan(big(), { slow }, { context, partitions: 8 });
  const error = await assertRejects(
    async () => await run(job, { signal: AbortSignal.abort() }),
    TilewiseError,
  );
  assertEquals(error.code, "aborted");
  const controller = new AbortController();
  const late = await assertRejects(async () => {
    for await (const { progress } of run(job, { signal: controller.signal })) {
      if (progress.partitions >= 2) {
        controller.abort();
      }
    }
  }, TilewiseError);
  assertEquals(late.code, "aborted");
  assert(Number(late.details.merged) >= 2 && Number(late.details.merged) < 8, "cancel is prompt");
  const { it } = await run(await plan(big(), { it: noop() }, { context }));
  assertEquals(numbers(it!.seen!.data), Array(FRAMES).fill(1), "the next run is whole");
  await context.settled();
  assertEquals(context.arena.used, 0);
});

Deno.test("a budget for fewer workers than there are gives the same bits, on as many as fit", async () => {
  await using wide = new RunContext({ memory: 64 * MIB, workers: 3 });
  const values = counts(FRAMES * 1024, 1).map((v) => v / 3);
  const scan = memoryScan(values, [16, 16], [32, 32], "float32");
  const udfs = { sum: sumFrames(), slow: udf(OWN, { export: "slow", params: { ms: 0.2 } }) };
  const expected = numbers(
    (await run(await plan(scan, udfs, { context: wide, partitions: 8 }))).sum!.intensity!.data,
  );
  const seen = new Set<number>();
  for (let memory = 100_000; seen.size < 3 && memory < 4 * MIB; memory += 20_000) {
    await using context = new RunContext({ memory, workers: 3 });
    const job = await plan(scan, udfs, { context, partitions: 8 }).catch((error) => {
      assertEquals(error.code, "over-budget");
    });
    if (!job || seen.has(job.memory.workers)) continue;
    seen.add(job.memory.workers);
    assertEquals(numbers((await run(job)).sum!.intensity!.data), expected);
    assert(context.arena.peak <= memory);
  }
  assertEquals([...seen].sort(), [1, 2, 3]);
});

Deno.test("a worker killed during a run changes nothing", async () => {
  await using context = new RunContext({ memory: 16 * MIB, workers: 2 });
  const slow = udf(OWN, { export: "slow", params: { ms: 1 } });
  const job = await plan(big(), { sum: sumFrames(), slow }, { context, partitions: 8 });
  const expected = numbers((await run(job)).sum!.intensity!.data);
  for (const victim of [0, 1]) {
    let last;
    for await (const part of run(job)) {
      if (part.progress.partitions === 2) (context.executor as WorkerPool).kill(victim);
      last = part;
    }
    assertEquals(numbers(last!.results.sum!.intensity!.data), expected);
    assertEquals(numbers(last!.results.slow!.x!.data), Array(FRAMES).fill(1));
    await context.settled();
    assertEquals(context.arena.used, 0);
  }
});

Deno.test("a UDF that throws ends the run with its name, its partition and its stack", async () => {
  for (const workers of [0, 2]) {
    await using context = new RunContext({ memory: 16 * MIB, workers });
    const failing = udf(OWN, { export: "failing", params: { at: 200 } });
    const job = await plan(big(), { failing }, { context, partitions: 8 });
    const error = await assertRejects(async () => await run(job), TilewiseError, "no good");
    assertEquals([error.code, error.details.udf, error.details.partition], ["udf", "failing", 6]);
    assertStringIncludes(String((error.cause as Error).stack), "own_udf.ts");
    await run(await plan(big(), { it: noop() }, { context }));
    await context.settled();
    assertEquals(context.arena.used, 0);
  }
});

Deno.test("a UDF that never returns is a timeout", async () => {
  await using context = new RunContext({ memory: 16 * MIB, workers: 2 });
  const stuck = udf(OWN, { export: "stuck", params: { at: 100 } });
  const job = await plan(big(), { stuck }, { context, partitions: 8 });
  const error = await assertRejects(async () => await run(job, { stallTimeout: 250 }), TilewiseError);
  assertEquals(error.code, "timeout");
});

Deno.test("UDFs that cannot be had say why", async () => {
  await using context = new RunContext({ memory: 16 * MIB, workers: 1 });
  const cases = [
    [udf("file:///nowhere/udf.ts"), "Cannot import"],
    [udf(OWN, { export: "missing" }), "no export"],
    [udf(OWN, { export: "notAUdf" }), "is not a UDF"],
    [udf({ name: "x", buffers: { "a b": { kind: "nav" } }, processTile: () => {} }), "identifier"],
    [udf({ name: "x", buffers: { a: { kind: "sig" } }, processTile: () => {} }), "implement merge"],
    [udf({ name: "x", buffers: { a: { kind: "nav" } } }), "none of"],
  ] as const;
  for (const [ref, text] of cases) {
    const error = await assertRejects(() => plan(goldenScan(), { ref }, { context }), TilewiseError, text);
    assertEquals(error.code, "udf");
  }
  const closure = udf({ name: "here", buffers: { a: { kind: "nav" } }, processTile: () => {} });
  const job = await plan(goldenScan(), { closure }, { context });
  await assertRejects(async () => await run(job), TilewiseError, "cannot travel");
});
