/** Runs that share the budget of one context take turns; nobody starves, nobody waits for ever. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { Arena } from "../../../src/memory/arena.ts";
import { Admission } from "../../../src/runner/admission.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { admissionOf, type ContextOptions, RunContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import type { UdfPlan } from "../../../src/udf/plan/plan_facts.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { counts, memoryScan } from "../data.ts";

const OWN = import.meta.resolve("../own_udf.ts");
const VALUES = counts(256 * 64, 1);
const TOTAL = VALUES.reduce((sum, v) => sum + v, 0);
const scan = () => memoryScan(VALUES, [16, 16], [8, 8], "uint16");
const total = (data: ArrayLike<number | bigint>) => Array.from(data, Number).reduce((sum, v) => sum + v, 0);
const slow = (ms: number) => udf(OWN, { export: "slow", params: { ms } });
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A plan in a context that has room for `runs` of them at a time. */
async function roomFor(
  runs: number,
  workers: number,
  ms = 0.05,
): Promise<{ context: RunContext; job: UdfPlan }> {
  const udfs = { sum: sumFrames(), bright: sumPixels(), slow: slow(ms) };
  const options = (context: RunContext) => ({ context, partitions: 4 });
  await using wide = new RunContext({ memory: 2 ** 26, workers });
  const { memory: { total: peakBytes } } = await plan(scan(), udfs, options(wide));
  const context = new RunContext({ memory: Math.round(peakBytes * (runs + 0.5)), workers });
  return { context, job: await plan(scan(), udfs, options(context)) };
}

/** Grows by the number of each run that gets its memory, in order. */
function orderOfStarts(admission: Admission): number[] {
  const order: number[] = [];
  const enter = admission.enter.bind(admission);
  let runs = 0;
  admission.enter = (take, patience) => {
    const number = runs++;
    return enter(() => {
      const taken = take();
      order.push(number);
      return taken;
    }, patience);
  };
  return order;
}

