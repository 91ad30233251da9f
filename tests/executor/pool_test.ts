/** The worker pool obeys the conformance suite, starts, rests and is disposed of. */

import "../fences/mod.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { workerPool } from "../../src/executor/pool/pool.ts";
import { createContext } from "../../src/runner/context.ts";
import { executorConformance, GRACE } from "./conformance.ts";
import type { Step } from "./jobs/steps.ts";
import { answers, collect, failure, sleep, Steps } from "./steps.ts";

for (const workers of [1, 2, 3]) {
  executorConformance(`pool of ${workers}`, () => workerPool({ workers, grace: GRACE }));
}
executorConformance(
  "pool of 2 with limited heaps",
  () => workerPool({ workers: 2, heap: 2 ** 27, grace: GRACE }),
);

Deno.test("pool: has 1 to 1024 workers, by default one per core and at most 8", async () => {
  for (const workers of [0, -1, 1.5, NaN, 1025]) {
    assertThrows(() => workerPool({ workers }), TilewiseError, "it must be a whole number from 1 to 1024");
  }
  await using pool = workerPool();
  assertEquals(pool.workers, Math.min(8, navigator.hardwareConcurrency));
});

Deno.test("pool: starts once, rests when idle, and starts again", async () => {
  await using pool = workerPool({ workers: 2, idle: 30 });
  const { workers, milliseconds } = await pool.start();
  assertEquals(workers, 2);
  assert(milliseconds > 0);
  assert((await pool.start()).milliseconds < milliseconds);
  using steps = new Steps(pool);
  await steps.all(answers(2));
  await sleep(80);
  assertEquals((await steps.all(answers(20))).length, 20);
  assertEquals(pool.replaced, 0);
});

Deno.test("pool: all workers work at the same time", async () => {
  await using pool = workerPool({ workers: 3 });
  using steps = new Steps(pool);
  await pool.start();
  const results = await steps.all(Array.from({ length: 3 }, (): Step => ({ do: "sleep", ms: 50 })));
  assertEquals(new Set(results.map(({ worker }) => worker)).size, 3);
});

Deno.test("pool: free workers take turns between runs", async () => {
  await using pool = workerPool({ workers: 1 });
  using steps = new Steps(pool);
  const order: string[] = [];
  const follow = async (name: string) => {
    for await (const _ of steps.run(Array.from({ length: 20 }, (): Step => ({ do: "sleep", ms: 1 })))) {
      order.push(name);
    }
  };
  await Promise.all([follow("a"), follow("b")]);
  assertEquals(order.slice(0, 20).filter((name) => name === "a").length, 10);
});

Deno.test("pool: what cannot be sent is an error that says so", async () => {
  await using pool = workerPool({ workers: 2 });
  using steps = new Steps(pool);
  const task = [...answers(2), { do: "answer", value: () => 1 }] as unknown as Step[];
  const error = await failure(steps.all(task), "invalid");
  assertEquals(error.details.task, 2);
  assertStringIncludes(error.message, "Cannot send task 2 to a worker");
  const shared = { ...steps.shared, token: () => 1 } as unknown as Steps["shared"];
  assertStringIncludes(
    (await failure(steps.all(answers(2), {}, { shared }), "invalid")).message,
    "shared data",
  );
  const memory = new WebAssembly.Memory({ initial: 1 });
  assertStringIncludes((await failure(steps.all(answers(2), { memory }), "invalid")).message, "memory");
  const result = await failure(steps.all([{ do: "unclonable" }]), "udf");
  assertStringIncludes(result.message, "Cannot send the result of task 0");
  assertEquals((await steps.all(answers(9))).length, 9);
  assertEquals(pool.replaced, 0);
});

Deno.test("pool: a hundred failed and a hundred cancelled runs leave nothing behind", async () => {
  await using pool = workerPool({ workers: 2, grace: 600_000 }); // who waits for it waits for ever
  using steps = new Steps(pool);
  for (let i = 0; i < 100; i++) {
    const at = i % 7;
    const tasks: Step[] = [...answers(at), { do: "throw", value: at }, ...answers(3)];
    assertEquals((await failure(steps.all(tasks), "udf")).details.task, at);
  }
  for (let i = 0; i < 100; i++) {
    const controller = new AbortController();
    const ended = failure(steps.all(answers(1000), { signal: controller.signal }), "aborted");
    await sleep(i % 5);
    controller.abort();
    await ended;
  }
  const run = steps.run(answers(50));
  assertEquals((await collect(run)).length, 50);
  assert(await run.drained);
  for (let i = 0; i < 100 && steps.closed < steps.opened; i++) await sleep(20); // those of cancelled runs close late
  assertEquals(steps.closed, steps.opened);
  assertEquals(pool.replaced, 0);
});

