/** Runs are steered from outside: cancel, progress, closing the iterator, looking at parts late. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import type { PartialResults, Progress } from "../../../src/udf/plan/plan_facts.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { counts, memoryScan, numbers } from "../data.ts";

const OWN = import.meta.resolve("../own_udf.ts");
const FRAMES = 256;
const VALUES = counts(FRAMES * 64, 1);
const scan = () => memoryScan(VALUES, [16, 16], [8, 8], "uint16");
const TOTAL = VALUES.reduce((sum, v) => sum + v, 0);
const slow = udf(OWN, { export: "slow", params: { ms: 1 } });
const total = (data: ArrayLike<number | bigint>) => Array.from(data, Number).reduce((sum, v) => sum + v, 0);

const job = (context: RunContext) =>
  plan(scan(), { sum: sumFrames(), bright: sumPixels(), slow }, { context, partitions: 8 });

/** The context holds nothing any more and computes what it should. */
async function stillUsable(context: RunContext): Promise<void> {
  await context.settled();
  assertEquals(context.arena.used, 0);
  const { sum } = await run(await plan(scan(), { sum: sumFrames() }, { context }));
  assertEquals(total(sum!.intensity!.data), TOTAL);
}

for (const workers of [0, 2]) {
  const open = () => new RunContext({ memory: 2 ** 24, workers });

  Deno.test(`${workers} workers: cancel() ends the run at once and says how far it came`, async () => {
    await using context = open();
    const running = run(await job(context));
    const reason = new Error("enough");
    const error = await assertRejects(async () => {
      for await (const { progress } of running) if (progress.partitions >= 2) running.cancel(reason);
    }, TilewiseError);
    assertEquals([error.code, error.details.partitions, error.cause], ["aborted", 8, reason]);
    const { merged } = error.details as { merged: number };
    assert(merged >= 2 && merged < 8 && error.message.includes(`after ${merged} of 8 partitions`));
    assertEquals(running.progress.partitions, merged);
    await assertRejects(async () => await running, TilewiseError, "ancelled");
    await stillUsable(context);
  });

  Deno.test(`${workers} workers: break, return and throw stop the run and return its memory`, async () => {
    await using context = open();
    const planned = await job(context);
    for await (const { progress } of run(planned)) if (progress.partitions === 1) break;
    await stillUsable(context);

    const running = run(planned);
    const parts = running[Symbol.asyncIterator]();
    await parts.next();
    const pending = parts.next();
    assertEquals(await parts.return!(), { done: true, value: undefined });
    assertEquals(await pending, { done: true, value: undefined });
    assert(running.progress.partitions < 8, "does not wait for the end");
    assertEquals(await parts.next(), { done: true, value: undefined });
    await stillUsable(context);

    const thrown = run(planned)[Symbol.asyncIterator]();
    await thrown.next();
    const error = await assertRejects(() => thrown.throw!(new RangeError("not mine")), RangeError);
    assertEquals(error.message, "not mine");
    await stillUsable(context);

    const never = run(planned)[Symbol.asyncIterator]();
    await never.return!();
    assertEquals(await never.next(), { done: true, value: undefined });
    await assertRejects(async () => {
      for await (const _ of run(planned)) throw new RangeError("in the loop");
    }, RangeError);
    await stillUsable(context);
  });

  Deno.test(`${workers} workers: progress is reported at most as often as asked for, and at the end`, async () => {
    await using context = open();
    const calls: Progress[] = [];
    const begun = performance.now();
    const onProgress = (progress: Progress) => void calls.push(progress);
    const running = run(await job(context), { onProgress, progressRate: 50 });
    assertEquals([running.progress.frames, running.progress.framesTotal], [0, FRAMES]);
    await running;
    const seconds = (performance.now() - begun) / 1000;
    assert(calls.length >= 2 && calls.length <= 50 * seconds + 2, `${calls.length} in ${seconds} s`);
    const frames = calls.map(({ frames }) => frames);
    assertEquals([...frames].sort((a, b) => a - b), frames);
    const last = calls.at(-1)!;
    assertEquals([last.frames, last.partitions, last.partitionsInProgress], [FRAMES, 8, 0]);
    assertEquals([last.bytes, last.bytesTotal], [FRAMES * 128, FRAMES * 128]);
    assertEquals(running.progress.partitions, 8);
    const { seconds: ended } = running.progress;
    await new Promise((resolve) => setTimeout(resolve, 20));
    assertEquals(running.progress.seconds, ended, "the clock stops with the run");
    await assertRejects(
      async () => await run(await job(context), { onProgress, progressRate: 0 }),
      TilewiseError,
    );
    await stillUsable(context);
  });

  Deno.test(`${workers} workers: an error of onProgress ends the run`, async () => {
    await using context = open();
    const onProgress = () => {
      throw new RangeError("no screen");
    };
    const planned = await job(context);
    await assertRejects(
      async () => await run(planned, { onProgress, progressRate: 100 }),
      RangeError,
      "no screen",
    );
    await stillUsable(context);
  });

  Deno.test(`${workers} workers: only the newest part can be looked at late, and it stays`, async () => {
    await using context = open();
    const parts: PartialResults[] = [];
    for await (const part of run(await job(context))) {
      if (parts.length % 2 === 0) part.results;
      parts.push(part);
      if (parts.length === 5) break;
    }
    const newest = parts.pop()!;
    await stillUsable(context); // other runs use the same memory
    parts.forEach((part, i) => {
      if (i % 2 === 0) return agrees(part);
      const error = assertThrows(() => part.results, TilewiseError, "there is a newer one");
      assertEquals(error.code, "invalid");
    });
    agrees(newest);
    let last: PartialResults | undefined;
    for await (const part of run(await job(context))) last = part;
    await stillUsable(context);
    assertEquals(total(last!.results.sum!.intensity!.data), TOTAL);
  });
}

