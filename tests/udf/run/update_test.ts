/** Parameters change while a run goes on: on workers, in merges, in results; or not at all. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { WorkerPool } from "../../../src/executor/pool/pool.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { diskDetector } from "../../../src/udf/builtin/detectors.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { PartialResults } from "../../../src/udf/plan/plan_facts.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { counts, memoryScan, numbers } from "../data.ts";

const MODULE = import.meta.resolve("./update_udf.ts");
const FRAMES = 1024;
const VALUES = counts(FRAMES * 64, 1);
const scan = () => memoryScan(VALUES, [32, 32], [8, 8], "uint16");
const scaled = (params = {}) => udf(MODULE, { params: { factor: 1, gain: 1, ...params } });

const job = (context: RunContext, params = {}) =>
  plan(scan(), { own: scaled(params), other: scaled(), sum: sumFrames() }, { context, partitions: 32 });

/** Every frame of a part has one factor, and each factor as many partitions as its version says. */
function consistent({ results, versions, damage }: PartialResults, factors: readonly number[]): void {
  const used = numbers(results.own!.used!.data);
  assertEquals(numbers(results.own!.weight!.data), used);
  const done = numbers(damage.data);
  const frames = Map.groupBy(versions, ({ version }) => factors[version]!);
  for (const [factor, same] of frames) {
    const partitions = same.reduce((sum, { partitions }) => sum + partitions, 0);
    assertEquals(used.filter((value, f) => done[f] && value === factor).length, 32 * partitions);
  }
  assertEquals(
    versions.reduce((sum, { partitions }) => sum + partitions, 0),
    done.filter(Boolean).length / 32,
  );
  assert(
    numbers(results.other!.used!.data).every((factor, f) => !done[f] || factor === 1),
    "the other UDF stays",
  );
}

for (const workers of [0, 2]) {
  const open = () => new RunContext({ memory: 2 ** 24, workers });

  Deno.test(`${workers} workers: partitions that start after an update use it, and so do results`, async () => {
    await using context = open();
    const running = run(await job(context, { ms: 0.1 }));
    const parts: PartialResults[] = [];
    for await (const part of running) {
      consistent(part, [1, 10, 10]);
      parts.push(part);
      if (part.progress.partitions >= 2 && part.version === 0) {
        assertEquals(await running.update({ own: { factor: 10 } }), 1);
        assertEquals(part.version, 0);
      }
      if (part.progress.partitions >= 16 && part.version === 1) await running.update({ own: { gain: 0.5 } });
    }
    const last = parts.at(-1)!;
    assertEquals(last.version, 2);
    assertEquals(last.versions.map(({ version }) => version).slice(0, 2), [0, 1]);
    const used = numbers(last.results.own!.used!.data);
    if (workers === 0) assertEquals(used, [...Array(64).fill(1), ...Array(960).fill(10)]);
    assertEquals(used.at(-1), 10);
    assertEquals(numbers(last.results.own!.sum!.data), [used.reduce((sum, v) => sum + v, 0) / 2]);
    const total = numbers(last.results.sum!.intensity!.data).reduce((sum, v) => sum + v, 0);
    assertEquals(total, VALUES.reduce((sum, v) => sum + v, 0));
    await context.settled();
    assertEquals(context.arena.used, 0);
  });

  Deno.test(`${workers} workers: a refused update changes nothing`, async () => {
    await using context = open();
    const masks = [{ cy: 4, cx: 4, ro: 2 }];
    const closure = udf({ name: "here", buffers: { x: { kind: "nav" } }, processFrame: () => {} });
    const udfs = { own: scaled({ ms: 0.1 }), masks: applyMasks({ masks }), ...(workers ? {} : { closure }) };
    const planned = await plan(scan(), udfs, { context, partitions: 32 });
    const expected = await run(planned);
    const running = run(planned);
    const wrong: [Record<string, Record<string, unknown>>, string, string][] = [
      [{ nobody: {} }, "invalid", 'the run has "own", "masks"'],
      [{ own: { factor: 7, more: true } }, "udf", "other buffers"],
      [{ own: { factor: 8 }, masks: { masks: [...masks, ...masks] } }, "udf", "other buffers"],
      [{ own: { factor: () => 1 } }, "udf", "the parameter factor is a function"],
      [{ own: { factor: 9, size: 2 ** 21 } }, "over-budget", "16 MiB"],
      [{ own: { factor: 6 }, masks: { masks: [] } }, "invalid", "at least one"],
      ...(workers ? [] : [[{ closure: { a: 1 } }, "udf", "not an export"] as never]),
    ];
    let last: PartialResults | undefined;
    for await (const part of running) {
      if (part.progress.partitions % 8 === 1) {
        for (const [patches, code, text] of wrong) {
          const error = await assertRejects(() => running.update(patches as never), TilewiseError, text);
          assertEquals(error.code, code);
        }
      }
      last = part;
    }
    assertEquals([last!.version, last!.versions], [0, [{ version: 0, partitions: 32 }]]);
    for (const [key, buffers] of Object.entries(expected)) {
      for (const [name, { data }] of Object.entries(buffers)) {
        assertEquals(numbers(last!.results[key]![name]!.data), numbers(data));
      }
    }
    await context.settled();
    assertEquals(context.arena.used, 0);
  });

  Deno.test(`${workers} workers: a mask moves again and again; what is not needed any more is given back`, async () => {
    await using context = open();
    const at = (pixel: number) => ({ masks: [{ cy: pixel >> 3, cx: pixel & 7, ro: 0.5 }] });
    const udfs = { point: applyMasks(at(0)), own: scaled({ ms: 0.1 }) };
    const running = run(await plan(scan(), udfs, { context, partitions: 32 }));
    let [pixel, most, least] = [0, 0, Infinity];
    let last: PartialResults | undefined;
    for await (const part of running) {
      for (let i = 0; i < 2 && pixel < 63; i++) await running.update({ point: at(++pixel) });
      most = Math.max(most, context.arena.used);
      least = Math.min(least, context.arena.used);
      last = part;
    }
    const found = numbers(last!.results.point!.intensity!.data);
    const pixels = found.map((v, f) =>
      VALUES.subarray(64 * f, 64 * f + 64).findIndex((sample) => sample === v)
    );
    assert(pixels.every((p) => p >= 0) && new Set(found).size > (workers ? 2 : 20));
    if (workers === 0) {
      found.forEach((v, f) => assertEquals(v, VALUES[64 * f + Math.min(63, 2 * Math.floor(f / 32))]));
    }
    assert(most - least <= 12 * 3000, `${most - least} B are kept of ${pixel} masks`);
    await context.settled();
    assertEquals(context.arena.used, 0);
  });
}