Deno.test("pool: a kernel that polls gives up, and its worker stays", async () => {
  await using pool = workerPool({ workers: 2, grace: 2000 });
  using steps = new Steps(pool);
  await pool.start();
  for (let i = 0; i < 5; i++) {
    const controller = new AbortController();
    const before = steps.ran;
    const run = steps.run([{ do: "poll" }, { do: "poll" }], { signal: controller.signal });
    const ended = failure(collect(run), "aborted");
    await steps.begun(before + 2);
    controller.abort();
    await ended;
    assertEquals((await steps.all(answers(5))).length, 5);
    assert(await run.drained);
  }
  assertEquals(pool.replaced, 0);
});

Deno.test("pool: a worker that ignores a cancel is replaced; a run meanwhile goes to the others", async () => {
  await using pool = workerPool({ workers: 2, stuckTimeout: 3000 });
  using steps = new Steps(pool);
  await pool.start();
  const controller = new AbortController();
  const run = steps.run([{ do: "hang" }], { signal: controller.signal });
  const ended = failure(collect(run), "aborted");
  await steps.begun(1);
  controller.abort();
  await ended;
  let drained = false;
  const draining = run.drained.then((free) => drained = free);
  assertEquals((await steps.all(answers(5))).length, 5);
  await sleep(250);
  assertEquals(pool.replaced, 1);
  assert(!drained, "the thread still runs and may write to memory");
  steps.release();
  await draining;
  assert(drained);
  assertEquals(pool.stuck, 0);
});

Deno.test("pool: a run is cancelled while its handlers are being made", async () => {
  await using pool = workerPool({ workers: 2 });
  using steps = new Steps(pool, { fail: "hang in open" });
  await pool.start();
  const run = steps.run(answers(2), { signal: AbortSignal.timeout(50), stallTimeout: 20 });
  await failure(collect(run), "aborted");
  assert(await run.drained);
  assertEquals(pool.replaced, 2);
  using healthy = new Steps(pool);
  assertEquals((await healthy.all(answers(2))).length, 2);
});

Deno.test("pool: a thread that never ends is said to be stuck", async () => {
  await using pool = workerPool({ workers: 1, stuckTimeout: 50 });
  using steps = new Steps(pool);
  const run = steps.run([{ do: "hang" }]);
  const results = run[Symbol.asyncIterator]();
  const first = results.next().catch(() => {});
  await steps.begun(1);
  pool.kill(0);
  await steps.begun(2);
  pool.kill(0);
  await steps.begun(3);
  pool.kill(0);
  await first;
  assertEquals(await run.drained, false);
  assertEquals(pool.stuck, 3);
  steps.release();
  assertEquals((await steps.all(answers(3))).length, 3);
});

Deno.test("pool: a thread with a limited heap that hangs is ended in the middle of its loop", async () => {
  await using pool = workerPool({ workers: 1, heap: 2 ** 27, stuckTimeout: 20_000 });
  using steps = new Steps(pool);
  await steps.all(answers(1));
  const controller = new AbortController();
  const run = steps.run([{ do: "hang", ms: 60_000 }], { signal: controller.signal });
  const ended = failure(collect(run), "aborted");
  await steps.begun(2);
  controller.abort();
  await ended;
  assert(await run.drained, "its memory can be used again, though nobody has let it go");
  assertEquals([pool.replaced, pool.stuck], [1, 0]);
});

Deno.test("pool: a thread that is ended while the platform still writes to memory is waited for", async () => {
  await using pool = workerPool({ workers: 1, heap: 2 ** 27, stuckTimeout: 10_000 });
  using steps = new Steps(pool);
  await steps.all(answers(1));
  const controller = new AbortController();
  const path = await Deno.makeTempFile();
  const run = steps.run([{ do: "block", path }], { signal: controller.signal });
  const ended = failure(collect(run), "aborted");
  await steps.begun(2);
  controller.abort();
  await ended;
  let drained = false;
  const draining = run.drained.then((free) => drained = free);
  assertEquals((await steps.all(answers(3))).length, 3);
  assertEquals(pool.replaced, 1);
  assert(!drained, "the call is not over");
  await Deno.remove(path);
  await draining;
  assertEquals([drained, pool.stuck], [true, 0]);
});