for (const workers of [0, 2]) {
  Deno.test(`${workers} workers: twenty runs at once in a budget for three are all done, and start in their order`, async () => {
    const { context, job } = await roomFor(3, workers);
    await using _ = context;
    const order = orderOfStarts(admissionOf(context));
    await Promise.all(Array.from({ length: 20 }, async () => {
      const { sum } = await run(job);
      assertEquals(total(sum!.intensity!.data), TOTAL);
    }));
    assertEquals(order, Array.from({ length: 20 }, (_, i) => i));
    await context.settled();
    assertEquals([context.arena.used, admissionOf(context).waiting], [0, 0]);
    assert(context.arena.peak <= context.memory);
  });

  Deno.test(`${workers} workers: with wait: false a run that finds no room fails at once`, async () => {
    const { context, job } = await roomFor(1, workers);
    await using _ = context;
    const parts = run(job)[Symbol.asyncIterator]();
    await parts.next(); // it holds its memory until it is closed
    const error = await assertRejects(
      async () => await run(job, { wait: false }),
      TilewiseError,
      "Cannot lease",
    );
    assertEquals(error.code, "over-budget");
    const queued = (async () => await run(job))();
    while (admissionOf(context).waiting === 0) await sleep(1);
    const late = await assertRejects(
      async () => await run(job, { wait: false }),
      TilewiseError,
      "1 other runs wait",
    );
    assertEquals([late.code, late.details.waiting], ["over-budget", 1]);
    await parts.return!();
    assertEquals(total((await queued).sum!.intensity!.data), TOTAL);
    assertEquals(total((await run(job, { wait: false })).sum!.intensity!.data), TOTAL);
  });

  Deno.test(`${workers} workers: a run that waits for its turn can be cancelled, and those behind it go on`, async () => {
    const { context, job } = await roomFor(1, workers);
    await using _ = context;
    const parts = run(job)[Symbol.asyncIterator]();
    await parts.next();
    const controller = new AbortController();
    const second = (async () => await run(job, { signal: controller.signal }))();
    const third = (async () => await run(job))();
    while (admissionOf(context).waiting < 2) await sleep(1);
    controller.abort("changed my mind");
    const error = await assertRejects(() => second, TilewiseError);
    assertEquals([error.code, error.cause], ["aborted", "changed my mind"]);
    assertEquals(admissionOf(context).waiting, 1);
    await parts.return!();
    assertEquals(total((await third).sum!.intensity!.data), TOTAL);
  });

  Deno.test(`${workers} workers: a run inside of the loop over another one does not wait for ever`, async () => {
    const { context, job } = await roomFor(1, workers);
    await using _ = context;
    let refused = 0;
    for await (const _ of run(job)) {
      if (refused > 0) continue;
      const inner = async () => await run(job, { stallTimeout: 100 });
      const error = await assertRejects(
        inner,
        TilewiseError,
        "whose callers have not asked for more for 0.1 s",
      );
      assertEquals(error.code, "over-budget");
      refused++;
    }
    assertEquals(refused, 1);
    assertEquals(total((await run(job)).sum!.intensity!.data), TOTAL);
  });

  Deno.test(`${workers} workers: a run inside of the loop over another one is done where there is room`, async () => {
    const { context, job } = await roomFor(2, workers);
    await using _ = context;
    let parts = 0;
    for await (const _ of run(job)) {
      assertEquals(total((await run(job)).sum!.intensity!.data), TOTAL);
      parts++;
    }
    assert(parts > 0);
  });

  Deno.test(`${workers} workers: a caller that takes its time is waited for`, async () => {
    const { context, job } = await roomFor(1, workers);
    await using _ = context;
    const parts = run(job)[Symbol.asyncIterator]();
    await parts.next();
    const waiting = (async () => await run(job, { stallTimeout: 600_000 }))();
    while (admissionOf(context).waiting === 0) await sleep(1);
    await parts.return!();
    assertEquals(total((await waiting).sum!.intensity!.data), TOTAL);
  });

  Deno.test(`${workers} workers: disposing of the context ends runs that wait for their turn`, async () => {
    const { context, job } = await roomFor(1, workers);
    const parts = run(job)[Symbol.asyncIterator]();
    await parts.next();
    const waiting = (async () => await run(job))();
    while (admissionOf(context).waiting === 0) await sleep(1);
    const [error] = await Promise.all([
      assertRejects(() => waiting, TilewiseError, "disposed of during the run"),
      context[Symbol.asyncDispose](),
    ]);
    assertEquals([error.code, admissionOf(context).waiting], ["aborted", 0]);
    await parts.return!();
  });
}

Deno.test("small runs do not overtake a large one that waits", async () => {
  const arena = new Arena({ budget: 4096 });
  const admission = new Admission();
  const order: string[] = [];
  const patience = { wait: true, limit: 30_000, signal: new AbortController().signal };
  const enter = async (name: string, bytes: number) => {
    const [lease, tenant] = await admission.enter(() => arena.lease(bytes, name), patience);
    order.push(name);
    return () => {
      lease.release();
      admission.leave(tenant);
    };
  };
  const [a, b] = [await enter("a", 2048), await enter("b", 2048)];
  const waiting = [enter("large", 4096), enter("small", 64), enter("smaller", 64)];
  await sleep(0);
  a();
  await sleep(0);
  assertEquals([order, admission.waiting], [["a", "b"], 3]);
  b();
  (await waiting[0]!)();
  for (const leave of await Promise.all(waiting.slice(1))) leave();
  assertEquals([order, arena.used], [["a", "b", "large", "small", "smaller"], 0]);
});

Deno.test("a run that does not fit when nobody holds anything is refused at once, and the next one is let in", async () => {
  const arena = new Arena({ budget: 4096 });
  const admission = new Admission();
  const patience = { wait: true, limit: 30_000, signal: new AbortController().signal };
  const enter = (bytes: number) => admission.enter(() => arena.lease(bytes, "tiles"), patience);
  const code = (entering: Promise<unknown>) =>
    entering.then(() => "in", (error: TilewiseError) => error.code);
  assertEquals(await code(enter(8192)), "over-budget");
  const [lease, tenant] = await enter(64);
  const waiting = [code(enter(8192)), code(enter(64))];
  lease.release();
  admission.leave(tenant);
  assertEquals(await Promise.all(waiting), ["over-budget", "in"]);
});