Deno.test("updates before the start and after the end are for the passes that follow", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 1 });
  const running = run(await job(context));
  const [first, second] = await Promise.all([
    running.update({ own: { factor: 2 } }),
    running.update({ own: { gain: 3 } }),
  ]);
  assertEquals([first, second], [1, 2]);
  const results = await running;
  assertEquals(new Set(numbers(results.own!.used!.data)), new Set([2]));
  assertEquals(numbers(results.own!.sum!.data), [2 * 3 * FRAMES]);
  await running.update({ own: { factor: 5 } });
  for await (const { results, version, versions } of running) {
    assertEquals(version, 3);
    assertEquals(versions.map((one) => one.version), [3]);
    assertEquals(results.own!.sum!.data[0], 15 * versions[0]!.partitions * 32);
  }
  assertEquals(numbers((await running).own!.sum!.data), [2 * 3 * FRAMES]);
});

Deno.test("a partition whose worker died is computed with the parameters it had", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 2 });
  const running = run(await job(context, { ms: 0.5 }));
  let last: PartialResults | undefined;
  for await (const part of running) {
    if (part.progress.partitions >= 2 && part.version === 0) {
      await running.update({ own: { factor: 10 } });
      (context.executor as WorkerPool).kill(0);
    }
    if (part.progress.partitions >= 16 && part.version === 1) {
      await running.update({ own: { factor: 100 } });
      (context.executor as WorkerPool).kill(1);
    }
    last = part;
  }
  consistent(last!, [1, 10, 100]);
  assertEquals(last!.progress.partitions, 32);
});

Deno.test("a detector cannot move to rows that are not read", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 0 });
  const big = memoryScan(counts(64 * 4096 * 2, 2), [64], [128, 64], "uint16");
  const udfs = { disk: diskDetector({ cy: 30, cx: 30, r: 8 }) };
  const running = run(await plan(big, udfs, { context }));
  await running.update({ disk: { r: 7 } });
  await assertRejects(() => running.update({ disk: { cy: 60 } }), TilewiseError, "cull: false");
  const free = run(await plan(big, udfs, { context, cull: false }));
  await free.update({ disk: { cy: 60 } });
  await free;
});