Deno.test("pool: disposing ends a run with an error, and everything after it", async () => {
  const pool = workerPool({ workers: 2 });
  using steps = new Steps(pool);
  const run = steps.run([{ do: "never" }, { do: "never" }]);
  const late = steps.run(answers(1));
  const ended = failure(collect(run), "aborted");
  await steps.begun(2);
  await Promise.all([pool[Symbol.asyncDispose](), pool[Symbol.asyncDispose]()]);
  assertStringIncludes((await ended).message, "disposed");
  assert(await run.drained);
  await failure(collect(late), "invalid");
  await failure(pool.start(), "invalid");
  pool.kill(0);
});

Deno.test("pool: workers that cannot start are an error, and the pool recovers", async () => {
  const { Worker } = globalThis;
  const { process } = globalThis as unknown as { process: { getBuiltinModule(name: string): unknown } };
  const { getBuiltinModule } = process;
  const forbidden = class {
    constructor() {
      throw new Error("workers are forbidden here");
    }
  };
  const failing = class {
    onerror?: (event: ErrorEvent) => void;
    on(event: string, heard: (error: Error) => void) { // those of Node
      if (event === "error") this.onerror = ({ message }) => heard(new Error(message));
    }
    postMessage() {
      const event = new ErrorEvent("error", { message: "cannot load", cancelable: true });
      setTimeout(() => this.onerror?.(event), 0);
    }
    terminate = () => Promise.resolve();
  };
  for (const options of [{ workers: 2 }, { workers: 2, heap: 2 ** 27 }]) {
    await using pool = workerPool(options);
    using steps = new Steps(pool);
    try {
      for (const [fake, text] of [[forbidden, "forbidden here"], [failing, "cannot load"]] as const) {
        globalThis.Worker = fake as unknown as typeof Worker;
        process.getBuiltinModule = () => ({ Worker: fake });
        assertStringIncludes((await failure(steps.all(answers(3)), "worker")).message, text);
        assertStringIncludes((await failure(pool.start(), "worker")).message, text);
      }
    } finally {
      globalThis.Worker = Worker;
      process.getBuiltinModule = getBuiltinModule;
    }
    assertEquals((await steps.all(answers(3))).length, 3);
  }
});

Deno.test("pool: where there is no global Worker, workers are threads of Node, as the default of contexts", async () => {
  const { Worker } = globalThis;
  const { process } = globalThis as unknown as { process: { getBuiltinModule?: unknown } };
  const { getBuiltinModule } = process;
  try {
    delete (globalThis as { Worker?: unknown }).Worker;
    await using pool = workerPool({ workers: 2 });
    using steps = new Steps(pool);
    assertEquals((await steps.all(answers(3))).length, 3);
    assertEquals(createContext({ workers: 2 }).workers, 2);
    assert(createContext().workers > 0);
    process.getBuiltinModule = undefined;
    assertThrows(() => workerPool({ workers: 2 }), TilewiseError, "no workers");
    assertEquals(createContext({ workers: 2 }).workers, 0);
  } finally {
    process.getBuiltinModule = getBuiltinModule;
    globalThis.Worker = Worker;
  }
});

Deno.test("pool: a process that forgets its pool ends once the pool is idle", async () => {
  const script = `
    import { workerPool } from ${JSON.stringify(import.meta.resolve("../../src/executor/pool/pool.ts"))};
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const job = { module: "data:text/javascript,export const same = () => ({ run: (n) => n })", export: "same", shared: 0 };
    const pool = workerPool({ workers: 2, idle: 100 });
    for await (const { value } of pool.run(job, [41, 42], { memory })) console.log(value);
  `;
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `data:text/javascript,${encodeURIComponent(script)}`],
    signal: AbortSignal.timeout(600_000),
  }).output();
  assertEquals(code, 0);
  assertEquals(new TextDecoder().decode(stdout).trim().split("\n").toSorted(), ["41", "42"]);
});

Deno.test("pool: threads with limited heaps are known to be gone, also the first one of a process", async () => {
  const script = `
    import { workerPool } from ${JSON.stringify(import.meta.resolve("../../src/executor/pool/pool.ts"))};
    const pool = workerPool({ workers: 2, heap: 2 ** 27 });
    await pool.start();
    await pool[Symbol.asyncDispose]();
    console.log(pool.stuck);
  `;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `data:text/javascript,${encodeURIComponent(script)}`],
    signal: AbortSignal.timeout(600_000),
  }).output();
  assertEquals(new TextDecoder().decode(stdout).trim(), "0");
});

Deno.test("pool: a run that nobody iterates over does nothing", async () => {
  await using pool = workerPool({ workers: 1 });
  using steps = new Steps(pool);
  steps.run(answers(1));
  await sleep(20);
  assertEquals(steps.ran, 0);
});
