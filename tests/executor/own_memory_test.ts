/** Threads that share no memory with their caller, as in pages that are not isolated. */

import "../fences/mod.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { createContext, open, plan, run, udf } from "../../mod.ts";
import { TilewiseError } from "../../src/errors.ts";
import { workerPool } from "../../src/executor/pool/pool.ts";
import { executorConformance, GRACE } from "./conformance.ts";
import type { Odd } from "./process/jobs/odd.ts";
import { answers, collect, failure, Steps } from "./steps.ts";

for (const workers of [1, 2]) {
  executorConformance(
    `${workers} threads with their own memory`,
    () => workerPool({ workers, memory: "own", grace: GRACE }),
  );
}
const limited = { workers: 1, memory: "own", heap: 2 ** 27, grace: GRACE } as const;
executorConformance("a thread with its own memory and a limited heap", () => workerPool(limited));

const MODULE = import.meta.resolve("./process/jobs/odd.ts");
const newMemory = (shared: boolean) => new WebAssembly.Memory({ initial: 2, maximum: 2, shared });

for (const shared of [true, false]) {
  Deno.test(`what tasks read is there, what they write comes back, and nothing else is touched (shared: ${shared})`, async () => {
    await using pool = workerPool({ workers: 1, memory: "own" });
    const memory = newMemory(shared);
    const bytes = new Uint8Array(memory.buffer);
    bytes.set([1, 2, 3, 4, 5, 6, 7, 8]);
    const traffic = {
      reads: [{ offset: 0, bytes: 4 }],
      of: (task: Odd) => ({
        reads: task.do === "memory" ? [{ offset: 4, bytes: 1, rows: 2, stride: 3 }] : [],
        writes: task.do === "add" ? [{ offset: 20, bytes: 4, from: 8 }] : [],
      }),
    };
    const job = { module: MODULE, export: "odd", shared: {}, traffic };
    const run = pool.run<object, Odd, unknown>(job, [{ do: "memory" }, { do: "add" }], { memory });
    const found = (await collect(run)).toSorted((a, b) => a.index - b.index);
    assertEquals(found[0]!.value, [1, 2, 3, 4, 5, 0, 0, 8, ...Array(8).fill(0)]);
    assertEquals([...bytes.subarray(0, 24)], [
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8,
      ...Array(12).fill(0),
      101,
      102,
      103,
      104,
    ]);
    assertEquals(bytes[100], 0, "what is not said to be written stays where it is");
  });
}

Deno.test("jobs that need shared memory are refused", async () => {
  await using pool = workerPool({ workers: 1, memory: "own" });
  const job = { module: MODULE, export: "odd", shared: {}, needsShared: "its tasks wait for each other" };
  const text = "its tasks wait for each other; use workerPool(), whose workers share the memory";
  const error = assertThrows(() => pool.run(job, [], { memory: newMemory(true) }), TilewiseError, text);
  assertEquals(error.code, "unsupported");
});

Deno.test("a loop that does not pause is ended when its run is cancelled, and nothing is written off", async () => {
  await using pool = workerPool({ workers: 2, memory: "own", grace: 50 });
  using steps = new Steps(pool);
  const stop = new AbortController();
  const run = steps.run([{ do: "poll", ms: 3000 }, { do: "poll", ms: 3000 }], { signal: stop.signal });
  const ended = failure(collect(run), "aborted");
  await steps.begun(2);
  stop.abort();
  await ended;
  assert(await run.drained, "its memory may be used again");
  assertEquals([pool.replaced, pool.stuck], [2, 0]);
  assertEquals((await steps.all(answers(9))).length, 9);
});

Deno.test("a run that is cancelled in a loop that pauses keeps its workers", async () => {
  await using executor = workerPool({ workers: 2, memory: "own", grace: 20_000 });
  await using context = createContext({ executor, memory: "64MiB" });
  const scan = await open({ data: new Float32Array(2 ** 22), shape: [64, 64, 32, 32] });
  const slow = udf(import.meta.resolve("./jobs/slow_udf.ts"));
  const planned = await plan(scan, { slow }, { context, partitions: 2 });
  const stop = new AbortController();
  const onProgress = ({ frames }: { readonly frames: number }) => void (frames > 0 && stop.abort());
  await failure((async () => await run(planned, { signal: stop.signal, onProgress }))(), "aborted");
  await context.settled();
  assertEquals([executor.replaced, context.used], [0, 0]);
});

Deno.test("the error about a worker that hangs names the function it was in", async () => {
  await using executor = workerPool({ workers: 1, memory: "own" });
  await using context = createContext({ executor, memory: "64MiB" });
  const scan = await open({ data: new Float32Array(256), shape: [2, 2, 8, 8] });
  const spinning = udf(import.meta.resolve("./jobs/slow_udf.ts"), { params: { milliseconds: 4000 } });
  const planned = await plan(scan, { spinning }, { context });
  const error = await failure((async () => await run(planned, { stallTimeout: 150 }))(), "timeout");
  assertStringIncludes(error.message, 'processFrame() of UDF "slow_udf"');
});

Deno.test("a program without shared memory computes on workers, with the same bits", async () => {
  const program = fromFileUrl(new URL("./jobs/not_isolated.ts", import.meta.url));
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  const { workers, equal, pool, host } = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals([workers, equal], [[0, 2, 2], true]);
  assertStringIncludes(pool, "Cross-Origin-Opener-Policy: same-origin");
  assertStringIncludes(host, "private memory");
});