/** A pipe whose readers wait until it is disposed of. */
async function makePipe(): Promise<{ readonly path: string } & AsyncDisposable> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/pipe`;
  await new Deno.Command("mkfifo", { args: [path] }).output();
  return {
    path,
    async [Symbol.asyncDispose]() {
      await Deno.writeFile(path, new Uint8Array(16), { append: true, create: false });
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("a run goes on unharmed when a thread of another one cannot be ended", async () => {
  await using pipe = await makePipe();
  await using context = new RunContext({ memory: 2 ** 24, workers: 2 });
  const blocked = udf(OWN, { export: "blocked", params: { at: 100, path: pipe.path } });
  const hanging = await plan(scan(), { blocked }, { context, partitions: 8 });
  const long = await plan(scan(), { sum: sumFrames() }, { context, partitions: 64 });
  const parts = run(long)[Symbol.asyncIterator]();
  let last = await parts.next();
  const { arena } = context;
  const error = await assertRejects(async () => await run(hanging, { stallTimeout: 200 }), TilewiseError);
  assertEquals([error.code, error.details.udf, error.details.hook], ["timeout", "blocked", "processFrame"]);
  while (context.arena === arena) await sleep(20); // it is given up, as the thread may still write to it
  for (let next = await parts.next(); !next.done; next = await parts.next()) last = next;
  assertEquals(total(last.value!.results.sum!.intensity!.data), TOTAL);
});

Deno.test("a thread that cannot be ended does not keep the next run waiting where there is room", async () => {
  await using pipe = await makePipe();
  await using context = new RunContext({ memory: 2 ** 24, workers: 2 });
  const blocked = udf(OWN, { export: "blocked", params: { at: 100, path: pipe.path } });
  const hanging = await plan(scan(), { blocked }, { context, partitions: 8 });
  await assertRejects(async () => await run(hanging, { stallTimeout: 200 }), TilewiseError);
  const { arena } = context;
  const held = arena.used;
  const { sum } = await run(await plan(scan(), { sum: sumFrames() }, { context }));
  assertEquals(total(sum!.intensity!.data), TOTAL);
  assert(held > 0 && arena.used > 0, "what the thread has is not used again");
});

Deno.test("a UDF that never returns is ended, and its memory is there for the next run", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 2 });
  const stuck = udf(OWN, { export: "stuck", params: { at: 100 } });
  const hanging = await plan(scan(), { stuck }, { context, partitions: 8 });
  const error = await assertRejects(async () => await run(hanging, { stallTimeout: 200 }), TilewiseError);
  assertEquals([error.code, error.details.udf, error.details.hook], ["timeout", "stuck", "processFrame"]);
  const { arena } = context;
  await context.settled();
  assertEquals([arena.used, arena === context.arena], [0, true]);
});

Deno.test("budgets, workers and heaps that cannot be are refused before anything starts", () => {
  const refused = (options: ContextOptions, message: string) => {
    const error = assertThrows(() => new RunContext(options), TilewiseError, message);
    assertEquals([error.code, error.details.option], ["invalid", Object.keys(options)[0]]);
  };
  for (const memory of [0, -1, NaN, 1.5, "much"]) refused({ memory }, "it must be a count of bytes from 1");
  for (const workers of [-1, 1.5, NaN, 1025]) refused({ workers }, "from 0 to 1024");
  for (const heap of ["1MiB", 2 ** 25 - 1, NaN]) refused({ heap }, "it must be a count of bytes from 32 MiB");
});

Deno.test("kernels address at most 4 GiB less 64 KiB of a larger budget", () => {
  const { memory, arenaBudget } = new RunContext({ memory: "8GiB", workers: 0 });
  assertEquals([memory, arenaBudget], [8 * 2 ** 30, 2 ** 32 - 65536]);
  assertEquals(new RunContext({ memory: "3GiB", workers: 0 }).arenaBudget, 3 * 2 ** 30);
});