/** The sum image of a part has exactly the frames that its damage says. */
function agrees({ results, damage }: PartialResults): void {
  const covered = numbers(damage.data).reduce(
    (sum, on, f) => sum + (on ? total(VALUES.subarray(64 * f, 64 * f + 64)) : 0),
    0,
  );
  assertEquals(total(results.sum!.intensity!.data), covered);
}

for (const [name, ref] of [["frame by frame", slow], ["in tiles", sumFrames()]] as const) {
  Deno.test(`a timer that aborts is heard while a run computes ${name} on the calling thread`, async () => {
    await using context = new RunContext({ memory: 2 ** 26, workers: 0 });
    const frames = name === "in tiles" ? 2 ** 20 : FRAMES;
    const bytes = name === "in tiles" ? new Uint8Array(new SharedArrayBuffer(frames * 256)) : undefined;
    const large = bytes && await open(bytes, { format: "raw", dtype: "uint8", nav: [frames], sig: [16, 16] });
    const job = await plan(large ?? scan(), { ref }, { context, partitions: 1 });
    const controller = new AbortController();
    setTimeout(() => controller.abort("heard"), 1);
    const error = await assertRejects(
      async () => await run(job, { signal: controller.signal }),
      TilewiseError,
    );
    assertEquals([error.code, error.cause], ["aborted", "heard"]);
    await context.settled();
    assertEquals(context.arena.used, 0);
  });
}

Deno.test("a run can be awaited, iterated and awaited again; each iteration is a pass of its own", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 0 });
  const running = run(await plan(scan(), { sum: sumFrames() }, { context, partitions: 4 }));
  const first = await running;
  assert(await running === first);
  let parts = 0;
  for await (const _ of running) parts++;
  assertEquals(parts, 5);
  running.cancel();
  assert(await running === first, "what is done is done");
  await assertRejects(() => running[Symbol.asyncIterator]().next(), TilewiseError);
});

Deno.test("a UDF that never returns ends a run, and the context can be used again", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 2 });
  const endless = udf(OWN, { export: "stuck", params: { at: 100 } });
  const hanging = await plan(scan(), { endless }, { context, partitions: 8 });
  const error = await assertRejects(async () => await run(hanging, { stallTimeout: 200 }), TilewiseError);
  assertEquals(error.code, "timeout");
  const { sum } = await run(await plan(scan(), { sum: sumFrames() }, { context }));
  assertEquals(total(sum!.intensity!.data), TOTAL);
});

Deno.test("frames of partitions that wait for an earlier one count, and go on counting when it is merged", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 2 });
  const folder = await Deno.makeTempDir();
  const gate = `${folder}/open`;
  const late = udf(OWN, { export: "gated", params: { at: 0, gate } });
  const seen: Progress[] = [];
  const onProgress = (progress: Progress) => {
    seen.push(progress);
    if (progress.frames >= 32) Deno.writeTextFileSync(gate, "");
  };
  try {
    await run(await plan(scan(), { late }, { context, partitions: 8 }), { onProgress, progressRate: 200 });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const frames = seen.map(({ frames }) => frames);
  assertEquals(frames.toSorted((a, b) => a - b), frames);
  assert(
    seen.some(({ frames, partitions }) => partitions === 0 && frames >= 32),
    "others are done meanwhile",
  );
});

Deno.test("a UDF that sends messages disturbs nobody, and the run tells of it", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 2 });
  const talking = udf(OWN, { export: "talking" });
  const running = run(await plan(scan(), { talking, sum: sumFrames() }, { context, partitions: 8 }));
  const { sum } = await running;
  assertEquals(total(sum!.intensity!.data), TOTAL);
  assert(/^UDFs on workers have sent \d+ messages to the main thread/.test(running.warnings[0] ?? ""));
  await stillUsable(context);
});

Deno.test("a UDF that fills the heap of its worker is an error that names it, and other runs go on", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 2, heap: "64MiB" });
  const hoarding = await plan(scan(), { ref: udf(OWN, { export: "hoarding" }) }, { context, partitions: 4 });
  const other = await plan(scan(), { sum: sumFrames(), slow }, { context, partitions: 8 });
  const results = (async () => await run(other))();
  const error = await assertRejects(async () => await run(hoarding), TilewiseError);
  assertEquals([error.code, error.details.udf, error.details.hook], ["worker", "hoarding", "processFrame"]);
  assert(error.message.includes("out of memory"), error.message);
  assertEquals(total((await results).sum!.intensity!.data), TOTAL);
  await stillUsable(context);
});
